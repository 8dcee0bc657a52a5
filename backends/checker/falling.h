/* The compiled checker of falling lists: the same reasons as corels/proofcheck/falling/, nothing
 * shared with the search. Why the reasons hold: docs/internals/proof-families.md. Softly falling
 * lists, whose costs are fractions, are checked in Python only. */
#ifndef CORELS_CHECKER_FALLING_H
#define CORELS_CHECKER_FALLING_H

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
/* The table, made from the raw data and not by the search, and the costs. The caller makes sure
 * that (positive + unit) * rows and rule * antecedents stay below 2^61, and rows below 2^30. */
typedef struct {
    int64_t positive, unit,
        rule;         /* a positive called negative, a negative called positive, a rule */
    int64_t edges[3]; /* points with unit * q <= edge * p are together, rising */
    int64_t total;    /* the conclusion: no list costs less */
    int32_t antecedents, points;
    int32_t max_length;                    /* -1: no limit */
    const uint64_t *masks;                 /* [antecedents][(points + 63) / 64] */
    const uint32_t *positives, *negatives; /* [points] */
} corels_falling_table;

/* Prefix i has the first shared[i] rules of the one before it, then rules[i]. */
typedef struct {
    size_t count;
    const uint32_t *shared, *rules;
} corels_falling_prefixes;

enum corels_falling_result {
    CORELS_FALLING_HOLDS = 0,
    CORELS_FALLING_FAILS = 1, /* the report says where */
    CORELS_FALLING_MEMORY = 2,
    CORELS_FALLING_UNSUPPORTED = 3 /* the compiler has no products of 128 bits */
};

typedef struct {
    int64_t prefix;     /* 0: the empty one; i: that of prefix i - 1 above */
    int32_t antecedent; /* not shown to cost so much; -1: to end there is cheaper; -2: the prefix
                           itself cannot be */
} corels_falling_report;

int corels_check_falling(const corels_falling_table *table, const corels_falling_prefixes *prefixes,
                         corels_falling_report *report);
/* cffi: end */

#endif

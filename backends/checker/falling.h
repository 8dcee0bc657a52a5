/* The compiled checker of falling and softly falling lists: the same reasons as
 * corels/proofcheck/falling/, nothing shared with the search. Why the reasons hold:
 * docs/internals/proof-families.md. */
#ifndef CORELS_CHECKER_FALLING_H
#define CORELS_CHECKER_FALLING_H

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
/* The table, made from the raw data and not by the search, and the costs. The caller makes sure
 * that (positive + unit) * rows + (rule + violation) * (antecedents + 2) stays below 2^61, and rows
 * below 2^30. */
typedef struct {
    int64_t positive, unit,
        rule;          /* a positive called negative, a negative called positive, a rule */
    int64_t violation; /* a rise of 1; -1: no proportion may rise */
    int64_t edges[3];  /* points with unit * q <= edge * p are together, rising */
    int64_t total;     /* the conclusion: no list costs less. -1: than the list of the proof */
    int32_t antecedents, points;
    int32_t max_length;                    /* -1: no limit */
    const uint64_t *masks;                 /* [antecedents][(points + 63) / 64] */
    const uint32_t *positives, *negatives; /* [points] */
} corels_falling_table;

/* Prefix i has the first shared[i] rules of the one before it, then rules[i]. claimed[i]: whether
 * the proof claims something of it; if not, it is there for what is built on it. wanted: NULL, or
 * one byte for each prefix, the empty one first: 1 where it is to be looked at, which becomes 2;
 * prefixes that these lean on are made 1, too. list: the rules of the proof's list. */
typedef struct {
    size_t count;
    const uint32_t *shared, *rules;
    const uint8_t *claimed;
    uint8_t *wanted;
    size_t length;
    const uint32_t *list;
} corels_falling_prefixes;

enum corels_falling_result {
    CORELS_FALLING_HOLDS = 0,
    CORELS_FALLING_FAILS = 1, /* the report says where */
    CORELS_FALLING_MEMORY = 2,
    CORELS_FALLING_UNSUPPORTED = 3, /* the compiler has no products of 128 bits */
    CORELS_FALLING_RUNNING = 4      /* there is more to do */
};

typedef struct {
    int64_t prefix;     /* 0: the empty one; i: that of prefix i - 1 above */
    int32_t antecedent; /* not shown to cost so much; -1: to end there is cheaper; -2: the prefix
                           itself cannot be */
    int32_t exact;      /* 0: a bound may still show it in exact fractions (softly falling lists) */
} corels_falling_report;

typedef struct corels_falling_checker corels_falling_checker;

/* The arrays are not copied. NULL: `result` says why. */
corels_falling_checker *corels_falling_open(const corels_falling_table *table,
                                            const corels_falling_prefixes *prefixes, int *result);
/* Look at about so many prefixes more. Behind a failure the next call goes on with the antecedent
 * after it. */
int corels_falling_step(corels_falling_checker *checker, size_t budget,
                        corels_falling_report *report);
void corels_falling_close(corels_falling_checker *checker);
/* cffi: end */

#endif

/* The native bounds: one line of bounds.def for each, from which its declarations and its row
 * follow. Options choose bounds by these names; counters, events and reports follow the choice. A
 * bound has one C file with its filter or its tables, and its claim; proofs are in
 * docs/internals/bounds.md.
 */
#pragma once

#include "corels/part.h"
#include "node.h"
#include "tables.h"

/* What the search itself does for a bound, beside or instead of filtering. */
typedef enum {
    ROLE_FILTER,
    ROLE_HIERARCHICAL,      /* best-first: garbage collection may use it */
    ROLE_LOOKAHEAD,         /* the same */
    ROLE_EQUIVALENT_POINTS, /* every list pays `base` from the start */
    ROLE_REJECTION,         /* monotone rejections hold for descendants */
    ROLE_ONE_RULE,          /* sets with room for one rule are closed by the best one */
    ROLES
} bound_role;

/* Marks children in node->out; returns how many are left. */
typedef int32_t (*column_filter)(node_view *, int32_t mark);
/* Keeps children of a list; returns how many. */
typedef int32_t (*set_filter)(node_view *, int32_t *list, int32_t n);

typedef struct bound_row {
    const char *name;
    bound_role role;
    int in_set; /* scope: the reason lies in the set and the need alone */
    int weighs; /* it reads the columns in original weights */
    int always; /* depth-first cannot do without it: it is part of every cost there */
    column_filter columns;
    set_filter sets;
    tables_maker tables; /* it builds tables while the search runs (tables.h) */
} bound_row;

/* NULL for a name that has no native bound. */
const bound_row *bound_named(const char *name);

/* The functions of bounds.def, each in the file of its bound. */
#define COLUMN_BOUND(bound, ...) int32_t bound##_filter(node_view *, int32_t mark);
#define SET_BOUND(bound) int32_t bound##_filter(node_view *, int32_t *list, int32_t n);
#define TABLE_BOUND(bound) tables *bound##_new(const tables_data *);
#define SEARCH_BOUND(bound, ...)
#include "bounds.def"
#undef COLUMN_BOUND
#undef SET_BOUND
#undef TABLE_BOUND
#undef SEARCH_BOUND

/* A set that was counted: what every antecedent captures of it, and its regrets. */
typedef struct {
    const uint64_t *set;   /* [words] */
    const int32_t *counts; /* [classes][stride] */
    const int32_t *totals; /* [classes] */
} counted_set;
/* last_rule.c: returns 1 if the counts of a set prove that every list of one rule for T, which rule
 * r leaves of the set, costs at least `need`. T need not be counted; what the list without rules
 * costs there comes into *none. For two classes. */
int last_rule_fails(const node_view *, const counted_set *, int32_t r, int64_t need, int64_t *none);

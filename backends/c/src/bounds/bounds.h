/* The native bounds: one row of one table for each. Options choose bounds by the table's names;
 * counters, events and reports follow the choice. A bound has one C file with its filter, its
 * function on tables where the teaching backend has a twin, and its claim; proofs are in
 * docs/internals/bounds.md.
 */
#ifndef BOUNDS_BOUNDS_H
#define BOUNDS_BOUNDS_H

#include "corels/part.h"
#include "node.h"
#include "staged.h"

/* What the search itself does for a bound, beside or instead of filtering. */
typedef enum {
    ROLE_FILTER,
    ROLE_HIERARCHICAL,      /* best-first: garbage collection may use it */
    ROLE_LOOKAHEAD,         /* the same */
    ROLE_EQUIVALENT_POINTS, /* every list pays `base` from the start */
    ROLE_REJECTION,         /* monotone rejections hold for descendants */
    ROLE_ONE_RULE,          /* sets with room for one rule are closed by the best one */
} bound_role;

/* Marks children in node->out; returns how many are left. */
typedef int32_t (*column_filter)(node_view *, int32_t mark);
/* Keeps children of a list; returns how many. */
typedef int32_t (*set_filter)(node_view *, int32_t *list, int32_t n);
/* keep[i] = whether the filter would keep row i of a table. */
typedef void (*table_filter)(const corels_children *, int64_t incumbent, uint8_t *keep);

typedef struct bound_row {
    const char *name;
    bound_role role;
    int in_set; /* scope: the reason lies in the set and the need alone */
    int weighs; /* it reads the columns in original weights */
    int always; /* depth-first cannot do without it: it is part of every cost there */
    column_filter columns;
    set_filter sets;
    const tables_face *tables; /* it builds tables while the search runs (staged.h) */
    table_filter on_table;
} bound_row;

/* NULL for a name that has no native bound. */
const bound_row *bound_named(const char *name);

/* Filters, each in the file of its bound. */
int32_t support_filter(node_view *, int32_t mark);
int32_t accurate_support_filter(node_view *, int32_t mark);
int32_t upper_support_filter(node_view *, int32_t mark);
int32_t reduced_support_filter(node_view *, int32_t mark);
int32_t hierarchical_filter(node_view *, int32_t mark);
int32_t lookahead_filter(node_view *, int32_t mark);
int32_t prefix_length_filter(node_view *, int32_t mark);
/* last_rule.c: whether it is told, without a count of the set S that rule r leaves, that each list
 * of one rule for S costs at least `need`; then the cost of the list without rules is in *none.
 * `counts` are those of the set before r. For two classes. */
int last_rule_fails(const node_view *, const int32_t *counts, int32_t r, const uint64_t *set,
                    int64_t need, int64_t *none);
int32_t second_rule_filter(node_view *, int32_t *list, int32_t n);
int32_t dominance_filter(node_view *, int32_t *list, int32_t n);
int32_t similar_support_filter(node_view *, int32_t *list, int32_t n);

/* The same on tables. */
void support_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void accurate_support_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void upper_support_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void reduced_support_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void hierarchical_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void lookahead_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void prefix_length_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);
void one_rule_on_table(const corels_children *, int64_t incumbent, uint8_t *keep);

/* blocks.c */
extern const tables_face blocks_tables;

/* prices.c */
extern const tables_face prices_tables;

/* leaves.c; and the most conditions of the conjunctions for which its weights hold, 0 before they
 * are there. */
extern const tables_face leaves_tables;
int32_t leaves_verified(const void *built);

#endif

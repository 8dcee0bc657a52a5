/* One node of a search, as the bounds of bounds/ see it: arrays, nothing else.
 *
 * S is the set of points that no rule of the prefix captures. Antecedent r has counts[c * stride +
 * r] = the regret of predicting class c for the points of S that r captures (its extra errors; see
 * docs/internals/reduction.md). errors[r] is the least over the classes; closing[r] adds the least
 * regret of the points that r leaves: the errors of the list that ends with r.
 *
 * f(S) is the least cost of completing the prefix: rule_cost for each further rule, unit for each
 * error. `need` is what a completion must stay below to improve the incumbent; a child r costs
 * rule_cost + unit * errors[r], and what is left of `need` is the child's own need.
 *
 * A bound is a filter: it takes a list of antecedents in rising order and keeps, in place and in
 * order, those that it cannot rule out. Two searches share these functions.
 */
#ifndef CORELS_BOUNDS_NODE_H
#define CORELS_BOUNDS_NODE_H

#include <stdint.h>

#include "kernel.h"

typedef struct {
    const corels_kernel_table *kernel;
    const uint64_t *masks; /* [antecedents][words] */
    const uint64_t *set;   /* [words] */
    const int32_t *counts; /* [classes][stride] */
    const int32_t *totals; /* [classes] */
    const int32_t *worst;  /* [stride]: the regret of the worst class point by point; or NULL where
                              there are two classes, and it is the sum of their regrets */
    int32_t *errors, *closing; /* [stride] */
    int64_t rule_cost, unit;
    /* Lowered by the filters that go by cost: what a completion costs at least that begins with a
     * child they dropped. Not below the need. The queue has no use for it. */
    int64_t floor;
    int32_t antecedents, words, classes, stride;
} corels_node;

/* Fill errors and closing from counts; returns the least closing. */
int32_t corels_node_scan(const corels_node *node);

/* What is left of `need` for the child r. */
static inline int64_t corels_child_need(const corels_node *node, int64_t need, int32_t r) {
    return need - node->rule_cost - node->unit * node->errors[r];
}

static inline void corels_lower(int64_t *least, int64_t cost) {
    if (cost < *least) *least = cost;
}

/* Lookahead (Lemma 2) or, with `rules` 0, the cost alone (Theorem 1): lists the children whose own
 * need is above rules * rule_cost. Makes the first list; `list` has room for `stride`. */
int32_t corels_keep_cost(corels_node *node, int64_t need, int rules, int32_t *list);
/* Drops the children that capture nothing. */
int32_t corels_keep_capturing(const corels_node *node, int32_t *list, int32_t n);
/* Reduced support; see the file of each for the claim and docs/internals/bounds.md for proofs. */
int32_t corels_keep_reduced_support(const corels_node *node, int32_t *list, int32_t n);
/* The counts of the antecedents that can be a second rule; each array has room for `stride`. */
typedef struct {
    int32_t *a, *b, n;
} corels_rivals;

/* Two classes only (keeps all otherwise). `rivals` is scratch. */
int32_t corels_keep_second_rule(corels_node *node, int64_t need, int32_t *list, int32_t n,
                                corels_rivals *rivals);
/* `order` has room for n. */
int32_t corels_keep_dominance(const corels_node *node, int32_t *list, int32_t n, uint64_t *order);
/* `weights` is [points]: the worst regret of each point. `order` has room for n. */
int32_t corels_keep_similar_support(const corels_node *node, const int32_t *weights, int32_t *list,
                                    int32_t n, uint64_t *order);

#endif

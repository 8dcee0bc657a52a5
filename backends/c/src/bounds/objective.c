/* Objective bounds: what a prefix costs already, against the incumbent.
 * Proofs: docs/internals/bounds.md. */
#include "bounds.h"

/* Theorem 1: every extension costs at least the prefix's lower bound. */
void bound_hierarchical(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    for (int32_t i = 0; i < c->count; i++) keep[i] = c->lower_bound[i] < incumbent;
}

/* Lemma 2: every proper extension pays for one more rule. */
void bound_lookahead(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    for (int32_t i = 0; i < c->count; i++) keep[i] = c->lower_bound[i] + c->rule_cost < incumbent;
}

/* Theorems 4 and 6: room for one more rule, at all and behind this prefix. */
void bound_prefix_length(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    int64_t longest = c->antecedents;
    if (c->rule_cost > 0 && incumbent / c->rule_cost < longest) longest = incumbent / c->rule_cost;
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->length[i] < longest && incumbent - c->lower_bound[i] >= c->rule_cost;
}

/* A child with room for less than two rules more has its best list one rule further. */
void bound_one_rule(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->lower_bound[i] + 2 * c->rule_cost < incumbent;
}

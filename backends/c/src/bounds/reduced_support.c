/* Reduced support, Theorem 11 in avoidable errors. Deleting rule r from a list costs at most unit *
 * (worst - errors) over the points that r captures, and saves rule_cost: where that is no loss,
 * some optimum does without r. */
#include "bounds.h"

int32_t reduced_support_filter(node_view *node, int32_t mark) {
    return keep_above(node, node->saved, node->rule_cost / node->unit, mark);
}

void reduced_support_on_table(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->unit * (c->worst[i] - c->errors[i]) > c->rule_cost;
}

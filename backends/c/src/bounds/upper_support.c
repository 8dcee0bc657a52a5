/* Upper support (Theorem 21): the new rule leaves less than lambda * N to the rules behind it,
 * which then save no more than they cost. */
#include "bounds.h"
#include "paper.h"

int32_t upper_support_filter(node_view *node, int32_t mark) {
    int32_t fewest = INT32_MAX;
    return keep_most(node, node->support, node->uncaptured - least_weight(node), mark, &fewest);
}

void upper_support_on_table(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->unit * (c->total - c->captured[i]) >= c->rule_cost;
}

/* Prefix length (Theorems 4 and 6): there is no room for one more rule below the incumbent, at all
 * or behind this prefix. */
#include "bounds.h"

int32_t prefix_length_filter(node_view *node, int32_t mark) {
    int64_t longest = node->antecedents, most;
    int32_t fewest = INT32_MAX;
    if (node->rule_cost > 0 && node->incumbent / node->rule_cost < longest)
        longest = node->incumbent / node->rule_cost;
    most = most_errors(node->room - 2 * node->rule_cost, node->unit);
    return keep_most(node, node->charged, node->length + 1 < longest ? most : -1, mark, &fewest);
}

void prefix_length_on_table(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    int64_t longest = c->antecedents;
    if (c->rule_cost > 0 && incumbent / c->rule_cost < longest) longest = incumbent / c->rule_cost;
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->length[i] < longest && incumbent - c->lower_bound[i] >= c->rule_cost;
}

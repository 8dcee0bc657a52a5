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

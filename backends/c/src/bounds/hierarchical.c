/* Hierarchical (Theorem 1): what the prefix costs already is no less than the incumbent, and every
 * extension costs as much or more. */
#include "bounds.h"

int32_t hierarchical_filter(node_view *node, int32_t mark) {
    int32_t fewest = INT32_MAX;
    int64_t most = most_errors(node->room - 1 - node->rule_cost, node->unit);
    int32_t left = keep_most(node, node->charged, most, mark, &fewest);
    /* A proper completion of a dropped child has one more rule. */
    if (fewest < INT32_MAX) lower(&node->floor, 2 * node->rule_cost + node->unit * fewest);
    return left;
}

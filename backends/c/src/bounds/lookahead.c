/* Lookahead (Lemma 2): the prefix and one more rule cost no less than the incumbent, and every
 * proper extension pays for one more rule. */
#include "bounds.h"

int32_t lookahead_filter(node_view *node, int32_t mark) {
    int32_t fewest = INT32_MAX;
    int64_t most = most_errors(node->room - 1 - 2 * node->rule_cost, node->unit);
    int32_t left = keep_most(node, node->charged, most, mark, &fewest);
    if (fewest < INT32_MAX) lower(&node->floor, 2 * node->rule_cost + node->unit * fewest);
    return left;
}

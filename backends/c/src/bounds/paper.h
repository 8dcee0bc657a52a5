/* What bounds of the paper share. Its support bounds count original rows. */
#pragma once

#include "node.h"

/* The least weight whose cost as errors is at least that of a rule. */
static inline int64_t least_weight(const node_view *node) {
    return (node->rule_cost + node->unit - 1) / node->unit;
}

/* Drops children that cost as much as is needed with `rules` further rules. A proper completion has
 * at least two. */
static inline int32_t keep_cheap(node_view *node, int32_t mark, int rules) {
    int32_t fewest = INT32_MAX;
    int64_t most = most_errors(node->room - 1 - rules * node->rule_cost, node->unit);
    int32_t left = keep_most(node, node->charged, most, mark, &fewest);
    if (fewest < INT32_MAX) lower(&node->floor, 2 * node->rule_cost + node->unit * fewest);
    return left;
}

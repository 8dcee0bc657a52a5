/* What the paper's support bounds share: they count original rows. */
#pragma once

#include "node.h"

/* The least weight whose cost as errors is at least that of a rule. */
static inline int64_t least_weight(const node_view *node) {
    return (node->rule_cost + node->unit - 1) / node->unit;
}

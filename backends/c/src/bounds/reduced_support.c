/* Reduced support, Theorem 11 in avoidable errors. Deleting rule r from a list costs at most unit *
 * (worst - errors) over the points that r captures, and saves rule_cost: if that is no loss,
 * some optimum does without r. */
#include "bounds.h"

int32_t reduced_support_filter(node_view *node, int32_t mark) {
    return keep_above(node, node->saved, node->rule_cost / node->unit, mark);
}

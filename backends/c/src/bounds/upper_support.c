/* Upper support (Theorem 21): the new rule leaves less than lambda * N to the rules behind it,
 * which then save no more than they cost. */
#include "bounds.h"
#include "paper.h"

int32_t upper_support_filter(node_view *node, int32_t mark) {
    int32_t fewest = INT32_MAX;
    return keep_most(node, node->support, node->uncaptured - least_weight(node), mark, &fewest);
}

/* Support (Theorem 10): the new rule captures less than lambda * N. Deleting the rule saves lambda
 * and costs at most what it captures. */
#include "bounds.h"
#include "paper.h"

int32_t support_filter(node_view *node, int32_t mark) {
    return keep_above(node, node->support, least_weight(node) - 1, mark);
}

/* Hierarchical (Theorem 1): what the prefix costs already is no less than the incumbent, and every
 * extension costs as much or more. */
#include "bounds.h"
#include "paper.h"

int32_t hierarchical_filter(node_view *node, int32_t mark) {
    return keep_cheap(node, mark, 1);
}

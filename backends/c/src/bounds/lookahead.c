/* Lookahead (Lemma 2): the prefix and one more rule cost no less than the incumbent, and every
 * proper extension pays for one more rule. */
#include "bounds.h"
#include "paper.h"

int32_t lookahead_filter(node_view *node, int32_t mark) {
    return keep_cheap(node, mark, 2);
}

/* Accurate support (Theorem 11): the new rule classifies less than lambda * N correctly. Deleting
 * it saves lambda and costs at most what it classifies correctly. */
#include "bounds.h"
#include "paper.h"

int32_t accurate_support_filter(node_view *node, int32_t mark) {
    int64_t least = least_weight(node);
    int32_t left = 0;
    for (int32_t r = 0; r < node->antecedents; r++) {
        int64_t correct = (int64_t)node->support[r] - node->minority[r] - node->errors[r];
        if (!node->out[r] && correct < least) node->out[r] = mark;
        left += node->out[r] == 0;
    }
    return left;
}

/* What every bound needs of a node, and the loops over all antecedents that the kernels provide. */
#include "node.h"

static int32_t scan_many(const node_view *node) {
    int32_t least = INT32_MAX;
    for (int32_t r = 0; r < node->stride; r++) {
        int32_t here = INT32_MAX, left = INT32_MAX;
        for (int32_t c = 0; c < node->classes; c++) {
            int32_t count = node->counts[c * (int64_t)node->stride + r];
            if (count < here && c < node->for_rules) here = count;
            if (node->totals[c] - count < left) left = node->totals[c] - count;
        }
        node->errors[r] = here;
        node->saved[r] = node->worst[r] - here;
        node->closing[r] = here + left;
        if (here + left < least) least = here + left;
    }
    return least;
}

/* If rules may not predict every class: their errors are more than those of the best class. */
static int32_t bar_classes(const node_view *node) {
    int32_t least = INT32_MAX;
    for (int32_t r = 0; r < node->antecedents; r++) {
        int32_t c = class_of_rule(node, r);
        int32_t more = node->counts[c * (int64_t)node->stride + r] - node->errors[r];
        node->errors[r] += more;
        node->saved[r] -= more;
        node->closing[r] += more;
        if (node->closing[r] < least) least = node->closing[r];
    }
    return least;
}

int32_t node_scan(const node_view *node) {
    int32_t least =
        node->classes != 2
            ? scan_many(node)
            : node->kernel->scan_two(node->counts, node->counts + node->stride,
                                     (size_t)node->stride, node->totals[0], node->totals[1],
                                     node->errors, node->saved, node->closing);
    return node->barred ? bar_classes(node) : least;
}

static int32_t limit_of(int64_t most) {
    return most < -1 ? -1 : most < INT32_MAX ? (int32_t)most : INT32_MAX;
}

int32_t keep_most(const node_view *node, const int32_t *values, int64_t most, int32_t mark,
                  int32_t *fewest) {
    return (int32_t)node->kernel->keep_most(values, (size_t)node->antecedents, limit_of(most), mark,
                                            node->out, fewest);
}

int32_t keep_above(const node_view *node, const int32_t *values, int64_t most, int32_t mark) {
    return (int32_t)node->kernel->keep_above(values, (size_t)node->antecedents, limit_of(most),
                                             mark, node->out);
}

const int32_t *node_captured(const node_view *node) {
    if (node->worst || !node->barred) return node->worst ? node->worst : node->saved;
    int32_t *sums = (int32_t *)node->order;
    for (int32_t r = 0; r < node->stride; r++)
        sums[r] = node->counts[r] + node->counts[node->stride + r];
    return sums;
}

int32_t keep_capturing(const node_view *node, int32_t mark) {
    return keep_above(node, node_captured(node), 0, mark);
}

int32_t node_list(const node_view *node, int32_t *list) {
    return (int32_t)node->kernel->select_zero(node->out, (size_t)node->antecedents, list);
}

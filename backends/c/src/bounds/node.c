/* What every bound needs of a node, and the two tests that are no more than its cost. */
#include "node.h"

static int32_t scan_many(const corels_node *node) {
    int32_t least = INT32_MAX;
    for (int32_t r = 0; r < node->stride; r++) {
        int32_t here = INT32_MAX, left = INT32_MAX;
        for (int32_t c = 0; c < node->classes; c++) {
            int32_t count = node->counts[c * (int64_t)node->stride + r];
            if (count < here) here = count;
            if (node->totals[c] - count < left) left = node->totals[c] - count;
        }
        node->errors[r] = here;
        node->closing[r] = here + left;
        if (here + left < least) least = here + left;
    }
    return least;
}

int32_t corels_node_scan(const corels_node *node) {
    if (node->classes != 2) return scan_many(node);
    return node->kernel->scan_two(node->counts, node->counts + node->stride, (size_t)node->stride,
                                  node->totals[0], node->totals[1], node->errors, node->closing);
}

int32_t corels_keep_cost(corels_node *node, int64_t need, int rules, int32_t *list) {
    /* need - rule_cost - unit * errors > rules * rule_cost, solved for the errors. */
    int64_t room = need - 1 - (1 + rules) * node->rule_cost;
    int64_t most = room < 0 ? -1 : room / node->unit < INT32_MAX ? room / node->unit : INT32_MAX;
    int32_t fewest =
        node->kernel->least_above(node->errors, (size_t)node->antecedents, (int32_t)most);
    if (fewest < INT32_MAX)
        corels_lower(&node->floor, (1 + rules) * node->rule_cost + node->unit * fewest);
    if (room < 0) return 0;
    return (int32_t)node->kernel->select_most(node->errors, (size_t)node->antecedents,
                                              (int32_t)most, list);
}

/* worst - errors of r, over the points of S: what it saves to have the rule r. */
static inline int32_t saved(const corels_node *node, int32_t r) {
    if (node->worst) return node->worst[r] - node->errors[r];
    int32_t a = node->counts[r], b = node->counts[node->stride + r];
    return a > b ? a : b;
}

static int32_t keep_saving(const corels_node *node, int64_t least, int32_t *list, int32_t n) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i];
        list[kept] = r;
        kept += saved(node, r) > least;
    }
    return kept;
}

int32_t corels_keep_capturing(const corels_node *node, int32_t *list, int32_t n) {
    return keep_saving(node, 0, list, n);
}

/* Reduced support. Deleting rule r from a list costs at most unit * (worst - errors) over the
 * points that r captures, and saves rule_cost: where that is no loss, some optimum does without r.
 */
int32_t corels_keep_reduced_support(const corels_node *node, int32_t *list, int32_t n) {
    return keep_saving(node, node->rule_cost / node->unit, list, n);
}

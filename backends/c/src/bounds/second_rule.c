/* Second rule: children that one more rule cannot save, told from the counts of their parent.
 *
 * Let the child r have need so small that at most one more rule fits (need <= 2 * rule_cost). Its
 * set T = S \ r has regrets A, B left (for predicting class 0, 1). A list of one rule q that
 * predicts 1, default 0, errs A - (a_T(q) - b_T(q)) times; and of T, q captures at most min(a_q, A)
 * and at least max(0, b_q - b_r). So its gain is at most min(a_q, A) - max(0, b_q - b_r); likewise
 * with the classes exchanged. r is dropped where no q can gain enough: no count of T is needed.
 *
 * A rule q that saves no more than rule_cost within S saves no more within T, either, and the list
 * is as good without it (reduced support): only the other q are looked at.
 */
#include "node.h"

/* What a completion of S \ r with at least one more rule costs at least, or -1 where that
 * is not told to reach its need. */
static int64_t least_cost(const corels_node *node, const corels_rivals *rivals, int64_t need,
                          int32_t r) {
    int64_t room = need - 1 - node->rule_cost; /* below need with one rule: unit * errors <= room */
    if (need > 2 * node->rule_cost) return -1;
    if (room < 0) return node->rule_cost;
    size_t n = (size_t)rivals->n;
    int32_t a = node->counts[r], b = node->counts[node->stride + r];
    int32_t left_a = node->totals[0] - a, left_b = node->totals[1] - b;
    int64_t most = room / node->unit;
    int64_t ones = left_a - node->kernel->best_gain(rivals->a, rivals->b, n, left_a, b);
    if (ones <= most) return -1;
    int64_t zeros = left_b - node->kernel->best_gain(rivals->b, rivals->a, n, left_b, a);
    if (zeros <= most) return -1;
    int64_t errors = ones < zeros ? ones : zeros, cost = node->rule_cost + node->unit * errors;
    return cost < 2 * node->rule_cost ? cost : 2 * node->rule_cost;
}

static int32_t find_rivals(const corels_node *node, corels_rivals *rivals) {
    const int32_t *a = node->counts, *b = node->counts + node->stride;
    int64_t least = node->rule_cost / node->unit;
    int32_t n = 0;
    for (int32_t q = 0; q < node->antecedents; q++) {
        rivals->a[n] = a[q];
        rivals->b[n] = b[q];
        n += a[q] > least || b[q] > least;
    }
    return rivals->n = n;
}

int32_t corels_keep_second_rule(corels_node *node, int64_t need, int32_t *list, int32_t n,
                                corels_rivals *rivals) {
    if (node->classes != 2 || !n) return n;
    int32_t kept = 0;
    find_rivals(node, rivals);
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i];
        int64_t need_r = corels_child_need(node, need, r);
        int64_t cost = least_cost(node, rivals, need_r, r);
        if (cost >= 0)
            corels_lower(&node->floor, need - need_r + cost);
        else
            list[kept++] = r;
    }
    return kept;
}

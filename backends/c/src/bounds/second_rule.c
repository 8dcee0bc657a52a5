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
#include "bounds.h"

/* What a completion of S \ r with at least one more rule costs at least, or -1 where that
 * is not told to reach its need. */
static int64_t least_cost(const node_view *node, int64_t need, int32_t r) {
    const rivals *others = &node->rivals;
    int64_t room = need - 1 - node->rule_cost; /* below need with one rule: unit * errors <= room */
    if (need > 2 * node->rule_cost) return -1;
    if (room < 0) return node->rule_cost;
    size_t n = (size_t)others->n;
    int32_t a = node->counts[r], b = node->counts[node->stride + r];
    int32_t left_a = node->totals[0] - a, left_b = node->totals[1] - b;
    int64_t most = room / node->unit;
    int64_t ones = left_a - node->kernel->best_gain(others->a, others->b, n, left_a, b);
    if (ones <= most) return -1;
    int64_t zeros = left_b - node->kernel->best_gain(others->b, others->a, n, left_b, a);
    if (zeros <= most) return -1;
    int64_t errors = ones < zeros ? ones : zeros, cost = node->rule_cost + node->unit * errors;
    return cost < 2 * node->rule_cost ? cost : 2 * node->rule_cost;
}

static void find_rivals(node_view *node) {
    const int32_t *a = node->counts, *b = node->counts + node->stride;
    rivals *found = &node->rivals;
    int64_t least = node->rule_cost / node->unit;
    int32_t n = 0;
    for (int32_t q = 0; q < node->antecedents; q++) {
        found->a[n] = a[q];
        found->b[n] = b[q];
        n += a[q] > least || b[q] > least;
    }
    found->n = n;
}

int32_t second_rule_filter(node_view *node, int32_t *list, int32_t n) {
    if (node->classes != 2 || !n) return n;
    int32_t kept = 0;
    find_rivals(node);
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t r = list[i];
        int64_t need = child_need(node, r), cost = least_cost(node, need, r);
        if (cost >= 0)
            lower(&node->floor, node->need - need + cost);
        else
            list[kept++] = r;
    }
    return kept;
}

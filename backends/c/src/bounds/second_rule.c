/* Second rule: children that one more rule cannot save, told from the counts of their parent.
 *
 * Let the child r have need so small that at most one more rule fits (need <= 2 * rule_cost). Its
 * set T = S \ r has regrets A, B left (for predicting class 0, 1). A list of one rule q that
 * predicts 1, default 0, errs A - (a_T(q) - b_T(q)) times; and of T, q captures at most min(a_q, A)
 * and at least max(0, b_q - b_r). So its gain is at most min(a_q, A) - max(0, b_q - b_r); likewise
 * with the classes exchanged. r is dropped where no q can gain enough: no count of T is needed.
 */
#include "node.h"

static int hopeless(const corels_node *node, int64_t need, int32_t r) {
    if (need > 2 * node->rule_cost) return 0;
    const int32_t *a = node->counts, *b = node->counts + node->stride;
    size_t n = (size_t)node->antecedents;
    int32_t left_a = node->totals[0] - a[r], left_b = node->totals[1] - b[r];
    int64_t room = need - 1 - node->rule_cost; /* below need with one rule: unit * errors <= room */
    if (room < 0) return 1;
    int64_t most = room / node->unit;
    if (left_a - (int64_t)node->kernel->best_gain(a, b, n, left_a, b[r]) <= most) return 0;
    return left_b - (int64_t)node->kernel->best_gain(b, a, n, left_b, a[r]) > most;
}

int32_t corels_keep_second_rule(const corels_node *node, int64_t need, int32_t *list, int32_t n) {
    if (node->classes != 2) return n;
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i];
        if (!hopeless(node, corels_child_need(node, need, r), r)) list[kept++] = r;
    }
    return kept;
}

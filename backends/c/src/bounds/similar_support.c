/* Similar support: drop r where a cheaper child q captures nearly all that r captures.
 *
 * Take any list for S \ r and use it for S \ q instead. Points that q captures and r did not are
 * gone, which costs nothing (monotone). Points of D = (S and r) \ q are new: however they are
 * predicted, they cost at most unit * worst(D). Hence f(S \ q) <= f(S \ r) + unit * worst(D), and r
 * is no better than q where
 *
 *     errors[q] + worst(D) <= errors[r].
 *
 * One-sided, and stronger than Theorem 18, which charges the symmetric difference. (Capturing D by
 * one rule more would cost rule_cost + unit * errors(D); that variant can only be used strictly,
 * see docs/internals/bounds.md, and never pays here.) D is not empty, or r would be dominated: so
 * errors[q] < errors[r], and each drop refers to a child of fewer errors.
 */
#include "node.h"
#include "sort.h"

/* Whether the worst regret of (S and r) \ q is at most `room`. */
static int fits(const corels_node *node, const int32_t *weights, int32_t r, int32_t q,
                int64_t room) {
    const uint64_t *of_r = node->masks + (int64_t)r * node->words;
    const uint64_t *of_q = node->masks + (int64_t)q * node->words;
    for (int32_t w = 0; w < node->words; w++)
        for (uint64_t left = node->set[w] & of_r[w] & ~of_q[w]; left; left &= left - 1) {
            room -= weights[64 * w + __builtin_ctzll(left)];
            if (room < 0) return 0;
        }
    return 1;
}

/* The worst regret of D is at least what r captures in a class beyond what q does. */
static int may_fit(const corels_node *node, int32_t r, int32_t q, int64_t room) {
    for (int32_t c = 0; c < node->classes; c++) {
        const int32_t *counts = node->counts + (int64_t)c * node->stride;
        if (counts[r] - (int64_t)counts[q] > room) return 0;
    }
    return 1;
}

int32_t corels_keep_similar_support(const corels_node *node, const int32_t *weights, int32_t *list,
                                    int32_t n, uint64_t *order) {
    for (int32_t i = 0; i < n; i++) order[i] = corels_key(node->errors[list[i]], list[i]);
    corels_sort(order, n);
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i], q_at = 0;
        for (; q_at < n; q_at++) {
            int32_t q = corels_key_low(order[q_at]);
            int64_t room = node->errors[r] - (int64_t)node->errors[q];
            if (room <= 0)
                q_at = n;
            else if (may_fit(node, r, q, room) && fits(node, weights, r, q, room))
                break;
        }
        if (q_at >= n) list[kept++] = r;
    }
    return kept;
}

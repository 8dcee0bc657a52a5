/* Similar support: drop r if a cheaper child q captures nearly all that r captures.
 *
 * Take any list for S \ r and use it for S \ q instead. Points that q captures and r did not are
 * gone, which costs nothing (monotone). Points of D = (S and r) \ q are new: however they are
 * predicted, they cost at most unit * worst(D). Hence f(S \ q) <= f(S \ r) + unit * worst(D), and r
 * is no better than q if
 *
 *     errors[q] + worst(D) <= errors[r].
 *
 * One-sided, and stronger than Theorem 18, which charges the symmetric difference. (Capturing D by
 * one rule more would cost rule_cost + unit * errors(D); that variant can only be used strictly,
 * see docs/internals/bounds.md, and never pays here.) D is not empty, or r would be dominated: so
 * errors[q] < errors[r], and each drop refers to a child of fewer errors.
 */
#include "bounds.h"
#include "corels/bits.h"
#include "sort.h"

/* Whether the worst regret of (S and r) \ q is at most `room`. */
static int fits(const node_view *node, int32_t r, int32_t q, int64_t room) {
    const uint64_t *of_r = node->masks + (int64_t)r * node->words;
    const uint64_t *of_q = node->masks + (int64_t)q * node->words;
    for (int32_t w = 0; w < node->words; w++)
        for (uint64_t left = node->set[w] & of_r[w] & ~of_q[w]; left; left &= left - 1) {
            room -= node->weights[64 * w + corels_lowest(left)];
            if (room < 0) return 0;
        }
    return 1;
}

/* The position in `order` of a child that r is no better than, or n. */
static int32_t rival_of(const node_view *node, const uint64_t *order, int32_t n, int32_t r) {
    for (int32_t at = 0; at < n; at++) {
        int32_t q = key_low(order[at]);
        int64_t room = node->errors[r] - (int64_t)node->errors[q];
        if (room <= 0) return n; /* and so are all that follow */
        if (nearly_holds(node, r, q, room) && fits(node, r, q, room)) return at;
    }
    return n;
}

int32_t similar_support_filter(node_view *node, int32_t *list, int32_t n) {
    uint64_t *order = node->order;
    for (int32_t i = 0; i < n; i++) order[i] = key_of(node->errors[list[i]], list[i]);
    sort_keys(order, n);
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++)
        if (rival_of(node, order, n, list[i]) == n) list[kept++] = list[i];
    return kept;
}

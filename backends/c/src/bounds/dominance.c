/* Dominance: drop r if another child q captures all that r captures, at no more errors.
 *
 * S \ q is then a subset of S \ r, so f(S \ q) <= f(S \ r) (monotone), and q costs no more. Since q
 * captures a superset, its errors are no fewer either: r and q have equal errors. So only children
 * of equal errors are compared. Within one such group, take them by falling size and, among equals,
 * by rising index: each child then needs comparing with the kept ones before it only (dominance is
 * transitive). Of two children that capture the same points, the one with the lower index stays.
 * Children with room for one rule more are not compared: they are closed for less (last_rule.c).
 */
#include "bounds.h"
#include "sort.h"

/* Whether S and r lies in S and q. */
static int inside(const node_view *node, int32_t r, int32_t q) {
    const uint64_t *of_r = node->masks + (int64_t)r * node->words;
    const uint64_t *of_q = node->masks + (int64_t)q * node->words;
    for (int32_t w = 0; w < node->words; w++)
        if (node->set[w] & of_r[w] & ~of_q[w]) return 0;
    return 1;
}

/* Falling by regret captured, in all classes together; a negative number, so that it sorts. */
static int32_t falling_size(const node_view *node, int32_t r) {
    int64_t size = 0;
    for (int32_t c = 0; c < node->classes; c++) size += node->counts[(int64_t)c * node->stride + r];
    return (int32_t)(INT32_MAX - (size < INT32_MAX ? size : INT32_MAX));
}

/* One group of positions in `list` with equal errors: marks the dominated with -1. */
static void mark_group(node_view *node, int32_t *list, uint64_t *group, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        int32_t at = key_low(group[i]);
        group[i] = key_of(falling_size(node, list[at]), at);
    }
    sort_keys(group, n);
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t *r = list + key_low(group[i]), k = 0;
        for (; k < kept; k++) {
            int32_t q = list[key_low(group[k])];
            if (may_hold(node, *r, q) && inside(node, *r, q)) break; /* most fail at first */
        }
        if (k == kept)
            group[kept++] = group[i];
        else
            *r = -1;
    }
}

/* Whether two rules more fit behind the child. */
static int has_room(const node_view *node, int32_t r) {
    return node->rules_left > 2 && child_need(node, r) > 2 * node->rule_cost;
}

int32_t dominance_filter(node_view *node, int32_t *list, int32_t n) {
    uint64_t *order = node->order;
    for (int32_t i = 0; i < n; i++) order[i] = key_of(node->errors[list[i]], i);
    sort_keys(order, n);
    for (int32_t begin = 0, end = 0; begin < n && !node->cut; begin = end) {
        while (end < n && order[end] >> 32 == order[begin] >> 32) end++;
        if (end - begin > 1 && has_room(node, list[key_low(order[begin])]))
            mark_group(node, list, order + begin, end - begin);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++)
        if (list[i] >= 0) list[kept++] = list[i];
    return kept;
}

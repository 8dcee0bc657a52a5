/* The last rule: a set with room for one rule more, closed without being counted.
 *
 * Most counts of a search would be of sets behind which only one more rule fits, and nearly all of
 * these counts find no rule that is good enough. But of nearly all antecedents q the counts a, b of
 * the set S before rule r tell that already: alone on T = S \ r, with regrets A, B, rule q errs at
 * least
 *
 *     min( max(0, A - a_q) + max(0, b_q - b_r),  max(0, B - b_q) + max(0, a_q - a_r) )
 *
 * times. Mostly that is too often for all of them. If not, what the few others capture of T is
 * counted, digit by digit of the regrets. If none of them errs little enough, no list of one rule
 * reaches the need. If one does, or if they are so many that it takes less to count T, the caller
 * counts T. Either way it proves the same. Proof: docs/internals/bounds.md.
 */
#include "bounds.h"

/* T in the words of each digit. */
static void meet_digits(const node_view *node, const uint64_t *set, const uint64_t *rule) {
    const digits *by = node->digits;
    for (const digit *d = by->all; d < by->all + by->n; d++) {
        uint64_t *left = node->left + d->start;
        const uint64_t *digit_words = by->words + d->start;
        for (uint32_t w = d->low; w < d->high; w++) *left++ = set[w] & ~rule[w] & *digit_words++;
    }
}

/* The errors of the better list of rule q alone on T. */
static int64_t errors_alone(const node_view *node, int32_t q, const int32_t totals[2]) {
    const uint64_t *mask = node->masks + (int64_t)q * node->words;
    const digits *by = node->digits;
    int64_t of[2] = {0, 0};
    for (uint32_t i = 0; i < by->n; i++) {
        const digit *d = by->all + i;
        uint64_t ones =
            node->kernel->ops.popcount_and(mask + d->low, node->left + d->start, d->high - d->low);
        of[d->measure] += (int64_t)ones << d->shift;
    }
    int64_t ones = totals[0] - of[0] + of[1], zeros = totals[1] - of[1] + of[0];
    return ones < zeros ? ones : zeros;
}

/* Whether to count T whole takes less. Measured: a digit of one rule takes as long as its words and
 * sixteen more, a count a fourth of that for each antecedent, with all digits in one go. Nothing
 * but time depends on it. */
static int too_many(const node_view *node, size_t rules) {
    int64_t words = (int64_t)node->digits->longest, n = node->digits->n;
    int64_t step = 16;
    return node->tune->last_rule_measured * (int64_t)rules * (words + step * n) >
           node->antecedents * (words + step);
}

int last_rule_fails(const node_view *node, const counted_set *of, int32_t r, int64_t need,
                    int64_t *none) {
    const int32_t *a = of->counts, *b = of->counts + node->stride;
    corels_behind behind = {{of->totals[0] - a[r], of->totals[1] - b[r]}, {a[r], b[r]}, 0};
    int64_t least = behind.left[0] < behind.left[1] ? behind.left[0] : behind.left[1];
    int64_t room = need - 1 - node->rule_cost, most = room / node->unit;
    *none = node->unit * least;
    if (room < 0) return 1;
    if (least <= most) return 0;
    behind.most = (int32_t)most;
    int32_t *list = (int32_t *)node->order;
    size_t n = node->kernel->list_last(a, b, (size_t)node->antecedents, &behind, list);
    if (!n || too_many(node, n)) return !n;
    meet_digits(node, of->set, node->masks + (int64_t)r * node->words);
    for (size_t i = 0; i < n; i++)
        if (errors_alone(node, list[i], behind.left) <= most) return 0;
    return 1;
}

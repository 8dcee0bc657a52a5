/* How good is one block? A weighted sum of the least errors that one, two, three rules leave of all
 * its items: what the sum over the blocks should be large for.
 *
 * The best lists are found by trying them, first rule, second rule, .. The last rule is tried over
 * all traces, once for each set of items that is left, since many lists leave the same. The rules
 * before it are tried over the cuts that no other one dominates on the items that are left (a
 * superset with no more errors): a dozen instead of several dozens, and exact, since the rule that
 * captures more is never worse (monotone).
 */
#include "score.h"

#include <string.h>

/* The best single rule for a set of items, found while the block number `scored` was scored. */
struct corels_one {
    uint32_t scored, errors;
    uint16_t cut;
};

static int32_t most_rules(const int32_t *weights) {
    int32_t rules = CORELS_SCORE_RULES;
    while (rules > 1 && !weights[rules]) rules--;
    return rules;
}

void corels_score_new(corels_score *score, const int32_t *weights, int32_t antecedents,
                      int32_t bits, store *arrays) {
    size_t room = (size_t)antecedents, lists = (size_t)CORELS_SCORE_RULES * room;
    *score = (corels_score){.weights = weights, .rules = most_rules(weights), .room = room};
    score->cuts = store_take(arrays, lists, sizeof *score->cuts);
    score->traces = store_take(arrays, lists, sizeof *score->traces);
    score->errors = store_take(arrays, lists, sizeof *score->errors);
    score->seen = store_take(arrays, 1024, sizeof *score->seen);
    score->one = store_take(arrays, (size_t)1 << bits, sizeof *score->one);
}

int64_t corels_score_of(const corels_score *score, const corels_best *best) {
    int64_t sum = 0;
    for (int32_t k = 1; k <= score->rules; k++) sum += score->weights[k] * (int64_t)best->errors[k];
    return sum;
}

int32_t corels_distinct_cuts(const uint16_t *traces, int32_t n, uint32_t t, uint16_t *cuts,
                             uint64_t *seen) {
    int32_t kept = 0;
    seen[0] |= 1; /* the empty cut */
    for (int32_t i = 0; i < n; i++) {
        uint32_t x = traces[i] & t;
        uint64_t bit = UINT64_C(1) << (x & 63), *word = seen + (x >> 6);
        cuts[kept] = (uint16_t)x;
        kept += !(*word & bit);
        *word |= bit;
    }
    for (int32_t i = 0; i < kept; i++) seen[cuts[i] >> 6] = 0;
    seen[0] = 0;
    return kept;
}

/* Of n distinct cuts with less than `limit` errors those that no other one dominates, fewest errors
 * first. */
static int32_t maximal(const corels_cells *cells, const uint16_t *all, int32_t n, uint32_t limit,
                       uint16_t *cuts, uint32_t *errors) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        uint16_t x = all[i];
        uint32_t here = corels_errors_of(cells, x);
        int32_t k = 0, left = 0;
        if (here >= limit) continue;
        while (k < kept && ((cuts[k] & x) != x || errors[k] > here)) k++;
        if (k < kept) continue;
        for (k = 0; k < kept; k++)
            if ((cuts[k] & x) != cuts[k] || errors[k] < here)
                cuts[left] = cuts[k], errors[left++] = errors[k];
        for (k = left; k > 0 && errors[k - 1] > here; k--)
            cuts[k] = cuts[k - 1], errors[k] = errors[k - 1];
        cuts[k] = x, errors[k] = here;
        kept = left + 1;
    }
    return kept;
}

static const struct corels_one *one_rule(corels_score *score, const corels_cells *cells, uint32_t t,
                                         const uint16_t *traces, int32_t n) {
    struct corels_one *known = score->one + t;
    if (known->scored == score->scored) return known;
    *known = (struct corels_one){score->scored, corels_errors_of(cells, t), 0};
    for (int32_t i = 0; i < n; i++) {
        uint32_t cut = t & traces[i];
        uint32_t errors = corels_errors_of(cells, cut) + corels_errors_of(cells, t ^ cut);
        if (errors < known->errors) known->errors = errors, known->cut = (uint16_t)cut;
    }
    return known;
}

/* A list of k rules, the path and a last one, is also one of at most k + 1, k + 2, .. */
static void offer(corels_score *score, int32_t k, uint16_t last, uint32_t errors,
                  corels_best *best) {
    score->path[k - 1] = last;
    for (int32_t j = k; j <= score->rules && errors < best->errors[j]; j++) {
        best->errors[j] = errors;
        best->length[j] = k;
        memcpy(best->cuts[j], score->path, (size_t)k * sizeof last);
    }
}

/* All lists that begin with the `depth` rules of the path, which leave the items t and err `spent`
 * times. */
static void extend(corels_score *score, const corels_cells *cells, uint32_t t, int32_t depth,
                   uint32_t spent, const uint16_t *traces, int32_t n, int64_t least,
                   corels_best *best) {
    const struct corels_one *one = one_rule(score, cells, t, traces, n);
    offer(score, depth + 1, one->cut, spent + one->errors, best);
    if (depth + 1 == score->rules || spent >= best->errors[depth + 2]) return;
    size_t room = (size_t)depth * score->room;
    uint16_t *mine = score->traces + room, *cuts = score->cuts + room;
    uint32_t *errors = score->errors + room;
    n = corels_distinct_cuts(traces, n, t, mine, score->seen);
    int32_t kept = maximal(cells, mine, n, best->errors[depth + 2] - spent, cuts, errors);
    for (int32_t i = 0; i < kept && spent + errors[i] < best->errors[depth + 2]; i++) {
        if (corels_score_of(score, best) < least) return; /* it can only fall */
        score->path[depth] = cuts[i];
        extend(score, cells, t ^ cuts[i], depth + 1, spent + errors[i], mine, n, least, best);
    }
}

int64_t corels_score_exact(corels_score *score, const corels_cells *cells, uint32_t full,
                           const uint16_t *traces, int32_t n, int64_t least, corels_best *best) {
    extend(score, cells, full, 0, 0, traces, n, least, best);
    return corels_score_of(score, best);
}

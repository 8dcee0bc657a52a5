/* How good is one block? A weighted sum of the least errors that one, two and three rules leave of
 * all its items: what the sum over the blocks should be large for.
 *
 * The last rule is tried over all traces. The rules before it are tried over the traces that no
 * other trace dominates on the items that are left (a superset with no more errors): a dozen
 * instead of several dozens, and exact, since the rule that captures more is never worse
 * (monotone).
 */
#include "score.h"

#include <string.h>

void corels_block_alone(const corels_partition *partition, int32_t block, int32_t classes,
                        int32_t shift, uint16_t *alone, uint32_t *sums) {
    uint32_t subsets = 1u << partition->bits;
    for (int32_t c = 0; c < classes; c++) {
        const int32_t *regret =
            partition->regret + (size_t)c * partition->places + block * partition->bits;
        sums[0] = 0;
        for (int32_t i = 0; i < partition->bits;
             i++) /* the subsets with i are those without, plus i */
            for (uint32_t x = 0; x < 1u << i; x++)
                sums[x + (1u << i)] = sums[x] + (uint32_t)regret[i];
        for (uint32_t x = 0; x < subsets; x++) {
            uint32_t errors = sums[x] >> shift;
            uint16_t here = (uint16_t)(errors < 65535 ? errors : 65535);
            alone[x] = c && alone[x] < here ? alone[x] : here;
        }
    }
}

int32_t corels_distinct_traces(const uint16_t *all, int32_t n, uint16_t *traces, uint64_t *seen) {
    int32_t kept = 0;
    seen[0] |= 1; /* the empty trace */
    for (int32_t r = 0; r < n; r++) {
        uint64_t bit = UINT64_C(1) << (all[r] & 63), *word = seen + (all[r] >> 6);
        traces[kept] = all[r];
        kept += !(*word & bit);
        *word |= bit;
    }
    for (int32_t i = 0; i < kept; i++) seen[traces[i] >> 6] = 0;
    seen[0] = 0;
    return kept;
}

/* Two classes: both sums of the low and of the high half of the items, packed into one number. A
 * subset is then two lookups. */
static void pack_sums(corels_cells *cells, const corels_partition *partition, int32_t block) {
    int32_t half = partition->bits / 2;
    const int32_t *a = partition->regret + (size_t)block * partition->bits;
    const int32_t *b = a + partition->places;
    cells->half = (uint32_t)half;
    cells->low[0] = cells->high[0] = 0;
    for (int32_t i = 0; i < half; i++)
        for (uint32_t x = 0; x < 1u << i; x++) {
            cells->low[x + (1u << i)] = cells->low[x] + ((uint64_t)b[i] << 32 | (uint32_t)a[i]);
            cells->high[x + (1u << i)] =
                cells->high[x] + ((uint64_t)b[half + i] << 32 | (uint32_t)a[half + i]);
        }
}

void corels_cells_fill(corels_cells *cells, const corels_partition *partition, int32_t block,
                       int32_t classes) {
    cells->packed = classes == 2 && partition->bits > 12; /* a table of 2^16 would not stay near */
    if (cells->packed)
        pack_sums(cells, partition, block);
    else
        corels_block_alone(partition, block, classes, 0, cells->alone, cells->sums);
}

static inline uint32_t errors_of(const corels_cells *cells, uint32_t x) {
    if (!cells->packed) return cells->alone[x];
    uint64_t sum = cells->low[x & ((1u << cells->half) - 1)] + cells->high[x >> cells->half];
    uint32_t a = (uint32_t)sum, b = (uint32_t)(sum >> 32);
    return a < b ? a : b;
}

/* The traces of the items t that no other one dominates, fewest errors first. */
static int32_t maximal(const corels_cells *cells, uint32_t t, const uint16_t *all, int32_t n,
                       uint16_t *traces, uint32_t *errors) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        uint16_t x = (uint16_t)(all[i] & t);
        uint32_t here = errors_of(cells, x);
        int32_t k = 0, left = 0;
        while (k < kept && ((traces[k] & x) != x || errors[k] > here)) k++;
        if (k < kept || !x) continue;
        for (k = 0; k < kept; k++)
            if ((traces[k] & x) != traces[k] || errors[k] < here)
                traces[left] = traces[k], errors[left++] = errors[k];
        for (k = left; k > 0 && errors[k - 1] > here; k--)
            traces[k] = traces[k - 1], errors[k] = errors[k - 1];
        traces[k] = x, errors[k] = here;
        kept = left + 1;
    }
    return kept;
}

static uint32_t one_rule(const corels_cells *cells, uint32_t t, const uint16_t *traces, int32_t n) {
    uint32_t best = errors_of(cells, t);
    for (int32_t i = 0; i < n; i++) {
        uint32_t cut = t & traces[i], errors = errors_of(cells, cut) + errors_of(cells, t ^ cut);
        best = errors < best ? errors : best;
    }
    return best;
}

/* best[k] = the least errors of at most k rules on the items t, k = 0 .. rules. */
static void least_errors(const corels_cells *cells, uint32_t t, const uint16_t *traces, int32_t n,
                         int32_t rules, uint32_t *best) {
    best[0] = errors_of(cells, t);
    best[1] = one_rule(cells, t, traces, n);
    if (rules < 2) return;
    uint16_t *cuts = cells->cuts + (size_t)rules * cells->room;
    uint32_t *errors = cells->errors + (size_t)rules * cells->room;
    int32_t kept = maximal(cells, t, traces, n, cuts, errors);
    for (int32_t k = 2; k <= rules; k++) best[k] = best[1];
    for (int32_t i = 0; i < kept && errors[i] < best[2]; i++) {
        uint32_t rest[CORELS_SCORE_RULES + 1];
        least_errors(cells, t ^ cuts[i], traces, n, rules - 1, rest);
        for (int32_t k = 2; k <= rules; k++)
            if (errors[i] + rest[k - 1] < best[k]) best[k] = errors[i] + rest[k - 1];
    }
}

static int64_t weighted(const uint32_t *errors, const int32_t *weights, int32_t rules) {
    int64_t score = 0;
    for (int32_t k = 1; k <= rules; k++) score += weights[k] * (int64_t)errors[k];
    return score;
}

int64_t corels_block_score(const corels_cells *cells, uint32_t full, const uint16_t *traces,
                           int32_t n, const int32_t *weights, int64_t least) {
    uint32_t best[CORELS_SCORE_RULES + 1], rest[CORELS_SCORE_RULES + 1];
    int32_t rules = CORELS_SCORE_RULES;
    while (rules > 1 && !weights[rules]) rules--;
    uint16_t *cuts = cells->cuts + (size_t)rules * cells->room;
    uint32_t *errors = cells->errors + (size_t)rules * cells->room;
    best[1] = one_rule(cells, full, traces, n);
    for (int32_t k = 2; k <= rules; k++) best[k] = best[1];
    int32_t kept = rules > 1 ? maximal(cells, full, traces, n, cuts, errors) : 0;
    for (int32_t i = 0; i < kept && errors[i] < best[2]; i++) {
        if (weighted(best, weights, rules) < least) break; /* it can only fall */
        least_errors(cells, full ^ cuts[i], traces, n, rules - 1, rest);
        for (int32_t k = 2; k <= rules; k++)
            if (errors[i] + rest[k - 1] < best[k]) best[k] = errors[i] + rest[k - 1];
    }
    return weighted(best, weights, rules);
}

/* How good is one block? The least errors that one rule and that two rules leave of all its items,
 * counted 4 * err_2 + err_1: what the sum over the blocks should be large for.
 *
 * `alone` (the errors of each subset as one cell) is built by doubling: the subsets with item i are
 * those without it, plus its regrets. Two rules are then two lookups for each pair of traces; pairs
 * whose first rule alone errs as much as the best pair so far are skipped.
 */
#include "score.h"

#include <string.h>

void corels_block_alone(const corels_partition *partition, const int32_t *regret, int32_t place,
                        int32_t classes, int32_t shift, uint16_t *alone, uint32_t *sums) {
    uint32_t subsets = 1u << partition->bits;
    for (int32_t c = 0; c < classes; c++) {
        sums[0] = 0;
        for (int32_t i = 0; i < partition->bits; i++) {
            uint32_t weight = (uint32_t)regret[(size_t)c * partition->places + place + i];
            uint32_t *upper = sums + (1u << i);
            for (uint32_t x = 0; x < 1u << i; x++) upper[x] = sums[x] + weight;
        }
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

/* The least errors of one rule and a default on the items `t`. */
static inline uint32_t one_rule(const uint16_t *alone, uint32_t t, const uint16_t *traces,
                                int32_t n) {
    uint32_t best = alone[t];
    for (int32_t i = 0; i < n; i++) {
        uint32_t cut = t & traces[i], errors = (uint32_t)alone[cut] + alone[t ^ cut];
        best = errors < best ? errors : best;
    }
    return best;
}

int64_t corels_block_score(const uint16_t *alone, uint32_t full, const uint16_t *traces,
                           int32_t n) {
    uint32_t one = one_rule(alone, full, traces, n), two = one;
    for (int32_t i = 0; i < n; i++) {
        uint32_t first = alone[traces[i]];
        if (first >= two) continue;
        uint32_t errors = first + one_rule(alone, full ^ traces[i], traces, n);
        two = errors < two ? errors : two;
    }
    return 4 * (int64_t)two + one;
}

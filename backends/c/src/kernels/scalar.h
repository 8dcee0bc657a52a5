/* The kernel in plain C, one word at a time: included by the files that say how to count the ones
 * of a word (`ones`). The loops over 16-bit rows are left to the compiler's vectoriser.
 */
#include "kernel.h"
#include "scan.h"
#include "squeeze.h"

static inline uint64_t ones(uint64_t x);

static uint64_t popcount_and(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i] & b[i]);
    return sum;
}

#include "counts.h"

static void count_block(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums) {
    for (const corels_plane_run *run = runs; run < runs + n_runs; run++) {
        uint64_t counts[8] = {0};
        for (uint32_t t = run->first; t < run->first + run->count; t++)
            for (int j = 0; j < 8; j++)
                counts[j] += ones(block[8 * (size_t)index[t] + j] & bits[t]);
        int add = run > runs && run[-1].offset == run->offset;
        for (int j = 0; j < 8; j++)
            sums[run->offset + j] =
                (add ? sums[run->offset + j] : 0) + (int32_t)(counts[j] << run->shift);
    }
}

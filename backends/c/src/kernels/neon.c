/* The NEON kernel: 128 bits at a time, on every 64-bit ARM. One instruction counts the ones of each
 * byte; bytes hold the counts of 31 vectors (31 times 8 is below 256) before they are widened.
 */
#include <arm_neon.h>

#include "kernel.h"
#include "scan.h"
#include "squeeze.h"

enum { BYTES_HOLD = 31 };

static inline uint64x2_t load(const uint64_t *at) {
    return vld1q_u64(at);
}

static inline uint8x16_t byte_ones(uint64x2_t v) {
    return vcntq_u8(vreinterpretq_u8_u64(v));
}

static inline uint64x2_t lane_sums(uint8x16_t bytes) {
    return vpaddlq_u32(vpaddlq_u16(vpaddlq_u8(bytes)));
}

static inline uint64_t ones(uint64_t x) {
    return vaddv_u8(vcnt_u8(vcreate_u8(x)));
}

#include "price_loops.h"

static inline uint64x2_t both(uint64x2_t a, uint64x2_t b) {
    return vandq_u64(a, b);
}

/* An odd last word stands in the low lane. */
static uint64_t popcount_and(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64x2_t sum = vdupq_n_u64(0);
    size_t i = 0;
    while (i + 2 <= words) {
        uint8x16_t bytes = vdupq_n_u8(0);
        for (int held = 0; held < BYTES_HOLD && i + 2 <= words; held++, i += 2)
            bytes = vaddq_u8(bytes, byte_ones(both(load(a + i), load(b + i))));
        sum = vaddq_u64(sum, lane_sums(bytes));
    }
    if (i < words) {
        uint64x2_t last = vcombine_u64(vcreate_u64(a[i] & b[i]), vdup_n_u64(0));
        sum = vaddq_u64(sum, lane_sums(byte_ones(last)));
    }
    return vaddvq_u64(sum);
}

#include "counts.h"

/* Adds the counts of the eight antecedents of a block over one run. */
static inline void count_run(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                             const corels_plane_run *run, uint64x2_t total[4]) {
    const int64x2_t shift = vdupq_n_s64(run->shift);
    const uint32_t end = run->first + run->count;
    for (uint32_t t = run->first; t < end;) {
        uint8x16_t bytes[4] = {vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0)};
        uint32_t stop = end - t < BYTES_HOLD ? end : t + BYTES_HOLD;
        for (; t < stop; t++) {
            const uint64_t *words = block + 8 * (size_t)index[t];
            uint64x2_t set = vdupq_n_u64(bits[t]);
            for (int k = 0; k < 4; k++)
                bytes[k] = vaddq_u8(bytes[k], byte_ones(both(load(words + 2 * k), set)));
        }
        for (int k = 0; k < 4; k++)
            total[k] = vaddq_u64(total[k], vshlq_u64(lane_sums(bytes[k]), shift));
    }
}

static void count_block(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums) {
    const uint64x2_t zero = vdupq_n_u64(0);
    uint64x2_t total[4] = {zero, zero, zero, zero};
    for (size_t i = 0; i < n_runs; i++) {
        count_run(block, index, bits, runs + i, total);
        if (i + 1 < n_runs && runs[i + 1].offset == runs[i].offset) continue;
        for (int k = 0; k < 4; k++) {
            vst1_s32(sums + runs[i].offset + 2 * k, vreinterpret_s32_u32(vmovn_u64(total[k])));
            total[k] = zero;
        }
    }
}

CORELS_KERNEL_TABLE(neon);

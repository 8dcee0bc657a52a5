/* The AVX2 kernel: 256 bits at a time, ones counted by looking half-bytes up in a register.
 *
 * Byte counts are kept in bytes for as many vectors as cannot overflow (31 times 8 is below 256),
 * then summed over the 64-bit lanes by one instruction.
 */
#include <immintrin.h>

#define CORELS_VECTOR_BYTES 32
#define CORELS_LESSER(a, b) ((number_vector)_mm256_min_epi32((__m256i)(a), (__m256i)(b)))
#include "kernel.h"
#include "scan.h"
#include "squeeze.h"

enum { FEW_WORDS = 16, LONG_RUN = 24 };

/* The ones of each byte. */
static inline __m256i counts(__m256i v) {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i a = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
    __m256i b = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low));
    return _mm256_add_epi8(a, b);
}

static inline __m256i lane_sums(__m256i bytes) {
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

static inline uint64_t sum_of(__m256i lanes) {
    uint64_t part[4];
    _mm256_storeu_si256((__m256i *)part, lanes);
    return part[0] + part[1] + part[2] + part[3];
}

static inline __m256i load(const uint64_t *at) {
    return _mm256_loadu_si256((const __m256i *)at);
}

static inline __m256i both(__m256i a, __m256i b) {
    return _mm256_and_si256(a, b);
}

/* The ones of a few words are summed sooner one by one. */
static uint64_t popcount_and(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    size_t i = 0;
    if (words >= FEW_WORDS) {
        __m256i lanes = _mm256_setzero_si256();
        for (; i + 4 <= words; i += 4)
            lanes = _mm256_add_epi64(lanes, lane_sums(counts(both(load(a + i), load(b + i)))));
        sum = sum_of(lanes);
    }
    for (; i < words; i++) sum += (uint64_t)corels_ones(a[i] & b[i]);
    return sum;
}

#include "counts.h"

typedef __m256i vector;

static inline vector all_of(uint64_t word) {
    return _mm256_set1_epi64x((long long)word);
}

#include "carry_save.h"

/* The counts of all eight antecedents of a block over a short run, whose bytes hold the sums. */
static inline void count_short(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                               size_t n, __m256i lanes[2]) {
    __m256i low = _mm256_setzero_si256(), high = low;
    for (size_t t = 0; t < n; t++) {
        const uint64_t *words = block + 8 * (size_t)index[t];
        __m256i set = _mm256_set1_epi64x((long long)bits[t]);
        low = _mm256_add_epi8(low, counts(both(load(words), set)));
        high = _mm256_add_epi8(high, counts(both(load(words + 4), set)));
    }
    lanes[0] = lane_sums(low);
    lanes[1] = lane_sums(high);
}

static void count_block(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums) {
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    __m256i lanes[2], total[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (size_t i = 0; i < n_runs; i++) {
        const corels_plane_run *run = runs + i;
        const uint32_t *words = index + run->first;
        const uint64_t *of = bits + run->first;
        if (run->count < LONG_RUN)
            count_short(block, words, of, run->count, lanes);
        else
            for (int h = 0; h < 2; h++) lanes[h] = count_run(block + 4 * h, words, of, run->count);
        for (int h = 0; h < 2; h++)
            total[h] = _mm256_add_epi64(
                total[h], _mm256_sll_epi64(lanes[h], _mm_cvtsi32_si128((int)run->shift)));
        if (i + 1 < n_runs && run[1].offset == run->offset) continue;
        for (int h = 0; h < 2; h++) {
            __m256i packed = _mm256_permutevar8x32_epi32(total[h], even);
            _mm_storeu_si128((__m128i *)(sums + run->offset + 4 * h),
                             _mm256_castsi256_si128(packed));
            total[h] = _mm256_setzero_si256();
        }
    }
}

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx2);

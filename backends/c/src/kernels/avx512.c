/* The kernel of AVX-512 with VPOPCNTDQ: one instruction counts the ones of eight words. */
#include <immintrin.h>
#include <string.h>

#define CORELS_VECTOR_BYTES 64
#define CORELS_LESSER(a, b) ((number_vector)_mm512_min_epi32((__m512i)(a), (__m512i)(b)))
#include "kernel.h"
#include "scan.h"
#include "squeeze.h"

static inline __m512i counts(__m512i v) {
    return _mm512_popcnt_epi64(v);
}

static inline __m512i load(const uint64_t *at) {
    return _mm512_loadu_si512(at);
}

static inline __m512i load_some(const uint64_t *at, size_t n) {
    return _mm512_maskz_loadu_epi64((__mmask8)((1u << n) - 1), at);
}

static inline __m512i both(__m512i a, __m512i b) {
    return _mm512_and_si512(a, b);
}

/* Many columns are larger than the caches, and the processor alone fetches too little ahead. */
static inline void fetch_words(const uint64_t *words) {
    enum { AHEAD = 24 * 64 }; /* bytes; 12 to 96 lines were equally good */
    _mm_prefetch((const char *)words + AHEAD, _MM_HINT_T0);
}

static uint64_t popcount_and(const uint64_t *a, const uint64_t *b, size_t words) {
    __m512i lanes = _mm512_setzero_si512();
    size_t i = 0;
    for (; i + 8 <= words; i += 8) {
        fetch_words(a + i);
        lanes = _mm512_add_epi64(lanes, counts(both(load(a + i), load(b + i))));
    }
    __m512i rest = both(load_some(a + i, words - i), load_some(b + i, words - i));
    return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(lanes, counts(rest)));
}

#include "counts.h"

static inline __m512i count_run(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                                size_t n) {
    __m512i lanes = _mm512_setzero_si512();
    for (size_t t = 0; t < n; t++) {
        const uint64_t *words = block + 8 * (size_t)index[t];
        fetch_words(words);
        __m512i met = both(load(words), _mm512_set1_epi64((long long)bits[t]));
        lanes = _mm512_add_epi64(lanes, counts(met));
    }
    return lanes;
}

static void count_block(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums) {
    __m512i total = _mm512_setzero_si512();
    for (size_t i = 0; i < n_runs; i++) {
        const corels_plane_run *run = runs + i;
        __m512i lanes = count_run(block, index + run->first, bits + run->first, run->count);
        total =
            _mm512_add_epi64(total, _mm512_sll_epi64(lanes, _mm_cvtsi32_si128((int)run->shift)));
        if (i + 1 < n_runs && run[1].offset == run->offset) continue;
        _mm256_storeu_si256((__m256i *)(sums + run->offset), _mm512_cvtepi64_epi32(total));
        total = _mm512_setzero_si512();
    }
}

/* Loops of the price bound that gather: see price_loops.h. */
#define CORELS_OWN_MOVE_CELL
#define CORELS_OWN_FIRST_STEP

static int32_t first_step(const uint8_t *traces, const int32_t *price, int32_t n,
                          const int32_t *gain, size_t state) {
    const __m512i from = _mm512_set1_epi32((int32_t)state), aim = _mm512_set1_epi32(gain[state]);
    for (int32_t t = 0; t < n; t += 16) {
        __mmask16 here = n - t < 16 ? (__mmask16)((1u << (n - t)) - 1) : 0xffff;
        __m512i of = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(here, traces + t));
        here = _mm512_test_epi32_mask(of, from);
        __m512i left = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), here,
                                                   _mm512_andnot_si512(of, from), gain, 4);
        __m512i sum = _mm512_add_epi32(left, _mm512_maskz_loadu_epi32(here, price + t));
        here = _mm512_mask_cmpeq_epi32_mask(here, sum, aim);
        if (here) return t + corels_lowest(here);
    }
    return -1;
}

/* What sixteen antecedents leave of a state costs, by what they capture. */
static inline __m512i costs_without(const int32_t *values, int32_t state, __m512i captured) {
    return _mm512_i32gather_epi32(_mm512_andnot_si512(captured, _mm512_set1_epi32(state)), values,
                                  4);
}

static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      const int32_t *values, int32_t before, int32_t after) {
    const __m512i rise = _mm512_set1_epi32(values[after] - values[before]);
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i of = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
        __m512i more = _mm512_add_epi32(rise, costs_without(values, before, of));
        more = _mm512_sub_epi32(more, costs_without(values, after, of));
        _mm512_storeu_si512(sums + r, _mm512_add_epi32(_mm512_loadu_si512(sums + r), more));
    }
}

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx512);

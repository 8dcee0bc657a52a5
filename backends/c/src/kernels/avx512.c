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

#include "prices512.h"

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx512);

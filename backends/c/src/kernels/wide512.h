/* Counting with 512-bit registers and VPOPCNTDQ; avx512.c includes it. */
#include <immintrin.h>
#include <string.h>

#define CORELS_OWN_LISTS
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

/* The lanes of a run of 16 from `at` on that are among the first n. */
static inline __mmask16 lanes_until(size_t n, size_t at) {
    return n - at < 16 ? (__mmask16)((1u << (n - at)) - 1) : (__mmask16)0xffff;
}

static size_t list_last(const int32_t *a, const int32_t *b, size_t n, const corels_behind *at,
                        int32_t *list) {
    const __m512i left_a = _mm512_set1_epi32(at->left[0]), left_b = _mm512_set1_epi32(at->left[1]);
    const __m512i gone_a = _mm512_set1_epi32(at->gone[0]), gone_b = _mm512_set1_epi32(at->gone[1]);
    const __m512i most = _mm512_set1_epi32(at->most), step = _mm512_set1_epi32(16);
    const __m512i zero = _mm512_setzero_si512();
    __m512i q = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    size_t kept = 0;
    for (size_t i = 0; i < n; i += 16, q = _mm512_add_epi32(q, step)) {
        __mmask16 here = lanes_until(n, i);
        __m512i of_a = _mm512_maskz_loadu_epi32(here, a + i);
        __m512i of_b = _mm512_maskz_loadu_epi32(here, b + i);
        __m512i lost_a = _mm512_max_epi32(zero, _mm512_sub_epi32(of_a, gone_a));
        __m512i lost_b = _mm512_max_epi32(zero, _mm512_sub_epi32(of_b, gone_b));
        __m512i rest_a = _mm512_max_epi32(zero, _mm512_sub_epi32(left_a, of_a));
        __m512i rest_b = _mm512_max_epi32(zero, _mm512_sub_epi32(left_b, of_b));
        __m512i ones = _mm512_add_epi32(rest_a, lost_b), zeros = _mm512_add_epi32(rest_b, lost_a);
        __mmask16 keep = _mm512_mask_cmple_epi32_mask(here, _mm512_min_epi32(ones, zeros), most);
        if (!keep) continue;
        _mm512_mask_compressstoreu_epi32(list + kept, keep, q);
        kept += (size_t)corels_ones(keep);
    }
    return kept;
}

static size_t select_zero(const int32_t *values, size_t n, int32_t *list) {
    const __m512i step = _mm512_set1_epi32(16);
    __m512i r = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    size_t kept = 0;
    for (size_t at = 0; at < n; at += 16, r = _mm512_add_epi32(r, step)) {
        __mmask16 here = lanes_until(n, at);
        __m512i some = _mm512_maskz_loadu_epi32(here, values + at);
        __mmask16 keep = _mm512_mask_testn_epi32_mask(here, some, some);
        _mm512_mask_compressstoreu_epi32(list + kept, keep, r);
        kept += (size_t)corels_ones(keep);
    }
    return kept;
}

#include "prices512.h"

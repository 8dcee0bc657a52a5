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
#define CORELS_OWN_MOVE_NUMBERED
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

/* Most states have few points, and of k points an antecedent leaves one of 2^k subsets. So their
 * bits are packed to the lowest, by two look-ups of half bytes, and the row of what all subsets
 * cost stays in registers. */
typedef struct {
    __m128i low, high; /* what is left, by a half byte of what is captured */
} packing;

static inline packing packing_of(uint32_t state) {
    /* left[s] = for x < 16 the bits of s & ~x, packed */
    static const uint8_t left[16][16]
        __attribute__((aligned(16))) = {{0},
                                        {1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0},
                                        {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0},
                                        {3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0},
                                        {1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0},
                                        {3, 2, 3, 2, 1, 0, 1, 0, 3, 2, 3, 2, 1, 0, 1, 0},
                                        {3, 3, 2, 2, 1, 1, 0, 0, 3, 3, 2, 2, 1, 1, 0, 0},
                                        {7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0},
                                        {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0},
                                        {3, 2, 3, 2, 3, 2, 3, 2, 1, 0, 1, 0, 1, 0, 1, 0},
                                        {3, 3, 2, 2, 3, 3, 2, 2, 1, 1, 0, 0, 1, 1, 0, 0},
                                        {7, 6, 5, 4, 7, 6, 5, 4, 3, 2, 1, 0, 3, 2, 1, 0},
                                        {3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0},
                                        {7, 6, 7, 6, 5, 4, 5, 4, 3, 2, 3, 2, 1, 0, 1, 0},
                                        {7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0},
                                        {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}};
    __m128i high = _mm_load_si128((const __m128i *)left[state >> 4]);
    return (packing){_mm_load_si128((const __m128i *)left[state & 15]),
                     _mm_sll_epi16(high, _mm_cvtsi32_si128(corels_ones(state & 15)))};
}

static inline __m512i packed_group(const packing *by, const uint8_t *index) {
    const __m128i half = _mm_set1_epi8(15), captured = _mm_loadu_si128((const __m128i *)index);
    __m128i low = _mm_shuffle_epi8(by->low, _mm_and_si128(captured, half));
    __m128i high = _mm_and_si128(_mm_srli_epi16(captured, 4), half);
    return _mm512_cvtepu8_epi32(_mm_or_si128(low, _mm_shuffle_epi8(by->high, high)));
}

/* What the points of a state cost that sixteen antecedents leave. */
static inline __m512i costs_of(const int32_t *values, uint32_t state, __m512i left) {
    return _mm512_i32gather_epi32(_mm512_and_si512(left, _mm512_set1_epi32((int)state)), values, 4);
}

/* By how much more that is of `before` than of `after`, and the rise from one to the other. */
static inline __m512i changes(const int32_t *values, uint32_t before, uint32_t after,
                              __m512i left) {
    __m512i rise = _mm512_set1_epi32(values[after] - values[before]);
    return _mm512_add_epi32(
        rise, _mm512_sub_epi32(costs_of(values, before, left), costs_of(values, after, left)));
}

/* In sixteen lanes those of a state's lowest four points that the lane's number has, and `more`. */
static inline __m512i subsets(const uint32_t *point, uint32_t more) {
    __m512i left = _mm512_set1_epi32((int)more);
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xaaaa, (int)point[0]));
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xcccc, (int)point[1]));
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xf0f0, (int)point[2]));
    return _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xff00, (int)point[3]));
}

static inline void add_to(int32_t *sums, __m512i more) {
    _mm512_storeu_si512(sums, _mm512_add_epi32(_mm512_loadu_si512(sums), more));
}

/* move_cell for a state of up to 4, 5 or 6 points: `places` is 16, 32 or 64, a constant. */
static inline __attribute__((always_inline)) void move_few(int32_t *sums, const uint8_t *index,
                                                           const uint16_t *groups, size_t n,
                                                           const int32_t *values, uint32_t before,
                                                           uint32_t after, uint32_t places) {
    uint32_t point[6], rest = before | after;
    __m512i of[4];
    packing by = packing_of(rest);
    for (int i = 0; i < 6; i++, rest &= rest - 1) point[i] = rest & (0 - rest);
    for (uint32_t i = 0; i < places / 16; i++) {
        __m512i left = subsets(point, (i & 1 ? point[4] : 0) | (i & 2 ? point[5] : 0));
        of[i] = changes(values, before, after, left);
    }
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i at = packed_group(&by, index + r);
        __m512i found = places > 16 ? _mm512_permutex2var_epi32(of[0], at, of[1])
                                    : _mm512_permutexvar_epi32(at, of[0]);
        if (places > 32)
            found = _mm512_mask_mov_epi32(found, _mm512_test_epi32_mask(at, _mm512_set1_epi32(32)),
                                          _mm512_permutex2var_epi32(of[2], at, of[3]));
        add_to(sums + r, found);
    }
}

static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      const int32_t *values, int32_t from, int32_t to) {
    uint32_t before = (uint32_t)from, after = (uint32_t)to;
    int points = corels_ones(before | after);
    if (points <= 4)
        move_few(sums, index, groups, n, values, before, after, 16);
    else if (points == 5)
        move_few(sums, index, groups, n, values, before, after, 32);
    else if (points == 6)
        move_few(sums, index, groups, n, values, before, after, 64);
    else
        for (size_t g = 0; g < n; g++) {
            size_t r = 16 * (size_t)groups[g];
            __m512i of = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
            of = _mm512_xor_epi32(of, _mm512_set1_epi32(-1));
            add_to(sums + r, changes(values, before, after, of));
        }
}

static void move_numbered(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                          const uint8_t *traces, size_t n_traces, const int32_t *values,
                          int32_t before, int32_t after) {
    __mmask16 of_traces = (__mmask16)((1u << n_traces) - 1), all = (__mmask16)(2u << n_traces);
    __m512i of = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(of_traces, traces));
    __m512i left = _mm512_xor_epi32(_mm512_mask_set1_epi32(of, all, 255), _mm512_set1_epi32(-1));
    __m512i row = changes(values, (uint32_t)before, (uint32_t)after, left);
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
        add_to(sums + r, _mm512_permutexvar_epi32(at, row));
    }
}

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx512);

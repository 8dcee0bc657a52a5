/* Listing the antecedents that pass a test, with 256-bit registers: eight are tested at once, and
 * few pass, so those that do are put down one by one. See kernel.h for what each loop does.
 */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "corels/bits.h"
#include "kernel.h"

#define CORELS_OWN_LISTS

/* Up to eight numbers; none but the first n - at are read. */
static inline __m256i eight_of(const int32_t *numbers, size_t n, size_t at) {
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    if (n - at >= 8) return _mm256_loadu_si256((const __m256i *)(const void *)(numbers + at));
    __m256i here = _mm256_cmpgt_epi32(_mm256_set1_epi32((int32_t)(n - at)), lane);
    return _mm256_maskload_epi32(numbers + at, here);
}

/* Appends the numbers of the lanes of `pass` among the first n - at to the list. */
static inline size_t put_down(int32_t *list, size_t kept, __m256i pass, size_t n, size_t at) {
    unsigned bits = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(pass));
    if (n - at < 8) bits &= (1u << (n - at)) - 1;
    for (; bits; bits &= bits - 1) list[kept++] = (int32_t)at + corels_lowest(bits);
    return kept;
}

/* max(0, x - y). */
static inline __m256i beyond(__m256i x, __m256i y) {
    return _mm256_max_epi32(_mm256_setzero_si256(), _mm256_sub_epi32(x, y));
}

static size_t list_last(const int32_t *a, const int32_t *b, size_t n, const corels_behind *at,
                        int32_t *list) {
    const __m256i left_a = _mm256_set1_epi32(at->left[0]), left_b = _mm256_set1_epi32(at->left[1]);
    const __m256i gone_a = _mm256_set1_epi32(at->gone[0]), gone_b = _mm256_set1_epi32(at->gone[1]);
    const __m256i most = _mm256_set1_epi32(at->most), all = _mm256_set1_epi32(-1);
    size_t kept = 0;
    for (size_t i = 0; i < n; i += 8) {
        __m256i of_a = eight_of(a, n, i), of_b = eight_of(b, n, i);
        __m256i ones = _mm256_add_epi32(beyond(left_a, of_a), beyond(of_b, gone_b));
        __m256i zeros = _mm256_add_epi32(beyond(left_b, of_b), beyond(of_a, gone_a));
        __m256i fails = _mm256_cmpgt_epi32(_mm256_min_epi32(ones, zeros), most);
        kept = put_down(list, kept, _mm256_andnot_si256(fails, all), n, i);
    }
    return kept;
}

static size_t select_zero(const int32_t *values, size_t n, int32_t *list) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i += 8) {
        __m256i zero = _mm256_cmpeq_epi32(eight_of(values, n, i), _mm256_setzero_si256());
        kept = put_down(list, kept, zero, n, i);
    }
    return kept;
}

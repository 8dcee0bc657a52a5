/* Packing what is left of a cell's state to the lowest bits, for the look-ups of the price
 * bound: a state of k points has a row of 2^k numbers.
 */
#pragma once

#include <immintrin.h>
#include <stdint.h>

#include "corels/bits.h"

/* What is left of a cell's state without what antecedents capture, for bytes of the latter: the
 * points of the state that are left, packed to the lowest bits, by two look-ups of half bytes. */
typedef struct {
    __m128i low, high; /* by a half byte of what is captured */
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

/* What sixteen antecedents leave of the state, packed, by what they capture. */
static inline __m128i packed_group(const packing *by, __m128i captured) {
    const __m128i half = _mm_set1_epi8(15);
    __m128i low = _mm_shuffle_epi8(by->low, _mm_and_si128(captured, half));
    __m128i high = _mm_shuffle_epi8(by->high, _mm_and_si128(_mm_srli_epi16(captured, 4), half));
    return _mm_or_si128(low, high);
}

/* Rows of up to 64 numbers, in up to four 512-bit registers, and picking sixteen of them. */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers at sixteen places; `places` is 16, 32 or 64, a constant at each call. */
static inline __attribute__((always_inline)) __m512i pick_numbers(const __m512i *row, __m512i at,
                                                                  size_t places) {
    __m512i found = places > 16 ? _mm512_permutex2var_epi32(row[0], at, row[1])
                                : _mm512_permutexvar_epi32(at, row[0]);
    if (places <= 32) return found;
    __mmask16 high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    return _mm512_mask_mov_epi32(found, high, _mm512_permutex2var_epi32(row[2], at, row[3]));
}

static inline __attribute__((always_inline)) void load_row(__m512i *to, const int32_t *row,
                                                           size_t places) {
    for (size_t k = 0; k < places / 16; k++) to[k] = _mm512_loadu_si512(row + 16 * k);
}

/* The places of a group of sixteen antecedents. */
static inline __m512i places_of_group(const uint8_t *index) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)index));
}

static inline void add_to(int32_t *sums, __m512i more) {
    _mm512_storeu_si512(sums, _mm512_add_epi32(_mm512_loadu_si512(sums), more));
}

static inline __attribute__((always_inline)) void add_short_row(int32_t *sums, const uint8_t *index,
                                                                const uint16_t *groups, size_t n,
                                                                const int32_t *row, size_t places) {
    __m512i numbers[4];
    load_row(numbers, row, places);
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        add_to(sums + r, pick_numbers(numbers, places_of_group(index + r), places));
    }
}

/* Rows of up to 32 places, which all processors with 512 bits add in the same way. */
static inline void add_shortest_row(int32_t *sums, const uint8_t *index, const uint16_t *groups,
                                    size_t n, const int32_t *row, size_t places) {
    if (places <= 16)
        add_short_row(sums, index, groups, n, row, 16);
    else
        add_short_row(sums, index, groups, n, row, 32);
}

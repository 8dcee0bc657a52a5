/* Looking rows up, as price_loops.h says, with 512-bit registers that pick whole numbers. */
#ifndef CORELS_ROWS512_H
#define CORELS_ROWS512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* A row of up to 64 places stays in four registers. */
static inline __attribute__((always_inline)) void add_short_row(int32_t *sums, const uint8_t *index,
                                                                const uint16_t *groups, size_t n,
                                                                const int32_t *row, size_t places) {
    __m512i a = _mm512_loadu_si512(row), b = places > 16 ? _mm512_loadu_si512(row + 16) : a;
    __m512i c = places > 32 ? _mm512_loadu_si512(row + 32) : a;
    __m512i d = places > 32 ? _mm512_loadu_si512(row + 48) : a;
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
        __m512i found =
            places > 16 ? _mm512_permutex2var_epi32(a, at, b) : _mm512_permutexvar_epi32(at, a);
        if (places > 32) {
            __mmask16 high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
            found = _mm512_mask_mov_epi32(found, high, _mm512_permutex2var_epi32(c, at, d));
        }
        _mm512_storeu_si512(sums + r, _mm512_add_epi32(_mm512_loadu_si512(sums + r), found));
    }
}

static void add_row(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                    const int32_t *row, size_t places) {
    if (places <= 16)
        add_short_row(sums, index, groups, n, row, 16);
    else if (places <= 32)
        add_short_row(sums, index, groups, n, row, 32);
    else if (places <= 64)
        add_short_row(sums, index, groups, n, row, 64);
    else
        for (size_t g = 0; g < n; g++) {
            size_t r = 16 * (size_t)groups[g];
            __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
            __m512i found = _mm512_i32gather_epi32(at, row, 4);
            _mm512_storeu_si512(sums + r, _mm512_add_epi32(_mm512_loadu_si512(sums + r), found));
        }
}

static inline __attribute__((always_inline)) void
spend_short(float *sums, const uint8_t *index, size_t n, const float *row, size_t places) {
    __m512 a = _mm512_loadu_ps(row), b = places > 16 ? _mm512_loadu_ps(row + 16) : a;
    __m512 c = places > 32 ? _mm512_loadu_ps(row + 32) : a;
    __m512 d = places > 32 ? _mm512_loadu_ps(row + 48) : a;
    for (size_t r = 0; r < n; r += 16) {
        __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
        __m512 found =
            places > 16 ? _mm512_permutex2var_ps(a, at, b) : _mm512_permutexvar_ps(at, a);
        if (places > 32) {
            __mmask16 high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
            found = _mm512_mask_mov_ps(found, high, _mm512_permutex2var_ps(c, at, d));
        }
        _mm512_storeu_ps(sums + r, _mm512_add_ps(_mm512_loadu_ps(sums + r), found));
    }
}

static void spend(float *sums, const uint8_t *index, size_t n, const float *row, size_t places) {
    if (places <= 16)
        spend_short(sums, index, n, row, 16);
    else if (places <= 32)
        spend_short(sums, index, n, row, 32);
    else if (places <= 64)
        spend_short(sums, index, n, row, 64);
    else
        for (size_t r = 0; r < n; r += 16) {
            __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
            __m512 found = _mm512_i32gather_ps(at, row, 4);
            _mm512_storeu_ps(sums + r, _mm512_add_ps(_mm512_loadu_ps(sums + r), found));
        }
}

#endif

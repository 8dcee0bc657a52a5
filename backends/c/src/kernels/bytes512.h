/* Looking rows up, as price_loops.h says, with registers that pick bytes (AVX-512 VBMI).
 *
 * A processor gathers sixteen numbers from memory in some thirty cycles, but picks sixty-four bytes
 * of a register of 128 in two. So a row of 128 or 256 numbers is taken apart: a *plane* holds the
 * first byte of all of them, another one the second, and so on. Each plane is one register of 128
 * bytes or two (each in two parts); sixty-four places are looked up in each plane, and the
 * bytes are put together again. Most rows need three planes: their numbers are small, and are made
 * positive by adding a *bias*, which is taken from the sums again.
 *
 * Putting together goes on within the four quarters of a register, which is how `unpack` works. So
 * the sixty-four places, four groups of sixteen, are first moved about: quarter q gets the places
 * 4q .. 4q + 3 of each group. Then each of the four registers that come out is one group.
 */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

static inline void add_to(int32_t *sums, __m512i more) {
    _mm512_storeu_si512(sums, _mm512_add_epi32(_mm512_loadu_si512(sums), more));
}

/* [plane][64 places]. */
typedef struct {
    __m512i part[4][4];
} byte_planes;

/* The byte `plane` of 64 numbers. */
static inline __m512i plane_of(const int32_t *row, __m512i bias, int plane) {
    const __m512i fourth = _mm512_set_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 124, 120, 116, 112, 108, 104, 100, 96, 92, 88, 84, 80, 76, 72, 68, 64, 60, 56, 52, 48,
        44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0);
    __m512i at = _mm512_add_epi8(fourth, _mm512_set1_epi8((char)plane)), half[2];
    for (int k = 0; k < 2; k++) {
        __m512i a = _mm512_add_epi32(_mm512_loadu_si512(row + 32 * k), bias);
        __m512i b = _mm512_add_epi32(_mm512_loadu_si512(row + 32 * k + 16), bias);
        half[k] = _mm512_permutex2var_epi8(a, at, b);
    }
    return _mm512_inserti64x4(half[0], _mm512_castsi512_si256(half[1]), 1);
}

static inline __attribute__((always_inline)) byte_planes take_apart(const int32_t *row,
                                                                    size_t places, int planes,
                                                                    int32_t bias) {
    byte_planes all;
    for (int k = 0; k < planes; k++)
        for (size_t p = 0; 64 * p < places; p++)
            all.part[k][p] = plane_of(row + 64 * p, _mm512_set1_epi32(bias), k);
    return all;
}

/* The bytes of one plane at sixty-four places; `high`: those from 128 on. */
static inline __attribute__((always_inline)) __m512i pick(const __m512i *part, size_t places,
                                                          __m512i at, __mmask64 high) {
    __m512i found = _mm512_permutex2var_epi8(part[0], at, part[1]);
    if (places == 128) return found;
    return _mm512_mask_mov_epi8(found, high, _mm512_permutex2var_epi8(part[2], at, part[3]));
}

/* The numbers at the places `at` of four groups: group[j] for the sixteen of the j-th. */
static inline __attribute__((always_inline)) void
put_together(const byte_planes *of, size_t places, int planes, __m512i at, __m512i *group) {
    const __m512i quarters =
        _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    at = _mm512_permutexvar_epi32(quarters, at);
    __mmask64 high = places == 256 ? _mm512_movepi8_mask(at) : 0;
    __m512i byte[4], none = _mm512_setzero_si512();
    for (int k = 0; k < 4; k++) byte[k] = k < planes ? pick(of->part[k], places, at, high) : none;
    for (int k = 0; k < 2; k++) {
        __m512i low =
            k ? _mm512_unpackhi_epi8(byte[0], byte[1]) : _mm512_unpacklo_epi8(byte[0], byte[1]);
        __m512i more = planes == 2 ? none
                       : k         ? _mm512_unpackhi_epi8(byte[2], byte[3])
                                   : _mm512_unpacklo_epi8(byte[2], byte[3]);
        group[2 * k] = _mm512_unpacklo_epi16(low, more);
        group[2 * k + 1] = _mm512_unpackhi_epi16(low, more);
    }
}

/* The places of up to four groups of antecedents. */
static inline __m512i places_of(const uint8_t *index, const uint16_t *groups, size_t n) {
    __m128i four[4];
    if (n == 4 && groups[3] == groups[0] + 3) /* they mostly stand side by side */
        return _mm512_loadu_si512(index + 16 * (size_t)groups[0]);
    for (size_t j = 0; j < 4; j++)
        four[j] =
            _mm_loadu_si128((const __m128i *)(index + 16 * (size_t)groups[j < n ? j : n - 1]));
    __m512i all = _mm512_castsi128_si512(four[0]);
    all = _mm512_inserti32x4(all, four[1], 1);
    all = _mm512_inserti32x4(all, four[2], 2);
    return _mm512_inserti32x4(all, four[3], 3);
}

static inline __attribute__((always_inline)) void add_planes(int32_t *sums, const uint8_t *index,
                                                             const uint16_t *groups, size_t n,
                                                             const int32_t *row, size_t places,
                                                             int planes) {
    int32_t bias = planes < 4 ? 1 << (8 * planes - 1) : 0;
    byte_planes of = take_apart(row, places, planes, bias);
    __m512i found[4];
    for (size_t g = 0; g < n; g += 4) {
        size_t here = n - g < 4 ? n - g : 4;
        put_together(&of, places, planes, places_of(index, groups + g, here), found);
        for (size_t j = 0; j < here; j++) {
            add_to(sums + 16 * (size_t)groups[g + j],
                   _mm512_sub_epi32(found[j], _mm512_set1_epi32(bias)));
        }
    }
}

/* How many planes a row needs. */
static inline int planes_needed(const int32_t *row, size_t places) {
    __m512i all = _mm512_setzero_si512();
    for (size_t t = 0; t < places; t += 16) {
        __m512i x = _mm512_loadu_si512(row + t);
        all = _mm512_or_si512(all, _mm512_xor_si512(x, _mm512_srai_epi32(x, 31)));
    }
    int32_t most = _mm512_reduce_or_epi32(all);
    return most < 1 << 15 ? 2 : most < 1 << 23 ? 3 : 4;
}

static inline __attribute__((always_inline)) void add_places(int32_t *sums, const uint8_t *index,
                                                             const uint16_t *groups, size_t n,
                                                             const int32_t *row, size_t places) {
    int planes = planes_needed(row, places);
    if (planes == 2)
        add_planes(sums, index, groups, n, row, places, 2);
    else if (planes == 3)
        add_planes(sums, index, groups, n, row, places, 3);
    else
        add_planes(sums, index, groups, n, row, places, 4);
}

static void add_row(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                    const int32_t *row, size_t places) {
    if (places <= 128)
        add_places(sums, index, groups, n, row, 128);
    else
        add_places(sums, index, groups, n, row, 256);
}

/* Looking rows of the price bound up, as price_loops.h says, with 256-bit registers that pick
 * bytes.
 *
 * AVX2 picks bytes among sixteen, two times sixteen places at once. So a row of up to 128 numbers
 * is taken apart: a *plane* holds the first byte of all of them, another one the second, and so on,
 * and each sixteen bytes of a plane fill a register, twice. Most rows need two or three planes:
 * their numbers are small, and are made positive by adding a *bias*, which is taken from the sums
 * again. A place has its turn in the register that holds its sixteen; in the others bit 7 of its
 * byte is set, and picking gives 0.
 *
 * What counts of a cell are the points of a state that an antecedent leaves. They
 * are packed first, by two look-ups of half bytes: a state of k points has a row of 2^k numbers.
 *
 * Putting bytes together goes on within the two halves of a register, which is how `unpack` works.
 * So the places of two groups are first moved about: a half gets every other four of each group.
 * Then two of the four registers that come out are the one group, and two the other.
 */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "packing.h"

#define CORELS_OWN_MOVE_CELL

enum { MOST_PARTS = 8 };

/* [plane][sixteen of its bytes, twice]. */
typedef struct {
    __m256i part[4][MOST_PARTS];
} byte_planes;

static inline __m256i load_numbers(const int32_t *at) {
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

static inline void store(int32_t *at, __m256i numbers) {
    _mm256_storeu_si256((__m256i *)(void *)at, numbers);
}

/* Sixteen numbers, each plus the bias, as the first `planes` planes. */
static inline __attribute__((always_inline)) void
take_sixteen_apart(const int32_t *row, __m256i bias, int planes, byte_planes *all, size_t at) {
    const __m256i by_byte = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
                                             0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i a = _mm256_shuffle_epi8(_mm256_add_epi32(load_numbers(row), bias), by_byte);
    __m256i b = _mm256_shuffle_epi8(_mm256_add_epi32(load_numbers(row + 8), bias), by_byte);
    __m256i two = _mm256_permutevar8x32_epi32(_mm256_unpacklo_epi32(a, b), in_order);
    all->part[0][at] = _mm256_permute4x64_epi64(two, 0x44);
    all->part[1][at] = _mm256_permute4x64_epi64(two, 0xee);
    if (planes == 2) return;
    two = _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi32(a, b), in_order);
    all->part[2][at] = _mm256_permute4x64_epi64(two, 0x44);
    if (planes == 4) all->part[3][at] = _mm256_permute4x64_epi64(two, 0xee);
}

/* The bytes of one plane at thirty-two places; turn[p]: the places in the p-th sixteen. */
static inline __attribute__((always_inline)) __m256i pick(const __m256i *part, const __m256i *turn,
                                                          size_t parts) {
    __m256i found = _mm256_shuffle_epi8(part[0], turn[0]);
    for (size_t p = 1; p < parts; p++)
        found = _mm256_or_si256(found, _mm256_shuffle_epi8(part[p], turn[p]));
    return found;
}

/* The numbers at the places `at` of two groups: half[0], half[1] of the one, then of the other. */
static inline __attribute__((always_inline)) void
put_together(const byte_planes *of, size_t parts, int planes, __m256i at, __m256i *half) {
    const __m256i halves = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
    __m256i turn[MOST_PARTS], byte[4], none = _mm256_setzero_si256();
    at = _mm256_permutevar8x32_epi32(at, halves);
    turn[0] = at;
    for (size_t p = 0; parts > 1 && p < parts; p++)
        turn[p] = _mm256_adds_epu8(_mm256_xor_si256(at, _mm256_set1_epi8((char)(16 * p))),
                                   _mm256_set1_epi8(0x70));
    for (int k = 0; k < 4; k++) byte[k] = k < planes ? pick(of->part[k], turn, parts) : none;
    for (int k = 0; k < 2; k++) {
        __m256i low =
            k ? _mm256_unpackhi_epi8(byte[0], byte[1]) : _mm256_unpacklo_epi8(byte[0], byte[1]);
        __m256i more = planes == 2 ? none
                       : k         ? _mm256_unpackhi_epi8(byte[2], byte[3])
                                   : _mm256_unpacklo_epi8(byte[2], byte[3]);
        half[2 * k] = _mm256_unpacklo_epi16(low, more);
        half[2 * k + 1] = _mm256_unpackhi_epi16(low, more);
    }
}

/* packed_group of two groups. */
static inline __m256i packed(const packing *by, __m256i captured) {
    const __m256i half = _mm256_set1_epi8(15);
    __m256i low =
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(by->low), _mm256_and_si256(captured, half));
    __m256i high = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(by->high),
                                       _mm256_and_si256(_mm256_srli_epi16(captured, 4), half));
    return _mm256_or_si256(low, high);
}

static inline void add_to(int32_t *sums, __m256i more) {
    store(sums, _mm256_add_epi32(load_numbers(sums), more));
}

/* Adds the row's numbers; `by` packs the places before. */
static inline __attribute__((always_inline)) void add_planes(int32_t *sums, const uint8_t *index,
                                                             const uint16_t *groups, size_t n,
                                                             const packing *by, const int32_t *row,
                                                             size_t parts, int planes) {
    const __m256i bias = _mm256_set1_epi32(planes < 4 ? 1 << (8 * planes - 1) : 0);
    byte_planes of;
    __m256i half[4];
    for (size_t p = 0; p < parts; p++) take_sixteen_apart(row + 16 * p, bias, planes, &of, p);
    for (size_t g = 0; g < n; g += 2) {
        size_t one = 16 * (size_t)groups[g], other = g + 1 < n ? 16 * (size_t)groups[g + 1] : one;
        __m256i at = _mm256_loadu2_m128i((const __m128i *)(const void *)(index + other),
                                         (const __m128i *)(const void *)(index + one));
        put_together(&of, parts, planes, packed(by, at), half);
        add_to(sums + one, _mm256_sub_epi32(half[0], bias));
        add_to(sums + one + 8, _mm256_sub_epi32(half[1], bias));
        if (other == one) break;
        add_to(sums + other, _mm256_sub_epi32(half[2], bias));
        add_to(sums + other + 8, _mm256_sub_epi32(half[3], bias));
    }
}

/* How many planes a row needs; `places` is a multiple of 8. */
static inline int planes_needed(const int32_t *row, size_t places) {
    __m256i all = _mm256_setzero_si256();
    for (size_t t = 0; t < places; t += 8) {
        __m256i x = load_numbers(row + t);
        all = _mm256_or_si256(all, _mm256_xor_si256(x, _mm256_srai_epi32(x, 31)));
    }
    if (_mm256_testz_si256(all, _mm256_set1_epi32(~0x7fff))) return 2;
    return _mm256_testz_si256(all, _mm256_set1_epi32(~0x7fffff)) ? 3 : 4;
}

static inline __attribute__((always_inline)) void add_parts(int32_t *sums, const uint8_t *index,
                                                            const uint16_t *groups, size_t n,
                                                            const packing *by, const int32_t *row,
                                                            size_t parts) {
    int planes = planes_needed(row, 16 * parts);
    if (planes == 2)
        add_planes(sums, index, groups, n, by, row, parts, 2);
    else if (planes == 3)
        add_planes(sums, index, groups, n, by, row, parts, 3);
    else
        add_planes(sums, index, groups, n, by, row, parts, 4);
}

/* The numbers at eight places of a row of eight or sixteen. */
static inline __attribute__((always_inline)) __m256i pick_numbers(const __m256i *row, __m256i at,
                                                                  size_t places) {
    __m256i found = _mm256_permutevar8x32_epi32(row[0], at);
    if (places == 8) return found;
    __m256 high = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28)); /* bit 3 as the sign */
    __m256 other = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(row[1], at));
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(found), other, high));
}

/* Rows of up to sixteen numbers stay whole. */
static inline __attribute__((always_inline)) void add_shortest(int32_t *sums, const uint8_t *index,
                                                               const uint16_t *groups, size_t n,
                                                               const packing *by,
                                                               const int32_t *row, size_t places) {
    const __m256i numbers[2] = {load_numbers(row), load_numbers(row + places - 8)};
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m128i at = _mm_loadu_si128((const __m128i *)(const void *)(index + r));
        at = packed_group(by, at);
        add_to(sums + r, pick_numbers(numbers, _mm256_cvtepu8_epi32(at), places));
        at = _mm_unpackhi_epi64(at, at);
        add_to(sums + r + 8, pick_numbers(numbers, _mm256_cvtepu8_epi32(at), places));
    }
}

/* A row of all 256 subsets is looked up number by number: what is left is what is not captured. */
static void add_long_row(int32_t *restrict sums, const uint8_t *restrict index,
                         const uint16_t *restrict groups, size_t n, const int32_t *restrict row) {
    for (size_t g = 0; g < n; g++) {
        size_t first = 16 * (size_t)groups[g];
        for (size_t r = first; r < first + 16; r++) sums[r] += row[index[r] ^ 255];
    }
}

/* The row of a cell that goes from `before` to `after`, by the packed points that
 * are left of `state`, which is `before`, or `after` where the cell comes new into the sums: what
 * the cell costs with them before, less what it costs with those of them that `after` has, and the
 * rise. Points 0, 1 and 2 are packed by permuting eight neighbouring values, of which
 * every cell has sixteen at least. */
static inline size_t pack_row(const int32_t *values, uint32_t state, int32_t before, int32_t after,
                              int32_t rise, int32_t *row) {
    static const uint8_t places[8][8] = {{0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0},
                                         {0, 2, 0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 0, 0, 0, 0},
                                         {0, 4, 0, 0, 0, 0, 0, 0}, {0, 1, 4, 5, 0, 0, 0, 0},
                                         {0, 2, 4, 6, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5, 6, 7}};
    const __m256i up = _mm256_set1_epi32(rise);
    __m256i at = _mm256_cvtepu8_epi32(_mm_loadu_si64(places[state & 7]));
    __m256i then = _mm256_and_si256(at, _mm256_set1_epi32(after & 7));
    uint32_t high = state & ~UINT32_C(7), t = 0;
    size_t n = 0, some = (size_t)1 << corels_ones(state & 7);
    do {
        __m256i left = load_numbers(values + (t & (uint32_t)after & ~UINT32_C(7)));
        __m256i fall = _mm256_sub_epi32(up, _mm256_permutevar8x32_epi32(left, then));
        if (before >= 0) {
            __m256i cost = load_numbers(values + t);
            fall = _mm256_add_epi32(fall, _mm256_permutevar8x32_epi32(cost, at));
        }
        store(row + n, fall);
        n += some;
        t = (t - high) & high;
    } while (t);
    return n;
}

static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      size_t states, const int32_t *values, int32_t before, int32_t after) {
    int32_t row[256 + 8] __attribute__((aligned(32)));
    uint32_t state = (uint32_t)(before < 0 ? after : before);
    packing by = packing_of(state);
    (void)states;
    size_t numbers = pack_row(values, state, before, after,
                              values[after] - (before < 0 ? 0 : values[before]), row);
    if (numbers <= 8)
        add_shortest(sums, index, groups, n, &by, row, 8);
    else if (numbers == 16)
        add_shortest(sums, index, groups, n, &by, row, 16);
    else if (numbers == 32)
        add_parts(sums, index, groups, n, &by, row, 2);
    else if (numbers == 64)
        add_parts(sums, index, groups, n, &by, row, 4);
    else if (numbers == 128)
        add_parts(sums, index, groups, n, &by, row, 8);
    else
        add_long_row(sums, index, groups, n, row);
}

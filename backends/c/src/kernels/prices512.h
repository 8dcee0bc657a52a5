/* The loops of the price bound in 512-bit registers: see price_loops.h for what each of them does.
 *
 * Long rows are looked up as bytes512.h says, which a file includes before. A row of up to 64
 * numbers fits four registers. So where a state has up to six points, the bytes are packed first:
 * what an antecedent leaves of a state of k points is one of 2^k subsets.
 */
#pragma once

#include "packing.h"

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

/* The numbers at sixteen places; `places` is 16, 32 or 64, a constant at each call. */
static inline __attribute__((always_inline)) __m512i pick_numbers(const __m512i *row, __m512i at,
                                                                  size_t places) {
    __m512i found = places > 16 ? _mm512_permutex2var_epi32(row[0], at, row[1])
                                : _mm512_permutexvar_epi32(at, row[0]);
    if (places <= 32) return found;
    __mmask16 high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
    return _mm512_mask_mov_epi32(found, high, _mm512_permutex2var_epi32(row[2], at, row[3]));
}

static inline __m512i packed(const packing *by, const uint8_t *captured) {
    return _mm512_cvtepu8_epi32(packed_group(by, _mm_loadu_si128((const __m128i *)captured)));
}

/* A row of 16, 32 or 64 places for a state of up to 4, 5 or 6 points, by the packed points that are
 * left, in registers. */
static inline __attribute__((always_inline)) void add_packed(int32_t *sums, const uint8_t *index,
                                                             const uint16_t *groups, size_t n,
                                                             uint32_t state, const __m512i *row,
                                                             size_t places) {
    packing by = packing_of(state);
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i at = packed(&by, index + r);
        add_to(sums + r, pick_numbers(row, at, places));
    }
}

/* What a cell costs with the points in places `lane` of `point` left, for the low four bits of
 * sixteen lanes, and `more` of its points. */
static inline __m512i costs_of(const int32_t *values, const uint32_t *point, uint32_t more) {
    __m512i left = _mm512_set1_epi32((int32_t)more);
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xaaaa, (int32_t)point[0]));
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xcccc, (int32_t)point[1]));
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xf0f0, (int32_t)point[2]));
    left = _mm512_or_epi32(left, _mm512_maskz_set1_epi32(0xff00, (int32_t)point[3]));
    return _mm512_i32gather_epi32(left, values, 4);
}

/* move_cell for a state of few points. The row, by the packed points that are left: what the cell
 * costs with them before, less what it costs with those of them that `after` has, and the rise. */
static inline __attribute__((always_inline)) void
move_few(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
         const int32_t *values, int32_t before, int32_t after, int32_t rise, size_t places) {
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const uint32_t state = (uint32_t)(before < 0 ? after : before);
    __m512i cost[4], row[4], all = _mm512_set1_epi32(rise);
    uint32_t point[6] = {0}, stays = 0, rest = state; /* `stays`: `after`, packed */
    for (size_t b = 0; b < 6; b++, rest &= rest - 1) {
        point[b] = rest & (0 - rest);
        stays |= (uint32_t)(((uint32_t)after & point[b]) != 0) << b;
    }
    for (size_t h = 0; h < places / 16; h++)
        cost[h] = costs_of(values, point, (h & 1 ? point[4] : 0) | (h & 2 ? point[5] : 0));
    __m512i low = _mm512_and_epi32(lane, _mm512_set1_epi32((int32_t)stays));
    for (size_t h = 0; h < places / 16; h++) {
        __m512i then = _mm512_permutexvar_epi32(low, cost[h & stays >> 4]);
        row[h] = before < 0 ? _mm512_sub_epi32(all, cost[h])
                            : _mm512_sub_epi32(_mm512_add_epi32(all, cost[h]), then);
    }
    add_packed(sums, index, groups, n, state, row, places);
}

/* What the subsets s & ~t cost, for sixteen t from `first` on, a multiple of 16. */
static inline __m512i costs_without(const int32_t *values, size_t s, size_t first) {
    const __m512i t = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i low = _mm512_andnot_si512(t, _mm512_set1_epi32((int32_t)(s & 15)));
    return _mm512_permutexvar_epi32(low, _mm512_loadu_si512(values + (s & ~first & ~(size_t)15)));
}

static void small_falls(const int32_t *values, size_t places, int32_t before, int32_t after,
                        int32_t rise, int32_t *row) {
    for (size_t t = 0; t < places; t += 16) {
        __m512i fall =
            _mm512_sub_epi32(_mm512_set1_epi32(rise), costs_without(values, (size_t)after, t));
        if (before >= 0) fall = _mm512_add_epi32(fall, costs_without(values, (size_t)before, t));
        _mm512_storeu_si512(row + t, fall);
    }
}

/* Most states have few points, and then the row is short. */
static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      size_t places, const int32_t *values, int32_t before, int32_t after) {
    int32_t row[256] __attribute__((aligned(64)));
    int32_t rise = values[after] - (before < 0 ? 0 : values[before]);
    int points = corels_ones((uint64_t)(before < 0 ? after : before));
    if (points <= 4)
        move_few(sums, index, groups, n, values, before, after, rise, 16);
    else if (points == 5)
        move_few(sums, index, groups, n, values, before, after, rise, 32);
    else if (points == 6)
        move_few(sums, index, groups, n, values, before, after, rise, 64);
    else {
        small_falls(values, places, before, after, rise, row);
        add_row(sums, index, groups, n, row, places);
    }
}

/* What sixteen traces leave of a state costs. */
static inline __m512i costs_behind(const int32_t *values, int32_t state, __m512i traces) {
    return _mm512_i32gather_epi32(_mm512_andnot_si512(traces, _mm512_set1_epi32(state)), values, 4);
}

static void move_numbered(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                          const uint8_t *traces, size_t n_traces, const int32_t *values,
                          int32_t before, int32_t after) {
    __mmask16 all = (__mmask16)(2u << n_traces);
    __m512i of =
        _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8((__mmask16)((1u << n_traces) - 1), traces));
    of = _mm512_mask_set1_epi32(of, all, 255);
    __m512i row = _mm512_set1_epi32(values[after] - (before < 0 ? 0 : values[before]));
    row = _mm512_sub_epi32(row, costs_behind(values, after, of));
    if (before >= 0) row = _mm512_add_epi32(row, costs_behind(values, before, of));
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
        add_to(sums + r, _mm512_permutexvar_epi32(at, row));
    }
}

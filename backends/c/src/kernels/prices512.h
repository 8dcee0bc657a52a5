/* Loops of the price bound that gather: see price_loops.h for what each of them does. */
#pragma once

#include <immintrin.h>

#define CORELS_OWN_MOVE_CELL
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

/* What sixteen antecedents leave of a state costs, by what they capture. */
static inline __m512i costs_without(const int32_t *values, int32_t state, __m512i captured) {
    return _mm512_i32gather_epi32(_mm512_andnot_si512(captured, _mm512_set1_epi32(state)), values,
                                  4);
}

static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      const int32_t *values, int32_t before, int32_t after) {
    const __m512i rise = _mm512_set1_epi32(values[after] - values[before]);
    for (size_t g = 0; g < n; g++) {
        size_t r = 16 * (size_t)groups[g];
        __m512i of = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(index + r)));
        __m512i more = _mm512_add_epi32(rise, costs_without(values, before, of));
        more = _mm512_sub_epi32(more, costs_without(values, after, of));
        _mm512_storeu_si512(sums + r, _mm512_add_epi32(_mm512_loadu_si512(sums + r), more));
    }
}

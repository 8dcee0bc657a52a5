/* Eight unsigned 16-bit lanes, saturating: the numbers of the block tables. Every x86-64 has the
 * instructions (SSE2), and every 64-bit ARM (NEON); elsewhere plain C.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#ifdef __SSE4_1__
#include <immintrin.h>
#endif
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef uint16_t lanes8 __attribute__((vector_size(16)));

static inline lanes8 lanes_load(const uint16_t *at) {
    lanes8 x;
    memcpy(&x, at, sizeof x);
    return x;
}

static inline void lanes_store(uint16_t *at, lanes8 x) {
    memcpy(at, &x, sizeof x);
}

static inline lanes8 lanes_all(uint16_t x) {
    return (lanes8){x, x, x, x, x, x, x, x};
}

#ifdef __SSE2__
static inline lanes8 lanes_add(lanes8 x, lanes8 y) {
    return (lanes8)_mm_adds_epu16((__m128i)x, (__m128i)y);
}

static inline lanes8 lanes_min(lanes8 x, lanes8 y) {
#ifdef __SSE4_1__
    return (lanes8)_mm_min_epu16((__m128i)x, (__m128i)y);
#else
    return x - (lanes8)_mm_subs_epu16((__m128i)x, (__m128i)y);
#endif
}

static inline int lanes_reach(lanes8 x, lanes8 least) {
    __m128i short_of = _mm_subs_epu16((__m128i)least, (__m128i)x);
    return _mm_movemask_epi8(_mm_cmpeq_epi16(short_of, _mm_setzero_si128())) == 0xffff;
}

/* Lane k gets lane k - 1, lane 0 the largest number. */
static inline lanes8 lanes_up(lanes8 x) {
    return (lanes8)_mm_insert_epi16(_mm_slli_si128((__m128i)x, 2), 0xffff, 0);
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
static inline lanes8 lanes_add(lanes8 x, lanes8 y) {
    return (lanes8)vqaddq_u16((uint16x8_t)x, (uint16x8_t)y);
}

static inline lanes8 lanes_min(lanes8 x, lanes8 y) {
    return (lanes8)vminq_u16((uint16x8_t)x, (uint16x8_t)y);
}

static inline int lanes_reach(lanes8 x, lanes8 least) {
    return vminvq_u16(vcgeq_u16((uint16x8_t)x, (uint16x8_t)least)) != 0;
}

static inline lanes8 lanes_up(lanes8 x) {
    return (lanes8)vextq_u16(vdupq_n_u16(65535), (uint16x8_t)x, 7);
}
#else
static inline lanes8 lanes_add(lanes8 x, lanes8 y) {
    lanes8 sum = x + y;
    return sum | (lanes8)(sum < x);
}

static inline lanes8 lanes_min(lanes8 x, lanes8 y) {
    lanes8 less = (lanes8)(x < y);
    return (x & less) | (y & ~less);
}

static inline int lanes_reach(lanes8 x, lanes8 least) {
    for (int k = 0; k < 8; k++)
        if (x[k] < least[k]) return 0;
    return 1;
}

static inline lanes8 lanes_up(lanes8 x) {
    return (lanes8){65535, x[0], x[1], x[2], x[3], x[4], x[5], x[6]};
}
#endif

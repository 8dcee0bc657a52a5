/* Eight unsigned 16-bit lanes, saturating: the numbers of the block tables. Every x86-64 has the
 * instructions (SSE2), and every 64-bit ARM (NEON); elsewhere plain C.
 */
#ifndef CORELS_LANES_H
#define CORELS_LANES_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#ifdef __SSE4_1__
#include <immintrin.h>
#endif

typedef __m128i lanes8;

static inline lanes8 lanes_load(const uint16_t *at) {
    return _mm_loadu_si128((const __m128i *)at);
}

static inline void lanes_store(uint16_t *at, lanes8 x) {
    _mm_storeu_si128((__m128i *)at, x);
}

static inline lanes8 lanes_all(uint16_t x) {
    return _mm_set1_epi16((short)x);
}

static inline lanes8 lanes_add(lanes8 x, lanes8 y) {
    return _mm_adds_epu16(x, y);
}

static inline lanes8 lanes_min(lanes8 x, lanes8 y) {
#ifdef __SSE4_1__
    return _mm_min_epu16(x, y);
#else
    return _mm_sub_epi16(x, _mm_subs_epu16(x, y));
#endif
}

static inline int lanes_reach(lanes8 x, lanes8 least) {
    return _mm_movemask_epi8(_mm_cmpeq_epi16(_mm_subs_epu16(least, x), _mm_setzero_si128())) ==
           0xffff;
}

/* Lane k gets lane k - 1, lane 0 the largest number. */
static inline lanes8 lanes_up(lanes8 x) {
    return _mm_insert_epi16(_mm_slli_si128(x, 2), 0xffff, 0);
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>

typedef uint16x8_t lanes8;

static inline lanes8 lanes_load(const uint16_t *at) {
    return vld1q_u16(at);
}

static inline void lanes_store(uint16_t *at, lanes8 x) {
    vst1q_u16(at, x);
}

static inline lanes8 lanes_all(uint16_t x) {
    return vdupq_n_u16(x);
}

static inline lanes8 lanes_add(lanes8 x, lanes8 y) {
    return vqaddq_u16(x, y);
}

static inline lanes8 lanes_min(lanes8 x, lanes8 y) {
    return vminq_u16(x, y);
}

static inline int lanes_reach(lanes8 x, lanes8 least) {
    return vminvq_u16(vcgeq_u16(x, least)) != 0;
}

/* Lane k gets lane k - 1, lane 0 the largest number. */
static inline lanes8 lanes_up(lanes8 x) {
    return vextq_u16(vdupq_n_u16(65535), x, 7);
}
#else
typedef struct {
    uint16_t lane[8];
} lanes8;

static inline lanes8 lanes_load(const uint16_t *at) {
    lanes8 x;
    memcpy(&x, at, sizeof x);
    return x;
}

static inline void lanes_store(uint16_t *at, lanes8 x) {
    memcpy(at, &x, sizeof x);
}

static inline lanes8 lanes_all(uint16_t x) {
    lanes8 all;
    for (int k = 0; k < 8; k++) all.lane[k] = x;
    return all;
}

static inline lanes8 lanes_add(lanes8 x, lanes8 y) {
    for (int k = 0; k < 8; k++) {
        uint32_t sum = (uint32_t)x.lane[k] + y.lane[k];
        x.lane[k] = (uint16_t)(sum > 65535 ? 65535 : sum);
    }
    return x;
}

static inline lanes8 lanes_min(lanes8 x, lanes8 y) {
    for (int k = 0; k < 8; k++)
        if (y.lane[k] < x.lane[k]) x.lane[k] = y.lane[k];
    return x;
}

static inline int lanes_reach(lanes8 x, lanes8 least) {
    for (int k = 0; k < 8; k++)
        if (x.lane[k] < least.lane[k]) return 0;
    return 1;
}

static inline lanes8 lanes_up(lanes8 x) {
    for (int k = 7; k > 0; k--) x.lane[k] = x.lane[k - 1];
    x.lane[0] = 65535;
    return x;
}
#endif

#endif

/* AVX-512 in plain C, so that `make cross` can run the kernels of 512-bit registers on processors
 * that have none. Found before the compiler's own <immintrin.h>, which it includes.
 *
 * Most comes from SIMDe (https://github.com/simd-everywhere/simde), which must be installed. Below
 * is what version 0.7.4 lacks: every function is a loop over the lanes.
 */
#ifndef CORELS_SIMDE_IMMINTRIN_H
#define CORELS_SIMDE_IMMINTRIN_H

#include_next <immintrin.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <string.h>

typedef struct {
    int32_t lane[16];
} lanes16;

typedef struct {
    int32_t lane[8];
} lanes8of32;

typedef struct {
    int64_t lane[8];
} lanes8of64;

/* The same bits as another type. */
#define PLAIN_AS(type, value)                                                                      \
    __extension__({                                                                                \
        type as_;                                                                                  \
        __typeof__(value) value_ = (value);                                                        \
        memcpy(&as_, &value_, sizeof as_);                                                         \
        as_;                                                                                       \
    })

#define PLAIN_EACH(n) for (int i = 0; i < (n); i++)

static inline __m256i plain_maskz_loadu_8(__mmask8 mask, const void *from) {
    lanes8of32 to = {{0}};
    PLAIN_EACH(8) if (mask >> i & 1) to.lane[i] = ((const int32_t *)from)[i];
    return PLAIN_AS(__m256i, to);
}

static inline __m512i plain_maskz_loadu_16(__mmask16 mask, const void *from) {
    lanes16 to = {{0}};
    PLAIN_EACH(16) if (mask >> i & 1) to.lane[i] = ((const int32_t *)from)[i];
    return PLAIN_AS(__m512i, to);
}

static inline __m512i plain_maskz_loadu_64(__mmask8 mask, const void *from) {
    lanes8of64 to = {{0}};
    PLAIN_EACH(8) if (mask >> i & 1) to.lane[i] = ((const int64_t *)from)[i];
    return PLAIN_AS(__m512i, to);
}

static inline __m512i plain_from_bytes(__m128i a) {
    uint8_t from[16];
    lanes16 to;
    memcpy(from, &a, sizeof from);
    PLAIN_EACH(16) to.lane[i] = from[i];
    return PLAIN_AS(__m512i, to);
}

static inline __m512i plain_from_shorts(__m256i a) {
    uint16_t from[16];
    lanes16 to;
    memcpy(from, &a, sizeof from);
    PLAIN_EACH(16) to.lane[i] = from[i];
    return PLAIN_AS(__m512i, to);
}

static inline __m512i plain_gather_16(__m512i at, const int32_t *from) {
    lanes16 index = PLAIN_AS(lanes16, at), to;
    PLAIN_EACH(16) to.lane[i] = from[index.lane[i]];
    return PLAIN_AS(__m512i, to);
}

static inline __m256i plain_mask_gather_8(__m256i other, __mmask8 mask, __m512i at,
                                          const int32_t *from) {
    lanes8of64 index = PLAIN_AS(lanes8of64, at);
    lanes8of32 to = PLAIN_AS(lanes8of32, other);
    PLAIN_EACH(8) if (mask >> i & 1) to.lane[i] = from[index.lane[i]];
    return PLAIN_AS(__m256i, to);
}

static inline __mmask8 plain_mask_equal_8(__mmask8 mask, __m256i a, __m256i b) {
    lanes8of32 x = PLAIN_AS(lanes8of32, a), y = PLAIN_AS(lanes8of32, b);
    unsigned found = 0;
    PLAIN_EACH(8) found |= (unsigned)(x.lane[i] == y.lane[i]) << i;
    return (__mmask8)(found & mask);
}

static inline __mmask16 plain_mask_testn_16(__mmask16 mask, __m512i a, __m512i b) {
    lanes16 x = PLAIN_AS(lanes16, a), y = PLAIN_AS(lanes16, b);
    unsigned found = 0;
    PLAIN_EACH(16) found |= (unsigned)!(x.lane[i] & y.lane[i]) << i;
    return (__mmask16)(found & mask);
}

static inline __mmask16 plain_mask_at_most_16(__mmask16 mask, __m512i a, __m512i b) {
    lanes16 x = PLAIN_AS(lanes16, a), y = PLAIN_AS(lanes16, b);
    unsigned found = 0;
    PLAIN_EACH(16) found |= (unsigned)(x.lane[i] <= y.lane[i]) << i;
    return (__mmask16)(found & mask);
}

static inline long long plain_sum_64(__m512i a) {
    lanes8of64 x = PLAIN_AS(lanes8of64, a);
    int64_t sum = 0;
    PLAIN_EACH(8) sum += x.lane[i];
    return sum;
}

static inline int plain_or_16(__m512i a) {
    lanes16 x = PLAIN_AS(lanes16, a);
    int32_t all = 0;
    PLAIN_EACH(16) all |= x.lane[i];
    return all;
}

static inline __m512i plain_shift_right_16(__m512i a, unsigned by) {
    lanes16 x = PLAIN_AS(lanes16, a);
    PLAIN_EACH(16) x.lane[i] >>= by;
    return PLAIN_AS(__m512i, x);
}

/* Bytes move up within each quarter. */
static inline __m512i plain_bytes_up(__m512i a, int by) {
    uint8_t from[64], to[64] = {0};
    memcpy(from, &a, sizeof from);
    for (int quarter = 0; quarter < 64; quarter += 16)
        memcpy(to + quarter + by, from + quarter, (size_t)(16 - by));
    memcpy(&a, to, sizeof to);
    return a;
}

/* Two quarters of a, then two of b. */
static inline __m512i plain_quarters(__m512i a, __m512i b, int which) {
    uint8_t x[64], y[64], to[64];
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    PLAIN_EACH(4) memcpy(to + 16 * i, (i < 2 ? x : y) + 16 * (which >> 2 * i & 3), 16);
    memcpy(&a, to, sizeof to);
    return a;
}

#undef _mm512_mask_cmple_epi32_mask /* SIMDe's takes four arguments */

#define _mm256_maskz_loadu_epi32 plain_maskz_loadu_8
#define _mm512_maskz_loadu_epi32 plain_maskz_loadu_16
#define _mm512_maskz_loadu_epi64 plain_maskz_loadu_64
#define _mm512_cvtepu8_epi32 plain_from_bytes
#define _mm512_cvtepu16_epi32 plain_from_shorts
#define _mm512_i32gather_epi32(at, from, scale) plain_gather_16(at, from)
#define _mm512_mask_i64gather_epi32(other, mask, at, from, scale)                                  \
    plain_mask_gather_8(other, mask, at, from)
#define _mm256_mask_cmpeq_epi32_mask plain_mask_equal_8
#define _mm512_mask_testn_epi32_mask plain_mask_testn_16
#define _mm512_mask_cmple_epi32_mask plain_mask_at_most_16
#define _mm512_reduce_add_epi64 plain_sum_64
#define _mm512_reduce_or_epi32 plain_or_16
#define _mm512_srai_epi32 plain_shift_right_16
#define _mm512_bslli_epi128 plain_bytes_up
#define _mm512_shuffle_i64x2 plain_quarters

#endif

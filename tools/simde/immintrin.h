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

static inline __m512i plain_gather_16(__m512i at, const int32_t *from) {
    lanes16 index = PLAIN_AS(lanes16, at), to;
    PLAIN_EACH(16) to.lane[i] = from[index.lane[i]];
    return PLAIN_AS(__m512i, to);
}

static inline long long plain_sum_64(__m512i a) {
    lanes8of64 x = PLAIN_AS(lanes8of64, a);
    int64_t sum = 0;
    PLAIN_EACH(8) sum += x.lane[i];
    return sum;
}

#define _mm512_maskz_loadu_epi32 plain_maskz_loadu_16
#define _mm512_maskz_loadu_epi64 plain_maskz_loadu_64
#define _mm512_cvtepu8_epi32 plain_from_bytes
#define _mm512_i32gather_epi32(at, from, scale) plain_gather_16(at, from)
#define _mm512_reduce_add_epi64 plain_sum_64

#endif

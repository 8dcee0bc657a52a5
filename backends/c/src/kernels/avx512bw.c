/* The kernel of AVX-512 without a vector population count (Skylake-SP to Cascade Lake): ones are
 * counted by looking half-bytes up in a register; bytes hold 31 such counts. */
#define LANES_HOLD 31
#define CORELS_OWN_RUN
#include "rows512.h"
#include "wide512.h"

static inline __m512i counts(__m512i v) {
    const __m512i table =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m512i low = _mm512_set1_epi8(15);
    __m512i a = _mm512_shuffle_epi8(table, _mm512_and_si512(v, low));
    __m512i b = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(v, 4), low));
    return _mm512_add_epi8(a, b);
}

static inline __m512i add_counts(__m512i c, __m512i d) {
    return _mm512_add_epi8(c, d);
}

static inline __m512i lane_sums(__m512i lanes) {
    return _mm512_sad_epu8(lanes, _mm512_setzero_si512());
}

typedef __m512i vector;

static inline vector all_of(uint64_t word) {
    return _mm512_set1_epi64((long long)word);
}

#include "carry_save.h"

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx512bw);

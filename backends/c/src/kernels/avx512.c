/* The kernel of AVX-512 with VPOPCNTDQ and VBMI: one instruction counts the ones of eight words,
 * and one picks sixty-four bytes of a register. */
#include "bytes512.h"
#include "wide512.h"

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

/* Eight words of the pattern at once, the last ones under a mask. */
#define CORELS_OWN_DISTANCE
static inline int32_t distance(const uint64_t *pattern, size_t words, const uint64_t *seed,
                               const uint64_t *known) {
    const __mmask8 last = (__mmask8)(0xff >> ((8 - words % 8) % 8));
    __m512i sum = _mm512_setzero_si512();
    for (size_t w = 0; w < words; w += 8) {
        __mmask8 here = words - w > 8 ? 0xff : last;
        __m512i of = _mm512_maskz_loadu_epi64(here, pattern + w);
        of = _mm512_ternarylogic_epi64(of, _mm512_maskz_loadu_epi64(here, seed + w),
                                       _mm512_maskz_loadu_epi64(here, known + w), 0xbe);
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(of));
    }
    return (int32_t)_mm512_reduce_add_epi64(sum);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx512);

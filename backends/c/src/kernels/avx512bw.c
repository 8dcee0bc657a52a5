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

/* One bit position of three numbers added: the sum stays, the carry weighs twice as much. */
static inline __m512i add_bits(__m512i *sum, __m512i x, __m512i y) {
    __m512i carry = _mm512_ternarylogic_epi64(*sum, x, y, 0xe8);
    *sum = _mm512_ternarylogic_epi64(*sum, x, y, 0x96);
    return carry;
}

/* Looking bytes up is what costs most, so eight words are first added bit by bit (a carry-save
 * adder): one lookup for the eights instead of eight, and three more at the end of the run. */
static inline __m512i count_run(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                                size_t n) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i one = zero, two = zero, four = zero, eights = zero, rest = zero;
    size_t t = 0;
    for (; t + 8 <= n; t += 8) {
        __m512i word[8];
        for (int j = 0; j < 8; j++)
            word[j] = both(load(block + 8 * (size_t)index[t + j]),
                           _mm512_set1_epi64((long long)bits[t + j]));
        __m512i two_a = add_bits(&one, word[0], word[1]), two_b = add_bits(&one, word[2], word[3]);
        __m512i two_c = add_bits(&one, word[4], word[5]), two_d = add_bits(&one, word[6], word[7]);
        __m512i four_a = add_bits(&two, two_a, two_b), four_b = add_bits(&two, two_c, two_d);
        __m512i eight = add_bits(&four, four_a, four_b);
        eights = _mm512_add_epi64(eights, lane_sums(counts(eight)));
    }
    for (; t < n; t++) /* at most seven words: their bytes hold the sum */
        rest = _mm512_add_epi8(rest, counts(both(load(block + 8 * (size_t)index[t]),
                                                 _mm512_set1_epi64((long long)bits[t]))));
    __m512i lanes = _mm512_add_epi64(lane_sums(rest), _mm512_slli_epi64(eights, 3));
    if (n < 8) return lanes;
    lanes = _mm512_add_epi64(lanes, lane_sums(counts(one)));
    lanes = _mm512_add_epi64(lanes, _mm512_slli_epi64(lane_sums(counts(two)), 1));
    return _mm512_add_epi64(lanes, _mm512_slli_epi64(lane_sums(counts(four)), 2));
}

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(avx512bw);

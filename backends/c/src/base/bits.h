/* Sets as 64-bit words: the loops around corels/bits.h. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "corels/bits.h"

static inline void set_bit(uint64_t *set, int32_t i) {
    set[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void clear_bit(uint64_t *set, int32_t i) {
    set[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

static inline int has_bit(const uint64_t *set, int32_t i) {
    return (int)(set[i >> 6] >> (i & 63) & 1);
}

/* Word w of a set of the first `bits` bits. */
static inline uint64_t all_of_word(int32_t bits, int32_t w) {
    int32_t left = bits - 64 * w;
    return left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
}

/* `to` = the members of `set` that are not in `out`. */
static inline void take_bits(uint64_t *to, const uint64_t *set, const uint64_t *out,
                             int32_t words) {
    for (int32_t w = 0; w < words; w++) to[w] = set[w] & ~out[w];
}

/* Whether two sets share a member. */
static inline int meets(const uint64_t *a, const uint64_t *b, int32_t words) {
    for (int32_t w = 0; w < words; w++)
        if (a[w] & b[w]) return 1;
    return 0;
}

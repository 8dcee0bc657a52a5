/* Sets as words, and a few numbers: what every file here takes for granted. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "corels/bits.h"

static inline int32_t words_for(int32_t bits) {
    return bits <= 0 ? 1 : (bits + 63) / 64;
}

/* The first `bits` bits, and no others. */
static inline void fill_bits(uint64_t *set, int32_t bits) {
    memset(set, 0, (size_t)words_for(bits) * 8);
    for (int32_t w = 0; w < bits / 64; w++) set[w] = ~(uint64_t)0;
    if (bits % 64) set[bits / 64] = ((uint64_t)1 << (bits % 64)) - 1;
}

static inline int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static inline int64_t greater(int64_t x, int64_t y) {
    return x > y ? x : y;
}

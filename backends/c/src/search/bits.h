/* Sets as little-endian 64-bit words. */
#ifndef CORELS_BITS_H
#define CORELS_BITS_H

#include <stdint.h>
#include <string.h>

static inline int32_t words_for(int32_t bits) {
    return bits <= 0 ? 1 : (bits + 63) / 64;
}

static inline void set_bit(uint64_t *set, int32_t i) {
    set[i >> 6] |= (uint64_t)1 << (i & 63);
}

static inline void clear_bit(uint64_t *set, int32_t i) {
    set[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

/* The first `bits` bits. */
static inline void fill_bits(uint64_t *set, int32_t bits) {
    int32_t words = words_for(bits);
    memset(set, 0, (size_t)words * 8);
    for (int32_t w = 0; w < bits / 64; w++) set[w] = ~(uint64_t)0;
    if (bits % 64) set[bits / 64] = ((uint64_t)1 << (bits % 64)) - 1;
}

/* Members of a set in rising order; returns their number. */
static inline int32_t list_bits(const uint64_t *set, int32_t words, int32_t *members) {
    int32_t count = 0;
    for (int32_t w = 0; w < words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1)
            members[count++] = w * 64 + __builtin_ctzll(rest);
    return count;
}

#endif

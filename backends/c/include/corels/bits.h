/* Sets as 64-bit words: bit i of word w = member 64 * w + i. The kernels count long runs of words
 * faster. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Number of ones. */
static inline int32_t corels_ones(uint64_t x) {
    return (int32_t)__builtin_popcountll(x);
}

/* Index of the lowest one. Require: x is not 0. */
static inline int32_t corels_lowest(uint64_t x) {
    return (int32_t)__builtin_ctzll(x);
}

/* The words of a set: one at least. */
static inline int32_t corels_words(int32_t bits) {
    return bits <= 0 ? 1 : (bits + 63) / 64;
}

/* The first `bits` bits, and no others. */
static inline void corels_fill(uint64_t *set, int32_t bits) {
    memset(set, 0, (size_t)corels_words(bits) * 8);
    for (int32_t w = 0; w < bits / 64; w++) set[w] = ~(uint64_t)0;
    if (bits % 64) set[bits / 64] = ((uint64_t)1 << (bits % 64)) - 1;
}

/* A number mixed well, one to one: the last step of Vigna's splitmix64. */
static inline uint64_t corels_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A hash of a set, for tables whose keys are compared in full: a collision costs time only. */
static inline uint64_t corels_hash(const uint64_t *set, size_t words) {
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t w = 0; w < words; w++) {
        h = (h ^ set[w]) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}

/* Sets as 64-bit words: bit i of word w = member 64 * w + i. The two questions that C has no
 * operator for, asked in one place. The kernels count long runs of words faster. */
#ifndef CORELS_BITS_H
#define CORELS_BITS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/* Number of ones. */
static inline int32_t corels_ones(uint64_t x) {
#if defined(_MSC_VER) && !defined(__clang__)
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int32_t)((x * 0x0101010101010101u) >> 56);
#else
    return (int32_t)__builtin_popcountll(x);
#endif
}

/* Index of the lowest one. Require: x is not 0. */
static inline int32_t corels_lowest(uint64_t x) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
    _BitScanForward64(&index, x);
    return (int32_t)index;
#else
    return (int32_t)__builtin_ctzll(x);
#endif
}

#endif

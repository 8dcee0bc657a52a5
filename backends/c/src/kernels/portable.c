/* The portable kernel: standard C, no instruction set assumed. */
#include "kernel.h"

static uint64_t ones(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (x * 0x0101010101010101u) >> 56;
}

static uint64_t popcount(const uint64_t *a, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i]);
    return sum;
}

static uint64_t popcount_and(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i] & b[i]);
    return sum;
}

static uint64_t popcount_andnot(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i] & ~b[i]);
    return sum;
}

const corels_kernel corels_kernel_portable = {"portable", popcount, popcount_and, popcount_andnot};

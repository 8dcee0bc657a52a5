/* The portable kernel: standard C. Compilers know the count of ones on most processors; on x86 they
 * may not use the instruction here, and would call a function. */
#include "scalar.h"

static inline uint64_t ones(uint64_t x) {
#if defined(__GNUC__) && !defined(__x86_64__) && !defined(__i386__)
    return (uint64_t)corels_ones(x);
#else
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (x * 0x0101010101010101u) >> 56;
#endif
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(portable);

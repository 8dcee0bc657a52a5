/* The kernel of processors with a population count instruction (x86 since 2008). */
#include "scalar.h"

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

CORELS_KERNEL_TABLE(popcnt);

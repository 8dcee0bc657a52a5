/* Products of 64-bit numbers in 128 bits. GCC and Clang have a type for them on 64-bit machines;
 * elsewhere two words do. All numbers here are 0 or more: costs are, and so are counts.
 */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t high, low;
} wide;

static inline wide wide_product(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;
    return (wide){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    return (wide){a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low};
#endif
}

static inline wide wide_add(wide x, uint64_t y) {
    uint64_t low = x.low + y;
    return (wide){x.high + (low < y), low};
}

static inline int wide_equal(wide x, wide y) {
    return x.high == y.high && x.low == y.low;
}

/* floor(x / by). Require: the result fits 64 bits, that is x.high < by; by < 2^63. */
static inline uint64_t wide_divide(wide x, uint64_t by) {
    if (x.high == 0) return x.low / by;
#ifdef __SIZEOF_INT128__
    return (uint64_t)(((unsigned __int128)x.high << 64 | x.low) / by);
#else
    uint64_t rest = x.high, found = 0;
    for (int bit = 63; bit >= 0; bit--) { /* by hand, a digit at a time */
        rest = rest << 1 | (x.low >> bit & 1);
        found <<= 1;
        if (rest >= by) {
            rest -= by;
            found |= 1;
        }
    }
    return found;
#endif
}

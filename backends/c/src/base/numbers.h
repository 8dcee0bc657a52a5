#pragma once

#include <stdint.h>

static inline int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static inline int64_t greater(int64_t x, int64_t y) {
    return x > y ? x : y;
}

/* xorshift: the same numbers on every machine. */
static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

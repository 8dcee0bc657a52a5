#pragma once

#include <stdint.h>

static inline int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static inline int64_t greater(int64_t x, int64_t y) {
    return x > y ? x : y;
}

/* The lowest first; by insertion, for lists as short as the rules of a path. */
static inline void sort_few(int32_t *list, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        int32_t number = list[i], at = i;
        for (; at > 0 && list[at - 1] > number; at--) list[at] = list[at - 1];
        list[at] = number;
    }
}

/* xorshift: the same numbers on every machine. */
static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Sorting 64-bit keys in rising order: short lists by insertion, others by qsort. Pack
 * what is to be sorted into the key: the criterion in the high half, an index in the low half.
 */
#pragma once

#include <stdint.h>

void sort_keys(uint64_t *keys, int32_t n);

static inline uint64_t key_of(int32_t high, int32_t low) {
    return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

static inline int32_t key_low(uint64_t key) {
    return (int32_t)(uint32_t)key;
}

/* sum_rows (kernel.h) for every kernel with vectors. A file says before how many of its registers
 * hold sums at once: CORELS_SUM_REGISTERS.
 */
#pragma once

#include <stddef.h>

#include "vectors.h"

enum { SUM_LANES = CORELS_VECTOR_BYTES / 2 };

/* *to = (add ? *to : 0) + the lanes. */
static inline void widen(short_half lanes, int add, number_vector *to) {
    const number_vector wide = CORELS_WIDENED(lanes), zero = {0};
    *to = (add ? *to : zero) + wide;
}

/* Columns [at, at + SUM_LANES * wide): `wide` is a constant at each call, so lanes live in
 * registers.
 */
static inline __attribute__((always_inline)) void
sum_some(const uint16_t *const *rows, size_t n, size_t at, int wide, int add, int32_t *sums) {
    short_vector lanes[CORELS_SUM_REGISTERS] = {{0}};
    number_vector *to = (number_vector *)(void *)(sums + at);
    for (size_t i = 0; i < n; i++)
        for (int j = 0; j < wide; j++)
            lanes[j] += *(const short_vector *)(const void *)(rows[i] + at + SUM_LANES * j);
    for (int j = 0; j < wide; j++) {
        const union {
            short_vector all;
            short_half half[2];
        } sum = {lanes[j]};
        widen(sum.half[0], add, to + 2 * j);
        widen(sum.half[1], add, to + 2 * j + 1);
    }
}

/* Half a register of columns. */
static void sum_last(const uint16_t *const *rows, size_t n, size_t at, int add, int32_t *sums) {
    short_half lanes = {0};
    for (size_t i = 0; i < n; i++) lanes += *(const short_half *)(const void *)(rows[i] + at);
    widen(lanes, add, (number_vector *)(void *)(sums + at));
}

static void sum_rows(const uint16_t *const *rows, size_t n, size_t columns, int add,
                     int32_t *sums) {
    enum { MOST = CORELS_SUM_REGISTERS * SUM_LANES };
    size_t at = 0;
    for (; at + MOST <= columns; at += MOST) sum_some(rows, n, at, CORELS_SUM_REGISTERS, add, sums);
    for (; at + 4 * SUM_LANES <= columns; at += 4 * SUM_LANES) sum_some(rows, n, at, 4, add, sums);
    for (; at + 2 * SUM_LANES <= columns; at += 2 * SUM_LANES) sum_some(rows, n, at, 2, add, sums);
    for (; at + SUM_LANES <= columns; at += SUM_LANES) sum_some(rows, n, at, 1, add, sums);
    if (at < columns) sum_last(rows, n, at, add, sums);
}

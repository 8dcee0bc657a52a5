/* What the states of the price bound's cells cost (prices/fill.c), for every kernel file: see
 * price_loops.h, which includes this one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

/* Vectors as wide as a kernel's registers: a file that has wider ones than sixteen bytes says so
 * before. The lesser numbers of two vectors are a macro, since passing vectors to functions depends
 * on the processor. Wider vectors would do badly: compilers take them apart into single numbers. */
#ifndef CORELS_VECTOR_BYTES
#define CORELS_VECTOR_BYTES 16
#if defined(__SSE4_1__)
#include <immintrin.h>
#define CORELS_LESSER(a, b) ((number_vector)_mm_min_epi32((__m128i)(a), (__m128i)(b)))
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define CORELS_LESSER(a, b) ((number_vector)vminq_s32((int32x4_t)(a), (int32x4_t)(b)))
#else
#define CORELS_LESSER(a, b) (((b) & ((a) >= (b))) | ((a) & ((a) < (b))))
#endif
#endif

typedef int32_t number_vector
    __attribute__((vector_size(CORELS_VECTOR_BYTES), aligned(4), may_alias));

/* Sixteen cells' numbers, in as many vectors as the processor needs for them. Loops over sixteen
 * plain lanes would not do: compilers unroll the innermost one first, and then see nothing to
 * vectorise.
 */
enum { PRICE_PARTS = CORELS_PRICE_LANES * 4 / CORELS_VECTOR_BYTES };

typedef struct __attribute__((may_alias)) {
    number_vector part[PRICE_PARTS];
} price_lanes;

/* Merges two halves of a table of `hi` runs: without the bit of weight `lo`, the cheaper price. */
static void merge_halves(const price_lanes *from, size_t hi, size_t lo, price_lanes *to) {
    for (size_t h = 0; h < hi; h++, from += 2 * lo, to += lo)
        for (size_t k = 0; k < lo; k++)
            for (int j = 0; j < PRICE_PARTS; j++)
                to[k].part[j] = CORELS_LESSER(from[k].part[j], from[lo + k].part[j]);
}

/* *least = min over the subsets u of s, but the empty one, of price[u] + gain[s without u], or 0 if
 * none is below; prices stand in the order of the subsets. */
static inline void least_part(const price_lanes *price, const price_lanes *gain, size_t s,
                              price_lanes *least) {
    price_lanes best = {0};
    for (size_t u = s & (0 - s); u; u = (u - s) & s) {
        const price_lanes *left = gain + (s ^ u);
        price++;
        for (int j = 0; j < PRICE_PARTS; j++) {
            number_vector here = price->part[j] + left->part[j];
            best.part[j] = CORELS_LESSER(here, best.part[j]);
        }
    }
    *least = best;
}

/* values[s] for all sets s of `bits` points of sixteen cells, the last index of every array;
 * price[c][t] of the traces (CORELS_NO_PRICE if there is none). `work` has room for 2 << bits a
 * class, and begins with work[c][s]: what each point weighs, at the set of it alone.
 *
 * In s, traces that capture the same of s are one, at the least of their prices. Subsets come
 * in rising order as numbers, so their own subsets come before them. The prices for s follow from
 * those for all points by dropping the points that s lacks, from the highest one: each time a table
 * halves. table[b] is the one in which the points from b on have been dealt with; the next subset
 * needs new tables only below its lowest point. */
typedef struct {
    const price_lanes *price;
    price_lanes *tables;
    size_t bits, most, classes;      /* most: rows of one class, in `price` and in `tables` */
    size_t inside[9], top[9], at[9]; /* of table[b]: points in s from b on, its end, its place; */
} cell_fill;                         /* or SIZE_MAX: the prices as they are given */

static const price_lanes *table_of(const cell_fill *f, size_t b, size_t c) {
    return f->at[b] == SIZE_MAX ? f->price + c * f->most : f->tables + c * f->most + f->at[b];
}

/* The tables for the next subset. Its lowest point is `low` (`bits` for the empty subset). */
static void next_tables(cell_fill *f, size_t low) {
    if (low < f->bits) { /* point `low` is in it now, those below are not */
        f->at[low] = f->at[low + 1], f->top[low] = f->top[low + 1];
        f->inside[low] = f->inside[low + 1] + 1;
    }
    for (size_t b = low; b-- > 0;) {
        size_t hi = (size_t)1 << f->inside[b + 1], lo = (size_t)1 << b;
        f->at[b] = f->top[b + 1], f->inside[b] = f->inside[b + 1];
        f->top[b] = f->top[b + 1] + hi * lo;
        for (size_t c = 0; c < f->classes; c++)
            merge_halves(table_of(f, b + 1, c), hi, lo, f->tables + c * f->most + f->at[b]);
    }
}

/* What each set of points weighs, from what its points weigh. */
static void add_subsets(size_t states, price_lanes *weight) {
    for (size_t bit = 1; bit < states; bit *= 2)
        for (size_t s = 0; s < states; s += 2 * bit)
            for (size_t low = s; low < s + bit; low++)
                for (int j = 0; j < PRICE_PARTS; j++)
                    weight[low + bit].part[j] += weight[low].part[j];
}

/* What subset s costs, from its own subsets; gain[s] is, for now, its errors alone. */
static void fill_subset(cell_fill *f, size_t s, price_lanes *gain, price_lanes *values) {
    const size_t states = (size_t)1 << f->bits;
    price_lanes least, value;
    for (int j = 0; j < PRICE_PARTS; j++) value.part[j] = (number_vector){0} + INT32_MAX;
    for (size_t c = 0; c < f->classes; c++) {
        price_lanes *of = gain + c * states;
        least_part(table_of(f, 0, c), of, s, &least);
        for (int j = 0; j < PRICE_PARTS; j++) {
            number_vector here = least.part[j] + of[s].part[j];
            value.part[j] = CORELS_LESSER(here, value.part[j]);
        }
    }
    values[s] = value;
    for (size_t c = 0; c < f->classes; c++)
        for (int j = 0; j < PRICE_PARTS; j++)
            gain[c * states + s].part[j] = value.part[j] - gain[c * states + s].part[j];
}

static void fill_lanes(size_t bits, size_t classes, const price_lanes *price, price_lanes *work,
                       price_lanes *values) {
    const size_t states = (size_t)1 << bits;
    const price_lanes none = {0};
    cell_fill f = {price, work + classes * states, bits, states, classes, {0}, {0}, {0}};
    values[0] = none;
    for (size_t c = 0; c < classes; c++) add_subsets(states, work + c * states);
    f.at[bits] = SIZE_MAX;
    next_tables(&f, bits);
    for (size_t s = 1; s < states; s++) {
        size_t low = (size_t)corels_lowest(s);
        next_tables(&f, low);
        fill_subset(&f, s, work, values);
    }
}

static void fill_cells(size_t bits, size_t classes, const int32_t *price, int32_t *work,
                       int32_t *values) {
    fill_lanes(bits, classes, (const price_lanes *)(const void *)price, (price_lanes *)(void *)work,
               (price_lanes *)(void *)values);
}

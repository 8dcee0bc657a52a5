/* Points of one class with a weight each, laid out so that the weight of a set is cheap.
 *
 * Pricing asks, millions of times, for the weight of `a & column`. Weights are either few distinct
 * values (negatives: multiplicities; positives: duals at their upper limit) or many (other duals).
 * So points are sorted by weight: a value shared by enough points becomes a *run*, a range of whole
 * words counted by popcount and multiplied once; the rest are *loose*, added bit by bit. Points of
 * weight zero count for nothing and are left out, which also makes the sets shorter, unless the
 * caller wants to compare sets and not only their weights (`keep_zero`).
 *
 * What would break it: reading a set in the caller's point order. Sets here are in the sorted
 * order; only points_* functions know it.
 */
#pragma once

#include "corels/kernels.h"
#include "corels/store.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t first, words; /* a range of words ... */
    int64_t weight;      /* ... in which every point weighs this */
} run;

typedef struct {
    store arrays;
    const corels_kernel *kernel;
    uint32_t features;
    size_t words;       /* of a set of points */
    size_t runs_count;  /* runs cover words 0 .. loose_first */
    size_t loose_first; /* words from here on are added bit by bit */
    run *runs;
    int64_t *loose;    /* weight of each bit from word loose_first on */
    uint64_t *columns; /* features x words */
    uint64_t *all;     /* the set of all points */
    uint64_t *marked;  /* the set of those that the caller has marked */
    int64_t total;     /* weight of all points */
} points;

/* Ensures: 0 and a layout, or -1 if memory is short. Requires weights >= 0, sum < 2^62. marked:
 * a set of points in the caller's order, or NULL for none. */
int points_build(points *out, uint32_t features, uint32_t count, const uint64_t *columns,
                 const int64_t *weights, int keep_zero, const uint64_t *marked);

static inline const uint64_t *points_column(const points *pts, uint32_t feature) {
    return pts->columns + (size_t)feature * pts->words;
}

/* Weight of a & b. */
int64_t points_weight(const points *pts, const uint64_t *a, const uint64_t *b);

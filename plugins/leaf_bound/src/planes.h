/* Columns of bits: antecedents, and behind them weights, a plane for each binary digit.
 *
 * The weight of a set is the sum over the planes of 2^shift times a population count. Points come
 * sorted by class, so a plane is zero in many words: those are left out.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A binary digit of a measure: the words [low, high) where it is not zero. */
typedef struct {
    int32_t measure, shift, low, high;
} plane;

enum { MOST_PLANES = 124 };

/* Empty if it is all zeros. */
typedef struct {
    uint64_t *columns; /* [antecedents from `first` on, and planes][words] */
    int32_t antecedents, first, points, words, n_planes;
    plane planes[MOST_PLANES];
} table;

/* Of all points: the antecedents in this `order`, and weights[measures][points] below 2^31. 0: no
 * memory. */
int table_new(table *, const uint64_t *masks, const int32_t *order, int32_t antecedents,
              int32_t points, const int32_t *const *weights, int32_t measures);
/* The antecedents from `first` on, on the so many points of `set`. 0: no memory. */
int table_cut(table *to, const table *from, const uint64_t *set, int32_t points, int32_t first);
/* It is all zeros then. */
void table_free(table *);
size_t table_bytes(const table *);

static inline uint64_t *column_of(const table *t, int32_t antecedent) {
    return t->columns + (size_t)(antecedent - t->first) * (size_t)t->words;
}

static inline uint64_t *words_of(const table *t, int32_t plane_) {
    return column_of(t, t->antecedents + plane_);
}

/* The inner loops of the price bound (src/prices), included by every kernel file: plain C that the
 * compiler vectorises with that file's instruction set. The file defines `ones`, the population
 * count of a word, before it includes this one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernel.h"
#include "price_fill.h"

#ifndef CORELS_OWN_DISTANCE
/* The ones of (pattern ^ seed) | known. */
static inline int32_t distance(const uint64_t *pattern, size_t words, const uint64_t *seed,
                               const uint64_t *known) {
    int32_t sum = 0;
    for (size_t w = 0; w < words; w++) sum += (int32_t)ones((pattern[w] ^ seed[w]) | known[w]);
    return sum;
}
#endif

/* found[i] = distance of pattern[which[i]], patterns of `words` words each. Loops of their own
 * where they have one word or two: compilers take several such patterns at once. */
static void distances(const uint64_t *patterns, const int32_t *which, size_t n, size_t words,
                      const uint64_t *seed, const uint64_t *known, int32_t *found) {
    for (size_t i = 0; words == 1 && i < n; i++)
        found[i] = (int32_t)ones((patterns[which[i]] ^ *seed) | *known);
    for (size_t i = 0; words == 2 && i < n; i++) {
        const uint64_t *pattern = patterns + (size_t)which[i] * 2;
        found[i] = (int32_t)ones((pattern[0] ^ seed[0]) | known[0]) +
                   (int32_t)ones((pattern[1] ^ seed[1]) | known[1]);
    }
    for (size_t i = 0; words > 2 && i < n; i++)
        found[i] = distance(patterns + (size_t)which[i] * words, words, seed, known);
}

/* Adds to found[i] how far the ranks low[c] .. high[c] and those of point which[i] reach together,
 * of `chains` ranks each: see prices/group.c. */
static void add_spans(const int32_t *restrict ranks, const int32_t *which, size_t n, size_t chains,
                      const int32_t *restrict low, const int32_t *restrict high,
                      int32_t *restrict found) {
    for (size_t i = 0; i < n; i++) {
        const int32_t *restrict rank = ranks + (size_t)which[i] * chains;
        int32_t sum = 0;
        for (size_t c = 0; c < chains; c++) {
            int32_t most = rank[c] > high[c] ? rank[c] : high[c];
            sum += most - (rank[c] < low[c] ? rank[c] : low[c]);
        }
        found[i] += sum;
    }
}

/* alone[c][s] = the errors of state s < states of a cell if all of it is predicted c: the sum of
 * weight[point][c] over the points of subsets[s]. */
static void sum_alone(const uint64_t *restrict subsets, size_t states, size_t points,
                      size_t classes, const int32_t *restrict weight, int32_t *restrict alone) {
    memset(alone, 0, classes * states * sizeof *alone);
    for (size_t k = 0; k < points * classes; k++) {
        size_t point = k / classes;
        int32_t *restrict here = alone + k % classes * states, w = weight[k];
        for (size_t s = 0; w && s < states; s++) here[s] += -(int32_t)(subsets[s] >> point & 1) & w;
    }
}

#ifndef CORELS_OWN_FIRST_STEP
/* The first of n traces that a cheapest list of a small cell may begin with in this state, -1:
 * none. It takes points from the state, and its price and what is left come to gain[state]; see
 * fill_small. */
static int32_t first_step(const uint64_t *traces, const int32_t *price, int32_t n,
                          const int32_t *gain, uint64_t state) {
    for (int32_t t = 0; t < n; t++) { /* one branch, which is foreseen, for two that are not */
        uint64_t left = state & ~traces[t];
        if ((left != state) & (price[t] + gain[left] == gain[state])) return t;
    }
    return -1;
}
#endif

#ifndef CORELS_OWN_LOOKED_UP
/* sums[r] += row[index[r]] for the antecedents r of n groups of sixteen; the row has 16, 32, 64,
 * 128 or 256 places. */
static void add_row(int32_t *restrict sums, const uint8_t *restrict index,
                    const uint16_t *restrict groups, size_t n, const int32_t *restrict row,
                    size_t places) {
    (void)places;
    for (size_t g = 0; g < n; g++) {
        size_t first = 16 * (size_t)groups[g];
        for (size_t r = first; r < first + 16; r++) sums[r] += row[index[r]];
    }
}

static void small_falls(const int32_t *restrict values, size_t places, int32_t before,
                        int32_t after, int32_t rise, int32_t *restrict row) {
    if (before >= 0)
        for (size_t t = 0; t < places; t++)
            row[t] = rise + values[before & ~(int32_t)t] - values[after & ~(int32_t)t];
    else
        for (size_t t = 0; t < places; t++) row[t] = rise - values[after & ~(int32_t)t];
}
#endif

/* A cell goes from one state to another, and the sums of the antecedents in some groups change by
 * what their look-ups say; see prices/view.c. `before` and `after` say by how much the two states'
 * values fall along each trace, in units of 2^coarse; `before` is NULL where the cell comes new
 * into the sums. `rise` is what the second state costs more than the first. */
static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      const uint16_t *before, const uint16_t *after, size_t traces, int32_t coarse,
                      int32_t rise) {
    int32_t row[256] __attribute__((aligned(64))), unit = 1 << coarse;
    size_t places = 16;
    while (places < traces + 2) places *= 2;
    for (size_t t = 0; t < traces; t++) row[t] = unit * (after[t] - (before ? before[t] : 0));
    row[traces] = 0;        /* an antecedent that captures nothing */
    row[traces + 1] = rise; /* one that captures all */
    for (size_t t = traces + 2; t < places; t++) row[t] = 0; /* looked at for how large they are */
    add_row(sums, index, groups, n, row, places);
}

/* sums[r] += sign * (row[r] << coarse) for the antecedents of some groups: a whole cell comes into
 * the sums (sign 1) or goes out (-1). */
static void move_whole(int32_t *sums, const uint16_t *row, const uint16_t *groups, size_t n,
                       int32_t coarse, int32_t sign) {
    for (size_t g = 0; g < n; g++) {
        size_t first = 16 * (size_t)groups[g];
        number_vector *to = (number_vector *)(void *)(sums + first);
        const short_half *from = (const short_half *)(const void *)(row + first);
        for (int j = 0; j < PRICE_PARTS; j++) {
            number_vector some = CORELS_WIDENED(from[j]) << coarse;
            to[j] = sign < 0 ? to[j] - some : to[j] + some;
        }
    }
}

#ifndef CORELS_OWN_MOVE_SMALL
/* The same for a cell of small tables: states are subsets, and so is what an antecedent captures.
 * `before` is -1 where the cell comes new into the sums. */
static void move_small(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                       size_t places, const int32_t *values, int32_t before, int32_t after) {
    int32_t row[256] __attribute__((aligned(64)));
    int32_t rise = values[after] - (before < 0 ? 0 : values[before]);
    small_falls(values, places, before, after, rise, row);
    add_row(sums, index, groups, n, row, places);
}
#endif

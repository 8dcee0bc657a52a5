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

/* found[i] = the ones of (pattern ^ seed) | known, of pattern[which[i]]; `words` words each. */
static void distances(const uint64_t *patterns, const int32_t *which, size_t n, size_t words,
                      const uint64_t *seed, const uint64_t *known, int32_t *found) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t *pattern = patterns + (size_t)which[i] * words;
        found[i] = 0;
        for (size_t w = 0; w < words; w++)
            found[i] += (int32_t)ones((pattern[w] ^ seed[w]) | known[w]);
    }
}

#ifndef CORELS_OWN_FIRST_STEP
/* The first of n traces that a cheapest list of a cell may begin with in this state, -1: none. It
 * takes points from the state, and its price and what is left come to gain[state]; see fill_cells.
 */
static int32_t first_step(const uint8_t *traces, const int32_t *price, int32_t n,
                          const int32_t *gain, size_t state) {
    for (int32_t t = 0; t < n; t++) { /* one branch, which is foreseen, for two that are not */
        size_t left = state & ~(size_t)traces[t];
        if ((left != state) & (price[t] + gain[left] == gain[state])) return t;
    }
    return -1;
}
#endif

#ifndef CORELS_OWN_MOVE_CELL
/* A cell goes from state `before` (0: it comes new into the sums) to `after`, and the sums of the
 * antecedents in some groups of sixteen change by what the cell's value falls less or more without
 * what each of them captures: see prices/view.c. */
static void move_cell(int32_t *restrict sums, const uint8_t *restrict index,
                      const uint16_t *restrict groups, size_t n, const int32_t *restrict values,
                      int32_t before, int32_t after) {
    int32_t rise = values[after] - values[before];
    for (size_t g = 0; g < n; g++) {
        size_t first = 16 * (size_t)groups[g];
        for (size_t r = first; r < first + 16; r++)
            sums[r] += rise + values[before & ~index[r]] - values[after & ~index[r]];
    }
}
#endif

#ifndef CORELS_OWN_MOVE_NUMBERED
/* The same for a cell of at most fourteen traces, whose rows have the numbers of these: behind them
 * one of taking nothing, and one of taking all. */
static void move_numbered(int32_t *restrict sums, const uint8_t *restrict index,
                          const uint16_t *restrict groups, size_t n, const uint8_t *traces,
                          size_t n_traces, const int32_t *restrict values, int32_t before,
                          int32_t after) {
    int32_t row[16] = {0}, rise = values[after] - values[before];
    for (size_t t = 0; t < n_traces; t++)
        row[t] = rise + values[before & ~traces[t]] - values[after & ~traces[t]];
    row[n_traces + 1] = rise;
    for (size_t g = 0; g < n; g++) {
        size_t first = 16 * (size_t)groups[g];
        for (size_t r = first; r < first + 16; r++) sums[r] += row[index[r]];
    }
}
#endif

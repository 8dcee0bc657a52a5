/* The inner loops of the price bound (src/prices), included by every kernel file: plain C that the
 * compiler vectorises with that file's instruction set. The file defines `ones`, the population
 * count of a word, before it includes this one.
 */
#ifndef CORELS_PRICE_LOOPS_H
#define CORELS_PRICE_LOOPS_H

#include <stddef.h>
#include <stdint.h>

#ifndef CORELS_OWN_DISTANCES
/* distances[i] = ones of (pattern[which[i]] ^ seed) | known, patterns of `words` words each. */
static void distances(const uint64_t *patterns, const int32_t *which, size_t n, size_t words,
                      const uint64_t *seed, const uint64_t *known, int32_t *found) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t *pattern = patterns + (size_t)which[i] * words;
        int32_t sum = 0;
        for (size_t w = 0; w < words; w++) sum += (int32_t)ones((pattern[w] ^ seed[w]) | known[w]);
        found[i] = sum;
    }
}
#endif

/* The least of price[t] + table[next[t]] over n traces, or 0 if none is below. */
static inline int32_t cheapest(const int32_t *restrict price, const int32_t *restrict table,
                               const uint16_t *restrict next, size_t n) {
    int32_t least = 0;
    for (size_t t = 0; t < n; t++) {
        int32_t here = price[t] + table[next[t]];
        least = here < least ? here : least;
    }
    return least;
}

/* values[s] = what the state s < states of one cell costs, in rising order of states; see
 * prices/cell.h. alone[c][s] = its errors if all of it is predicted c; gain[c][s] = values[s] less
 * alone[c][s], scratch. States that a trace does not cut lead to themselves. */
static void fill_values(const uint16_t *next, size_t traces, size_t states, size_t classes,
                        const int32_t *price, const int32_t *alone, int32_t *gain,
                        int32_t *values) {
    values[0] = 0;
    for (size_t c = 0; c < classes; c++) gain[c * states] = 0;
    for (size_t s = 1; s < states; s++) {
        int32_t best = INT32_MAX;
        for (size_t c = 0; c < classes; c++) {
            gain[c * states + s] = INT32_MAX / 2;
            int32_t here = alone[c * states + s] + cheapest(price + c * traces, gain + c * states,
                                                            next + s * traces, traces);
            best = here < best ? here : best;
        }
        values[s] = best;
        for (size_t c = 0; c < classes; c++) gain[c * states + s] = best - alone[c * states + s];
    }
}

#ifndef CORELS_OWN_LOOKED_UP
/* sums[r] += row[index[r]] for r < n, a multiple of 64; the row has 16, 32, 64 or 256 places. */
static void add_row(int32_t *restrict sums, const uint8_t *restrict index, size_t n,
                    const int32_t *restrict row, size_t places) {
    (void)places;
    for (size_t r = 0; r < n; r++) sums[r] += row[index[r]];
}
#endif

/* A cell goes from one state to another, and each antecedent's sum changes by what its look-up
 * says; see prices/view.c. `before` and `after` are where the traces lead from the two states;
 * `before` is NULL where the cell comes new into the sums. values[.] is what a state costs, `was`
 * and `is` what the two cost. */
static void move_cell(int32_t *sums, const uint8_t *index, size_t n, size_t places,
                      const int32_t *restrict values, const uint16_t *restrict before,
                      const uint16_t *restrict after, size_t traces, int32_t was, int32_t is) {
    int32_t row[256] __attribute__((aligned(64)));
    int32_t rise = is - was;
    if (before)
        for (size_t t = 0; t < traces; t++) row[t] = rise + values[before[t]] - values[after[t]];
    else
        for (size_t t = 0; t < traces; t++) row[t] = is - values[after[t]];
    row[traces] = 0;        /* an antecedent that captures nothing */
    row[traces + 1] = rise; /* one that captures all */
    add_row(sums, index, n, row, places);
}

#endif

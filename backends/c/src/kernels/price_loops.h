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
/* sums[r] += table[index[r]] for r < n; the table has `entries` places, 16, 32, 64 or 256. */
static void add_looked_up(int32_t *restrict sums, const uint8_t *restrict index, size_t n,
                          const int32_t *restrict table, size_t entries) {
    (void)entries;
    for (size_t r = 0; r < n; r++) sums[r] += table[index[r]];
}
#endif

#endif

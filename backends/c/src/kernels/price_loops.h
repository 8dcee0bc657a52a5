/* The inner loops of the price bound (src/prices), included by every kernel file: plain C that the
 * compiler vectorises with that file's instruction set. The file defines `ones`, the population
 * count of a word, before it includes this one.
 */
#ifndef CORELS_PRICE_LOOPS_H
#define CORELS_PRICE_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernel.h"

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

/* Merges two halves of a table of `hi` runs: without the bit of weight `lo`, the cheaper price. */
static void merge_halves(const int32_t *restrict from, size_t hi, size_t lo, int32_t *restrict to) {
    for (size_t h = 0; h < hi; h++, from += 2 * lo, to += lo)
        for (size_t k = 0; k < lo; k++) to[k] = from[k] < from[lo + k] ? from[k] : from[lo + k];
}

/* least[j] = min over the parts u of s, but the empty one, of price[u] + gain[s without u]; prices
 * stand in the order of the parts. */
static void least_part(const int32_t *restrict price, const int32_t *restrict gain, size_t s,
                       int32_t *restrict least) {
    enum { N = CORELS_PRICE_LANES };
    int32_t best[N] = {0};
    for (size_t u = s & (0 - s); u; u = (u - s) & s) {
        const int32_t *rest = gain + (s ^ u) * N;
        price += N;
        for (size_t j = 0; j < N; j++) {
            int32_t here = price[j] + rest[j];
            best[j] = here < best[j] ? here : best[j];
        }
    }
    for (size_t j = 0; j < N; j++) least[j] = best[j];
}

/* values[s] for all subsets s of `bits` points of sixteen cells, the last index of every array;
 * price[c][t] of the traces (CORELS_NO_PRICE where there is none), weight[point][c]. `work` has
 * room for 2 << bits a class.
 *
 * In s, traces that capture the same part of s are one, at the least of their prices. Subsets come
 * in rising order as numbers, so their own subsets come before them. The prices for s follow from
 * those for all points by dropping the points that s lacks, from the highest one: each time a table
 * halves. table[b] is the one in which the points from b on have been dealt with; the next subset
 * needs new tables only below its lowest point. */
static void fill_small(size_t bits, size_t classes, const int32_t *price, const int32_t *weight,
                       int32_t *work, int32_t *values) {
    enum { N = CORELS_PRICE_LANES };
    size_t states = (size_t)1 << bits, most = states * N, inside[9] = {0}, top[9] = {0}, at[9];
    int32_t *gain = work, *tables = work + classes * most, least[N];
    memset(values, 0, N * sizeof *values);
    for (size_t c = 0; c < classes; c++) memset(gain + c * most, 0, N * sizeof *gain);
    at[bits] = SIZE_MAX; /* the prices as they are given */
    for (size_t s = 0; s < states; s++) {
        size_t low = bits;
        if (s) { /* point `low` is in s now, those below are not */
            low = (size_t)corels_lowest(s);
            at[low] = at[low + 1], top[low] = top[low + 1], inside[low] = inside[low + 1] + 1;
        }
        for (size_t b = low; b-- > 0;) {
            at[b] = top[b + 1], inside[b] = inside[b + 1];
            size_t hi = (size_t)1 << inside[b], lo = N << b;
            top[b] = top[b + 1] + hi * lo;
            for (size_t c = 0; c < classes; c++)
                merge_halves(at[b + 1] == SIZE_MAX ? price + c * most
                                                   : tables + c * most + at[b + 1],
                             hi, lo, tables + c * most + at[b]);
        }
        if (!s) continue;
        int32_t *value = values + s * N;
        size_t less = s & (s - 1);
        for (size_t j = 0; j < N; j++) value[j] = INT32_MAX;
        for (size_t c = 0; c < classes; c++) {
            int32_t *of = gain + c * most;
            const int32_t *w = weight + (low * classes + c) * N;
            least_part(at[0] == SIZE_MAX ? price + c * most : tables + c * most + at[0], of, s,
                       least);
            for (size_t j = 0; j < N; j++) { /* gain[s] is, for now, its errors alone */
                of[s * N + j] = values[less * N + j] - of[less * N + j] + w[j];
                int32_t here = of[s * N + j] + least[j];
                value[j] = here < value[j] ? here : value[j];
            }
        }
        for (size_t c = 0; c < classes; c++)
            for (size_t j = 0; j < N; j++)
                gain[c * most + s * N + j] = value[j] - gain[c * most + s * N + j];
    }
}

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

/* sums[r] += row[index[r]] for n antecedents, a multiple of 16. */
static void spend(float *restrict sums, const uint8_t *restrict index, size_t n,
                  const float *restrict row, size_t places) {
    (void)places;
    for (size_t r = 0; r < n; r++) sums[r] += row[index[r]];
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
 * values fall along each trace; `before` is NULL where the cell comes new into the sums. `rise` is
 * what the second state costs more than the first. */
static void move_cell(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      size_t places, const int32_t *before, const int32_t *after, size_t traces,
                      int32_t rise) {
    int32_t row[256] __attribute__((aligned(64)));
    for (size_t t = 0; t < traces; t++) row[t] = after[t] - (before ? before[t] : 0);
    row[traces] = 0;        /* an antecedent that captures nothing */
    row[traces + 1] = rise; /* one that captures all */
    add_row(sums, index, groups, n, row, places);
}

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

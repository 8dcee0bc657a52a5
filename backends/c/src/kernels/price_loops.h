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
    for (size_t i = 0; words == 1 && i < n; i++)
        found[i] = (int32_t)ones((patterns[which[i]] ^ *seed) | *known);
    for (size_t i = 0; words > 1 && i < n; i++) {
        const uint64_t *pattern = patterns + (size_t)which[i] * words;
        int32_t sum = 0;
        for (size_t w = 0; w < words; w++) sum += (int32_t)ones((pattern[w] ^ seed[w]) | known[w]);
        found[i] = sum;
    }
}
#endif

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

/* fill_values for two classes, whose numbers stand side by side: one look-up for both. */
typedef int32_t price_pair __attribute__((vector_size(8), aligned(4), may_alias));

static inline price_pair lesser_pair(price_pair a, price_pair b) {
    price_pair below = a < b;
    return (a & below) | (b & ~below);
}

static void fill_pairs(const uint16_t *restrict next, size_t traces, size_t states,
                       const int32_t *restrict price, const int32_t *restrict alone,
                       price_pair *restrict gain, int32_t *restrict values) {
    price_pair prices[256], most = {INT32_MAX / 2, INT32_MAX / 2};
    for (size_t t = 0; t < traces; t++) prices[t] = (price_pair){price[t], price[traces + t]};
    values[0] = 0;
    gain[0] = (price_pair){0, 0};
    for (size_t s = 1; s < states; s++) {
        price_pair least = {0, 0}, here = {alone[s], alone[states + s]};
        const uint16_t *to = next + s * traces;
        gain[s] = most;
        for (size_t t = 0; t < traces; t++) least = lesser_pair(least, prices[t] + gain[to[t]]);
        least += here;
        values[s] = least[0] < least[1] ? least[0] : least[1];
        gain[s] = (price_pair){values[s], values[s]} - here;
    }
}

/* values[s] = what the state s < states of one cell costs, in rising order of states; see
 * prices/cell.h. alone[c][s] = its errors if all of it is predicted c; gain[c][s] = values[s] less
 * alone[c][s], scratch, aligned to 8 bytes. States that a trace does not cut lead to themselves. */
static void fill_values(const uint16_t *next, size_t traces, size_t states, size_t classes,
                        const int32_t *price, const int32_t *alone, int32_t *gain,
                        int32_t *values) {
    if (classes == 2) {
        fill_pairs(next, traces, states, price, alone, (price_pair *)(void *)gain, values);
        return;
    }
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

/* Sixteen cells' numbers. Loops over sixteen lanes of an array would not do: compilers unroll the
 * innermost one first, and then see nothing to vectorise. */
typedef int32_t price_lanes
    __attribute__((vector_size(CORELS_PRICE_LANES * 4), aligned(4), may_alias));

/* A macro, and a file may have its own: passing such rows to functions depends on the processor. */
#ifndef CORELS_LESSER_LANES
#define CORELS_LESSER_LANES(a, b) (((b) & ((a) >= (b))) | ((a) & ((a) < (b))))
#endif

/* Merges two halves of a table of `hi` runs: without the bit of weight `lo`, the cheaper price. */
static void merge_halves(const price_lanes *from, size_t hi, size_t lo, price_lanes *to) {
    for (size_t h = 0; h < hi; h++, from += 2 * lo, to += lo)
        for (size_t k = 0; k < lo; k++) to[k] = CORELS_LESSER_LANES(from[k], from[lo + k]);
}

/* *least = min over the parts u of s, but the empty one, of price[u] + gain[s without u], or 0 if
 * none is below; prices stand in the order of the parts. */
static inline void least_part(const price_lanes *price, const price_lanes *gain, size_t s,
                              price_lanes *least) {
    price_lanes best = {0};
    for (size_t u = s & (0 - s); u; u = (u - s) & s) {
        price_lanes here = *++price + gain[s ^ u];
        best = CORELS_LESSER_LANES(here, best);
    }
    *least = best;
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
typedef struct {
    const price_lanes *price;
    price_lanes *tables;
    size_t bits, most, classes;      /* most: rows of one class, in `price` and in `tables` */
    size_t inside[9], top[9], at[9]; /* of table[b]: points in s from b on, its end, its place; */
} small_fill;                        /* or SIZE_MAX: the prices as they are given */

static const price_lanes *small_table(const small_fill *f, size_t b, size_t c) {
    return f->at[b] == SIZE_MAX ? f->price + c * f->most : f->tables + c * f->most + f->at[b];
}

/* The tables for the next subset, of which point `low` is the lowest (`bits` for the empty one). */
static void next_tables(small_fill *f, size_t low) {
    if (low < f->bits) { /* point `low` is in it now, those below are not */
        f->at[low] = f->at[low + 1], f->top[low] = f->top[low + 1];
        f->inside[low] = f->inside[low + 1] + 1;
    }
    for (size_t b = low; b-- > 0;) {
        size_t hi = (size_t)1 << f->inside[b + 1], lo = (size_t)1 << b;
        f->at[b] = f->top[b + 1], f->inside[b] = f->inside[b + 1];
        f->top[b] = f->top[b + 1] + hi * lo;
        for (size_t c = 0; c < f->classes; c++)
            merge_halves(small_table(f, b + 1, c), hi, lo, f->tables + c * f->most + f->at[b]);
    }
}

static void fill_lanes(size_t bits, size_t classes, const price_lanes *price,
                       const price_lanes *weight, price_lanes *work, price_lanes *values) {
    size_t states = (size_t)1 << bits;
    price_lanes *gain = work, none = {0};
    small_fill f = {price, work + classes * states, bits, states, classes, {0}, {0}, {0}};
    values[0] = none;
    for (size_t c = 0; c < classes; c++) gain[c * states] = none;
    f.at[bits] = SIZE_MAX;
    next_tables(&f, bits);
    for (size_t s = 1; s < states; s++) {
        size_t low = (size_t)corels_lowest(s), less = s & (s - 1);
        price_lanes here, value = none + INT32_MAX;
        next_tables(&f, low);
        for (size_t c = 0; c < classes; c++) { /* gain[s] is, for now, its errors alone */
            price_lanes *of = gain + c * states;
            of[s] = values[less] - of[less] + weight[low * classes + c];
            least_part(small_table(&f, 0, c), of, s, &here);
            here += of[s];
            value = CORELS_LESSER_LANES(here, value);
        }
        values[s] = value;
        for (size_t c = 0; c < classes; c++) gain[c * states + s] = value - gain[c * states + s];
    }
}

static void fill_small(size_t bits, size_t classes, const int32_t *price, const int32_t *weight,
                       int32_t *work, int32_t *values) {
    fill_lanes(bits, classes, (const price_lanes *)(const void *)price,
               (const price_lanes *)(const void *)weight, (price_lanes *)(void *)work,
               (price_lanes *)(void *)values);
}

#ifndef CORELS_OWN_FIRST_STEP
/* The first of n traces that a cheapest list of a small cell may begin with in this state, -1:
 * none. It takes points from the state, and its price and what is left come to gain[state]; see
 * fill_small. */
static int32_t first_step(const uint64_t *traces, const int32_t *price, int32_t n,
                          const int32_t *gain, uint64_t state) {
    for (int32_t t = 0; t < n; t++)
        if (traces[t] & state && price[t] + gain[state & ~traces[t]] == gain[state]) return t;
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

#ifndef CORELS_OWN_MOVE_WHOLE
/* sums[r] += sign * (row[r] << coarse) for the antecedents of some groups: a whole cell comes into
 * the sums (sign 1) or goes out (-1). */
typedef uint16_t price_shorts
    __attribute__((vector_size(CORELS_PRICE_LANES * 2), aligned(2), may_alias));

static void move_whole(int32_t *sums, const uint16_t *row, const uint16_t *groups, size_t n,
                       int32_t coarse, int32_t sign) {
    for (size_t g = 0; g < n; g++) {
        size_t first = 16 * (size_t)groups[g];
        price_lanes *to = (price_lanes *)(void *)(sums + first);
        const price_shorts *from = (const price_shorts *)(const void *)(row + first);
        price_lanes here = __builtin_convertvector(*from, price_lanes) << coarse;
        *to = sign < 0 ? *to - here : *to + here;
    }
}
#endif

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

#endif

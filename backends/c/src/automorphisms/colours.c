/* Colours: numbers that two points, or two antecedents, have in common if a symmetry may take one
 * to the other. They are made of the table alone, not of the order of its rows and columns.
 *
 * A point begins with the colour of its regrets. Then, round by round, a point's colour is mixed
 * with the sum of the colours of the antecedents that capture it, and an antecedent's with that of
 * the points that it captures, until the points' colours part no further. A symmetry takes each
 * point to one of its colour; and if one point is singled out, the points of a table mostly part
 * altogether after a few of them. (Colour refinement, as in McKay's nauty. Sums of mixed 64-bit
 * numbers may collide: find.c looks at every permutation once more, so that costs a symmetry at
 * worst.)
 */
#include "colours.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"

enum { MOST_VISITS = 32 * 1000 * 1000 }; /* some hundredths of a second */

int colours_new(colours *c, const automorphism_data *data) {
    *c = (colours){.data = data, .things = data->points + data->antecedents};
    c->mixed = malloc(((size_t)c->things + 1) * 2 * sizeof *c->mixed);
    c->sorted = malloc(((size_t)data->points + 1) * sizeof *c->sorted);
    return c->mixed && c->sorted;
}

void colours_free(colours *c) {
    free(c->mixed);
    free(c->sorted);
}

int colours_spent(const colours *c) {
    return c->visits > MOST_VISITS;
}

static void refine_once(colours *c, uint64_t *colour) {
    const automorphism_data *data = c->data;
    uint64_t *mixed = c->mixed, *sums = c->mixed + c->things;
    for (int32_t i = 0; i < c->things; i++) mixed[i] = corels_mix(colour[i] + 1), sums[i] = 0;
    for (int32_t r = 0; r < data->antecedents; r++) {
        const uint64_t *mask = data->masks + (size_t)r * (size_t)data->words;
        uint64_t mine = mixed[data->points + r], sum = 0;
        for (int32_t w = 0; w < data->words; w++) {
            c->visits += corels_ones(mask[w]);
            for (uint64_t left = mask[w]; left; left &= left - 1) {
                int32_t x = w * 64 + corels_lowest(left);
                sum += mixed[x];
                sums[x] += mine;
            }
        }
        sums[data->points + r] = sum;
    }
    for (int32_t i = 0; i < c->things; i++) colour[i] = corels_mix(3 * colour[i] + sums[i]);
}

static int by_number(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* How many different colours the points have. */
static int32_t parts(colours *c, const uint64_t *colour) {
    int32_t n = c->data->points, different = n > 0;
    memcpy(c->sorted, colour, (size_t)n * sizeof *colour);
    qsort(c->sorted, (size_t)n, sizeof *c->sorted, by_number);
    for (int32_t i = 1; i < n; i++) different += c->sorted[i] != c->sorted[i - 1];
    return different;
}

static void refine(colours *c, uint64_t *colour) {
    int32_t now = parts(c, colour), before;
    do {
        before = now;
        refine_once(c, colour); /* from points to antecedents */
        refine_once(c, colour); /* and back */
        now = parts(c, colour);
    } while (now > before && now < c->data->points && !colours_spent(c));
}

void colours_begin(colours *c, uint64_t *colour) {
    const automorphism_data *data = c->data;
    for (int32_t x = 0; x < data->points; x++) {
        colour[x] = 1;
        for (int32_t k = 0; k < data->classes; k++) {
            size_t at = (size_t)k * (size_t)data->points + (size_t)x;
            colour[x] = corels_mix(3 * colour[x] + (uint64_t)data->regrets[at]);
        }
    }
    for (int32_t r = 0; r < data->antecedents; r++) colour[data->points + r] = 2;
    refine(c, colour);
}

void colours_single_out(colours *c, uint64_t *colour, int32_t point) {
    colour[point] = corels_mix(colour[point] ^ UINT64_C(0x9e3779b97f4a7c15));
    refine(c, colour);
}

uint64_t colours_shared(const colours *c) {
    int32_t n = c->data->points, least = n + 1;
    uint64_t found = 0;
    for (int32_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && c->sorted[to] == c->sorted[from];) to++;
        if (to - from > 1 && to - from < least) least = to - from, found = c->sorted[from];
    }
    return found;
}

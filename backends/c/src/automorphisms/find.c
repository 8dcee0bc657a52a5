/* Looking for symmetries.
 *
 * Points are singled out, one after another, until all points have different colours: that is the
 * first way down. At each of its levels another point of the same colour could have been singled
 * out. If it is, and points of the colours of the first way after it, and the colours come out the
 * same in the end, then equal colours say which point goes to which. Whether that is a symmetry is
 * looked at in the table itself.
 *
 * From the last level up: a symmetry that is found at a level leaves the points of the levels above
 * where they are, so those found at lower levels tell which points need not be tried any more.
 * Where the first choice below does not succeed no other one is tried: a symmetry may be missed,
 * and nothing is lost by it but time in the search.
 */
#include <stdlib.h>
#include <string.h>

#include "automorphisms.h"
#include "bits.h"
#include "ranked.h"
#include "store.h"

enum { MOST_LEVELS = 24 };

/* One level of the first way down: the colours before a point was singled out; which, of what
 * colour. */
typedef struct {
    uint64_t *colour;
    uint64_t shared;
    int32_t point;
} level;

typedef struct {
    const automorphism_data *data;
    automorphisms *found;
    store arrays;
    int32_t things;   /* points and antecedents; colours are numbered like that */
    uint64_t *mixed;  /* [2][things] scratch */
    uint64_t *sorted; /* [points] the colours of the points, when they were last distinguished */
    int64_t visits;   /* of a point by an antecedent, so far */
    level levels[MOST_LEVELS];
    int32_t depth;
    uint64_t *leaf, *other; /* [things] colours at the end of the first way, and of another one */
    ranked *first, *second; /* [things] the same, points and antecedents in order */
    uint64_t *image;        /* a mask */
    int32_t *to, *orbit;    /* a permutation; [points] the least known to be reached */
} finder;

/* Colours: numbers that two points, or two antecedents, have in common if a symmetry may take one
 * to the other. They are made of the table alone, not of the order of its rows and columns.
 *
 * A point begins with the colour of its regrets. Then, round by round, a point's colour is mixed
 * with the sum of the colours of the antecedents that capture it, and an antecedent's with that of
 * the points that it captures, until the points' colours part no further. A symmetry takes each
 * point to one of its colour; and if one point is singled out, the points of a table mostly part
 * altogether after a few of them. (Colour refinement, as in McKay's nauty. Sums of mixed 64-bit
 * numbers may collide: every permutation is looked at once more, so that costs a symmetry at
 * worst.)
 */

/* Whether more than a moment has gone into them. */
static int colours_spent(const finder *f) {
    return f->visits > f->data->most_visits;
}

static void refine_once(finder *f, uint64_t *colour) {
    const automorphism_data *data = f->data;
    uint64_t *mixed = f->mixed, *sums = f->mixed + f->things;
    for (int32_t i = 0; i < f->things; i++) mixed[i] = corels_mix(colour[i] + 1), sums[i] = 0;
    for (int32_t r = 0; r < data->antecedents; r++) {
        const uint64_t *mask = data->masks + (size_t)r * (size_t)data->words;
        uint64_t mine = mixed[data->points + r], sum = 0;
        for (int32_t w = 0; w < data->words; w++) {
            f->visits += corels_ones(mask[w]);
            for (uint64_t left = mask[w]; left; left &= left - 1) {
                int32_t x = w * 64 + corels_lowest(left);
                sum += mixed[x];
                sums[x] += mine;
            }
        }
        sums[data->points + r] = sum;
    }
    for (int32_t i = 0; i < f->things; i++) colour[i] = corels_mix(3 * colour[i] + sums[i]);
}

static int by_number(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* How many different colours the points have. */
static int32_t parts(finder *f, const uint64_t *colour) {
    int32_t n = f->data->points, different = n > 0;
    memcpy(f->sorted, colour, (size_t)n * sizeof *colour);
    qsort(f->sorted, (size_t)n, sizeof *f->sorted, by_number);
    for (int32_t i = 1; i < n; i++) different += f->sorted[i] != f->sorted[i - 1];
    return different;
}

static void refine(finder *f, uint64_t *colour) {
    int32_t now = parts(f, colour), before;
    do {
        before = now;
        refine_once(f, colour); /* from points to antecedents */
        refine_once(f, colour); /* and back */
        now = parts(f, colour);
    } while (now > before && now < f->data->points && !colours_spent(f));
}

/* The colours that regrets give, made finer. `colour`: [things]. */
static void colours_begin(finder *f, uint64_t *colour) {
    const automorphism_data *data = f->data;
    for (int32_t x = 0; x < data->points; x++) {
        colour[x] = 1;
        for (int32_t k = 0; k < data->classes; k++) {
            size_t at = (size_t)k * (size_t)data->points + (size_t)x;
            colour[x] = corels_mix(3 * colour[x] + (uint64_t)data->regrets[at]);
        }
    }
    for (int32_t r = 0; r < data->antecedents; r++) colour[data->points + r] = 2;
    refine(f, colour);
}

/* Gives the point a colour of its own, and makes the others finer. */
static void colours_single_out(finder *f, uint64_t *colour, int32_t point) {
    colour[point] = corels_mix(colour[point] ^ UINT64_C(0x9e3779b97f4a7c15));
    refine(f, colour);
}

/* The colour that several points have, and as few points as any; or 0: all differ. */
static uint64_t colours_shared(const finder *f) {
    int32_t n = f->data->points, least = n + 1;
    uint64_t found = 0;
    for (int32_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && f->sorted[to] == f->sorted[from];) to++;
        if (to - from > 1 && to - from < least) least = to - from, found = f->sorted[from];
    }
    return found;
}

static const uint64_t *mask_of(const finder *f, int32_t r) {
    return f->data->masks + (size_t)r * (size_t)f->data->words;
}

static size_t mask_bytes(const finder *f) {
    return (size_t)f->data->words * sizeof(uint64_t);
}

static int32_t first_of(const finder *f, const uint64_t *colour, uint64_t wanted) {
    int32_t x = 0;
    while (x < f->data->points && colour[x] != wanted) x++;
    return x;
}

/* The first way down. 0: it is too long, or there is no memory. */
static int go_down(finder *f) {
    size_t bytes = (size_t)f->things * sizeof *f->leaf;
    colours_begin(f, f->leaf);
    for (uint64_t shared; (shared = colours_shared(f)); f->depth++) {
        if (f->depth == MOST_LEVELS || colours_spent(f)) return 0;
        level *here = f->levels + f->depth;
        here->colour = store_take(&f->arrays, bytes, 1);
        if (!here->colour) return 0;
        memcpy(here->colour, f->leaf, bytes);
        here->shared = shared;
        here->point = first_of(f, f->leaf, shared);
        colours_single_out(f, f->leaf, here->point);
    }
    refine_once(f, f->leaf); /* of points that all differ */
    return 1;
}

/* Another way down from a level, by another point: its colours at the end. 0: it parts from the
 * first one. */
static int go_another_way(finder *f, int32_t from, int32_t point) {
    memcpy(f->other, f->levels[from].colour, (size_t)f->things * sizeof *f->other);
    colours_single_out(f, f->other, point);
    for (int32_t i = from + 1; i < f->depth; i++) {
        int32_t x = first_of(f, f->other, f->levels[i].shared);
        if (x == f->data->points || colours_spent(f)) return 0;
        colours_single_out(f, f->other, x);
    }
    refine_once(f, f->other);
    return 1;
}

static void in_order(const finder *f, const uint64_t *colour, ranked *out) {
    for (int32_t i = 0; i < f->things; i++) out[i] = (ranked){(int64_t)colour[i], i};
    sort_ranked(out, (size_t)f->data->points);
    sort_ranked(out + f->data->points, (size_t)f->data->antecedents);
}

/* Where equal colours take points and antecedents. Of several antecedents that capture the same,
 * the first goes to the first, and so on. 0: the colours differ. */
static int match(finder *f) {
    int32_t points = f->data->points;
    in_order(f, f->other, f->second);
    for (int32_t i = 0; i < f->things; i++) {
        if (f->first[i].number != f->second[i].number) return 0;
        f->to[f->first[i].at] = f->second[i].at - (i < points ? 0 : points);
    }
    return 1;
}

/* Whether that changes nothing in the table. */
static int holds(const finder *f) {
    const automorphism_data *data = f->data;
    for (int32_t k = 0; k < data->classes; k++) {
        const int32_t *regrets = data->regrets + (size_t)k * (size_t)data->points;
        for (int32_t x = 0; x < data->points; x++)
            if (regrets[x] != regrets[f->to[x]]) return 0;
    }
    for (int32_t r = 0; r < data->antecedents; r++) {
        map_bits(f->image, mask_of(f, r), data->words, f->to);
        if (memcmp(mask_of(f, f->to[data->points + r]), f->image, mask_bytes(f))) return 0;
    }
    return 1;
}

static int32_t reached(const finder *f, int32_t x) {
    while (f->orbit[x] != x) x = f->orbit[x];
    return x;
}

static void join_orbits(finder *f) {
    for (int32_t x = 0; x < f->data->points; x++) {
        int32_t a = reached(f, x), b = reached(f, f->to[x]);
        f->orbit[a > b ? a : b] = a > b ? b : a;
    }
}

/* The points that could have been singled out at this level, one after another. 0: no memory. */
static int try_level(finder *f, int32_t i) {
    const level *here = f->levels + i;
    for (int32_t x = 0; x < f->data->points && !colours_spent(f); x++) {
        if (here->colour[x] != here->shared || reached(f, x) == reached(f, here->point)) continue;
        if (!go_another_way(f, i, x) || !match(f) || !holds(f)) continue;
        join_orbits(f);
        if (!automorphisms_add(f->found, f->to)) return 0;
    }
    return 1;
}

static int finder_new(finder *f, const automorphism_data *data) {
    size_t points = (size_t)data->points, antecedents = (size_t)data->antecedents;
    *f = (finder){
        .data = data, .things = data->points + data->antecedents, .found = automorphisms_new(data)};
    store *all = &f->arrays;
    f->mixed = store_take(all, (points + antecedents) * 2, sizeof *f->mixed);
    f->sorted = store_take(all, points, sizeof *f->sorted);
    f->leaf = store_take(all, points + antecedents, sizeof *f->leaf);
    f->other = store_take(all, points + antecedents, sizeof *f->other);
    f->first = store_take(all, points + antecedents, sizeof *f->first);
    f->second = store_take(all, points + antecedents, sizeof *f->second);
    f->image = store_take(all, mask_bytes(f), 1);
    f->to = store_take(all, points + antecedents, sizeof *f->to);
    f->orbit = store_take(all, points, sizeof *f->orbit);
    if (!f->found || all->failed) return 0;
    for (int32_t x = 0; x < data->points; x++) f->orbit[x] = x;
    return 1;
}

automorphisms *automorphisms_find(const automorphism_data *data) {
    finder f;
    if ((int64_t)data->points * data->antecedents > data->most_cells) return NULL;
    int ok = finder_new(&f, data) && go_down(&f);
    if (ok) in_order(&f, f.leaf, f.first);
    for (int32_t i = f.depth - 1; ok && i >= 0; i--) ok = try_level(&f, i);
    store_free(&f.arrays);
    if (ok && f.found->n > 1) return f.found;
    automorphisms_free(f.found);
    return NULL;
}

/* The points of the table in an order of the checker's own: those of a group stand together, so
 * that a group of a set is some words of it. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <stdlib.h>

static uint32_t group_of(const corels_falling_table *t, uint32_t point) {
    const wide q = (wide)(uint64_t)t->unit * t->negatives[point];
    uint32_t g = 0;
    while (g < 3 && (!t->positives[point] || q > (wide)(uint64_t)t->edges[g] * t->positives[point]))
        g++;
    return g;
}

typedef struct {
    uint32_t group, q, p, point;
} entry;

static int in_order(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* Where each point stands, from points in order. */
static void place_all(checker *c, const entry *sorted, uint32_t *place) {
    uint32_t next = 0, g = 0;
    for (uint32_t i = 0; i < (uint32_t)c->t.points; i++) {
        for (; g < sorted[i].group; c->first_word[++g] = next / 64) next = (next + 63) / 64 * 64;
        place[sorted[i].point] = next++;
    }
    next = (next + 63) / 64;
    while (g < GROUPS) c->first_word[++g] = next;
    c->words = next;
}

static uint32_t *places(checker *c) {
    const uint32_t points = (uint32_t)c->t.points;
    entry *sorted = malloc(((size_t)points + 1) * sizeof *sorted);
    uint32_t *place = malloc(((size_t)points + 1) * sizeof *place);
    if (sorted && place) {
        for (uint32_t i = 0; i < points; i++)
            sorted[i] = (entry){group_of(&c->t, i), c->t.negatives[i], c->t.positives[i], i};
        qsort(sorted, points, sizeof *sorted, in_order);
        place_all(c, sorted, place);
    }
    if (!sorted) {
        free(place);
        place = NULL;
    }
    free(sorted);
    return place;
}

static void fill(checker *c, const uint32_t *place) {
    const corels_falling_table *t = &c->t;
    const size_t words = ((size_t)t->points + 63) / 64;
    for (uint32_t i = 0; i < (uint32_t)t->points; i++) {
        c->weight[place[i]] = t->positives[i] | (uint64_t)t->negatives[i] << 32;
        c->everything[place[i] / 64] |= (uint64_t)1 << place[i] % 64;
    }
    for (size_t a = 0; a < (size_t)t->antecedents; a++)
        for (size_t w = 0; w < words; w++)
            for (uint64_t some = t->masks[a * words + w]; some; some &= some - 1) {
                const uint32_t at = place[w * 64 + (size_t)__builtin_ctzll(some)];
                c->masks[a * c->words + at / 64] |= (uint64_t)1 << at % 64;
            }
}

int lay_out(checker *c) {
    uint32_t *place = places(c);
    if (!place) return 0;
    c->masks = calloc((size_t)c->t.antecedents * c->words + 1, sizeof *c->masks);
    c->everything = calloc((size_t)c->words + 1, sizeof *c->everything);
    c->weight = calloc((size_t)c->words * 64 + 1, sizeof *c->weight);
    const int enough = c->masks && c->everything && c->weight;
    if (enough) fill(c, place);
    free(place);
    return enough;
}

#endif

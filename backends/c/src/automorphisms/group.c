/* Products of symmetries. A product is a symmetry, too, so the images of a set by all of them are
 * the same sets whichever image one begins with: that makes it possible to let one stand for all.
 */
#include <stdlib.h>
#include <string.h>

#include "automorphisms.h"

static size_t things(const automorphisms *g) {
    return (size_t)g->points + (size_t)g->antecedents;
}

static int32_t *element(const automorphisms *g, int32_t i) {
    return g->to + (size_t)i * things(g);
}

automorphisms *automorphisms_new(const automorphism_data *data) {
    automorphisms *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->points = data->points, g->antecedents = data->antecedents, g->n = 1;
    g->to = malloc((things(g) + 1) * sizeof *g->to);
    if (!g->to) {
        free(g);
        return NULL;
    }
    for (int32_t x = 0; x < g->points; x++) g->to[x] = x;
    for (int32_t r = 0; r < g->antecedents; r++) g->to[g->points + r] = r;
    return g;
}

void automorphisms_free(automorphisms *g) {
    if (!g) return;
    free(g->to);
    free(g->sums);
    free(g);
}

size_t automorphisms_bytes(const automorphisms *g) {
    if (!g) return 0;
    size_t sums = g->sums ? (size_t)g->nibbles * 16 * (size_t)g->lanes * sizeof *g->sums : 0;
    return sizeof *g + (size_t)g->n * things(g) * sizeof *g->to + sums;
}

/* First `first`, then `second`. */
static void multiply(const automorphisms *g, const int32_t *first, const int32_t *second,
                     int32_t *product) {
    size_t p = (size_t)g->points;
    for (size_t x = 0; x < p; x++) product[x] = second[first[x]];
    for (size_t r = p; r < things(g); r++) product[r] = second[p + (size_t)first[r]];
}

static int has(const automorphisms *g, const int32_t *permutation) {
    for (int32_t i = 0; i < g->n; i++)
        if (!memcmp(element(g, i), permutation, things(g) * sizeof *permutation)) return 1;
    return 0;
}

/* Every element, followed by every generator, until no new one comes or there are too many. */
static void multiply_all(automorphisms *g) {
    for (int32_t i = 0; i < g->n; i++)
        for (int32_t k = 0; k < g->generators && g->n <= MOST_IMAGES; k++) {
            multiply(g, element(g, i), element(g, g->generator[k]), element(g, g->n));
            if (!has(g, element(g, g->n))) g->n++;
        }
}

int automorphisms_add(automorphisms *g, const int32_t *permutation) {
    int32_t before = g->n;
    if (has(g, permutation)) return 1;
    size_t size = things(g) * sizeof *g->to;
    int32_t *room = realloc(g->to, (MOST_IMAGES + 2) * size);
    if (!room) return 0;
    g->to = room;
    memcpy(element(g, g->n), permutation, size);
    g->generator[g->generators++] = g->n++;
    multiply_all(g);
    if (g->n > MOST_IMAGES) g->n = before, g->generators--;
    room = realloc(g->to, ((size_t)g->n + 1) * size);
    if (room) g->to = room;
    return 1;
}

const int32_t *automorphisms_points(const automorphisms *g, int32_t i) {
    return element(g, i);
}

const int32_t *automorphisms_antecedents(const automorphisms *g, int32_t i) {
    return element(g, i) + g->points;
}

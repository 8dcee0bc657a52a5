#include "strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int strip_create(strip_profile *s, const table *t) {
    s->falling_q = malloc((t->antecedents + 2u) * sizeof *s->falling_q);
    s->front = malloc((t->antecedents + 2u) * sizeof *s->front);
    return s->falling_q && s->front;
}

void strip_destroy(strip_profile *s) {
    free(s->falling_q);
    free(s->front);
}

static int more_negatives(const void *a, const void *b) {
    const pair *x = a, *y = b;
    return x->q != y->q ? (x->q > y->q ? -1 : 1) : (x->p > y->p) - (x->p < y->p);
}

static int more_positives(const void *a, const void *b) {
    const pair *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p ? -1 : 1) : (x->q > y->q) - (x->q < y->q);
}

void strip_profile_of(strip_profile *s, const table *t, const frame *f) {
    s->count = 0;
    for (uint32_t a = 0; a < t->antecedents; a++)
        if (f->p[a] + f->q[a]) s->falling_q[s->count++] = (pair){f->p[a], f->q[a]};
    memcpy(s->front, s->falling_q, s->count * sizeof *s->front);
    s->front_count = 0;
    qsort(s->front, s->count, sizeof *s->front, more_positives);
    for (uint32_t i = 0, least = UINT32_MAX; i < s->count; i++) {
        if (s->front[i].q >= least) continue;
        least = s->front[i].q;
        s->front[s->front_count++] = s->front[i];
    }
    qsort(s->falling_q, s->count, sizeof *s->falling_q, more_negatives);
    for (uint32_t i = 1; i < s->count; i++)
        if (s->falling_q[i].p > s->falling_q[i - 1].p) s->falling_q[i].p = s->falling_q[i - 1].p;
}

double strip_least_positives(const strip_profile *s, double q) {
    uint32_t low = 0, high = s->count; /* how many have at least q */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->falling_q[middle].q >= q) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (q <= 0) return 0;
    return low ? s->falling_q[low - 1].p : INFINITY;
}

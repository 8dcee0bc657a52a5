/* Counting, for the checker: what each antecedent captures of a set. See planes.c. */
#ifndef CORELS_CHECKER_PLANES_H
#define CORELS_CHECKER_PLANES_H

#include "checker.h"

/* The points whose regret for a class has a certain bit: words `from` .. `to` of a set. */
typedef struct {
    uint64_t *bits;
    size_t from, to;
    int32_t class, shift;
} plane;

typedef struct planes {
    const corels_check_table *in;
    size_t words, stride, n;
    plane *each;
    uint64_t *cut;
    int32_t *rows; /* [points][classes][stride], or NULL */
    void (*count)(const struct planes *, const uint64_t *, int32_t *, int32_t *);
} planes;

/* 0 without memory; `planes_free` is right in both cases. */
int planes_new(planes *, const corels_check_table *, size_t stride);
void planes_free(planes *);
/* counts [classes][stride]: what each antecedent captures of the set in each class's regret; totals
 * [classes]: what there is. */
void planes_count(const planes *, const uint64_t *set, int32_t *counts, int32_t *totals);

#endif

/* The data of a search, laid out for counting.
 *
 * Classes (rows with equal antecedents) are sorted into bins by purity, q / p rising: bin 0 holds
 * the "beneficial" ones (positive_cost * p >= unit * q), the last one the classes without
 * positives. A bin starts on a word boundary, so the counter (corels/counter.h) looks at a bin's
 * words only for what it counts of the bin.
 *
 * A quantity is the number of positives or of negatives in one bin; every bound is computed from
 * the quantities of the rows that are left.
 */
#pragma once

#include "corels/counter.h"
#include "corels/kernels.h"
#include "corels/store.h"
#include "corels_falling/falling.h"

enum { BINS = 5, QUANTITIES = 2 * BINS };

/* positives(bin) = 2 * bin, negatives(bin) = 2 * bin + 1 */
static inline int positives_of(int bin) {
    return 2 * bin;
}
static inline int negatives_of(int bin) {
    return 2 * bin + 1;
}

typedef struct {
    store arrays;
    const corels_kernel *kernel;
    corels_counter *counter;  /* counts are [measures][lanes] */
    int32_t measures;         /* quantities that are not zero, */
    int quantity[QUANTITIES]; /* and which they are */
    uint32_t antecedents, lanes;
    uint32_t words;       /* of a set of classes */
    uint64_t *everything; /* all classes */
    uint64_t *captures;   /* antecedents x words */
    uint32_t total[QUANTITIES];
    int64_t positive_cost, unit, rule_cost, violation_cost;
    int soft;
    /* edge[i]: classes with unit * q <= edge[i] * p are in the bins 0..i; edge[0] = positive_cost
     */
    int64_t edge[BINS - 2];
} table;

/* Returns 0, CORELS_FALLING_NO_MEMORY or CORELS_FALLING_OUT_OF_RANGE. */
int32_t table_build(table *t, const corels_falling_problem *problem);
void table_free(table *t);

static inline const uint64_t *table_captures(const table *t, uint32_t antecedent) {
    return t->captures + (size_t)antecedent * t->words;
}

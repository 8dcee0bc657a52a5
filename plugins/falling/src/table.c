#include "table.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t ROW_LIMIT = (uint64_t)1 << 30;

typedef struct {
    uint32_t id, bin, positives, negatives;
} ranked;

static int by_purity(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->bin != y->bin) return x->bin < y->bin ? -1 : 1;
    if (x->positives != y->positives) return x->positives < y->positives ? -1 : 1;
    if (x->negatives != y->negatives) return x->negatives < y->negatives ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static uint32_t bin_of(const table *t, uint32_t p, uint32_t q) {
    if (p == 0) return BINS - 1;
    for (int i = 0; i < BINS - 2; i++)
        if (t->edge[i] * p >= t->unit * q) return (uint32_t)i;
    return BINS - 2;
}

/* place[i] = bit at which the class order[i] stands; a new bin starts a new word. */
static void place_classes(const ranked *order, uint32_t classes, uint32_t *place) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < classes; i++) {
        if (i && order[i].bin != order[i - 1].bin) next = (next + 63) / 64 * 64;
        place[i] = next++;
    }
}

/* An antecedent after the other: its bits stay in the cache, those of all would not. */
static void fill_bits(table *t, const corels_falling_problem *problem, const ranked *order,
                      const uint32_t *place) {
    const size_t given = (problem->classes + 63u) / 64;
    for (uint32_t i = 0; i < problem->classes; i++)
        t->everything[place[i] / 64] |= (uint64_t)1 << (place[i] % 64);
    for (uint32_t a = 0; a < t->antecedents; a++) {
        const uint64_t *from = problem->captures + a * given;
        uint64_t *to = t->captures + (size_t)a * t->words;
        for (uint32_t i = 0; i < problem->classes;) {
            const uint32_t word = place[i] / 64;
            uint64_t bits = 0;
            for (; i < problem->classes && place[i] / 64 == word; i++)
                bits |= (from[order[i].id / 64] >> (order[i].id % 64) & 1) << (place[i] % 64);
            to[word] = bits;
        }
    }
}

/* The counter: its measures are the quantities that are not zero. */
static int32_t count_by_bins(table *t, const ranked *order, const uint32_t *place,
                             uint32_t classes) {
    const size_t points = (size_t)t->words * 64;
    int32_t *weights = calloc(QUANTITIES * points, sizeof *weights), *of[QUANTITIES];
    if (!weights) return CORELS_FALLING_NO_MEMORY;
    for (int q = 0; q < QUANTITIES; q++) {
        of[q] = weights + (size_t)t->measures * points; /* no code writes to it if there is none */
        if (t->total[q]) t->quantity[t->measures++] = q;
    }
    for (uint32_t i = 0; i < classes; i++) {
        const int bin = (int)order[i].bin;
        if (order[i].positives) of[positives_of(bin)][place[i]] = (int32_t)order[i].positives;
        if (order[i].negatives) of[negatives_of(bin)][place[i]] = (int32_t)order[i].negatives;
    }
    const int32_t most = t->antecedents ? (int32_t)t->antecedents : 1;
    int status =
        corels_counter_new(&t->counter, t->captures, most, (int32_t)points, weights, t->measures);
    free(weights);
    if (status != CORELS_OK) return CORELS_FALLING_NO_MEMORY;
    t->lanes = (uint32_t)corels_counter_stride(t->counter);
    return 0;
}

static int32_t lay_out(table *t, const corels_falling_problem *problem, ranked *order,
                       uint32_t *place) {
    for (uint32_t c = 0; c < problem->classes; c++) {
        uint32_t p = problem->positives[c], q = problem->negatives[c];
        uint32_t bin = bin_of(t, p, q);
        order[c] = (ranked){c, bin, p, q};
        t->total[positives_of((int)bin)] += p;
        t->total[negatives_of((int)bin)] += q;
    }
    qsort(order, problem->classes, sizeof *order, by_purity);
    place_classes(order, problem->classes, place);
    t->words = place[problem->classes - 1] / 64 + 1;
    t->everything = store_take(&t->arrays, t->words, sizeof(uint64_t));
    t->captures = store_take(&t->arrays, (t->antecedents + (size_t)1) * t->words, sizeof(uint64_t));
    if (t->arrays.failed) return CORELS_FALLING_NO_MEMORY;
    fill_bits(t, problem, order, place);
    return count_by_bins(t, order, place, problem->classes);
}

int32_t table_build(table *t, const corels_falling_problem *problem) {
    memset(t, 0, sizeof *t);
    t->kernel = corels_kernel_current();
    if (!t->kernel) return CORELS_FALLING_NO_KERNEL;
    t->antecedents = problem->antecedents;
    t->positive_cost = problem->positive_cost;
    t->unit = problem->unit;
    t->rule_cost = problem->rule_cost;
    t->soft = problem->violation_cost >= 0;
    t->violation_cost = t->soft ? problem->violation_cost : 0;
    uint64_t rows = 0;
    for (uint32_t c = 0; c < problem->classes; c++)
        rows += (uint64_t)problem->positives[c] + problem->negatives[c];
    if (rows == 0 || rows >= ROW_LIMIT || t->antecedents >= 1u << 24)
        return CORELS_FALLING_OUT_OF_RANGE;
    static const int64_t halves[BINS - 2] = {2, 3, 5};
    for (int i = 0; i < BINS - 2; i++) t->edge[i] = t->positive_cost * halves[i] / 2;
    ranked *order = malloc(((size_t)problem->classes + 1) * sizeof *order);
    uint32_t *place = malloc(((size_t)problem->classes + 1) * sizeof *place);
    int32_t status = order && place ? lay_out(t, problem, order, place) : CORELS_FALLING_NO_MEMORY;
    free(order);
    free(place);
    return status;
}

void table_free(table *t) {
    store_free(&t->arrays);
    corels_counter_free(t->counter);
}

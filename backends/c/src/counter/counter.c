/* The counter from outside: build it, count with it. */
#include "counter.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that stay in a processor's own cache; and if a count takes so many milliseconds that
 * several of them would hold a step up. */
static const size_t CACHED = (size_t)1 << 20, SLOW = (size_t)1 << 27;

int corels_counter_begin(corels_counter **out, const uint64_t *masks, int32_t antecedents,
                         int32_t points, const int32_t *weights, int32_t measures) {
    *out = NULL;
    const corels_kernel_table *kernel = corels_kernel_table_current();
    if (!kernel || antecedents < 1 || points < 0 || measures < 1) return CORELS_BAD_ARGUMENT;
    if (antecedents > INT32_MAX - 16) return CORELS_BAD_ARGUMENT;
    corels_counter *counter = calloc(1, sizeof *counter);
    if (!counter) return CORELS_NO_MEMORY;
    counter->layout.shape =
        (corels_shape){masks, weights, antecedents, points, measures, (points + 63) / 64};
    counter->kernel = kernel;
    counter->antecedents = antecedents;
    counter->measures = measures;
    counter->stride = (int32_t)corels_round_up((size_t)antecedents, 16);
    counter->words = counter->all_words = counter->layout.shape.words;
    int status = corels_planes_begin(counter);
    if (status == CORELS_OK)
        *out = counter;
    else
        corels_counter_free(counter);
    return status;
}

int corels_counter_new(corels_counter **out, const uint64_t *masks, int32_t antecedents,
                       int32_t points, const int32_t *weights, int32_t measures) {
    int status = corels_counter_begin(out, masks, antecedents, points, weights, measures);
    if (status != CORELS_OK) return status;
    do status = corels_counter_build(*out);
    while (status == CORELS_OK);
    if (status == CORELS_DONE) return CORELS_OK;
    corels_counter_free(*out);
    *out = NULL;
    return status;
}

void corels_counter_free(corels_counter *counter) {
    if (!counter) return;
    store_free(&counter->arrays);
    digits_free(&counter->planes.digits);
    free(counter);
}

int32_t corels_counter_stride(const corels_counter *counter) {
    return counter->stride;
}

int32_t corels_counter_words(const corels_counter *counter) {
    return counter->words;
}

size_t corels_counter_scratch(const corels_counter *counter) {
    return counter->scratch;
}

const char *corels_counter_kernel(const corels_counter *counter) {
    return counter->kernel->ops.name;
}

const digits *corels_counter_digits(const corels_counter *counter) {
    return &counter->planes.digits;
}

size_t corels_counter_bytes(const corels_counter *counter) {
    return sizeof *counter + counter->arrays.bytes + counter->planes.digits.arrays.bytes;
}

void corels_counter_count(const corels_counter *counter, const uint64_t *set, void *scratch,
                          int32_t *counts, int32_t *totals) {
    corels_counter_count_some(counter, 1, set, scratch, counts, totals);
}

int32_t corels_counter_rows(const corels_counter *counter) {
    return counter->planes.rows;
}

int32_t corels_counter_together(const corels_counter *counter) {
    size_t bytes = corels_counter_bytes(counter);
    return bytes >= CACHED && bytes < SLOW ? CORELS_COUNTED_TOGETHER : 1;
}

/* A counter within some points: columns of these points alone.
 *
 * Sets that lie within some points (those that one antecedent captures) take as long to count as
 * larger ones, however few points those are, because they are spread over nearly all words. A
 * counter within them has the columns of these points, pushed together in their order, and the rows
 * of the counter that it was made from. It is given sets that are pushed together in the same way.
 * To make it takes about as long as six counts of the counter that it is made from.
 *
 * Words are squeezed by moving bits (kernel.h). Which bits move at each step depends on the points
 * alone, so it is found once for all columns.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "counter.h"

/* Of `words` words; returns how many words are left of them, at least one. */
static int32_t plan_squeeze(corels_squeeze *by, const uint64_t *set, int32_t words) {
    uint64_t ones = 0;
    for (int32_t w = 0; w < words; w++) {
        by[w] = corels_squeeze_of(set[w]);
        ones += by[w].ones;
    }
    return ones ? (int32_t)((ones + 63) / 64) : 1;
}

static void squeeze_rows(corels_counter *to, const corels_counter *from) {
    size_t blocks = (size_t)from->planes.rows / 8, words = (size_t)from->words;
    uint64_t *next = to->planes.blocks;
    for (size_t b = 0; b < blocks; b++, next += 8 * (size_t)to->words)
        to->kernel->squeeze(to->within, words, from->planes.blocks + b * words * 8, 8, next);
}

/* One digit: its words, if they are not zero. `all` and `left` have room for all words. */
static void squeeze_digit(corels_counter *inner, const corels_counter *from, digit of,
                          uint64_t *all, uint64_t *left) {
    digits *to = &inner->planes.digits;
    memset(all, 0, (size_t)from->words * sizeof *all);
    memcpy(all + of.low, from->planes.digits.words + of.start, (of.high - of.low) * sizeof *all);
    corels_counter_squeeze(inner, all, left);
    uint32_t low = 0, high = (uint32_t)inner->words;
    while (low < high && !left[low]) low++;
    while (high > low && !left[high - 1]) high--;
    if (low == high) return;
    memcpy(to->words + to->longest, left + low, (high - low) * sizeof *left);
    to->all[to->n++] = (digit){of.measure, of.shift, low, high, to->longest};
    to->longest += high - low;
}

static int squeeze_digits(corels_counter *to, const corels_counter *from) {
    const digits *of = &from->planes.digits;
    digits *mine = &to->planes.digits;
    uint64_t *all = corels_memory_new(2 * (size_t)from->words + 2, sizeof *all);
    mine->all = store_take(&to->arrays, of->n, sizeof *mine->all);
    mine->words = store_take(&to->arrays, (size_t)of->n * (size_t)to->words, sizeof *mine->words);
    if (all && !to->arrays.failed)
        for (uint32_t d = 0; d < of->n; d++)
            squeeze_digit(to, from, of->all[d], all, all + from->words);
    corels_memory_free(all);
    return all && !to->arrays.failed;
}

static int build(corels_counter *to, const corels_counter *from, const uint64_t *points) {
    to->within = store_take(&to->arrays, (size_t)from->words, sizeof *to->within);
    if (!to->within) return 0;
    to->words = plan_squeeze(to->within, points, from->words);
    size_t blocks = (size_t)to->planes.rows / 8;
    to->planes.blocks = store_take(&to->arrays, blocks * ((size_t)to->words + 1), 64);
    if (!to->planes.blocks || !squeeze_digits(to, from)) return 0;
    squeeze_rows(to, from);
    return 1;
}

int corels_counter_within(corels_counter **out, const corels_counter *of, const uint64_t *points) {
    *out = NULL;
    if (!of->complete || of->within) return CORELS_BAD_ARGUMENT;
    corels_counter *to = malloc(sizeof *to);
    if (!to) return CORELS_NO_MEMORY;
    *to = *of;
    to->arrays = (store){0};
    to->all_words = of->words;
    to->within = NULL;
    to->planes.digits = (digits){0};
    to->planes.blocks = NULL;
    if (!build(to, of, points)) {
        corels_counter_free(to);
        return CORELS_NO_MEMORY;
    }
    *out = to;
    return CORELS_OK;
}

int32_t corels_counter_row(const corels_counter *counter, int32_t antecedent) {
    return counter->planes.row_of[antecedent];
}

int32_t corels_counter_first(const corels_counter *counter, int32_t row) {
    return counter->planes.first[row];
}

/* Of a row, the words of a block's eight rows stand side by side. */
static const uint64_t *column_of(const corels_counter *inner, int32_t row) {
    return inner->planes.blocks + (size_t)(row / 8) * (size_t)inner->words * 8 + row % 8;
}

void corels_counter_left(const corels_counter *inner, const int32_t *antecedents, int32_t n,
                         uint64_t *to) {
    size_t words = (size_t)inner->words;
    memset(to, 0xff, words * sizeof *to);
    for (int32_t i = 0; i < n; i++) {
        int32_t row = inner->planes.row_of[antecedents[i]];
        const uint64_t *column = column_of(inner, row);
        uint64_t flip = inner->planes.first[row] == antecedents[i] ? ~(uint64_t)0 : 0;
        for (size_t w = 0; w < words; w++) to[w] &= column[8 * w] ^ flip;
    }
    to[words - 1] &= column_of(inner, inner->planes.all)[8 * (words - 1)];
}

void corels_counter_squeeze(const corels_counter *inner, const uint64_t *set, uint64_t *to) {
    inner->kernel->squeeze(inner->within, (size_t)inner->all_words, set, 1, to);
}

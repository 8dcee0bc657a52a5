/* Columns of some points alone.
 *
 * Whoever counts many sets that lie within some points (those that one antecedent captures) reads
 * columns of all points, however few those are: they are spread over nearly all words. A narrow
 * counter has the columns of these points, pushed together in their order, and the rows of the
 * counter that it was made from. It is given sets that are pushed together in the same way. To make
 * it takes about as long as six counts of all points.
 *
 * Few words are laid out as the counter lays them out, in blocks of eight rows. Of many, the words
 * of each row stand together (planes.c): the points are what one antecedent captures, so a tenth of
 * the rows, those of other antecedents of its column, have all of them or none.
 *
 * Words are squeezed by moving bits: those that are to move by an odd number of places move by one,
 * then those that are to move by 2 or 3 modulo 4 by two, and so on (Hacker's Delight, chapter 7).
 * Which bits move at each step depends on the points alone, so it is found once for all columns.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "counter.h"

static corels_squeeze squeeze_of(uint64_t set) {
    corels_squeeze s = {.set = set, .ones = (uint64_t)corels_ones(set)};
    uint64_t left = ~set << 1; /* the places below, within the word, that are to be closed */
    for (int i = 0; i < 6; i++) {
        uint64_t odd = left;
        for (int j = 1; j < 64; j *= 2) odd ^= odd << j;
        s.moves[i] = odd & set;
        set = (set ^ s.moves[i]) | s.moves[i] >> (1 << i);
        left &= ~odd;
    }
    return s;
}

/* Of `words` words; returns how many words are left of them, at least one. */
static int32_t plan_squeeze(corels_squeeze *by, const uint64_t *set, int32_t words) {
    uint64_t ones = 0;
    for (int32_t w = 0; w < words; w++) {
        by[w] = squeeze_of(set[w]);
        ones += by[w].ones;
    }
    return ones ? (int32_t)((ones + 63) / 64) : 1;
}

/* Block b of `from`: eight rows, word-major. */
static void squeeze_block(const corels_counter *to, const corels_counter *from, size_t b,
                          uint64_t *block) {
    size_t words = (size_t)from->words;
    to->kernel->squeeze(to->within, words, from->planes.blocks + b * words * 8, 8, block);
}

static int squeeze_blocks(corels_counter *to, const corels_counter *from) {
    size_t n = (size_t)from->planes.rows / 8, words = (size_t)to->words;
    to->planes.blocks = corels_take(n * (words + 1), 64, &to->bytes);
    if (!to->planes.blocks) return 0;
    for (size_t b = 0; b < n; b++) squeeze_block(to, from, b, to->planes.blocks + b * words * 8);
    return 1;
}

static int squeeze_columns(corels_counter *to, const corels_counter *from) {
    corels_planes *mine = &to->planes;
    size_t rows = (size_t)mine->rows, words = (size_t)to->words;
    mine->column_words = corels_round_up(words, 8);
    mine->columns = corels_take(rows * mine->column_words, sizeof *mine->columns, &to->bytes);
    mine->ones = corels_take(rows, sizeof *mine->ones, &to->bytes);
    uint64_t *block = corels_memory_new((words + 1) * 8, sizeof *block);
    for (size_t row = 0; mine->columns && mine->ones && block && row < rows; row++) {
        uint64_t *column = mine->columns + row * mine->column_words;
        if (row % 8 == 0) squeeze_block(to, from, row / 8, block);
        for (size_t w = 0; w < words; w++) column[w] = block[8 * w + row % 8];
        mine->ones[row] = (int32_t)to->kernel->ops.popcount(column, words);
    }
    corels_memory_free(block);
    return mine->columns && mine->ones && block;
}

/* One digit: its words, where they are not zero. `all` and `left` have room for all words. */
static void squeeze_digit(corels_counter *narrow, const corels_counter *from, digit of,
                          uint64_t *all, uint64_t *left) {
    digits *to = &narrow->planes.digits;
    memset(all, 0, (size_t)from->words * sizeof *all);
    memcpy(all + of.low, from->planes.digits.words + of.start, (of.high - of.low) * sizeof *all);
    corels_counter_squeeze(narrow, all, left);
    uint32_t low = 0, high = (uint32_t)narrow->words;
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
    mine->all = corels_take(of->n, sizeof *mine->all, &to->bytes);
    mine->words = corels_take((size_t)of->n * (size_t)to->words, sizeof *mine->words, &to->bytes);
    if (all && mine->all && mine->words)
        for (uint32_t d = 0; d < of->n; d++)
            squeeze_digit(to, from, of->all[d], all, all + from->words);
    corels_memory_free(all);
    return all && mine->all && mine->words;
}

int corels_counter_narrows(const corels_counter *of) {
    return !of->is_table && !of->histograms.by.n && of->complete && !of->within;
}

size_t corels_counter_narrow_bytes(const corels_counter *of, int64_t points) {
    double share = of->words ? (double)points / (64.0 * of->words) : 0;
    return (size_t)(share * (double)of->bytes) +
           corels_memory_bytes((size_t)of->words, sizeof *of->within);
}

int corels_counter_narrow(corels_counter **out, const corels_counter *of, const uint64_t *points) {
    *out = NULL;
    if (!corels_counter_narrows(of)) return CORELS_BAD_ARGUMENT;
    corels_counter *to = malloc(sizeof *to);
    if (!to) return CORELS_NO_MEMORY;
    *to = *of;
    to->bytes = sizeof *to;
    to->within = corels_take((size_t)of->words, sizeof *to->within, &to->bytes);
    to->words = to->within ? plan_squeeze(to->within, points, of->words) : 0;
    to->all_words = of->words;
    to->planes.digits = (digits){0};
    to->planes.blocks = NULL;
    if (to->within && squeeze_digits(to, of) &&
        (to->words < CORELS_LONG ? squeeze_blocks(to, of) : squeeze_columns(to, of))) {
        *out = to;
        return CORELS_OK;
    }
    corels_narrow_free(to);
    return CORELS_NO_MEMORY;
}

void corels_narrow_free(corels_counter *narrow) {
    corels_memory_free(narrow->within); /* the rest belongs to the counter that it was made from */
    corels_memory_free(narrow->planes.blocks);
    corels_memory_free(narrow->planes.columns);
    corels_memory_free(narrow->planes.ones);
    digits_free(&narrow->planes.digits);
    free(narrow);
}

int32_t corels_counter_row(const corels_counter *counter, int32_t antecedent) {
    return counter->planes.row_of[antecedent];
}

int32_t corels_counter_first(const corels_counter *counter, int32_t row) {
    return counter->planes.first[row];
}

/* Takes from `to` what row `row` has, or what it lacks. In a block, the words of eight rows stand
 * side by side. */
static void take_row(const corels_counter *narrow, int32_t row, int lacks, uint64_t *to) {
    const corels_planes *planes = &narrow->planes;
    size_t words = (size_t)narrow->words;
    uint64_t flip = lacks ? 0 : ~(uint64_t)0;
    if (planes->columns) {
        const uint64_t *column = planes->columns + (size_t)row * planes->column_words;
        for (size_t w = 0; w < words; w++) to[w] &= column[w] ^ flip;
    } else {
        const uint64_t *column = planes->blocks + (size_t)(row / 8) * words * 8 + row % 8;
        for (size_t w = 0; w < words; w++) to[w] &= column[8 * w] ^ flip;
    }
}

void corels_counter_left(const corels_counter *narrow, const int32_t *antecedents, int32_t n,
                         uint64_t *to) {
    memset(to, 0xff, (size_t)narrow->words * sizeof *to);
    for (int32_t i = 0; i < n; i++) {
        int32_t row = narrow->planes.row_of[antecedents[i]];
        take_row(narrow, row, narrow->planes.first[row] != antecedents[i], to);
    }
    take_row(narrow, narrow->planes.all, 1, to);
}

void corels_counter_squeeze(const corels_counter *narrow, const uint64_t *set, uint64_t *to) {
    narrow->kernel->squeeze(narrow->within, (size_t)narrow->all_words, set, 1, to);
}

/* Cutting columns, and finding where digits begin and end afterwards. */
#include "small_table.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "kernel.h"

int cut_columns(uint64_t *to, size_t cut_words, const uint64_t *from, size_t words,
                const uint64_t *set, size_t n) {
    const corels_kernel_table *kernel = corels_kernel_table_current();
    corels_squeeze *by = malloc((words + 1) * sizeof *by);
    if (!by) return 0;
    for (size_t w = 0; w < words; w++) by[w] = corels_squeeze_of(set[w]);
    for (size_t r = 0; r < n; r++)
        kernel->squeeze(by, words, from + r * words, 1, to + r * cut_words);
    free(by);
    return 1;
}

void small_table_free(small_table *t) {
    store_free(&t->arrays);
    *t = (small_table){0};
}

int small_table_new(small_table *t, int32_t antecedents, int32_t points, int32_t first,
                    int32_t n_digits) {
    t->antecedents = antecedents;
    t->first = first;
    t->points = points;
    t->words = words_for(points);
    t->n_digits = n_digits;
    size_t columns = (size_t)(antecedents - first + n_digits);
    t->columns = store_take(&t->arrays, columns * (size_t)t->words + 1, sizeof *t->columns);
    t->digits = store_take(&t->arrays, (size_t)n_digits, sizeof *t->digits);
    return !t->arrays.failed;
}

/* Where the digits are not zero; those that are zero everywhere go. */
static void find_ends(small_table *t) {
    int32_t kept = 0;
    for (int32_t k = 0; k < t->n_digits; k++) {
        uint64_t *words = small_digit(t, k), *to = small_digit(t, kept);
        uint32_t low = 0, high = (uint32_t)t->words;
        while (high && !words[high - 1]) high--;
        while (low < high && !words[low]) low++;
        if (!high) continue;
        if (to != words) memcpy(to, words, (size_t)t->words * sizeof *to);
        t->digits[kept++] = (digit){t->digits[k].measure, t->digits[k].shift, low, high, 0};
    }
    t->n_digits = kept;
}

int small_table_copy(small_table *to, const small_table *from, const uint64_t *set, int32_t points,
                     int32_t first) {
    size_t columns = (size_t)(from->antecedents - first + from->n_digits);
    if (!small_table_new(to, from->antecedents, points, first, from->n_digits) ||
        !cut_columns(to->columns, (size_t)to->words, small_column(from, first), (size_t)from->words,
                     set, columns))
        return 0;
    memcpy(to->digits, from->digits, (size_t)from->n_digits * sizeof *to->digits);
    find_ends(to);
    return 1;
}

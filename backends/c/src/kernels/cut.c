/* Columns without the points outside of a set. */
#include <stdlib.h>

#include "kernel.h"

int corels_cut_columns(uint64_t *to, size_t to_words, const uint64_t *from, size_t words,
                       const uint64_t *set, size_t n) {
    const corels_kernel_table *kernel = corels_kernel_table_current();
    corels_squeeze *by = malloc((words + 1) * sizeof *by);
    if (!by) return 0;
    for (size_t w = 0; w < words; w++) by[w] = corels_squeeze_of(set[w]);
    for (size_t r = 0; r < n; r++)
        kernel->squeeze(by, words, from + r * words, 1, to + r * to_words);
    free(by);
    return 1;
}

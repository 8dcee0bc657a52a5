/* The kernel tables, one a file; dispatch.c lists them from the fastest to the portable one.
 *
 * A table is the public one (corels/kernels.h) followed by the inner loops of the counter, which
 * depend on the counter's memory layout and are therefore private.
 */
#ifndef CORELS_KERNEL_H
#define CORELS_KERNEL_H

#include "corels/kernels.h"

/* A run of words of one binary digit of one measure: words [first, first + count) of the lists
 * `index` and `bits` below, each one counted `1 << shift` times into `sums` + `offset`. */
typedef struct {
    uint32_t first, count;
    uint32_t shift, offset;
} corels_plane_run;

typedef struct {
    corels_kernel face;
    /* sums[c] = (add ? sums[c] : 0) + sum over n rows of rows[.][c], for c < columns (a multiple of
     * 16). No sum over all rows exceeds 65535, so lanes of 16 bits do. */
    void (*sum_rows)(const uint16_t *const *rows, size_t n, size_t columns, int add, int32_t *sums);
    /* One block of eight antecedents, word-major: block[8 * w + j] is word w of antecedent j.
     * For each run, over its words t: sums[offset + j] += popcount(block[8 * index[t] + j] &
     * bits[t]) << shift. Runs of one offset are neighbours; the first of them stores. */
    void (*count_block)(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums);
} corels_kernel_table;

extern const corels_kernel_table corels_kernel_portable;
#ifdef CORELS_X86
extern const corels_kernel_table corels_kernel_popcnt;
extern const corels_kernel_table corels_kernel_avx2;
extern const corels_kernel_table corels_kernel_avx512bw;
extern const corels_kernel_table corels_kernel_avx512;
#endif

/* The private twin of corels_kernel_current: the same choice, with the inner loops. */
const corels_kernel_table *corels_kernel_table_current(void);

#endif

/* The kernel tables, one a file; dispatch.c lists them from the fastest to the portable one.
 *
 * A table is the public one (corels/kernels.h) followed by the inner loops of the counter, which
 * depend on the counter's memory layout and are therefore private.
 */
#pragma once

#include <stdatomic.h>

#include "corels/bits.h"
#include "corels/kernels.h"

/* A run of words of one binary digit of one measure: words [first, first + count) of the lists
 * `index` and `bits` below, each one counted `1 << shift` times into `sums` + `offset`. */
typedef struct {
    uint32_t first, count;
    uint32_t shift, offset;
} corels_plane_run;

/* How a word is squeezed: only bits of `set` are kept, and moves[i] move by 2^i places. */
typedef struct {
    uint64_t set, moves[6], ones;
} corels_squeeze;

/* The moves of the bits of `set` (Hacker's Delight, chapter 7): those that are to move by an odd
 * number of places move by one, then those that are to move by 2 or 3 modulo 4 by two, and so on.
 */
corels_squeeze corels_squeeze_of(uint64_t set);

/* Sixteen cells of the price bound are filled at once; and the price of a trace
 * that no antecedent has. */
enum { CORELS_PRICE_LANES = 16, CORELS_NO_PRICE = 1 << 30 };

/* A rule with regrets gone[0], gone[1] leaves points with regrets left[0], left[1], on which a list
 * of one rule may err `most` times. */
typedef struct {
    int32_t left[2], gone[2], most;
} corels_behind;

typedef struct {
    corels_kernel ops;
    /* One block of eight antecedents, word-major: block[8 * w + j] is word w of antecedent j.
     * For each run, over its words t: sums[offset + j] += popcount(block[8 * index[t] + j] &
     * bits[t]) << shift. Runs of one offset are neighbours; the first of them stores. */
    void (*count_block)(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums);
    /* Leaves out the bits that by[w].set lacks in word w, and moves the others together: of 1 or 8
     * columns side by side. Writes all words that are full, and one more. */
    void (*squeeze)(const corels_squeeze *by, size_t words, const uint64_t *from, size_t columns,
                    uint64_t *to);
    /* For two classes with regrets a, b of n antecedents and of the whole set: errors[r] =
     * min(a, b), saved[r] = max(a, b), closing[r] = errors[r] + min of what is left; returns the
     * least closing. */
    int32_t (*scan_two)(const int32_t *a, const int32_t *b, size_t n, int32_t all_a, int32_t all_b,
                        int32_t *errors, int32_t *saved, int32_t *closing);
    /* list = the q < n, in rising order, that may err at most `most` as the only rule on the points
     * that a rule leaves: see bounds/last_rule.c. Returns their number. */
    size_t (*list_last)(const int32_t *a, const int32_t *b, size_t n, const corels_behind *,
                        int32_t *list);
    /* Filters of columns (bounds/node.h): out[r] = mark if it was 0 and values[r] > most; lowers
     * *fewest to the least value so marked; returns how many zeros are left in `out`. */
    size_t (*keep_most)(const int32_t *values, size_t n, int32_t most, int32_t mark, int32_t *out,
                        int32_t *fewest);
    /* The same if values[r] <= most, without `fewest`. */
    size_t (*keep_above)(const int32_t *values, size_t n, int32_t most, int32_t mark, int32_t *out);
    /* list = the r < n with values[r] = 0, in rising order; returns how many. `list` has room for
     * n.
     */
    size_t (*select_zero)(const int32_t *values, size_t n, int32_t *list);
    /* The loops of the price bound, described in price_loops.h. */
    void (*distances)(const uint64_t *patterns, const int32_t *which, size_t n, size_t words,
                      const uint64_t *seed, const uint64_t *known, int32_t *found);
    void (*fill_cells)(size_t bits, size_t classes, const int32_t *price, int32_t *work,
                       int32_t *values);
    int32_t (*first_step)(const uint8_t *traces, const int32_t *price, int32_t n,
                          const int32_t *gain, size_t state);
    void (*move_cell)(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                      const int32_t *values, int32_t before, int32_t after);
    void (*move_numbered)(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                          const uint8_t *traces, size_t n_traces, const int32_t *values,
                          int32_t before, int32_t after);
} corels_kernel_table;

/* The table of the kernel's file, whose functions are named as its members. */
#define CORELS_KERNEL_TABLE(name)                                                                  \
    const corels_kernel_table corels_kernel_##name = {                                             \
        {#name, popcount, popcount_and, popcount_columns},                                         \
        count_block,                                                                               \
        squeeze,                                                                                   \
        scan_two,                                                                                  \
        list_last,                                                                                 \
        keep_most,                                                                                 \
        keep_above,                                                                                \
        select_zero,                                                                               \
        distances,                                                                                 \
        fill_cells,                                                                                \
        first_step,                                                                                \
        move_cell,                                                                                 \
        move_numbered}

extern const corels_kernel_table corels_kernel_portable;
#ifdef CORELS_ARM64
extern const corels_kernel_table corels_kernel_neon;
#endif
#ifdef CORELS_X86
extern const corels_kernel_table corels_kernel_popcnt;
#endif
#ifdef CORELS_X86_WIDE
extern const corels_kernel_table corels_kernel_avx2;
extern const corels_kernel_table corels_kernel_avx512;
#endif

/* Whether PEXT takes few cycles here; hundreds on some processors. */
extern atomic_int corels_quick_pext;

/* The private twin of corels_kernel_current: the same choice, with the inner loops. */
const corels_kernel_table *corels_kernel_table_current(void);

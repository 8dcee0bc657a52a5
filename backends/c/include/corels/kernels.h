/* The counting kernels: the one native library that plugins may build on.
 *
 * Everything a rule-list search asks of its data is a number of points: how many are left, how many
 * of each class does an antecedent capture. Sets of points are little-endian 64-bit words, bit i =
 * point i, so every question is a population count. One table of functions per instruction set;
 * the best one that the processor has is chosen once (BLAKE3's way), CORELS_KERNEL=name forces one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
typedef struct corels_kernel {
    const char *name;
    /* Number of ones in `a`, in `a & b`. */
    uint64_t (*popcount)(const uint64_t *a, size_t words);
    uint64_t (*popcount_and)(const uint64_t *a, const uint64_t *b, size_t words);
    /* sums[d] += 2^shift times the ones that `set` has in common with the column at columns + d *
     * stride, d < n. */
    void (*popcount_columns)(const uint64_t *set, size_t words, const uint64_t *columns,
                             size_t stride, size_t n, uint32_t shift, int32_t *sums);
} corels_kernel;

/* The table in use: chosen at the first call. NULL if CORELS_KERNEL names none that runs here.
 */
const corels_kernel *corels_kernel_current(void);
/* The table called `name`, or NULL if this machine cannot run it. */
const corels_kernel *corels_kernel_named(const char *name);
/* The n columns at `from`, of `words` words each, without the bits outside of `set`: those at `to`,
 * of `to_words` words each and one more behind the last. 0: no memory. */
int corels_cut_columns(uint64_t *to, size_t to_words, const uint64_t *from, size_t words,
                       const uint64_t *set, size_t n);
/* cffi: end */

/* The other population counts of corels/kernels.h and kernel.h, by the one that each kernel file
 * has defined before it includes this one.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

static uint64_t popcount(const uint64_t *a, size_t words) {
    return popcount_and(a, a, words);
}

static void popcount_columns(const uint64_t *set, size_t words, const uint64_t *columns,
                             size_t stride, size_t n, uint32_t shift, int32_t *sums) {
    for (size_t d = 0; d < n; d++)
        sums[d] += (int32_t)(popcount_and(set, columns + d * stride, words) << shift);
}

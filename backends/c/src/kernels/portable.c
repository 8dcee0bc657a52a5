/* The portable kernel: standard C, no instruction set assumed. */
#include "kernel.h"

static uint64_t ones(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (x * 0x0101010101010101u) >> 56;
}

static uint64_t popcount(const uint64_t *a, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i]);
    return sum;
}

static uint64_t popcount_and(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i] & b[i]);
    return sum;
}

static uint64_t popcount_andnot(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) sum += ones(a[i] & ~b[i]);
    return sum;
}

static void sum_rows(const uint16_t *const *rows, size_t n, size_t columns, int add,
                     int32_t *sums) {
    if (!add)
        for (size_t c = 0; c < columns; c++) sums[c] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < columns; c++) sums[c] += rows[i][c];
}

static void count_block(const uint64_t *block, const uint32_t *index, const uint64_t *bits,
                        const corels_plane_run *runs, size_t n_runs, int32_t *sums) {
    for (const corels_plane_run *run = runs; run < runs + n_runs; run++) {
        int32_t counts[8] = {0};
        for (uint32_t t = run->first; t < run->first + run->count; t++)
            for (int j = 0; j < 8; j++)
                counts[j] += (int32_t)ones(block[8 * (size_t)index[t] + j] & bits[t]);
        int add = run > runs && run[-1].offset == run->offset;
        for (int j = 0; j < 8; j++)
            sums[run->offset + j] = (add ? sums[run->offset + j] : 0) + (counts[j] << run->shift);
    }
}

const corels_kernel_table corels_kernel_portable = {
    {"portable", popcount, popcount_and, popcount_andnot}, sum_rows, count_block};

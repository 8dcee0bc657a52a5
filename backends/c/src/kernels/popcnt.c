/* The kernel of processors with a population count instruction (x86 since 2008). */
#include "scalar.h"

static inline uint64_t ones(uint64_t x) {
    return (uint64_t)corels_ones(x);
}

#include "price_loops.h"

const corels_kernel_table corels_kernel_popcnt = {
    {"popcnt", popcount, popcount_and, popcount_andnot},
    sum_rows,
    count_block,
    scan_two,
    best_gain,
    mark_beaten,
    list_last,
    keep_most,
    keep_above,
    select_zero,
    fill_block,
    sum_blocks,
    distances,
    sum_alone,
    fill_values,
    fill_small,
    first_step,
    move_cell,
    move_small,
    move_whole};

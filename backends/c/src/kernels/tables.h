/* The two inner loops of the block tables, included by every kernel file. */
#pragma once

#include "lanes.h"

#ifndef CORELS_OWN_FILL
/* Rows of eight lanes of the subsets 1 .. of one block in rising order, from the errors `alone` of
 * each subset as one cell. `lifted` is scratch: the rows, one lane up. */
static void fill_block(uint16_t *rows, uint16_t *lifted, const uint16_t *alone, uint32_t subsets,
                       const uint16_t *traces, size_t n_traces) {
    lanes_store(rows, lanes_all(0));
    lanes_store(lifted, lanes_up(lanes_all(0)));
    for (uint32_t t = 1; t < subsets; t++) {
        lanes8 best = lanes_all(alone[t]);
        lanes_store(lifted + 8 * (size_t)t, lanes_all(65535)); /* for traces that miss t */
        for (size_t i = 0; i < n_traces; i++) {
            uint32_t cut = t & traces[i];
            lanes8 rest = lanes_load(lifted + 8 * (size_t)(t ^ cut));
            best = lanes_min(best, lanes_add(rest, lanes_all(alone[cut])));
        }
        lanes_store(rows + 8 * (size_t)t, best);
        lanes_store(lifted + 8 * (size_t)t, lanes_up(best));
    }
}
#endif

static inline __attribute__((always_inline)) int
sum_some_blocks(const uint16_t *rows, const uint64_t *view, const uint64_t *without,
                uint32_t blocks, uint32_t bits, const uint16_t *least, uint16_t *sums) {
    const uint32_t each = 64 / bits, mask = (1u << bits) - 1;
    lanes8 sum = lanes_load(sums), goal = lanes_load(least);
    for (uint32_t b = 0, w = 0; b < blocks; w++) {
        uint64_t word = view[w] & ~without[w];
        for (uint32_t j = 0; j < each && b < blocks; j++, b++, word >>= bits)
            sum = lanes_add(sum, lanes_load(rows + (((size_t)b << bits) + (word & mask)) * 8));
        if (lanes_reach(sum, goal)) return 1;
    }
    lanes_store(sums, sum);
    return 0;
}

static int sum_blocks(const uint16_t *rows, const uint64_t *view, const uint64_t *without,
                      uint32_t blocks, uint32_t bits, const uint16_t *least, uint16_t *sums) {
    if (bits == 12) return sum_some_blocks(rows, view, without, blocks, 12, least, sums);
    if (bits == 16) return sum_some_blocks(rows, view, without, blocks, 16, least, sums);
    return sum_some_blocks(rows, view, without, blocks, bits, least, sums);
}

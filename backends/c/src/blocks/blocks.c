/* The interface of the block bound: what the tables say; build.c makes them. */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "private.h"
#include "record.h"

size_t corels_blocks_needed(const corels_instance *in, const corels_blocks_options *options) {
    corels_block_data data = {.regrets = in->regrets, .points = in->points, .classes = in->classes};
    if (!corels_blocks_valid(in, options)) return 0;
    size_t bits = (size_t)options->block_points;
    size_t m = (size_t)in->antecedents, n = (size_t)in->points;
    size_t items = (size_t)corels_partition_items(&data, options, NULL, NULL);
    size_t blocks = items / bits + 1, words = blocks / (64 / bits) + 1;
    if (blocks > (size_t)options->most_blocks) blocks = (size_t)options->most_blocks;
    size_t tables = (blocks << bits) * 16 + (m + 1 + 4 * n) * words * 8;
    size_t search = n * m + blocks * (m * 2 + 512) + items * sizeof(corels_item);
    size_t scratch = ((size_t)22 << bits) + (search > m * 64 ? search : m * 64);
    size_t sets = (size_t)options->set_count * ((n / 64 + 1) * 8 + 256);
    return tables + scratch + sets;
}

void corels_blocks_free(corels_blocks *blocks) {
    if (!blocks) return;
    store_free(&blocks->arrays);
    free(blocks);
}

size_t corels_blocks_bytes(const corels_blocks *blocks) {
    return sizeof *blocks + blocks->arrays.bytes;
}

int32_t corels_blocks_view_words(const corels_blocks *blocks) {
    return blocks->words;
}

void corels_blocks_view(const corels_blocks *blocks, const uint64_t *set, uint64_t *view) {
    size_t words = (size_t)blocks->words;
    memset(view, 0, words * sizeof *view);
    for (int32_t g = 0; g < blocks->groups; g++) {
        uint64_t subset = set[g / 16] >> (g % 16 * 4) & 15;
        const uint64_t *part = blocks->nibbles + ((size_t)g * 16 + subset) * words;
        for (size_t w = 0; subset && w < words; w++) view[w] |= part[w];
    }
}

int32_t corels_blocks_count(const corels_blocks *blocks) {
    return blocks->partition.blocks;
}

int corels_blocks_record(const corels_blocks *blocks, record *to) {
    const corels_partition *of = &blocks->partition;
    if (!record_begin(to, (size_t)of->places * (size_t)(blocks->classes + 2) + 2)) return 0;
    record_put(to, RECORD_BLOCKS);
    record_put(to, (uint64_t)of->blocks);
    for (int32_t at = 0; at < of->places; at += of->bits) {
        int32_t items = 0;
        for (int32_t i = at; i < at + of->bits; i++) items += of->point[i] >= 0;
        record_put(to, (uint64_t)items);
        for (int32_t i = at; i < at + of->bits; i++) {
            if (of->point[i] < 0) continue; /* an empty place */
            record_put(to, (uint64_t)record_point(to, of->point[i]));
            for (int32_t c = 0; c < blocks->classes; c++)
                record_put(to, (uint64_t)of->regret[(size_t)c * (size_t)of->places + (size_t)i]);
        }
    }
    record_end(to);
    return 1;
}

static inline const uint64_t *without(const corels_blocks *blocks, int32_t r) {
    size_t row = (size_t)(r < 0 ? blocks->antecedents : r);
    return blocks->without + row * (size_t)blocks->words;
}

void corels_blocks_child(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                         uint64_t *child) {
    take_bits(child, view, without(blocks, r), blocks->words);
}

static int sum(const corels_blocks *blocks, const uint64_t *view, int32_t r, const uint16_t *least,
               uint16_t *sums) {
    memset(sums, 0, 16);
    return blocks->kernel->sum_blocks(blocks->rows, view, without(blocks, r),
                                      (uint32_t)blocks->partition.blocks, (uint32_t)blocks->bits,
                                      least, sums);
}

/* The limits in the unit of the tables, rounded up; 0 for lanes that need not be proved. Answers 0
 * where a limit is beyond what 16 bits can prove. */
static int scale_limits(const int64_t *limits, int32_t shift, uint16_t *goals) {
    memset(goals, 0, 16);
    for (int32_t k = 1; k < CORELS_BLOCK_LANES; k++) {
        if (limits[k] <= 0) continue;
        int64_t up = (limits[k] + (INT64_C(1) << shift) - 1) >> shift;
        if (up > 65535) return 0;
        goals[k] = (uint16_t)up;
    }
    return 1;
}

int corels_blocks_prove(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                        const int64_t *limits) {
    uint16_t goals[8], sums[8];
    return scale_limits(limits, blocks->shift, goals) && sum(blocks, view, r, goals, sums);
}

void corels_blocks_errors(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                          int64_t *errors) {
    const uint16_t never[8] = {65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535};
    uint16_t sums[8];
    sum(blocks, view, r, never, sums);
    for (int k = 0; k < 8; k++) errors[k] = (int64_t)sums[k] << blocks->shift;
}

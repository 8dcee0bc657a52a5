/* Inside the block bound. An *item* is a point, or a part of a heavy point's weight; a family is
 * one partition of the items into blocks of `bits` items, with its tables.
 */
#ifndef CORELS_BLOCKS_PRIVATE_H
#define CORELS_BLOCKS_PRIVATE_H

#include "corels/blocks.h"
#include "corels/memory.h"
#include "kernel.h"

typedef struct {
    const corels_kernel_table *kernel;
    const uint64_t *masks;
    const int32_t *regrets;
    int32_t antecedents, points, words, classes;
    /* patterns[i]: which of the antecedents capture point i; of many, every `step`-th. */
    uint64_t *patterns;    /* [points][pattern_words] */
    int32_t *pattern_ones; /* [points] */
    int32_t pattern_words;
} corels_block_data;

/* An item of a point whose weight is split into `parts`. */
typedef struct {
    int32_t point, part, parts, weight;
    uint64_t draw; /* random, for ties */
} corels_item;

/* The items, block by block: item i of block b stands at b * bits + i. */
typedef struct {
    int32_t *point;  /* -1: an empty place */
    int32_t *regret; /* [classes][places] */
    int32_t places, blocks, bits;
} corels_partition;

typedef struct {
    uint16_t *rows;    /* [blocks][1 << bits][8] */
    uint64_t *without; /* [antecedents + 1][words]: views of the antecedents; the last is empty */
    uint64_t *nibbles; /* [points / 4][16][words]: views of four points' subsets */
    int32_t shift;     /* of the rows' numbers */
    corels_partition partition;
} corels_family;

struct corels_blocks {
    const corels_kernel_table *kernel;
    corels_family family[2];
    int32_t families, blocks, bits, words, groups, antecedents, classes;
    size_t bytes;
};

/* similar.c: how many antecedents tell two points apart. */
int corels_patterns_new(corels_block_data *data);
void corels_patterns_free(corels_block_data *data);
static inline int32_t corels_distance(const corels_block_data *data, int32_t p, int32_t q) {
    size_t words = (size_t)data->pattern_words;
    uint64_t both = data->kernel->face.popcount_and(data->patterns + (size_t)p * words,
                                                    data->patterns + (size_t)q * words, words);
    return data->pattern_ones[p] + data->pattern_ones[q] - 2 * (int32_t)both;
}
/* Parts of one point belong into different blocks: they agree on the class. */
enum { CORELS_APART = 1 << 20 };

/* Reorders the items, heaviest first, into blocks of similar ones: block after block, sizes as even
 * as can be. */
int corels_gather_similar(const corels_block_data *data, corels_item *items, int64_t n,
                          int32_t blocks);

/* How many of n items block b of `blocks` gets. */
static inline int64_t corels_block_size(int64_t n, int64_t blocks, int64_t b) {
    return n / blocks + (b < n % blocks);
}

/* The regret of class c for an item. */
static inline int32_t corels_item_regret(const corels_block_data *data, const corels_item *item,
                                         int32_t c) {
    int32_t whole = data->regrets[(size_t)c * data->points + item->point];
    return whole / item->parts + (item->part < whole % item->parts);
}

/* The heaviest items, in blocks of similar ones; `random` is the generator's state. */
int corels_partition_new(corels_partition *partition, const corels_block_data *data,
                         const corels_blocks_options *options, uint64_t *random);
/* How many items the points are split into; no more than most_blocks hold are taken. */
int64_t corels_partition_items(const corels_block_data *data, const corels_blocks_options *options);
void corels_partition_free(corels_partition *partition);
enum { CORELS_SCORE_RULES = 4 };

/* Tries `swaps` exchanges of two items, keeping those that raise the score, the sum over the blocks
 * of weights[k] * err_k, k = 1 .. CORELS_SCORE_RULES; or leave it and make blocks more similar. */
int corels_partition_improve(corels_partition *partition, const corels_block_data *data,
                             int64_t swaps, const int32_t *weights, uint64_t *random);

int corels_family_build(corels_blocks *blocks, corels_family *family,
                        const corels_partition *partition, const corels_block_data *data);
void corels_family_free(corels_family *family);

/* xorshift: the same numbers on every machine. */
static inline uint64_t corels_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif

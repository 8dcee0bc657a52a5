/* Inside the block bound. An *item* is a point, or a part of a heavy point's weight; a family is
 * one partition of the items into blocks of `bits` items, with its tables.
 */
#ifndef CORELS_BLOCKS_PRIVATE_H
#define CORELS_BLOCKS_PRIVATE_H

#include "corels/blocks.h"
#include "kernel.h"

typedef struct {
    const uint64_t *masks;
    const int32_t *regrets;
    int32_t antecedents, points, words, classes;
} corels_block_data;

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
} corels_family;

struct corels_blocks {
    const corels_kernel_table *kernel;
    corels_family family[2];
    int32_t families, blocks, bits, words, groups, antecedents, shift;
    size_t bytes;
};

/* The heaviest items dealt out at random; `random` is the generator's state. */
int corels_partition_new(corels_partition *partition, const corels_block_data *data,
                         const corels_blocks_options *options, uint64_t *random);
void corels_partition_free(corels_partition *partition);
enum { CORELS_SCORE_RULES = 4 };

/* Tries `swaps` exchanges of two items, keeping those that do not lower the score: the sum over the
 * blocks of weights[k] * err_k, k = 1 .. CORELS_SCORE_RULES. */
int corels_partition_improve(corels_partition *partition, const corels_block_data *data,
                             int64_t swaps, const int32_t *weights, uint64_t *random);

int corels_family_build(corels_blocks *blocks, corels_family *family,
                        const corels_partition *partition, const corels_block_data *data);
void corels_family_free(corels_family *family);

static inline size_t corels_round_64(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

/* xorshift: the same numbers on every machine. */
static inline uint64_t corels_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif

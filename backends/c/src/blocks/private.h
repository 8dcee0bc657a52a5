/* Inside the block bound. An *item* is a point, or a part of a heavy point's weight; a partition of
 * the items into blocks of `bits` items has the tables.
 */
#pragma once

#include "corels/blocks.h"
#include "corels/memory.h"
#include "kernel.h"
#include "numbers.h"
#include "store.h"
#include "tuning.h"

typedef struct {
    const corels_kernel_table *kernel;
    const uint64_t *masks;
    const int32_t *regrets;
    int32_t antecedents, points, words, classes; /* as in the instance */
    /* patterns[i]: which of the antecedents capture point i; of many, every `step`-th. */
    uint64_t *patterns;    /* [points][pattern_words] */
    int32_t *pattern_ones; /* [points] */
    int32_t pattern_words, pattern_step;
    store arrays; /* these, and what each work takes: */
    /* What the partition is for: sets [set_count][words], or, if there are none, all points. */
    uint64_t *sets;
    int32_t set_count;
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

struct corels_blocks {
    const corels_kernel_table *kernel;
    corels_partition partition;
    uint16_t *rows;    /* [blocks][1 << bits][8] */
    uint64_t *without; /* [antecedents + 1][words]: views of the antecedents; the last is empty */
    uint64_t *nibbles; /* [points / 4][16][words]: views of four points' subsets */
    int32_t shift;     /* of the rows' numbers */
    int32_t bits, words, groups, antecedents, classes;
    store arrays;
};

/* What takes its arrays from a store tells there whether one was missing. */

/* build.c */
int corels_blocks_valid(const corels_instance *, const corels_blocks_options *options);

/* similar.c: how many antecedents tell two points apart. Each `add` takes one antecedent more;
 * CORELS_DONE when there are none. */
int corels_patterns_new(corels_block_data *data, const tuning *tune);
int corels_patterns_add(corels_block_data *data, int32_t at);
static inline int32_t corels_distance(const corels_block_data *data, int32_t p, int32_t q) {
    size_t words = (size_t)data->pattern_words;
    uint64_t both = data->kernel->ops.popcount_and(data->patterns + (size_t)p * words,
                                                   data->patterns + (size_t)q * words, words);
    return data->pattern_ones[p] + data->pattern_ones[q] - 2 * (int32_t)both;
}
/* Parts of one point belong into different blocks: they agree on the class. */
enum { CORELS_APART = 1 << 20 };

/* Blocks of similar items in the making: items [begin, end) are in the newest block, those before
 * it in earlier ones, [end, n) are free. */
typedef struct {
    const corels_block_data *data;
    corels_item *items;
    int64_t *far;  /* [n]: the distances of each free item to those of the block, summed */
    int64_t *sums; /* [classes]: the errors of the block's items as one cell */
    int64_t begin, end, n;
} corels_gathering;

/* The items come heaviest first, and are reordered. */
void corels_gathering_new(corels_gathering *g, const corels_block_data *data, corels_item *items,
                          int64_t n, store *scratch);
/* The next block, of `size` items. */
void corels_gathering_add(corels_gathering *g, int64_t size);

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

/* The items of a partition, heaviest first, of which so many are taken. */
typedef struct {
    corels_item *list;
    int64_t taken;
} corels_items;

/* An empty partition, and the items that are to fill it, in the order in which they stand in
 * `items` by then; `random` is the generator's state. */
int corels_partition_new(corels_partition *partition, const corels_block_data *data,
                         const corels_blocks_options *options, uint64_t *random,
                         corels_items *items, store *);
/* 0 without memory. */
int corels_partition_copy(corels_partition *, const corels_partition *from, int32_t classes,
                          store *);
void corels_partition_fill(corels_partition *partition, const corels_block_data *data,
                           const corels_items *items);
/* How many items the points are split into, of which no more are taken than most_blocks hold; and,
 * unless `items` is NULL, the items. */
int64_t corels_partition_items(const corels_block_data *data, const corels_blocks_options *options,
                               uint64_t *random, corels_item *items);

enum { CORELS_SCORE_RULES = 4 };

/* improve.c: a local search that exchanges items and keeps what raises the score, the sum over the
 * blocks of weights[k] * err_k, k = 1 .. CORELS_SCORE_RULES; or leaves it and makes blocks more
 * similar. First `prepare` until CORELS_DONE, then `try` as often as wanted. */
typedef struct corels_climb corels_climb;
corels_climb *corels_climb_new(corels_partition *partition, const corels_block_data *data,
                               const int32_t *weights, store *scratch);
int corels_climb_prepare(corels_climb *climb);
void corels_climb_try(corels_climb *climb, uint64_t *random);

/* tables.c: the tables of a partition, one piece after another until CORELS_DONE. */
typedef struct corels_filling corels_filling;
corels_filling *corels_filling_new(corels_blocks *blocks, const corels_block_data *data,
                                   store *scratch);
int corels_filling_add(corels_filling *filling);

/* The local search for a good partition: see partition.c for why. */
#include <stdlib.h>

#include <string.h>

#include "score.h"

/* What the search keeps beside the partition: each block's traces and score, and scratch. */
typedef struct {
    corels_partition *partition;
    const corels_block_data *data;
    uint8_t *captures;  /* [points + 1][antecedents]; the last row, of empty places, is zero */
    uint16_t *traces;   /* [blocks][antecedents] */
    int64_t *score;     /* [blocks] */
    uint16_t *trial[2]; /* [antecedents]: traces after an exchange */
    uint16_t *distinct;
    uint64_t *seen;
    const int32_t *weights; /* of the score */
    corels_cells cells;
} climb;

static const uint8_t *captures_of(const climb *c, int32_t place) {
    int32_t point = c->partition->point[place];
    size_t row = (size_t)(point < 0 ? c->data->points : point);
    return c->captures + row * (size_t)c->data->antecedents;
}

static int64_t score(climb *c, int32_t block, const uint16_t *traces, int64_t least) {
    int32_t bits = c->partition->bits, m = c->data->antecedents;
    corels_cells_fill(&c->cells, c->partition, block, c->data->classes);
    int32_t n = corels_distinct_traces(traces, m, c->distinct, c->seen);
    return corels_block_score(&c->cells, (1u << bits) - 1, c->distinct, n, c->weights, least);
}

static void set_bit(const climb *c, uint16_t *restrict traces, const uint16_t *restrict from,
                    int32_t place) {
    const uint8_t *captures = captures_of(c, place);
    int32_t bit = place % c->partition->bits;
    for (int32_t r = 0; r < c->data->antecedents; r++)
        traces[r] = (uint16_t)((from[r] & ~(1u << bit)) | (uint32_t)captures[r] << bit);
}

static void swap_items(corels_partition *partition, int32_t classes, int32_t x, int32_t y) {
    int32_t point = partition->point[x];
    partition->point[x] = partition->point[y];
    partition->point[y] = point;
    for (int32_t c = 0; c < classes; c++) {
        int32_t *regret = partition->regret + (size_t)c * partition->places, keep = regret[x];
        regret[x] = regret[y];
        regret[y] = keep;
    }
}

static void try_exchange(climb *c, int32_t x, int32_t y) {
    corels_partition *partition = c->partition;
    size_t m = (size_t)c->data->antecedents;
    int32_t block[2] = {x / partition->bits, y / partition->bits}, place[2] = {x, y};
    if (block[0] == block[1] || partition->point[x] == partition->point[y]) return;
    int64_t before = c->score[block[0]] + c->score[block[1]], after[2];
    swap_items(partition, c->data->classes, x, y);
    /* No exchange is kept that more than halves the first block's score: that ends most early. */
    for (int i = 0; i < 2; i++) {
        int64_t least = i ? before - after[0] : c->score[block[0]] / 2;
        set_bit(c, c->trial[i], c->traces + block[i] * m, place[i]);
        after[i] = score(c, block[i], c->trial[i], least);
        if (after[i] >= least) continue;
        swap_items(partition, c->data->classes, x, y);
        return;
    }
    for (int i = 0; i < 2; i++) {
        c->score[block[i]] = after[i];
        memcpy(c->traces + block[i] * m, c->trial[i], m * sizeof(uint16_t));
    }
}

static void fill_captures(climb *c) {
    const corels_block_data *data = c->data;
    for (int32_t r = 0; r < data->antecedents; r++)
        for (int32_t i = 0; i < data->points; i++) {
            uint64_t word = data->masks[(size_t)r * data->words + i / 64];
            c->captures[(size_t)i * data->antecedents + r] = (uint8_t)(word >> (i % 64) & 1);
        }
}

static int prepare(climb *c) {
    size_t m = (size_t)c->data->antecedents, subsets = (size_t)1 << c->partition->bits;
    c->captures = calloc((size_t)c->data->points + 1, m);
    c->traces = calloc((size_t)c->partition->blocks * m, sizeof(uint16_t));
    c->score = calloc((size_t)c->partition->blocks, sizeof(int64_t));
    c->trial[0] = calloc(m, sizeof(uint16_t));
    c->trial[1] = calloc(m, sizeof(uint16_t));
    c->distinct = calloc(m, sizeof(uint16_t));
    c->cells.alone = calloc(subsets, sizeof(uint16_t));
    c->cells.sums = calloc(subsets, sizeof(uint32_t));
    c->cells.room = m;
    c->cells.cuts = calloc((CORELS_SCORE_RULES + 1) * m, sizeof(uint16_t));
    c->cells.errors = calloc((CORELS_SCORE_RULES + 1) * m, sizeof(uint32_t));
    c->seen = calloc(1024, sizeof(uint64_t));
    if (!c->captures || !c->traces || !c->score || !c->trial[0] || !c->trial[1] || !c->distinct ||
        !c->cells.alone || !c->cells.sums || !c->cells.cuts || !c->cells.errors || !c->seen)
        return CORELS_NO_MEMORY;
    fill_captures(c);
    for (int32_t i = 0; i < c->partition->places; i++) {
        uint16_t *traces = c->traces + (size_t)(i / c->partition->bits) * m;
        memcpy(c->trial[0], traces, m * sizeof(uint16_t));
        set_bit(c, traces, c->trial[0], i);
    }
    for (int32_t b = 0; b < c->partition->blocks; b++)
        c->score[b] = score(c, b, c->traces + b * m, 0);
    return CORELS_OK;
}

static void release(climb *c) {
    free(c->captures);
    free(c->traces);
    free(c->score);
    free(c->trial[0]);
    free(c->trial[1]);
    free(c->distinct);
    free(c->cells.alone);
    free(c->cells.sums);
    free(c->cells.cuts);
    free(c->cells.errors);
    free(c->seen);
}

int corels_partition_improve(corels_partition *partition, const corels_block_data *data,
                             int64_t swaps, const int32_t *weights, uint64_t *random) {
    if (partition->blocks < 2 || swaps <= 0) return CORELS_OK;
    climb c = {.partition = partition, .data = data, .weights = weights};
    int status = prepare(&c);
    for (int64_t i = 0; status == CORELS_OK && i < swaps; i++) {
        int32_t x = (int32_t)(corels_random(random) % (uint64_t)partition->places);
        int32_t y = (int32_t)(corels_random(random) % (uint64_t)partition->places);
        try_exchange(&c, x, y);
    }
    release(&c);
    return status;
}

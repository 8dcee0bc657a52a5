/* The score of a block of items, and what it is made of. See score.c. */
#ifndef CORELS_BLOCK_SCORE_H
#define CORELS_BLOCK_SCORE_H

#include "private.h"

/* The errors of any subset of a block as one cell: by sums of its halves, or a table. */
typedef struct {
    uint64_t low[256], high[256];
    uint16_t *alone;  /* [1 << bits] */
    uint32_t *sums;   /* [1 << bits] */
    uint16_t *cuts;   /* [CORELS_SCORE_RULES + 1][room]: scratch */
    uint32_t *errors; /* the same */
    size_t room;      /* antecedents */
    uint32_t half;
    int packed;
} corels_cells;

void corels_cells_fill(corels_cells *cells, const corels_partition *partition, int32_t block,
                       int32_t classes);
/* alone[x] = least over the classes of the regret of the items x of `block`, shifted down. `sums`
 * is scratch of 1 << bits numbers. */
void corels_block_alone(const corels_partition *partition, int32_t block, int32_t classes,
                        int32_t shift, uint16_t *alone, uint32_t *sums);
/* The distinct ones of `n` traces, without the empty one; returns how many. `traces` has room for
 * n; `seen` is scratch of 65,536 bits, all zero, left so. */
int32_t corels_distinct_traces(const uint16_t *all, int32_t n, uint16_t *traces, uint64_t *seen);
/* The sum of weights[k] * err_k of the items `full`, k = 1 .. CORELS_SCORE_RULES; or any
 * number below `least`, where it is below that. */
int64_t corels_block_score(const corels_cells *cells, uint32_t full, const uint16_t *traces,
                           int32_t n, const int32_t *weights, int64_t least);

#endif

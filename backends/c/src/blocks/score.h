/* The score of a block of items, and what it is made of. See score.c. */
#ifndef CORELS_BLOCK_SCORE_H
#define CORELS_BLOCK_SCORE_H

#include "private.h"

/* alone[x] = least over the classes of the regret of the items x of the block that begins at
 * `place`, shifted down. `sums` is scratch of 1 << bits numbers. */
void corels_block_alone(const corels_partition *partition, const int32_t *regret, int32_t place,
                        int32_t classes, int32_t shift, uint16_t *alone, uint32_t *sums);
/* The distinct ones of `n` traces, without the empty one; returns how many. `traces` has room for
 * n; `seen` is scratch of 65,536 bits, all zero, left so. */
int32_t corels_distinct_traces(const uint16_t *all, int32_t n, uint16_t *traces, uint64_t *seen);
/* 4 * err_2 + err_1 of the items `full`. */
int64_t corels_block_score(const uint16_t *alone, uint32_t full, const uint16_t *traces, int32_t n);

#endif

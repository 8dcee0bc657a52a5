/* The additive block bound as a filter of children, beside those of node.h. */
#ifndef CORELS_BLOCKS_BOUND_H
#define CORELS_BLOCKS_BOUND_H

#include "corels/blocks.h"
#include "node.h"

/* The blocks of a stage: 0 small, 1 large. See fast/stage.c for when they are built. */
corels_blocks_options corels_blocks_stage(int stage, int64_t rule_cost, int64_t unit,
                                          int32_t points, uint64_t seed);

/* Keeps the children that the blocks cannot rule out; `view` is the view of the node's set. */
int32_t corels_keep_blocks(corels_node *node, const corels_blocks *blocks, const uint64_t *view,
                           int64_t need, int32_t *list, int32_t n);

/* A lower bound of f of the view without r, from the blocks alone, at most `most`. */
int64_t corels_blocks_least(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                            int64_t rule_cost, int64_t unit, int64_t most);

#endif

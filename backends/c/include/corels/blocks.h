/* The additive block bound: how many errors must any list make that has at most k rules?
 *
 * Cut the points into blocks of 12 or 16. For every subset of a block, a table holds the least
 * errors that 0, 1, .., 7 rules can leave of it. The optimal list of k rules for a set S is a
 * candidate in every block at once, so its errors are at least the sum of the tables' entries for
 * S cut to the blocks: err_k(S) >= V_k(S) for every k. One lookup of 16 bytes a block gives V_k for
 * all eight k. Proof and layout: docs/internals/blocks.md.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/instance.h"
#include "corels/status.h"

struct tuning; /* base/tuning.h */

/* cffi: begin */
typedef struct corels_blocks corels_blocks;

enum { CORELS_BLOCK_LANES = 8 };

typedef struct {
    int32_t block_points; /* 4, 8, 12 or 16 */
    int32_t most_blocks;  /* the heaviest points fill this many blocks, the rest count nothing */
    int32_t heavy;        /* a weight above this is split over several blocks; 0: never */
    int64_t swaps;        /* exchanges that the partition search tries */
    /* What the partition search makes large: the sum over the blocks of weights[k] times the errors
     * that k = 1 .. 4 rules leave of the whole block. */
    int32_t weights[5];
    uint64_t seed;
    /* The same of what sets of points have of the block, summed up: of so many of the sets
     * [sets_given][words], evenly, which are copied; 0: of the whole block. */
    const uint64_t *sets;
    int64_t sets_given;
    int32_t set_count;
    /* Blocks of as many points, whose partition the search goes on from; or NULL. */
    const corels_blocks *from;
    const struct tuning *tune; /* NULL: the defaults */
} corels_blocks_options;

/* Ensure: CORELS_OK, and the same tables for the same arguments on every machine; or
 * CORELS_NO_MEMORY; or CORELS_BAD_ARGUMENT. They are built in pieces: masks and regrets must
 * live until it is finished or cancelled. `build` does one piece, mostly well below a millisecond:
 * CORELS_OK where there are more, CORELS_DONE when only `finish` is left, which hands the blocks
 * out and ends the building. */
typedef struct corels_blocks_building corels_blocks_building;
int corels_blocks_begin(corels_blocks_building **out, const corels_instance *,
                        const corels_blocks_options *options);
int corels_blocks_build(corels_blocks_building *building);
corels_blocks *corels_blocks_finish(corels_blocks_building *building);
void corels_blocks_cancel(corels_blocks_building *building);
/* Bytes that the building takes at most, its scratch included; 0 for bad arguments. */
size_t corels_blocks_needed(const corels_instance *, const corels_blocks_options *options);
void corels_blocks_free(corels_blocks *blocks);
size_t corels_blocks_bytes(const corels_blocks *blocks);

/* A set of points in the order of the blocks: words of a view, and the view of `set`. */
int32_t corels_blocks_view_words(const corels_blocks *blocks);
void corels_blocks_view(const corels_blocks *blocks, const uint64_t *set, uint64_t *view);
/* `child` = `view` without the points that antecedent r captures. */
void corels_blocks_child(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                         uint64_t *child);

/* Whether err_k(S) >= limits[k] is proved for all k = 1 .. 7, where S is the view without the
 * points that antecedent r captures (r < 0: the whole view). */
int corels_blocks_prove(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                        const int64_t *limits);
/* errors[k] = V_k(S), k = 0 .. 7. */
void corels_blocks_errors(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                          int64_t *errors);
int32_t corels_blocks_count(const corels_blocks *blocks);

struct record;
/* The partition as a record of a proof; 0: no memory. */
int corels_blocks_record(const corels_blocks *blocks, struct record *to);
/* cffi: end */

/* The state of one pricing search; shared by the branch and bound and the beam.
 *
 * A frame is a clause on the current path of the depth-first search: the points that satisfy it,
 * and its children. `critical` holds, for each condition on the path, its private negatives: those
 * that this condition alone keeps out. A condition whose private negatives weigh no more than
 * `redundant` can be left out of the clause without making it worse, and private sets only shrink
 * as conditions are added; so a clause with a redundant condition is cut off with all below it.
 * If some positives are touched (`marking`), `private` holds those that each condition alone
 * keeps out, and a condition with one of them is not redundant.
 */
#pragma once

#include "bound.h"
#include "corels_colgen/pricing.h"
#include "points.h"
#include "pool.h"

typedef struct {
    uint64_t *positive_set, *negative_set;
    uint64_t *critical; /* depth rows of negative words */
    uint64_t *private;  /* depth rows of positive words */
    int64_t duals, negative;
    child *allowed; /* by number: what may be added here and below, as far as rank allows */
    child *explore; /* by rising bound: children whose subtrees remain */
    uint32_t allowed_count, explore_count, next;
} frame;

/* The beam search: the levels are pools, the one that is filled is that of `depth`; at: the clause
 * of the level before that is extended next. */
typedef struct {
    uint32_t width, depth, at;
    int going;
} beam;

struct corels_pricing {
    store arrays, of_search; /* of_search: the path and the frames, of the search under way */
    points positives, negatives;
    uint64_t *positive_columns; /* points in the caller's order, to lay out again for new duals */
    uint32_t *order;            /* the caller's number of each feature; ours are by chain */
    uint32_t *chain;            /* of each feature, see chains.h */
    uint32_t features, positive_count;
    corels_pricing_query query;
    pool pool, levels[2];
    beam beam;
    frame *frames; /* by depth; buffers made when first needed */
    uint32_t frames_made;
    uint32_t *path;
    int64_t best;
    uint64_t nodes, children;
    int32_t depth; /* of the current frame; -1 when the search is over */
    int marking;   /* some positives are touched */
    int proving;   /* a branch and bound is under way or over: its lower bound holds */
};

/* What a negative of weight 1 adds to the reduced cost of a clause of so many conditions. */
static inline int64_t search_scale(const corels_pricing *p, uint32_t size) {
    return p->query.scale + p->query.scale_by_size * (int64_t)size;
}
/* Lay out a child of the frame at `depth - 1` in the frame at `depth`; 0 or NO_MEMORY. */
int search_enter(corels_pricing *p, uint32_t depth, const child *c);
/* Fill in the extension of the frame at `depth` by c->feature, given an upper limit of its duals in
 * c->duals. Returns 0 if neither it nor anything below it is wanted. */
int search_evaluate(const corels_pricing *p, uint32_t depth, child *c, int64_t base,
                    int64_t cutoff);
/* Look at the extensions of the frame at `depth` by those of the `count` allowed whose rank is
 * below `rank`, keep the clauses below the cutoff, and list the children. 0, FULL or NO_MEMORY. */
int search_expand(corels_pricing *p, uint32_t depth, const child *allowed, uint32_t count,
                  uint32_t rank);
/* Extend up to `nodes` clauses of the beam search: DONE, MORE, FULL or NO_MEMORY. */
int beam_step(corels_pricing *p, uint64_t nodes);

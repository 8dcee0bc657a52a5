/* Lower bounds on every list that extends a prefix by at least one more rule.
 *
 * Proofs: docs/internals/falling.md, under the same names. Each function returns a number of
 * the cost scale that no such list undercuts.
 */
#pragma once

#include "state.h"

/* Indices into corels_falling_statistics.pruned. */
enum { BY_PREFIX, BY_CLASSES, BY_LAGRANGIAN, BY_SWAP, BY_DOMINANCE, BY_COUNT };

typedef struct {
    uint32_t enabled; /* bits of the header */
    uint64_t pruned[BY_COUNT];
} bounds;

/* Strengthen c->bound until it reaches `limit` or the enabled bounds are used up; counts the bound
 * that reached the limit. c->bound starts as paid.low + rule_cost. */
void bound_child(bounds *b, const table *t, child *c, int64_t limit);

/* Least cost of the rows left when every block has q >= (1/cap - 1) p (cap: the highest
 * proportion): the maximum over the enabled ones of prefix, class and Lagrangian bound. */
int64_t bound_rows(uint32_t enabled, const table *t, const uint32_t *total, proportion cap,
                   int *which);

/* sum over classes of min(positive_cost * p, unit * q) */
int64_t bound_classes(const table *t, const uint32_t *total);

/* The soft bounds (soft.c). */
void bound_soft(bounds *b, const table *t, child *c, int64_t limit);

/* Questions about sets, for other parts of the engine: see walk_from.c. */
#ifndef DEPTH_FIRST_WALK_FROM_H
#define DEPTH_FIRST_WALK_FROM_H

#include "search.h"

/* The counts of the set of the last question, which had the answer no, and its totals in the first
 * worker; 0: they are not there any more. */
int walk_from_counts(const search *, int32_t *counts);
/* Keeps those children of the set of the last question, counted in `node`, behind which some list
 * that goes on by at least one rule may cost less than node->need; returns how many. */
int32_t walk_from_children(search *, node_view *node, int32_t *list, int32_t n);

#endif

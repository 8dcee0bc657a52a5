/* The native bounds on children: twins of corels/standard/bounds.py. */
#ifndef CORELS_BOUNDS_H
#define CORELS_BOUNDS_H

#include <stddef.h>

#include "corels/engine.h"

/* keep[i] = 0 where no extension of child i, itself included, can cost less than the incumbent. */
typedef void (*bound_call)(const corels_children *, int64_t incumbent, uint8_t *keep);

/* NULL for a name that has no native twin. */
bound_call bound_named(const char *name);

/* support.c: what the new rule captures. */
void bound_support(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_accurate_support(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_upper_support(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_reduced_support(const corels_children *, int64_t incumbent, uint8_t *keep);
/* objective.c: what the prefix costs already. */
void bound_hierarchical(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_lookahead(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_prefix_length(const corels_children *, int64_t incumbent, uint8_t *keep);

/* sets.c: the sets behind the children; they keep everything where there is no expansion. */
void bound_second_rule(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_dominance(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_similar_support(const corels_children *, int64_t incumbent, uint8_t *keep);
void bound_blocks(const corels_children *, int64_t incumbent, uint8_t *keep);
/* objective.c: room for two rules more. The search loop closes the children without it. */
void bound_one_rule(const corels_children *, int64_t incumbent, uint8_t *keep);

/* The scratch of sets.c for one search; NULL without memory. */
void *set_bounds_scratch(int32_t stride);
void set_bounds_free(void *scratch);
size_t set_bounds_bytes(const void *scratch);
/* Once an expansion, when it has been counted; `worst_counts` as in node.h. */
void set_bounds_begin(const corels_children *, const int32_t *worst_counts);

#endif

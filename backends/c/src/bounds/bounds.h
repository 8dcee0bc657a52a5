/* The native bounds on children: twins of corels/standard/bounds.py. */
#ifndef CORELS_BOUNDS_H
#define CORELS_BOUNDS_H

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

#endif

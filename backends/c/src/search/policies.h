/* The native policies: twins of corels/standard/policies.py, equal to the last bit. */
#ifndef CORELS_POLICIES_H
#define CORELS_POLICIES_H

#include "corels/engine.h"

typedef void (*policy_call)(const corels_children *, uint64_t seed, double *priorities);

/* NULL for a name that has no native twin. */
policy_call policy_named(const char *name);

#endif

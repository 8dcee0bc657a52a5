/* The native policies: twins of plugins/rule_list/corels_rule_list/policies.py, equal to the last
 * bit. */
#ifndef SEARCH_POLICIES_H
#define SEARCH_POLICIES_H

#include "corels/part.h"

typedef void (*policy_call)(const corels_children *, uint64_t seed, double *priorities);

/* NULL for a name that has no native twin. */
policy_call policy_named(const char *name);
/* The default, which a list can be sorted by without a table: by the cost of the list that ends
 * with the child. */
void policy_objective(const corels_children *, uint64_t seed, double *priorities);

#endif

/* Chains of features: within a chain each feature contains the next, on all points.
 *
 * "x <= 3" contains "x <= 2" contains "x <= 1". A clause with two features of a chain has one that
 * is redundant (the containing one keeps out nothing by itself), so a clause worth making has at
 * most one feature of each chain. The subtree bound uses this: among the eliminations that it adds
 * up, each chain counts once. And if two features of a chain keep the same positives, the
 * smaller one is better, if they keep the same negatives, the larger one: see search.c. Chains
 * are found on the data, whatever the features are called.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Number the features anew, chain by chain, each chain by rising support: order[i] = feature that
 * gets the number i, chain[i] = its chain. Returns 0, or -1 if memory is short. */
int chains_build(uint32_t *order, uint32_t *chain, uint32_t features,
                 const uint64_t *positive_columns, size_t positive_words,
                 const uint64_t *negative_columns, size_t negative_words);

/* The weights of the leaf bound: c of docs/internals/leaves.md, in units of 1/LEAF_SCALE of
 * an error.
 *
 * Their base is the outcome that costs least if all rows get it. For every conjunction l of at
 * most K conditions and every other outcome, c(l) less what l costs with this outcome is at most
 * the price of a rule. For an outcome that only the default rule may have, l is what some
 * antecedents do not capture.
 *
 * In rounds: enumerate the conjunctions that gain too much with the weights that are there, one
 * outcome after the other, let them be rows, fit the weights to all rows.
 * If the enumeration has found more than are kept, it comes again with the new weights; if
 * all are kept, these are fitted by weights no larger than those of the enumeration. Then every
 * other conjunction gains no more than it did, and nothing is left to be verified. After
 * so many rounds the weights are scaled down by what the worst conjunction exceeds.
 */
#pragma once

#include <stddef.h>

#include "corels/tables.h"
#include "corels_leaf_bound/leaf_bound.h"

enum { LEAF_SCALE = 15 }; /* four binary digits */

typedef struct leaf_builder leaf_builder;

/* Whether weights for conjunctions of so many conditions can be looked for: sums of regrets are
 * numbers of 31 bits, and what the enumeration keeps fits. */
int leaf_fits(const corels_instance *, const corels_leaf_options *, int64_t longest);
/* What a builder takes at most beside the conjunctions that it finds. */
size_t leaf_builder_needed(const corels_instance *, int64_t longest);

/* For conjunctions of at most `longest` conditions of what `leaf_fits`. bytes: for what it finds.
 * NULL: no memory. */
leaf_builder *leaf_builder_new(const corels_instance *, const corels_leaf_options *,
                               int32_t longest, size_t bytes);
void leaf_builder_free(leaf_builder *);
/* CORELS_DONE, CORELS_OK (it came back), or without memory. */
int leaf_builder_work(leaf_builder *, const corels_building *);
/* Bytes of the conjunctions that it has found, at most so far. */
size_t leaf_builder_found_bytes(const leaf_builder *);
/* Afterwards: the weights, [points], and their base. */
const int32_t *leaf_builder_kept(const leaf_builder *, int32_t *base);

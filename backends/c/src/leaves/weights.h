/* The weights of the leaf bound, for both roles of the two classes.
 *
 * Role 0: leaves that predict class 1 gain over predicting class 0 for everybody; role 1 the other
 * way round. kept[role][x] is c = a - pi of docs/internals/leaves.md, in parts of which LEAF_SCALE
 * make an error: for every conjunction l of at most K conditions, c(l) less what l takes is at most
 * the price of a rule.
 *
 * In rounds: enumerate the conjunctions that gain too much with the weights that are there, let
 * them be rows of the linear program, fit the weights to all rows. Where the enumeration has found
 * more than are kept, it comes again with the new weights; where all are kept, these are fitted by
 * weights no larger than those of the enumeration. Then every other conjunction gains no more than
 * it did, and nothing is left to be verified. After MOST_ROUNDS the weights are scaled down by what
 * the worst conjunction exceeds.
 *
 * The role whose points give less comes first: it has few rows. The other one has many, and is
 * given up where it takes more than a quarter of the work of the first.
 */
#ifndef LEAVES_WEIGHTS_H
#define LEAVES_WEIGHTS_H

#include "control.h"

enum { LEAF_SCALE = 15 }; /* four binary digits */

/* Two classes; the arrays must live as long as the builder. */
typedef struct {
    const uint64_t *masks;  /* [antecedents][words] */
    const int32_t *regrets; /* [2][points], whose sums are at most INT32_MAX / LEAF_SCALE */
    int64_t rule_cost, unit;
    int32_t antecedents, points, threads;
} leaf_instance;

typedef struct leaf_builder leaf_builder;

/* For conjunctions of at most `longest` conditions, with so much work in words that are counted for
 * one antecedent. NULL: no memory. */
leaf_builder *leaf_builder_new(const leaf_instance *, int32_t longest, int64_t budget);
void leaf_builder_free(leaf_builder *);
/* CORELS_DONE, CORELS_OK (it came back), or without memory. */
int leaf_builder_work(leaf_builder *, const control *, pace *);
double leaf_builder_share(const leaf_builder *);
/* Afterwards: [points] of a role, zero where it was given up; and whether its weights hold. */
const int32_t *leaf_builder_kept(const leaf_builder *, int role);
int leaf_builder_verified(const leaf_builder *, int role);

#endif

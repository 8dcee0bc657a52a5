/* The weights of the leaf bound, in two roles.
 *
 * Each role has a base: the outcome that everybody gets but where a leaf turns to another one. The
 * bases are the two outcomes that cost least where everybody gets them. kept[role][x] is c of
 * docs/internals/leaves.md, in parts of which LEAF_SCALE make an error: for every conjunction l of
 * at most K conditions and every other outcome, c(l) less what l costs with this outcome is at most
 * the price of a rule. For an outcome that only the default rule may have, l is what some
 * antecedents do not capture.
 *
 * In rounds: enumerate the conjunctions that gain too much with the weights that are there, one
 * outcome after the other, let them be rows of the linear program, fit the weights to all rows.
 * Where the enumeration has found more than are kept, it comes again with the new weights; where
 * all are kept, these are fitted by weights no larger than those of the enumeration. Then every
 * other conjunction gains no more than it did, and nothing is left to be verified. After
 * so many rounds (leaves_rounds of tuning.def) the weights are scaled down by what the worst
 * conjunction exceeds.
 *
 * The role whose points give less comes first: it has few rows. The other one has many, and is
 * given up where it takes more than a quarter of the work of the first (leaves_second).
 */
#pragma once

#include <stddef.h>

#include "control.h"
#include "corels/instance.h"
#include "tuning.h"

enum { LEAF_SCALE = 15 }; /* four binary digits */

typedef struct leaf_builder leaf_builder;

/* Sets of n of so many antecedents. */
double leaf_choices(int32_t antecedents, int64_t n);
/* Whether the sums of the regrets, in parts of an error, are numbers of 31 bits. */
int leaf_fits(const corels_instance *);
/* Bytes of what the enumeration keeps of all sets of fewer antecedents than `longest`; and what a
 * builder takes at most beside the conjunctions that it finds. */
double leaf_rows_bytes(int32_t antecedents, int64_t longest);
size_t leaf_builder_needed(const corels_instance *, int32_t threads, int64_t longest);

/* For two outcomes or more, the classes of the instance, whose arrays must live as long; and for
 * conjunctions of at most `longest` conditions of what `leaf_fits`. The tuning values live as long,
 * too. bytes: for what it finds. NULL: no memory. */
leaf_builder *leaf_builder_new(const corels_instance *, int32_t threads, int32_t longest,
                               const tuning *, size_t bytes);
void leaf_builder_free(leaf_builder *);
/* CORELS_DONE, CORELS_OK (it came back), or without memory. */
int leaf_builder_work(leaf_builder *, const control *, pace *);
double leaf_builder_share(const leaf_builder *);
/* Bytes of the conjunctions that it has found, at most so far. */
size_t leaf_builder_found_bytes(const leaf_builder *);
/* Afterwards: what is known of a role (0 or 1). */
typedef struct {
    int32_t base;  /* its outcome */
    int32_t *kept; /* [points]: the weights, zero where it was given up */
    int verified;  /* whether they hold */
} leaf_role;
const leaf_role *leaf_builder_role(const leaf_builder *, int role);

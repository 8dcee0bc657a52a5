/* Counting a set of classes for all antecedents at once.
 *
 * The antecedents of a class are one bit vector, its signature. Adding signatures "bit by bit" with
 * carry-save adders keeps, for every antecedent, a binary counter whose digit d is one bit of slice
 * d; eight signatures cost about forty word operations for 64 antecedents together. A child's
 * counts are its parent's less those of the classes that its last rule captures, so the work is in
 * proportion to what changes, not to what is left. (Measured on bank-full, 262 antecedents and
 * 16,278 classes: docs/internals/falling.md.)
 */
#ifndef FALLING_TALLY_H
#define FALLING_TALLY_H

#include "table.h"

typedef struct tally_counter tally_counter;

tally_counter *tally_counter_new(const table *t);
void tally_counter_free(tally_counter *counter);

/* counts[quantity * lanes + antecedent] = rows of `set` that the antecedent captures. */
void tally_set(tally_counter *counter, const table *t, const uint64_t *set, uint32_t *counts);

#endif

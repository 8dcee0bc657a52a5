/* The strip bound of the soft problem: what must be taken away before a block can rise.
 *
 * A later block above the threshold and above the least proportion pays for its rise, so it needs
 * many positives and few negatives. It is an antecedent's rows (or, for the else, all rows) less
 * what the s rules before it take away. They take away at most s times the most negatives of one of
 * them, and at least the positives of that one. So few rules cannot strip much without losing
 * positives, and many rules cost. Proof: docs/internals/falling-bounds.md, "Strip".
 */
#ifndef FALLING_STRIP_H
#define FALLING_STRIP_H

#include "state.h"

typedef struct {
    uint32_t p, q;
} pair;

/* Of one frame, computed once and used for all its children. */
typedef struct {
    pair *falling_q; /* by q descending; p is the least p of all with at least that q */
    uint32_t count;
    pair *front; /* what a block may start from: no other has more p and less q; p descending */
    uint32_t front_count;
} strip_profile;

int strip_create(strip_profile *s, const table *t);
void strip_destroy(strip_profile *s);
void strip_profile_of(strip_profile *s, const table *t, const frame *f);

/* Least positives of an antecedent that captures at least `q` negatives; infinite if none does. */
double strip_least_positives(const strip_profile *s, double q);

#endif

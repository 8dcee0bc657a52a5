/* Weights that no conjunction exceeds, over listed rows: with
 *
 *     0 <= c[x] <= a[x] and, for each row l,
 *     the sum of c over l  <=  most + scale * (what l takes)
 *
 * the points of one row after the other are scaled down; then c is made whole, exactly feasible,
 * and raised point by point as long as no row is exceeded. What is found decides how good the bound
 * is and never whether it holds.
 */
#pragma once

#include "conjunctions.h"

typedef struct fit fit;

/* c of a task begins as all that points give. NULL: no memory. */
fit *fit_new(const conjunction_task *);
void fit_free(fit *);
/* Adds rows: conjunctions. 0: no memory. */
int fit_add(fit *, const conjunction *rows, int32_t n);
/* The weights in whole parts of an error, no row exceeded: c[points]. 0: no memory. */
int fit_weights(fit *, int32_t *c);
/* Bytes of its rows. */
size_t fit_rows_bytes(const fit *);

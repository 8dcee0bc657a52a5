/* Weights that no conjunction exceeds: the linear program of the leaf bound, over listed rows.
 *
 *     maximise the sum of c[x],  where 0 <= c[x] <= a[x] and, for each row l,
 *     the sum of c over l  <=  most + scale * (what l takes)
 *
 * A row is a conjunction. The program is solved over a few active rows; what the others exceed most
 * joins them, until none does. Points that lie in the same active rows share one variable, the part
 * of a that they keep. The solver is the primal-dual hybrid gradient of Chambolle and Pock (2011)
 * with their diagonal steps (2011, "Diagonal preconditioning"): two products with the matrix of the
 * rows an iteration, plain arithmetic in a fixed order, so that every machine finds the same.
 *
 * Whatever it finds is then made feasible exactly, in integers: it decides how good the bound is
 * and never whether it holds.
 */
#pragma once

#include "conjunctions.h"

typedef struct fit fit;

/* c of a task begins as all that points give. NULL: no memory. */
fit *fit_new(const conjunction_task *);
void fit_free(fit *);
/* Adds rows; those that are there already are not added again. 0: no memory. */
int fit_add(fit *, const conjunction *rows, int32_t n);
/* Goes on. CORELS_DONE: no row is exceeded by more than a little, or that was tried often enough;
 * CORELS_OK: it came back; or without memory. */
int fit_work(fit *, const corels_building *);
/* The weights in whole parts of an error, no row exceeded: c[points]. 0: no memory. */
int fit_weights(fit *, int32_t *c);
/* Bytes of its rows. */
size_t fit_rows_bytes(const fit *);

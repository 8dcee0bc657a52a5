/* The stages of the price bound: which cells each of them cuts, and when it is due.
 *
 * If points are many, the first stage tries cells of *near* points, which few antecedents tell
 * apart; if that leaves most points out of all cells, and if points are few, cells are of
 * points far apart. The first stages cut more and more cells; the stages after them retrain the
 * prices of the last cells.
 *
 * A stage is due when the search has taken a certain part of the time that building will take: an
 * easy search ends before. All times are estimated from the sizes alone, so that runs repeat. How
 * large the part is depends on what the tables so far have shown (price_signs): a search of whose
 * incumbent's cost they prove little ends sooner than better tables pay (docs/internals/prices.md).
 * If points are few, the second stage is a *trial*: few iterations of more cells, which show
 * whether more cells will help.
 */
#pragma once

#include "corels/prices.h"
#include "tables.h"

/* What the tables so far say of the set of all points, and of the data. */
typedef struct {
    int near;      /* cells are of near points */
    double share;  /* the greatest part of the incumbent's cost that they prove; < 0: no tables */
    double trial;  /* the part of what was lacking that the trial has closed */
} price_signs;

/* Whether points are few. */
int price_few(const tables_data *);
/* So many stages are built from the data; from there on, prices are retrained. */
int price_first(const tables_data *);
/* Whether the stage is the trial. */
int price_trial(const tables_data *, int stage);
/* How a stage is built; memory: bytes to get along with, or 0. */
corels_prices_options price_options(const tables_data *, size_t memory, int stage,
                                    const price_signs *);
/* The count of the walk at which the stage is due. */
int64_t price_due(const tables_data *, int stage, const price_signs *);

/* The stages of the price bound: which cells each of them cuts, and when it is due.
 *
 * Two kinds of cells. Where points are near each other, large cells: of many points that few
 * antecedents tell apart; where they are far apart, small cells: of a few points. The first stage
 * tries large cells where there are many points, and takes small ones where that leaves most points
 * out of all cells. The first stages cut more and more cells; the stages after them retrain the
 * prices of the last cells.
 *
 * A stage is due when the search has taken a certain part of the time that building will take: an
 * easy search ends before. All times are estimated from the sizes alone, so that runs repeat. How
 * large the part is depends on what the tables so far have shown (price_signs): a search of whose
 * incumbent's cost they prove little ends sooner than better tables pay (docs/internals/prices.md).
 * Where points are few, the second stage is a *trial*: few iterations of more cells, which show
 * whether more cells will help.
 */
#pragma once

#include "corels/prices.h"
#include "tables.h"

/* What the tables so far say of the set of all points. */
typedef struct {
    double share;  /* the greatest part of the incumbent's cost that they prove; < 0: no tables */
    double trial;  /* the part of what was lacking that the trial has closed, */
    double newest; /* and the newest stage */
} price_signs;

/* Whether the first stage begins with small cells. */
int price_small(const tables_data *);
/* So many stages are built from the data; from there on, prices are retrained. */
int price_first(const tables_data *);
/* Whether the stage is the trial. */
int price_trial(const tables_data *, int stage);
/* How a stage is built, with small cells or large ones; memory: bytes to get along with, or 0. */
corels_prices_options price_options(const tables_data *, size_t memory, int stage, int small,
                                    const price_signs *);
/* The count of the walk at which the stage is due, where the cells are small or large. */
int64_t price_due(const tables_data *, int stage, int small, const price_signs *);

/* The stages of the price bound: which cells each of them cuts, and when it is due.
 *
 * Two kinds of cells. Where points are near each other, large cells: of many points that few
 * antecedents tell apart; where they are far apart, small cells: of a few points. The first stage
 * tries large cells where there are many points, and takes small ones where that leaves most points
 * out of all cells. The first stages cut more and more cells; the stages after them retrain the
 * prices of the last cells.
 *
 * A stage is due when the search has taken a certain part of the time that building will take: an
 * easy search ends before. All times are estimated from the sizes alone, so that runs repeat.
 */
#pragma once

#include "corels/prices.h"
#include "tables.h"

/* Of the CORELS_PRICE_STAGES, from stage PRICE_FIRST on, prices are retrained. */
enum { PRICE_FIRST = 3 };

/* Whether the first stage begins with small cells. */
int price_small(const tables_data *);
/* How a stage is built, with small cells or large ones; memory: bytes to get along with, or 0. */
corels_prices_options price_options(const tables_data *, size_t memory, int stage, int small);
/* The count of the walk at which the stage is due, where the cells are small or large; lacking: the
 * incumbent's cost less what the tables that are there say of all points. */
int64_t price_due(const tables_data *, int stage, int small, int64_t lacking);

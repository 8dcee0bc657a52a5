/* The stages of the price bound: which cells each of them cuts, and when it is due.
 *
 * Two kinds of cells. Where points are near each other, large cells: of many points that few
 * antecedents tell apart; where they are far apart, small cells: of a few points. The first stage
 * tries large cells where there are many points, and takes small ones where that leaves most points
 * out of all cells. The first stages cut more and more cells; the stages after them retrain the
 * prices of the last cells.
 *
 * Each of the first two stages is due when the search has taken about half as long as building will
 * take, the third when it has taken as long, and twice that where points are few: an easy search
 * ends before. All times are estimated from the sizes alone, so that runs repeat. The numbers stand
 * in base/tuning.def, prices_*.
 */
#ifndef BOUNDS_PRICE_STAGES_H
#define BOUNDS_PRICE_STAGES_H

#include "corels/prices.h"
#include "tables.h"

/* From stage PRICE_FIRST on, prices are retrained. */
enum { PRICE_FIRST = 3, PRICE_STAGES = 8 };

/* What the tables that are there tell beyond the data. */
typedef struct {
    int turned;      /* the first ones began with large cells and had to take small ones: points lie
                        so far apart that these say little, and the last cells pay sooner */
    int64_t lacking; /* the incumbent's cost less what they say of all points */
    int far;         /* the first ones lacked so much that the search will be long */
} price_findings;

/* Whether the first stage begins with small cells. */
int price_small(const tables_data *);
/* How a stage is built, with small cells or large ones; memory: bytes to get along with, or 0. */
corels_prices_options price_options(const tables_data *, size_t memory, int stage, price_findings,
                                    int small);
/* Sets what the options say of the cells, and leaves the rest. */
void price_cells(corels_prices_options *, const tables_data *, int stage, price_findings,
                 int small);
/* Whether the search will be long where the first tables lack so much. */
int price_far(const tables_data *, int64_t lacking);
/* The count of the walk at which the stage is due. */
int64_t price_due(const tables_data *, int stage, price_findings);
/* Whether the stage is passed over: the tables that are there lack so much that the stage behind it
 * will be needed anyway. */
int price_passed_over(const tables_data *, int stage, price_findings);

#endif

/* The stages of the price bound: which cells each of them cuts, and when it is due.
 *
 * Two kinds of cells. Where points are near each other, cells of many points that few antecedents
 * tell apart; where they are far apart, cells of a few points. The first stage tries the first kind
 * where there are many points, and takes the second where that leaves most points out of all cells.
 * The first stages cut more and more cells; in the stages after them, the prices of the last cells
 * are made again.
 *
 * Each of the first two stages is due when the search has taken about half as long as building will
 * take, the third when it has taken as long: an easy search ends before. All times are estimated
 * from the sizes alone, so that runs repeat.
 */
#ifndef BOUNDS_PRICE_STAGES_H
#define BOUNDS_PRICE_STAGES_H

#include "corels/prices.h"
#include "staged.h"

/* From stage PRICE_FIRST on, prices are made again. */
enum { PRICE_FIRST = 3, PRICE_STAGES = 8 };

/* Whether the first stage begins with cells of a few points. */
int price_far(const tables_data *);
/* How a stage is built, with cells of a few points (`far`) or of many. */
corels_prices_options price_options(const tables_data *, int stage, int far);
/* Sets what the options say of the cells of such a table, and leaves the rest. */
void price_cells(corels_prices_options *, int32_t antecedents, int32_t points, int stage, int far);
/* The count of the walk at which the stage is due. `turned`: the first tables began with cells of
 * many points and had to take the other kind. Then points lie so far apart that these say little,
 * and the last cells are worth their time sooner. */
int64_t price_due(const tables_data *, int stage, int turned);
/* Whether the stage is passed over: the tables that are there lack so much (data->lacking) that the
 * stage behind it will be needed anyway. */
int price_passed_over(const tables_data *, int stage, int turned);

#endif

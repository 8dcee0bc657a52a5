/* The price bound: what must any completion of a set of points cost?
 *
 * Cut the points into small cells, each with a share of the points' weights and with a price for
 * every (antecedent, predicted class), such that the prices of one of these add up to no more than
 * the cost of a rule, and the shares of a point to no more than its weight. An optimal list is a
 * candidate in every cell at once, so the sum of the cells' own cheapest lists, F(S), is no more
 * than the cost f(S) of the best completion. The sum is kept for all children S \ r of a set at
 * once. Theorem, proof and layout: docs/internals/prices.md.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/instance.h"
#include "corels/status.h"

struct tuning; /* base/tuning.h */

/* cffi: begin */
typedef struct corels_prices corels_prices;
typedef struct corels_prices_builder corels_prices_builder;

/* Stages in which a search builds them, and builds them again: bounds/price_stages.h. */
enum { CORELS_PRICE_STAGES = 9 };

typedef struct {
    int32_t most_points;  /* of a cell, 2 .. 8 */
    int32_t most_splits;  /* antecedents that tell points of a cell apart, at most */
    int32_t covers;       /* how often the points are cut into cells, 1 .. 64 */
    double least_covered; /* of the points that must be in cells of the first cover, 0 to 1 */
    int32_t iterations;   /* of the ascent */
    double first_step, last_step; /* of the ascent: how much a price that is used once grows, as a
                                     logarithm; falls geometrically from the first to the last */
    int32_t threads;
    uint64_t seed;
    size_t memory; /* bytes that building and tables may hold, 0: no limit; cells that do not fit
                      are left out, which weakens the bound and keeps it sound */
    const struct tuning *tune; /* lives as long as what is built; NULL: the defaults */
} corels_prices_options;

/* Requires: the instance's masks and regrets outlive the builder and what it builds.
 * Ensures: CORELS_OK, CORELS_NO_MEMORY or CORELS_BAD_ARGUMENT. The same arguments give the same
 * tables on every machine, whatever the threads and the sizes of the steps. */
int corels_prices_builder_new(corels_prices_builder **out, const corels_instance *instance,
                              const corels_prices_options *options);
/* Makes the prices of these tables better: `iterations` more steps of the ascent, on the sample.
 * The tables outlive the builder; what they tell stays as it is until the end, and is kept beside
 * (corels_prices_set). */
int corels_prices_builder_again(corels_prices_builder **out, corels_prices *prices,
                                const corels_prices_options *options, const corels_sample *sample);
/* Works on, for about `amount` visits of a cell. CORELS_OK: there is more to do; CORELS_DONE;
 * CORELS_NO_MEMORY; CORELS_BAD_ARGUMENT: cells would leave out more points than the options allow.
 * Its threads stay for the next call. */
int corels_prices_build_step(corels_prices_builder *builder, int64_t amount);
/* Ends the threads until the next step. To be called if that may not come soon, or the process
 * may be forked before. */
void corels_prices_build_rest(corels_prices_builder *builder);
/* The share that is done, 0 to 1: half of it are the cells, half the ascent. */
double corels_prices_build_share(const corels_prices_builder *builder);
/* What has been built, its budgets checked; of tables whose prices were made better, these. NULL
 * if nothing is built. To be called once, after CORELS_DONE. */
corels_prices *corels_prices_build_end(corels_prices_builder *builder);
void corels_prices_builder_free(corels_prices_builder *builder);
size_t corels_prices_builder_bytes(const corels_prices_builder *builder);

void corels_prices_free(corels_prices *prices);
size_t corels_prices_bytes(const corels_prices *prices);
int32_t corels_prices_cells(const corels_prices *prices);
/* Whether the prices of each (antecedent, class) add up to at most the cost of a rule, and the
 * shares of each point to at most its weight, in exact integers. */
int corels_prices_within_budget(const corels_prices *prices);

/* A set of points as the tables see it: the state of each cell, F, and by how much F falls if an
 * antecedent is taken out, for the antecedents that have been asked about. In the unit of the
 * tables. Views stand at addresses that are multiples of 8. */
size_t corels_prices_view_bytes(const corels_prices *prices);
/* The view of all points or of a set that rules leave of them. (Of any other set a view of less.)
 */
void corels_prices_view(const corels_prices *prices, const uint64_t *set, void *view);
/* The view of the set of `view` without what antecedent r captures; the views may be the same.
 * lasts: `view` stays as it is for as long as anything is asked of the child; what is asked of it
 * then takes a step for each cell in which r captures something, and else one for each cell. */
void corels_prices_child(const corels_prices *prices, const void *view, int32_t r, int lasts,
                         void *child);
/* What every completion of the view's set costs at least, if antecedent r is taken out of it (r <
 * 0: as it is). The view remembers what it was asked. */
int64_t corels_prices_least(const corels_prices *prices, void *view, int32_t r);
/* Nanoseconds that what was looked up with this view has taken, roughly: by how much was read. */
int64_t corels_prices_looked(const corels_prices *prices, const void *view);
/* The same for the view's set as it is, by whichever tells most: these prices, or earlier ones. */
int64_t corels_prices_set(const corels_prices *prices, const void *view);
/* Prepares to be asked about these antecedents, in rising order: quicker than one after another. */
void corels_prices_ask(const corels_prices *prices, void *view, const int32_t *list, int32_t n);

struct record;
/* Cells, weights and prices as a record of a proof; 0: no memory. */
int corels_prices_record(const corels_prices *prices, struct record *to);

/* For tests of the checks alone: raises every price to `percent` of itself. Unsound. */
void corels_prices_spoil(corels_prices *prices, int32_t percent);
/* cffi: end */

#include "price_stages.h"

#include <math.h>

/* A stage. The numbers were measured: docs/studies/price-bound.md. */
typedef struct {
    int32_t points, splits; /* of a cell, and antecedents that tell them apart, at most */
    int32_t covers, iterations;
    double patience; /* times of building that the search takes before, where nothing is lacking */
    double time;     /* of building large cells: microseconds for each point */
} plan;

enum { FIRST_OF_FEW = 4, FIRST_OF_MANY = 3, TRIAL = 1 };

/* Where points are few; behind the trial, more iterations instead of covers where it closed
 * little. */
static const plan few_points[FIRST_OF_FEW] = {{6, INT32_MAX, 1, 100, 0.7, 0},
                                              {6, INT32_MAX, 3, 30, 1, 0},
                                              {6, INT32_MAX, 6, 100, 1, 0},
                                              {8, INT32_MAX, 6, 200, 2, 0}};
static const plan fewer_covers = {6, INT32_MAX, 4, 200, 1, 0};

/* Where points are many: near each other; far apart; far apart and quickly counted (is_quick). */
static const plan near_points[FIRST_OF_MANY] = {
    {64, 8, 1, 40, 0.25, 2.4}, {64, 12, 2, 60, 1, 12}, {64, 11, 4, 100, 0.6, 48}};
static const plan far_points[FIRST_OF_MANY] = {
    {6, INT32_MAX, 1, 100, 1, 0}, {6, INT32_MAX, 6, 100, 1, 0}, {8, INT32_MAX, 6, 200, 2, 0}};
static const plan quick_points[FIRST_OF_MANY] = {
    {6, INT32_MAX, 1, 100, 1, 0}, {6, INT32_MAX, 3, 100, 1, 0}, {8, INT32_MAX, 3, 100, 2, 0}};

int price_small(const tables_data *data) {
    return data->in.points <= data->tune->prices_many_points;
}

int price_first(const tables_data *data) {
    return price_small(data) ? FIRST_OF_FEW : FIRST_OF_MANY;
}

int price_trial(const tables_data *data, int stage) {
    return price_small(data) && stage == TRIAL;
}

/* Where points are many and a count is quick, look-ups take longest, and more so in tables beyond
 * the processor's caches: there small cells have fewer covers and iterations, and retraining comes
 * less often. */
static int is_quick(const tables_data *data) {
    return !price_small(data) &&
           (int64_t)data->in.antecedents * data->in.points / 64 <= data->tune->prices_quick;
}

/* What is planned for a stage. One that retrains has the cells of the last one before. */
static plan plan_of(const tables_data *data, int stage, int small) {
    int last = price_first(data) - 1, row = stage < last ? stage : last;
    return (!small ? near_points : price_small(data) ? few_points : far_points)[row];
}

/* What is built of it. (When it is due goes by the plan itself.) */
static plan built_of(const tables_data *data, int stage, int small, const price_signs *signs) {
    if (price_small(data) && stage == TRIAL + 1 && signs->trial < data->tune->prices_closed)
        return fewer_covers;
    if (small && is_quick(data))
        return quick_points[stage < FIRST_OF_MANY ? stage : FIRST_OF_MANY - 1];
    return plan_of(data, stage, small);
}

/* How much later a stage is due: twice as late for each twelfth that is lacking of the share with
 * which tables mostly pay. */
static double delay(const tables_data *data, const price_signs *signs) {
    if (signs->share < 0) return 1;
    double found = exp2(12 * (data->tune->prices_share - signs->share));
    return found < 0.25 ? 0.25 : found > 2 ? 2 : found;
}

static double at_least(double least, double of) {
    return of < least ? least : of;
}

/* Times of building that the search takes before the stage. */
static double patience_of(const tables_data *data, int stage, int small, const price_signs *signs) {
    double planned = plan_of(data, stage, small).patience, later = delay(data, signs);
    int last = price_first(data) - 1, tried = price_small(data);
    if (stage == 0 || stage > last) return planned;
    if (stage == last) {
        int little = tried && signs->newest < data->tune->prices_closed;
        return planned * at_least(little ? 3 : 1, later);
    }
    int soon = !small || (tried && stage > TRIAL && signs->trial >= data->tune->prices_closed);
    return planned * (soon ? later : at_least(1, later));
}

/* Iterations of the first retraining, fewer where small cells are many. */
static int32_t retraining(const tables_data *data, const plan *p, int small) {
    if (!small) return (int32_t)data->tune->prices_large_again_iterations;
    int64_t cells = (int64_t)p->covers * data->in.points / p->points + 1;
    int64_t most = data->tune->prices_retrain_visits / cells;
    if (most < data->tune->prices_retrain_least) most = data->tune->prices_retrain_least;
    int64_t all = data->tune->prices_small_again_iterations;
    return (int32_t)(most < all ? most : all);
}

/* Of the ascent: the first step and the last one, of the first prices or of better ones. */
typedef struct {
    double first, last;
} steps;

static steps steps_of(const tuning *t, int small, int again) {
    if (small)
        return again ? (steps){t->prices_small_again_step, t->prices_small_again_step_last}
                     : (steps){t->prices_small_step, t->prices_small_step_last};
    return again ? (steps){t->prices_large_again_step, t->prices_large_again_step_last}
                 : (steps){t->prices_large_step, t->prices_large_step_last};
}

corels_prices_options price_options(const tables_data *data, size_t memory, int stage, int small,
                                    const price_signs *signs) {
    const tuning *t = data->tune;
    const plan p = built_of(data, stage, small, signs);
    size_t most = ((size_t)data->in.points + (size_t)t->prices_few_points) *
                  (size_t)t->prices_bytes_a_point * (size_t)plan_of(data, stage, small).covers;
    int again = stage - price_first(data);
    const steps by = steps_of(t, small, again >= 0);
    int32_t first = retraining(data, &p, small);
    return (corels_prices_options){
        .most_points = p.points,
        .most_splits = p.splits,
        .covers = p.covers,
        .least_covered = small ? 0 : t->prices_covered,
        .iterations = again < 0 ? p.iterations : first + again * first / 2,
        .first_step = by.first,
        .last_step = by.last,
        .tune = t,
        .threads = data->threads,
        .seed = data->seed + 1,
        .memory = memory && memory < most ? memory : most,
    };
}

/* Microseconds of so many iterations, roughly. To cut small cells takes as long as twenty of them;
 * most of an iteration goes into filling their subsets. */
static double time_of_small(const tables_data *data, const plan *p) {
    double visits = (double)p->covers * (p->iterations + 20) * data->in.points / p->points;
    double m = data->in.antecedents;
    return visits * (p->points > 6 ? 3 + m * 5e-4 : 0.6 + m * 9e-4);
}

static double building_time(const tables_data *data, int stage) {
    int small = price_small(data);
    const plan p = plan_of(data, stage, small);
    return small ? time_of_small(data, &p) : p.time * (double)data->in.points;
}

/* Microseconds of looking a set up, roughly. */
static double looking_time(const tables_data *data, int stage) {
    int small = price_small(data);
    double points = (double)data->in.points * plan_of(data, stage, small).covers;
    return small ? points * data->in.antecedents * 1.2e-5 : points * 1e-3;
}

/* Counts before a stage, at least: fewer before the second one where the first tables lack much. */
static double fewest(const tables_data *data, int stage, int64_t lacking) {
    const tuning *t = data->tune;
    int soon = stage == 1 && !price_small(data) && !is_quick(data) &&
               (double)lacking > t->prices_far_off * (double)data->in.rule_cost;
    double n = (double)(soon ? t->prices_soon_time : t->prices_fewest_time) /
               counting_time(data->in.points, data->in.antecedents);
    double most = (double)(price_small(data) ? t->prices_fewest : t->prices_fewest_many);
    return n < most ? n : most;
}

/* Counts of the walk between the stage before this one and this one, where each count takes so many
 * microseconds. */
static double counts_before(const tables_data *data, int stage, double here,
                            const price_signs *signs) {
    int small = price_small(data);
    const plan p = plan_of(data, stage, small);
    double patience = data->tune->prices_retrain_patience;
    double counts = patience_of(data, stage, small, signs) * building_time(data, stage) / here;
    if (stage >= price_first(data) && small)
        counts = patience * 5 * (double)p.covers * retraining(data, &p, 1) * data->in.points /
                 p.points / counting_time(data->in.points, data->in.antecedents);
    else if (stage >= price_first(data))
        counts =
            patience * building_time(data, stage) * retraining(data, &p, 0) / p.iterations / here;
    return data->tune->prices_patience * counts;
}

int64_t price_due(const tables_data *data, int stage, int small, const price_signs *signs) {
    const tuning *t = data->tune;
    int first = price_first(data);
    int64_t later = !small           ? t->prices_large_later
                    : is_quick(data) ? t->prices_quick_later
                                     : t->prices_retrain_later;
    double counting = counting_time(data->in.points, data->in.antecedents), here = counting,
           counts = 0;
    for (int i = 0; i <= stage && i <= first; i++) {
        double more = counts_before(data, i, here, signs), least = fewest(data, i, signs->lacks);
        counts += more > least ? more : least;
        here = counting + looking_time(data, i);
    }
    for (int i = first; i < stage; i++) counts *= (double)later;
    return counts < 1e18 ? (int64_t)counts : (int64_t)1e18;
}

#include "price_stages.h"

#include <math.h>

#include "effort.h"

/* A stage. The numbers were measured: docs/studies/price-bound.md. */
typedef struct {
    int32_t points, splits; /* of a cell, and antecedents that tell them apart, at most */
    int32_t covers, iterations;
    double patience; /* times of building that the search takes before, where nothing is lacking */
    double time;     /* of building large cells: microseconds for each point */
} plan;

enum { FIRST_OF_FEW = 4, FIRST_OF_MANY = 3, TRIAL = 1 };

/* Memory of a cover: as if there were so many points more. Words of antecedents up to which a count
 * is quick. Iterations of the first retraining of large cells; of small ones, iterations times
 * cells, and at least so many. */
enum { FEW_POINTS = 10000, QUICK_WORDS = 150000 };
enum { AGAIN_LARGE = 80, AGAIN_VISITS = 200000, AGAIN_LEAST = 50 };

/* The delay of the last stage where the one before it was of little use. */
static const double LITTLE_USE = 1.585;

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
           (int64_t)data->in.antecedents * data->in.points / 64 <= QUICK_WORDS;
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

/* How much later a stage is due, as a power of two: one more for each twelfth that is lacking of
 * the share with which tables mostly pay. */
static double delay_by_share(const tables_data *data, const price_signs *signs) {
    if (signs->share < 0) return 0;
    return fmin(fmax(12 * (data->tune->prices_share - signs->share), -2), 1);
}

/* The same of one stage. None comes earlier than its patience says, but where the trial has shown
 * that more covers help, or there is no trial; the last one comes later where the one before it was
 * of little use. */
static double delay_of(const tables_data *data, int stage, int small, const price_signs *signs) {
    double by_share = delay_by_share(data, signs), closed = data->tune->prices_closed;
    int last = price_first(data) - 1, tried = price_small(data);
    if (stage == 0) return 0;
    if (stage == last) return fmax(by_share, tried && signs->newest < closed ? LITTLE_USE : 0);
    int soon = !small || (tried && stage > TRIAL && signs->trial >= closed);
    return soon ? by_share : fmax(by_share, 0);
}

/* Iterations of the first retraining, fewer where small cells are many. */
static int32_t retraining(const tables_data *data, const plan *p, int small) {
    if (!small) return AGAIN_LARGE;
    int64_t cells = (int64_t)p->covers * data->in.points / p->points + 1;
    int64_t most = AGAIN_VISITS / cells;
    if (most < AGAIN_LEAST) most = AGAIN_LEAST;
    int64_t all = data->tune->prices_small_again_iterations;
    return (int32_t)(most < all ? most : all);
}

corels_prices_options price_options(const tables_data *data, size_t memory, int stage, int small,
                                    const price_signs *signs) {
    const tuning *t = data->tune;
    const plan p = built_of(data, stage, small, signs);
    size_t most = ((size_t)data->in.points + FEW_POINTS) * (size_t)t->prices_bytes_a_point *
                  (size_t)plan_of(data, stage, small).covers;
    int again = stage - price_first(data);
    int32_t first = retraining(data, &p, small);
    return (corels_prices_options){
        .most_points = p.points,
        .most_splits = p.splits,
        .covers = p.covers,
        .least_covered = small ? 0 : t->prices_covered,
        .iterations = again < 0 ? p.iterations : first + again * first / 2,
        .first_step = again >= 0 ? (small ? 6 : 3) : (small ? t->prices_small_step : 3),
        .last_step = again >= 0 ? 0.15 : (small ? t->prices_small_step_last : 0.1),
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

/* Counts before a stage, at least. */
static double fewest(const tables_data *data) {
    const tuning *t = data->tune;
    double n = (double)t->prices_fewest_time / counting_time(data->in.points, data->in.antecedents);
    return fmin(n, (double)(price_small(data) ? t->prices_fewest : t->prices_fewest_many));
}

/* Microseconds of the k-th retraining. */
static double retraining_time(const tables_data *data, int k, int small) {
    int stage = price_first(data);
    const plan p = plan_of(data, stage, small);
    double iterations = retraining(data, &p, small) * (1 + k / 2.0);
    if (small) return 5 * (double)p.covers * iterations * data->in.points / p.points;
    return building_time(data, stage) * iterations / p.iterations;
}

/* Microseconds of the walk between the stage before this one and this one. */
static double wait_for(const tables_data *data, int stage, int small, const price_signs *signs) {
    int again = stage - price_first(data);
    if (again >= 0) {
        technique retrain = {.per_mille = data->tune->effort_retraining, .delay = again};
        return effort_wait(&retrain, retraining_time(data, again, small));
    }
    technique build = {.per_mille = data->tune->effort_prices,
                       .delay = delay_of(data, stage, small, signs)};
    return effort_wait(&build, plan_of(data, stage, small).patience * building_time(data, stage));
}

int64_t price_due(const tables_data *data, int stage, int small, const price_signs *signs) {
    double counting = counting_time(data->in.points, data->in.antecedents), here = counting,
           counts = 0;
    for (int i = 0; i <= stage; i++) {
        double more = wait_for(data, i, small, signs) / here;
        counts += fmax(more, fewest(data));
        here = counting + looking_time(data, i);
    }
    return counts < 1e18 ? (int64_t)counts : (int64_t)1e18;
}

#include "price_stages.h"

#include <math.h>

#include "effort.h"

/* A stage. The numbers were measured: docs/studies/price-bound.md. */
typedef struct {
    int32_t points, splits; /* of a cell, and antecedents that tell them apart, at most */
    int32_t covers, iterations;
    double patience; /* times of building that the search takes before, if nothing is lacking */
} plan;

enum { FIRST_OF_FEW = 4, FIRST_OF_MANY = 3, TRIAL = 1 };

/* Memory of a cover: as if there were so many points more. Words of antecedents up to which a count
 * is quick. Points of a near cell, on average of all points. Iterations of the first retraining of
 * near cells; of others times cells, and iterations at least. */
enum { FEW_POINTS = 10000, QUICK_WORDS = 150000, OF_NEAR = 10 };
enum { AGAIN_NEAR = 80, AGAIN_VISITS = 200000, AGAIN_LEAST = 50 };

/* The first step of retraining. */
enum { AGAIN_STEP_NEAR = 3, AGAIN_STEP = 6 };

/* If points are few; behind the trial, more iterations instead of covers if it closed
 * little. */
static const plan few_points[FIRST_OF_FEW] = {{6, INT32_MAX, 1, 100, 0.7},
                                              {6, INT32_MAX, 3, 30, 1},
                                              {6, INT32_MAX, 6, 100, 1},
                                              {8, INT32_MAX, 6, 200, 2}};
static const plan fewer_covers = {6, INT32_MAX, 4, 200, 1};

/* If points are many: near each other; far apart; far apart and quickly counted (is_quick). */
static const plan near_points[FIRST_OF_MANY] = {
    {6, 8, 1, 40, 0.1}, {8, 12, 2, 40, 1}, {8, 10, 4, 60, 1}};
static const plan far_points[FIRST_OF_MANY] = {
    {6, INT32_MAX, 1, 100, 1}, {6, INT32_MAX, 6, 100, 1}, {8, INT32_MAX, 6, 200, 2}};
static const plan quick_points[FIRST_OF_MANY] = {
    {6, INT32_MAX, 1, 100, 1}, {6, INT32_MAX, 3, 100, 1}, {8, INT32_MAX, 3, 100, 2}};

int price_few(const tables_data *data) {
    return data->in.points <= data->tune->prices_many_points;
}

int price_first(const tables_data *data) {
    return price_few(data) ? FIRST_OF_FEW : FIRST_OF_MANY;
}

int price_trial(const tables_data *data, int stage) {
    return price_few(data) && stage == TRIAL;
}

/* If points are many and a count is quick, look-ups take longest, and more so in tables beyond
 * the processor's caches: there cells of points far apart have fewer covers and iterations. */
static int is_quick(const tables_data *data) {
    return !price_few(data) && (int64_t)data->in.antecedents * data->in.points / 64 <= QUICK_WORDS;
}

/* Whether its cells are of near points. */
static int is_near(const plan *p) {
    return p->splits < INT32_MAX;
}

/* What is planned for a stage. One that retrains has the cells of the last one before. */
static plan plan_of(const tables_data *data, int stage, const price_signs *signs) {
    int last = price_first(data) - 1, row = stage < last ? stage : last;
    return (signs->near ? near_points : price_few(data) ? few_points : far_points)[row];
}

/* What is built of it. (When it is due goes by the plan itself.) */
static plan built_of(const tables_data *data, int stage, const price_signs *signs) {
    if (price_few(data) && stage == TRIAL + 1 && signs->trial < data->tune->prices_closed)
        return fewer_covers;
    if (!signs->near && is_quick(data))
        return quick_points[stage < FIRST_OF_MANY ? stage : FIRST_OF_MANY - 1];
    return plan_of(data, stage, signs);
}

/* How much later a stage is due, as a power of two: one more for each twelfth that is lacking of
 * the share with which tables mostly pay. */
static double delay_by_share(const tables_data *data, const price_signs *signs) {
    if (signs->share < 0) return 0;
    return fmin(fmax(12 * (data->tune->prices_share - signs->share), -2), 1);
}

/* The same of one stage. None comes earlier than its patience says, but if the trial has shown
 * that more covers help. */
static double delay_of(const tables_data *data, int stage, const price_signs *signs) {
    double by_share = delay_by_share(data, signs);
    int helped = price_few(data) && signs->trial >= data->tune->prices_closed;
    if (stage == 0) return 0;
    return stage == TRIAL + 1 && helped ? by_share : fmax(by_share, 0);
}

/* Cells, roughly. */
static double cells_of(const tables_data *data, const plan *p) {
    return (double)p->covers * data->in.points / (is_near(p) ? OF_NEAR : p->points);
}

/* Iterations of a retraining; fewer if cells are many. */
static int32_t retraining(const tables_data *data, const plan *p) {
    double most = fmax(AGAIN_VISITS / (cells_of(data, p) + 1), AGAIN_LEAST);
    return is_near(p) ? AGAIN_NEAR
                      : (int32_t)fmin(most, (double)data->tune->prices_again_iterations);
}

corels_prices_options price_options(const tables_data *data, size_t memory, int stage,
                                    const price_signs *signs) {
    const tuning *t = data->tune;
    const plan p = built_of(data, stage, signs);
    size_t most = ((size_t)data->in.points + FEW_POINTS) * (size_t)t->prices_bytes_a_point *
                  (size_t)plan_of(data, stage, signs).covers;
    int again = stage - price_first(data);
    return (corels_prices_options){
        .most_points = p.points,
        .most_splits = p.splits,
        .covers = p.covers,
        .least_covered = is_near(&p) ? t->prices_covered : 0,
        .iterations = again < 0 ? p.iterations : retraining(data, &p),
        .first_step = again < 0     ? t->prices_step
                      : is_near(&p) ? AGAIN_STEP_NEAR
                                    : AGAIN_STEP,
        .last_step = again < 0 ? t->prices_step_last : 0.15,
        .tune = t,
        .threads = data->threads,
        .seed = data->seed + 1,
        .memory = memory && memory < most ? memory : most,
    };
}

/* Microseconds, roughly. To cut cells takes as long as twenty iterations; most of an iteration goes
 * into filling their subsets. */
static double building_time(const tables_data *data, const plan *p) {
    double visit = is_near(p)      ? 1
                   : p->points > 6 ? 3 + data->in.antecedents * 5e-4
                                   : 0.6 + data->in.antecedents * 9e-4;
    return cells_of(data, p) * (p->iterations + 20) * visit;
}

/* Microseconds of looking a set up, roughly. */
static double looking_time(const tables_data *data, int stage, const price_signs *signs) {
    const plan p = plan_of(data, stage, signs);
    double points = (double)data->in.points * p.covers;
    return points * (is_near(&p) ? 1e-3 : data->in.antecedents * 1.2e-5);
}

/* Counts before a stage, at least. */
static double fewest(const tables_data *data) {
    const tuning *t = data->tune;
    double n = (double)t->prices_fewest_time / counting_time(data->in.points, data->in.antecedents);
    return fmin(n, (double)(price_few(data) ? t->prices_fewest : t->prices_fewest_many));
}

/* Microseconds of the walk between the stage before this one and this one. If points are many,
 * near ones are tried first. */
static double wait_for(const tables_data *data, int stage, const price_signs *signs) {
    int again = stage - price_first(data);
    const plan p = stage == 0 && !price_few(data) ? near_points[0] : plan_of(data, stage, signs);
    if (again >= 0) {
        technique retrain = {.per_mille = data->tune->effort_retraining, .delay = again};
        return effort_wait(&retrain, 5 * cells_of(data, &p) * retraining(data, &p));
    }
    technique build = {.per_mille = data->tune->effort_prices,
                       .delay = delay_of(data, stage, signs)};
    return effort_wait(&build, p.patience * building_time(data, &p));
}

int64_t price_due(const tables_data *data, int stage, const price_signs *signs) {
    double counting = counting_time(data->in.points, data->in.antecedents), here = counting,
           counts = 0;
    for (int i = 0; i <= stage; i++) {
        counts += fmax(wait_for(data, i, signs) / here, fewest(data));
        here = counting + looking_time(data, i, signs);
    }
    return counts < 1e18 ? (int64_t)counts : (int64_t)1e18;
}

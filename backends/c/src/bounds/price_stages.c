#include "price_stages.h"

/* Where many points lie far apart, small cells are taken after all; there iterations are fewer
 * where cells are many. And where there a count is quick, look-ups take longest, and more so in
 * tables beyond the processor's caches; and where the first tables lack very much, the search will
 * be long whatever the tables are. In both cases the last cells have fewer covers, and retraining
 * comes less often; the latter also where points are near.
 *
 * Where points are many and a count is not quick, it matters what the tables that are there lack:
 * by how many rules' cost what they say of all points is less than the incumbent's. If it is much,
 * the second stage is due soon, and where points lie far apart the third one, too; if it is very
 * much, the second one is passed over there.
 */
typedef struct {
    int32_t points, splits, covers, iterations;
} plan;

static int32_t at_most(int32_t x, int64_t most, int64_t least) {
    if (x <= most) return x;
    return (int32_t)(most < least ? least : most);
}

static int last_of(int stage) {
    return stage < PRICE_FIRST ? stage : PRICE_FIRST - 1;
}

/* What is planned for a stage. One that retrains has the cells of the last one before. */
static plan plan_of(const tuning *t, int stage, int small) {
    int at = last_of(stage);
    if (small) {
        const int64_t points[] = {t->prices_small_points_1, t->prices_small_points_2,
                                  t->prices_small_points_3};
        const int64_t covers[] = {t->prices_small_covers_1, t->prices_small_covers_2,
                                  t->prices_small_covers_3};
        const int64_t iterations[] = {t->prices_small_iterations_1, t->prices_small_iterations_2,
                                      t->prices_small_iterations_3};
        return (plan){(int32_t)points[at], INT32_MAX, (int32_t)covers[at], (int32_t)iterations[at]};
    }
    const int64_t splits[] = {t->prices_large_splits_1, t->prices_large_splits_2,
                              t->prices_large_splits_3};
    const int64_t covers[] = {t->prices_large_covers_1, t->prices_large_covers_2,
                              t->prices_large_covers_3};
    const int64_t iterations[] = {t->prices_large_iterations_1, t->prices_large_iterations_2,
                                  t->prices_large_iterations_3};
    return (plan){(int32_t)t->prices_large_points, (int32_t)splits[at], (int32_t)covers[at],
                  (int32_t)iterations[at]};
}

static int is_quick(const tables_data *data) {
    return data->points > data->tune->prices_many_points &&
           (int64_t)data->antecedents * data->points / 64 <= data->tune->prices_quick;
}

/* Whether the last cells are to have fewer covers, and retraining is to come less often. */
static int is_frugal(const tables_data *data, price_findings found) {
    return found.far || is_quick(data);
}

/* What is built of it. (When it is due goes by the plan itself.) */
static plan built_of(const tables_data *data, int stage, price_findings found, int small) {
    const tuning *t = data->tune;
    plan p = plan_of(t, stage, small);
    if (!small || data->points <= t->prices_many_points) return p;
    if (is_frugal(data, found) && p.covers > t->prices_quick_covers)
        p.covers = (int32_t)t->prices_quick_covers;
    int64_t cells = (int64_t)p.covers * data->points / p.points + 1;
    int64_t least = stage ? t->prices_least_first : t->prices_least_first_1;
    p.iterations = is_quick(data) ? at_most(p.iterations, t->prices_retrain_visits / cells,
                                            t->prices_least_retrain)
                                  : at_most(p.iterations, t->prices_first_visits / cells, least);
    return p;
}

int price_small(const tables_data *data) {
    return data->points <= data->tune->prices_many_points;
}

/* Iterations of the first retraining of small cells: fewer where cells are many. */
static int32_t retrain_small(const tables_data *data, int32_t covers) {
    const tuning *t = data->tune;
    int64_t cells = (int64_t)covers * data->points / t->prices_small_points_3 + 1;
    return at_most((int32_t)t->prices_retrain_small, t->prices_retrain_visits / cells,
                   t->prices_least_retrain);
}

static void retrain(corels_prices_options *options, const tables_data *data, int stage, int small) {
    const tuning *t = data->tune;
    int32_t first = small ? retrain_small(data, options->covers) : (int32_t)t->prices_retrain_large;
    options->iterations = first + (stage - PRICE_FIRST) * first / 2;
    options->first_step = small ? t->prices_retrain_step_small : t->prices_retrain_step_large;
    options->last_step = t->prices_retrain_step_last;
}

void price_cells(corels_prices_options *options, const tables_data *data, int stage,
                 price_findings found, int small) {
    const plan p = built_of(data, stage, found, small);
    options->most_points = p.points;
    options->most_splits = p.splits;
    options->covers = p.covers;
    options->iterations = p.iterations;
    options->least_covered = small ? 0 : data->tune->prices_covered;
}

corels_prices_options price_options(const tables_data *data, size_t memory, int stage,
                                    price_findings found, int small) {
    const tuning *t = data->tune;
    size_t most = ((size_t)data->points + (size_t)t->prices_few_points) *
                  (size_t)t->prices_bytes_a_point * (size_t)plan_of(t, stage, small).covers;
    corels_prices_options options = {
        .first_step = small ? t->prices_step_small : t->prices_step_large,
        .last_step = t->prices_step_last,
        .threads = data->threads,
        .seed = data->seed + 1,
        .memory = memory && memory < most ? memory : most,
    };
    price_cells(&options, data, stage, found, small);
    if (stage >= PRICE_FIRST) retrain(&options, data, stage, small);
    return options;
}

/* Microseconds of building a stage, and of looking a set up in it: roughly. To cut small cells
 * takes as long as twenty iterations; most of an iteration goes into filling their subsets. */
static double building_time(const tables_data *data, int stage) {
    const tuning *t = data->tune;
    const double large[] = {t->prices_time_1, t->prices_time_2, t->prices_time_3};
    int small = price_small(data);
    const plan p = plan_of(t, stage, small);
    if (!small) return large[last_of(stage)] * (double)data->points * p.covers;
    double visits = (double)p.covers * (p.iterations + 20) * data->points / p.points;
    double m = data->antecedents;
    return visits * (p.points > 6 ? 3 + m * 5e-4 : 0.6 + m * 9e-4);
}

static double looking_time(const tables_data *data, int stage) {
    int small = price_small(data);
    double points = (double)data->points * plan_of(data->tune, stage, small).covers;
    return small ? points * data->antecedents * 1.2e-5 : points * 1e-3;
}

/* Counts of a walk with the last first tables that take so many times as long as retraining. */
static double before_retraining(const tables_data *data) {
    const tuning *t = data->tune;
    int small = price_small(data);
    const plan p = plan_of(t, PRICE_FIRST, small);
    double visits = (double)p.covers * retrain_small(data, p.covers) * data->points / p.points;
    double large =
        building_time(data, PRICE_FIRST) * (double)t->prices_retrain_large / p.iterations;
    double here = counting_time(data->points, data->antecedents) + looking_time(data, PRICE_FIRST);
    return t->prices_retrain_patience *
           (small ? 5 * visits / counting_time(data->points, data->antecedents) : large / here);
}

static double fewest(const tables_data *data) {
    const tuning *t = data->tune;
    double n = (double)t->prices_fewest_time / counting_time(data->points, data->antecedents);
    double most = (double)(price_small(data) ? t->prices_fewest : t->prices_fewest_many);
    return n < most ? n : most;
}

/* Whether a count is not quick, and the tables that are there lack more than so many rules. */
static int lacks(const tables_data *data, price_findings found, double rules) {
    return !is_quick(data) && (double)found.lacking > rules * (double)data->rule_cost;
}

int price_passed_over(const tables_data *data, int stage, price_findings found) {
    return found.turned && stage > 0 && stage < PRICE_FIRST - 1 &&
           lacks(data, found, data->tune->prices_too_far);
}

/* Counts of the walk between one of the first stages, or the beginning, and this one; `here`: the
 * microseconds that each of them takes. */
static double counts_before(const tables_data *data, int stage, price_findings found, double here) {
    const tuning *t = data->tune;
    const double large[] = {t->prices_large_patience_1, t->prices_large_patience_2,
                            t->prices_large_patience_3};
    const double small[] = {t->prices_small_patience_1, t->prices_small_patience_2,
                            t->prices_small_patience_3};
    double times = (price_small(data) ? small : large)[stage];
    double least = fewest(data), more = times * building_time(data, stage) / here;
    int hurries = found.turned ? stage > 0 : stage == 1 && !price_small(data);
    if (hurries && lacks(data, found, t->prices_far_off))
        return (double)t->prices_soon_time / counting_time(data->points, data->antecedents);
    if (found.turned && stage == PRICE_FIRST - 1) return least;
    return more > least ? more : least;
}

int price_far(const tables_data *data, int64_t lacking) {
    return data->points > data->tune->prices_many_points &&
           (double)lacking > data->tune->prices_hopeless * (double)data->rule_cost;
}

/* Times as many counts before each further retraining. */
static int64_t later_by(const tables_data *data, price_findings found) {
    const tuning *t = data->tune;
    if (!price_small(data) && !found.turned) return t->prices_large_later;
    return is_frugal(data, found) ? t->prices_quick_later : t->prices_retrain_later;
}

int64_t price_due(const tables_data *data, int stage, price_findings found) {
    double counts = 0, here = counting_time(data->points, data->antecedents), least = fewest(data);
    for (int i = 0; i <= stage && i < PRICE_FIRST; i++) {
        counts += counts_before(data, i, found, here);
        here = counting_time(data->points, data->antecedents) + looking_time(data, i);
    }
    if (stage >= PRICE_FIRST) {
        double more = before_retraining(data);
        counts += more > least ? more : least;
    }
    int64_t later = later_by(data, found);
    for (int i = PRICE_FIRST; i < stage; i++) counts *= (double)later;
    return counts < 1e18 ? (int64_t)counts : (int64_t)1e18;
}

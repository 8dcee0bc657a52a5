#include "price_stages.h"

enum { MANY_POINTS = 4096 };
/* The memory that a planned cover may take: so many bytes a point, and as if there were so many
 * points more. */
enum { BYTES_A_POINT = 1536, FEW_POINTS = 10000 };
/* Counts before a stage at least: searches of milliseconds end before tables would pay. Where a
 * count takes long, so many as fit into so many microseconds by the estimate, if those are fewer.
 */
enum { FEWEST = 4000, FEWEST_TIME = 150000 };

/* Where many points lie far apart, iterations times cells of a stage, with how many iterations at
 * least: in the first stages, and where prices are made again. */
enum { FIRST_VISITS = 1000000, LEAST_FIRST = 100, AGAIN_VISITS = 200000, LEAST_AGAIN = 50 };
/* And where there a count is quick, of so many words of antecedents at most: look-ups take longest,
 * and more so in tables beyond the processor's caches. So the last cells have fewer covers, and
 * iterations as where prices are made again, which then happens less often. */
enum { QUICK = 100000, QUICK_COVERS = 4, QUICK_LATER = 3 };
/* Where many points lie far apart and a count is not quick, it matters what the tables that are
 * there lack: by how many rules' cost what they say of all points is less than the incumbent's
 * cost. If that is more than FAR_OFF rules, the next of the first stages is due after SOON_TIME
 * microseconds of counts; if it is more than TOO_FAR rules, the second stage is passed over. */
enum { SOON_TIME = 25000 };
static const double FAR_OFF = 1.5, TOO_FAR = 3;

typedef struct {
    int32_t points, splits, covers, iterations;
} plan;

static const plan near_plans[PRICE_FIRST] = {{64, 8, 1, 40}, {64, 8, 2, 60}, {64, 12, 4, 100}};
static const plan far_plans[PRICE_FIRST] = {
    {6, INT32_MAX, 1, 100}, {6, INT32_MAX, 4, 200}, {8, INT32_MAX, 6, 200}};
/* Microseconds of building cells of many points, for each point and cover. */
static const double near_times[PRICE_FIRST] = {2.4, 2.4, 12};
/* How long the search is to take before a stage, in times of its building. */
static const double patience[PRICE_FIRST] = {0.5, 0.5, 1};
/* Made again: iterations of the first time (each further time takes half of these more), how many
 * times as many counts there are before the next time, the first and the last step of the ascent,
 * and how long the search is to take before. */
enum { NEAR_AGAIN = 80, FAR_AGAIN = 120, LATER = 2 };
static const double AGAIN_STEP = 6, AGAIN_LAST = 0.15, AGAIN_PATIENCE = 0.75;

static int32_t at_most(int32_t x, int64_t most, int32_t least) {
    if (x <= most) return x;
    return most < least ? least : (int32_t)most;
}

/* A stage in which prices are made again has the cells of the last one before. */
static const plan *plan_of(int stage, int far) {
    return (far ? far_plans : near_plans) + (stage < PRICE_FIRST ? stage : PRICE_FIRST - 1);
}

static int is_quick(int32_t antecedents, int32_t points) {
    return points > MANY_POINTS && (int64_t)antecedents * points / 64 <= QUICK;
}

/* What is built of it. (When it is due goes by the plan itself.) */
static plan built_of(int32_t antecedents, int32_t points, int stage, int far) {
    plan p = *plan_of(stage, far);
    if (!far || points <= MANY_POINTS) return p;
    int quick = is_quick(antecedents, points);
    if (quick && p.covers > QUICK_COVERS) p.covers = QUICK_COVERS;
    int64_t cells = (int64_t)p.covers * points / p.points + 1;
    p.iterations = quick ? at_most(p.iterations, AGAIN_VISITS / cells, LEAST_AGAIN)
                         : at_most(p.iterations, FIRST_VISITS / cells, LEAST_FIRST);
    return p;
}

int price_far(const tables_data *data) {
    return data->points <= MANY_POINTS;
}

/* Iterations where points lie far apart: fewer where cells are many. */
static int32_t far_again(int32_t points, int32_t covers) {
    int64_t cells = (int64_t)covers * points / far_plans[PRICE_FIRST - 1].points + 1;
    return at_most(FAR_AGAIN, AGAIN_VISITS / cells, LEAST_AGAIN);
}

static void make_again(corels_prices_options *options, const tables_data *data, int stage,
                       int far) {
    int32_t covers = built_of(data->antecedents, data->points, stage, far).covers;
    int32_t first = far ? far_again(data->points, covers) : NEAR_AGAIN;
    options->iterations = first + (stage - PRICE_FIRST) * first / 2;
    options->first_step = AGAIN_STEP;
    options->last_step = AGAIN_LAST;
}

void price_cells(corels_prices_options *options, int32_t antecedents, int32_t points, int stage,
                 int far) {
    const plan p = built_of(antecedents, points, stage, far);
    options->most_points = p.points;
    options->most_splits = p.splits;
    options->covers = p.covers;
    options->iterations = p.iterations;
}

corels_prices_options price_options(const tables_data *data, int stage, int far) {
    size_t most =
        ((size_t)data->points + FEW_POINTS) * BYTES_A_POINT * (size_t)plan_of(stage, far)->covers;
    corels_prices_options options = {.first_step = far ? 2 : 3,
                                     .last_step = 0.1,
                                     .threads = data->threads > 0 ? data->threads : 1,
                                     .seed = data->seed + 1,
                                     .memory =
                                         data->memory && data->memory < most ? data->memory : most};
    price_cells(&options, data->antecedents, data->points, stage, far);
    if (stage >= PRICE_FIRST) make_again(&options, data, stage, far);
    return options;
}

/* Microseconds of building a stage, of counting a set, and of looking it up in a stage: roughly. */
static double building_time(const tables_data *data, int stage) {
    int far = price_far(data);
    const plan *p = plan_of(stage, far);
    double visits = (double)p->covers * p->iterations * data->points / p->points;
    double traces = data->antecedents < 62 ? data->antecedents : 62;
    if (!far)
        return near_times[stage < PRICE_FIRST ? stage : PRICE_FIRST - 1] * (double)data->points *
               p->covers;
    return visits * (p->points > 6 ? 4 : 1) * (traces * 0.06 + data->antecedents * 0.004);
}

static double counting_time(const tables_data *data) {
    double words = (double)data->points / 64, m = data->antecedents;
    return 2 + m * words / 8000 + m / 40;
}

static double looking_time(const tables_data *data, int stage) {
    int far = price_far(data);
    double points = (double)data->points * plan_of(stage, far)->covers;
    return far ? points * data->antecedents * 7e-5 : points * 1e-3;
}

/* Counts of a walk with the last first tables that take `AGAIN_PATIENCE` times as long as making
 * them again. */
static double before_again(const tables_data *data) {
    int far = price_far(data);
    const plan *p = plan_of(PRICE_FIRST, far);
    double visits =
        (double)p->covers * far_again(data->points, p->covers) * data->points / p->points;
    double again = building_time(data, PRICE_FIRST) * NEAR_AGAIN / p->iterations;
    double here = counting_time(data) + looking_time(data, PRICE_FIRST);
    return AGAIN_PATIENCE * (far ? 5 * visits / counting_time(data) : again / here);
}

static double fewest(const tables_data *data) {
    double n = FEWEST_TIME / counting_time(data);
    return n < FEWEST ? n : FEWEST;
}

/* Whether many points lie far apart, a count is not quick, and the tables that are there lack more
 * than so many rules. */
static int lacks(const tables_data *data, int turned, double rules) {
    return turned && !is_quick(data->antecedents, data->points) &&
           (double)data->lacking > rules * (double)data->rule_cost;
}

int price_passed_over(const tables_data *data, int stage, int turned) {
    return stage > 0 && stage < PRICE_FIRST - 1 && lacks(data, turned, TOO_FAR);
}

/* Counts of the walk between one of the first stages, or the beginning, and this one; `here`: the
 * microseconds that each of them takes. */
static double counts_before(const tables_data *data, int stage, int turned, double here) {
    double least = fewest(data), more = patience[stage] * building_time(data, stage) / here;
    if (stage > 0 && lacks(data, turned, FAR_OFF)) return SOON_TIME / counting_time(data);
    if (turned && stage == PRICE_FIRST - 1) return least;
    return more > least ? more : least;
}

int64_t price_due(const tables_data *data, int stage, int turned) {
    double counts = 0, here = counting_time(data), least = fewest(data);
    for (int i = 0; i <= stage && i < PRICE_FIRST; i++) {
        counts += counts_before(data, i, turned, here);
        here = counting_time(data) + looking_time(data, i);
    }
    if (stage >= PRICE_FIRST) {
        double more = before_again(data);
        counts += more > least ? more : least;
    }
    int quick = turned && is_quick(data->antecedents, data->points);
    for (int i = PRICE_FIRST; i < stage; i++) counts *= quick ? QUICK_LATER : LATER;
    return (int64_t)counts;
}

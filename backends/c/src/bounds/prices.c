/* Prices: drop a child where even the cells' own cheapest lists cost as much as is needed.
 *
 * f(S \ r) >= F(S \ r), which the view has for all r at once. No completion of the child, with or
 * without a rule more, costs less; so the same number goes into the floor of the set.
 *
 * Two kinds of cells. Where points are near each other, cells of many points that few antecedents
 * tell apart; where they are far apart, cells of a few points. The first stage tries the first kind
 * where there are many points, and takes the second where that leaves most points out of all cells.
 *
 * A stage is due when the search has taken about as long as building will take: an easy search ends
 * before. Both times are estimated from the sizes alone, so that runs repeat.
 *
 * The first stages are made for the set of all points, and say little of the small sets where a
 * long search spends its time. So later on the prices of the same cells are made again for a sample
 * of the sets that the search has met (search/visited.h): for sets like these they are better, for
 * others worse. So there are two tables then, and each set is told by those that say more of it.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "corels/prices.h"

enum { FIRST = 3, STAGES = 8, MANY_POINTS = 4096, PIECE = 500 };
/* Counts before a stage at least: searches of milliseconds end before tables would pay. */
enum { FEWEST = 4000 };
/* Tables that have dropped fewer than one in SHARE of all children asked about, after TRIAL sets or
 * later, are not asked any more. All sets count, not the last ones: in COMPAS at .001 tables drop
 * nothing of 17,000 children in a row and half of the millions that follow. */
enum { TRIAL = 500, SHARE = 50, LINE = 128 };
/* Where prices drop one in LEAD of all children asked about that the blocks keep, larger blocks can
 * wait; told of every sixteenth set (search/filter.c). */
enum { LEAD = 8 };
/* The first prices are given up below a set of which those made again say more by the BEHINDth part
 * of a rule. */
enum { BEHIND = 4 };

typedef struct {
    int32_t points, splits, covers, iterations;
} plan;

static const plan near_plans[FIRST] = {{64, 8, 1, 40}, {64, 8, 2, 60}, {64, 12, 4, 100}};
static const plan far_plans[FIRST] = {
    {6, INT32_MAX, 1, 100}, {6, INT32_MAX, 4, 200}, {8, INT32_MAX, 6, 200}};
/* Microseconds of building such cells, for each point and cover. */
static const double near_times[FIRST] = {2.4, 2.4, 12};
/* How long the search is to take before a stage, in times of its building. */
static const double patience[FIRST] = {0.5, 0.5, 1};
/* Made again: iterations, the first step of the ascent (prices are not bad as they are), how long
 * the search is to take before, and how many times as many counts before the next time. */
enum { NEAR_AGAIN = 80, FAR_AGAIN = 120, FAR_LEAST = 50, FAR_VISITS = 200000, LATER = 2 };
static const double AGAIN_STEP = 6, AGAIN_LAST = 0.15, AGAIN_PATIENCE = 0.75;

/* Sets looked up, children asked about, and children dropped. */
typedef struct {
    atomic_llong sets, asked, dropped;
} tally;

/* What has been built, or is on its way. */
typedef struct {
    corels_prices *prices; /* made for the set of all points, */
    corels_prices *again;  /* and for sets that the search has met, or NULL */
    size_t words;          /* of a view of the first; one of the second follows */
    corels_prices_builder *builder;
    corels_prices_instance in;
    corels_prices_options options;
    int stage, far;
    atomic_int idle;
    char apart[LINE]; /* what threads write from what they read */
    tally all, alone; /* dropped at all, and dropped where all other tables keep */
} price_tables;

/* How a stage is built; one that is made again has the cells of the last one. */
static const plan *plan_of(int stage, int far) {
    return (far ? far_plans : near_plans) + (stage < FIRST ? stage : FIRST - 1);
}

static corels_prices_options options_of(const tables_data *data, int stage, int far) {
    const plan *p = plan_of(stage, far);
    size_t most = ((size_t)data->points + 10000) * 1024 * (size_t)p->covers;
    return (corels_prices_options){.most_points = p->points,
                                   .most_splits = p->splits,
                                   .covers = p->covers,
                                   .iterations = p->iterations,
                                   .first_step = far ? 2 : 3,
                                   .last_step = 0.1,
                                   .threads = data->threads > 0 ? data->threads : 1,
                                   .seed = data->seed + 1,
                                   .memory =
                                       data->memory && data->memory < most ? data->memory : most};
}

static corels_prices_instance instance_of(const tables_data *data) {
    return (corels_prices_instance){.masks = data->masks,
                                    .regrets = data->regrets,
                                    .rule_cost = data->rule_cost,
                                    .unit = data->unit,
                                    .antecedents = data->antecedents,
                                    .points = data->points,
                                    .classes = data->classes};
}

/* Microseconds of building a stage, of counting a set, and of looking it up in a stage: roughly. */
static double building_time(const tables_data *data, int stage) {
    int far = data->points <= MANY_POINTS;
    const plan *p = plan_of(stage, far);
    double visits = (double)p->covers * p->iterations * data->points / p->points;
    double traces = data->antecedents < 62 ? data->antecedents : 62;
    if (!far)
        return near_times[stage < FIRST ? stage : FIRST - 1] * (double)data->points * p->covers;
    return visits * (p->points > 6 ? 4 : 1) * (traces * 0.06 + data->antecedents * 0.004);
}

static double counting_time(const tables_data *data) {
    double words = (double)data->points / 64, m = data->antecedents;
    return 2 + m * words / 8000 + m / 40;
}

static double looking_time(const tables_data *data, int stage) {
    int far = data->points <= MANY_POINTS;
    double points = (double)data->points * plan_of(stage, far)->covers;
    return far ? points * data->antecedents * 7e-5 : points * 1e-3;
}

/* Iterations where points lie far apart: fewer where cells are many. */
static int32_t far_again(const tables_data *data) {
    const plan *p = plan_of(FIRST, 1);
    int64_t cells = (int64_t)p->covers * data->points / p->points + 1, n = FAR_VISITS / cells;
    return (int32_t)(n < FAR_LEAST ? FAR_LEAST : n > FAR_AGAIN ? FAR_AGAIN : n);
}

/* Counts of a walk with the last first tables that take `AGAIN_PATIENCE` times as long as making
 * them again. */
static double before_again(const tables_data *data) {
    int far = data->points <= MANY_POINTS;
    const plan *p = plan_of(FIRST, far);
    double visits = (double)p->covers * far_again(data) * data->points / p->points;
    double again = building_time(data, FIRST) * NEAR_AGAIN / p->iterations;
    double here = counting_time(data) + looking_time(data, FIRST);
    return AGAIN_PATIENCE * (far ? 5 * visits / counting_time(data) : again / here);
}

static int64_t due(const tables_data *data, int stage) {
    double counts = 0, here = counting_time(data);
    for (int i = 0; i <= stage && i <= FIRST; i++) {
        double more = i < FIRST ? patience[i] * building_time(data, i) / here : before_again(data);
        counts += more > FEWEST ? more : FEWEST;
        here = counting_time(data) + looking_time(data, i);
    }
    for (int i = FIRST; i < stage; i++) counts *= LATER;
    return (int64_t)counts;
}

static int worthwhile(const tables_data *data, int stage) {
    (void)stage;
    return data->antecedents > 0 && data->points > 1 && data->classes > 1 && data->rule_cost > 0;
}

static size_t needed(const tables_data *data, int stage) {
    corels_prices_instance in = instance_of(data);
    corels_prices_options options = options_of(data, stage, data->points <= MANY_POINTS);
    return corels_prices_needed(&in, &options) + sizeof(price_tables);
}

static void free_tables(void *tables_) {
    price_tables *tables = tables_;
    if (!tables) return;
    corels_prices_builder_free(tables->builder);
    corels_prices_free(tables->prices);
    corels_prices_free(tables->again);
    free(tables);
}

/* Better prices for the cells that are there, on sets that the search has met. */
static int make_again(price_tables *tables, const tables_data *data, const price_tables *before) {
    const corels_prices *from = before->again ? before->again : before->prices;
    int32_t first = tables->far ? far_again(data) : NEAR_AGAIN;
    tables->options.iterations = first + (tables->stage - FIRST) * first / 2;
    tables->options.first_step = AGAIN_STEP;
    tables->options.last_step = AGAIN_LAST;
    return corels_prices_builder_again(&tables->builder, from, &tables->options, data->visited);
}

static int begin(void **building, const tables_data *data, int stage, const void *built) {
    const price_tables *before = built;
    *building = NULL;
    if (before && atomic_load(&before->idle)) return CORELS_BAD_ARGUMENT; /* nor will better ones */
    if (stage >= FIRST && (!before || !data->visited)) return CORELS_BAD_ARGUMENT;
    price_tables *tables = calloc(1, sizeof *tables);
    *building = tables;
    if (!tables) return CORELS_NO_MEMORY;
    tables->stage = stage;
    tables->far = before ? before->far : data->points <= MANY_POINTS;
    tables->in = instance_of(data);
    tables->options = options_of(data, stage, tables->far);
    int status = stage < FIRST
                     ? corels_prices_builder_new(&tables->builder, &tables->in, &tables->options)
                     : make_again(tables, data, before);
    if (status != CORELS_OK) free_tables(tables);
    return status;
}

/* Cells of near points leave most points out: begins anew with cells of few points. */
static int begin_far(price_tables *tables) {
    const plan *p = plan_of(tables->stage, 1);
    corels_prices_free(tables->prices);
    tables->prices = NULL;
    tables->far = 1;
    tables->options.most_points = p->points;
    tables->options.most_splits = p->splits;
    tables->options.covers = p->covers;
    tables->options.iterations = p->iterations;
    int status = corels_prices_builder_new(&tables->builder, &tables->in, &tables->options);
    return status;
}

static int build(void *tables_, const control *c, pace *p) {
    price_tables *tables = tables_;
    int is_again = tables->stage >= FIRST;
    for (;;) {
        int status = corels_prices_build_step(tables->builder, PIECE);
        if (status == CORELS_DONE) {
            corels_prices *made = corels_prices_build_end(tables->builder);
            corels_prices_builder_free(tables->builder);
            tables->builder = NULL;
            *(is_again ? &tables->again : &tables->prices) = made;
            if (!made) return CORELS_NO_MEMORY;
            if (is_again || tables->far || corels_prices_covered(made) >= 0.15) return CORELS_DONE;
            status = begin_far(tables);
        }
        if (status != CORELS_OK) return status;
        if (control_due(c, p)) {
            corels_prices_build_rest(tables->builder);
            return CORELS_OK;
        }
    }
}

/* Prices made again stand beside those of all points. */
static void *finish(void *tables_, void *before_) {
    price_tables *tables = tables_, *before = before_;
    if (tables->again) {
        tables->prices = before->prices;
        before->prices = NULL;
    }
    tables->words = corels_prices_view_bytes(tables->prices) / sizeof(uint64_t);
    return tables;
}

static size_t bytes(const void *tables_) {
    const price_tables *t = tables_;
    return sizeof *t + corels_prices_bytes(t->prices) +
           (t->again ? corels_prices_bytes(t->again) : 0);
}

/* A view: that of the first prices, that of those made again, and whether the first one is there.
 */
static int32_t view_words(const void *tables_) {
    const price_tables *t = tables_;
    return (int32_t)(t->again ? 2 * t->words + 1 : t->words);
}

/* A view remembers what it was asked: it changes, and the bound that it tells does not. */
static void *asked(const uint64_t *view) {
    return (void *)(uintptr_t)view;
}

static void root(const void *tables_, const uint64_t *set, uint64_t *view) {
    const price_tables *t = tables_;
    corels_prices_view(t->prices, set, view);
    if (!t->again) return;
    corels_prices_view(t->again, set, view + t->words);
    view[2 * t->words] = 1;
}

/* By how much the first prices say more of the view's set than those made again. */
static int64_t lead_of_first(const price_tables *t, const uint64_t *view) {
    if (!view[2 * t->words]) return INT64_MIN;
    return corels_prices_least(t->prices, asked(view), -1) -
           corels_prices_least(t->again, asked(view + t->words), -1);
}

/* Where those made again say more of a set by some part of a rule, they mostly say more of the sets
 * below it: there the first ones are not looked up any more. */
static int first_goes_on(const price_tables *t, const uint64_t *view) {
    return !t->again || lead_of_first(t, view) >= -t->in.rule_cost / BEHIND;
}

static void child(const void *tables_, const uint64_t *view, int32_t r, uint64_t *to) {
    const price_tables *t = tables_;
    int first = first_goes_on(t, view);
    if (first) corels_prices_child(t->prices, view, r, to);
    if (!t->again) return;
    corels_prices_child(t->again, view + t->words, r, to + t->words);
    to[2 * t->words] = (uint64_t)first;
}

static void below(const void *tables_, const uint64_t *view, int32_t r, uint64_t *to) {
    const price_tables *t = tables_;
    int first = first_goes_on(t, view);
    if (first) corels_prices_below(t->prices, asked(view), r, to);
    if (!t->again) return;
    corels_prices_below(t->again, asked(view + t->words), r, to + t->words);
    to[2 * t->words] = (uint64_t)first;
}

/* Those that say more of the view's set, and their part of the view. */
static const corels_prices *better(const void *tables_, const uint64_t **view) {
    const price_tables *t = tables_;
    if (!t->again || lead_of_first(t, *view) >= 0) return t->prices;
    *view += t->words;
    return t->again;
}

static void ask(const void *tables, const uint64_t *view, const int32_t *list, int32_t n) {
    const corels_prices *prices = better(tables, &view);
    corels_prices_ask(prices, asked(view), list, n);
}

static int idle(const void *tables) {
    return atomic_load_explicit(&((const price_tables *)tables)->idle, memory_order_relaxed);
}

static void judge(void *tables_, int32_t asked, int32_t dropped, int alone) {
    price_tables *tables = tables_;
    tally *t = alone ? &tables->alone : &tables->all;
    long long all = atomic_fetch_add(&t->asked, asked) + asked;
    long long gone = atomic_fetch_add(&t->dropped, dropped) + dropped;
    long long sets = atomic_fetch_add(&t->sets, 1) + 1;
    if (!alone && sets >= TRIAL && gone * SHARE < all) atomic_store(&tables->idle, 1);
}

static int leads(const void *tables_) {
    price_tables *tables = (price_tables *)tables_;
    tally *t = &tables->alone;
    return atomic_load(&t->dropped) * LEAD >= atomic_load(&t->asked);
}

static int32_t keep(node_view *node, const void *tables, const uint64_t *view, int32_t *list,
                    int32_t n) {
    const corels_prices *prices = better(tables, &view);
    int64_t whole = corels_prices_least(prices, asked(view), -1);
    int32_t kept = 0, open = 0, *some = (int32_t *)node->order;
    /* F(S \ r) <= F(S): of a child that needs more there is nothing to ask. */
    for (int32_t i = 0; i < n; i++)
        if (whole >= child_need(node, list[i])) some[open++] = list[i];
    corels_prices_ask(prices, asked(view), some, open);
    for (int32_t i = 0, at = 0; i < n; i++) {
        int32_t r = list[i];
        int64_t need = child_need(node, r), found = -1;
        if (at < open && some[at] == r)
            found = corels_prices_least(prices, asked(view), some[at++]);
        if (found >= 0 && found >= need)
            lower(&node->floor, node->need - need + found);
        else
            list[kept++] = r;
    }
    return kept;
}

static int64_t least(const void *tables, const uint64_t *view, int32_t r, int64_t rule_cost,
                     int64_t unit, int64_t most) {
    const corels_prices *prices = better(tables, &view);
    int64_t found = corels_prices_least(prices, asked(view), r);
    (void)rule_cost, (void)unit;
    return found < most ? found : most;
}

/* The newer ones: the others stand in the record already. */
static int put(const void *tables, record *to) {
    const price_tables *t = tables;
    return corels_prices_record(t->again ? t->again : t->prices, to);
}

const tables_face prices_tables = {
    .stages = STAGES,
    .first = FIRST,
    .due = due,
    .worthwhile = worthwhile,
    .needed = needed,
    .begin = begin,
    .build = build,
    .finish = finish,
    .cancel = free_tables,
    .free = free_tables,
    .bytes = bytes,
    .view_words = view_words,
    .root = root,
    .child = child,
    .below = below,
    .ask = ask,
    .idle = idle,
    .judge = judge,
    .leads = leads,
    .keep = keep,
    .least = least,
    .record = put,
};

/* Prices: drop a child where even the cells' own cheapest lists cost as much as is needed.
 *
 * f(S \ r) >= F(S \ r), which the view has for all r at once. No completion of the child, with or
 * without a rule more, costs less; so the same number goes into the floor of the set.
 *
 * Which cells are cut, how often prices are made again, and when: price_stages.h.
 *
 * The first stages are made for the set of all points, and say little of the small sets where a
 * long search spends its time. So later on the prices of the same cells are made again for a sample
 * of the sets that the search has met (search/visited.h): for sets like these they are better, for
 * others worse. So there are two tables then, and each set is told by those that say more of it.
 * What still earlier prices tell of a set takes little to know, so before a set is counted they are
 * asked about it, too (`set`).
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "price_stages.h"

enum { PIECE = 500 };
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

static corels_prices_instance instance_of(const tables_data *data) {
    return (corels_prices_instance){.masks = data->masks,
                                    .regrets = data->regrets,
                                    .rule_cost = data->rule_cost,
                                    .unit = data->unit,
                                    .antecedents = data->antecedents,
                                    .points = data->points,
                                    .classes = data->classes};
}

static int64_t due(const tables_data *data, int stage) {
    return price_due(data, stage, 0);
}

/* Whether the first tables began with cells of many points, and then took those of a few. */
static int turned(const price_tables *tables, const tables_data *data) {
    return tables->far && !price_far(data);
}

static int64_t due_now(const void *tables_, const tables_data *data, int stage) {
    return price_due(data, stage, turned(tables_, data));
}

static int worthwhile(const tables_data *data, int stage) {
    (void)stage;
    return data->antecedents > 0 && data->points > 1 && data->classes > 1 && data->rule_cost > 0;
}

static size_t needed(const tables_data *data, int stage) {
    corels_prices_instance in = instance_of(data);
    corels_prices_options options = price_options(data, stage, price_far(data));
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
    return corels_prices_builder_again(&tables->builder, from, &tables->options, data->visited);
}

static int begin(void **building, const tables_data *data, int stage, const void *built) {
    const price_tables *before = built;
    *building = NULL;
    if (before && atomic_load(&before->idle)) return CORELS_BAD_ARGUMENT; /* nor will better ones */
    if (before && price_passed_over(data, stage, turned(before, data))) return CORELS_BAD_ARGUMENT;
    if (stage >= PRICE_FIRST && (!before || !data->visited)) return CORELS_BAD_ARGUMENT;
    price_tables *tables = calloc(1, sizeof *tables);
    *building = tables;
    if (!tables) return CORELS_NO_MEMORY;
    tables->stage = stage;
    tables->far = before ? before->far : price_far(data);
    tables->in = instance_of(data);
    tables->options = price_options(data, stage, tables->far);
    int status = stage < PRICE_FIRST
                     ? corels_prices_builder_new(&tables->builder, &tables->in, &tables->options)
                     : make_again(tables, data, before);
    if (status != CORELS_OK) free_tables(tables);
    return status;
}

/* Cells of near points leave most points out: begins anew with cells of few points. */
static int begin_far(price_tables *tables) {
    corels_prices_free(tables->prices);
    tables->prices = NULL;
    tables->far = 1;
    price_cells(&tables->options, tables->in.antecedents, tables->in.points, tables->stage, 1);
    return corels_prices_builder_new(&tables->builder, &tables->in, &tables->options);
}

static int build(void *tables_, const control *c, pace *p) {
    price_tables *tables = tables_;
    int is_again = tables->stage >= PRICE_FIRST;
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

static double share(const void *tables) {
    return corels_prices_build_share(((const price_tables *)tables)->builder);
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

static void go_down(const price_tables *t, const uint64_t *view, int32_t r, uint64_t *to,
                    int below) {
    const corels_prices *both[2] = {first_goes_on(t, view) ? t->prices : NULL, t->again};
    for (size_t i = 0, at = 0; i < 2; i++, at += t->words) {
        if (both[i] && below)
            corels_prices_below(both[i], asked(view + at), r, to + at);
        else if (both[i])
            corels_prices_child(both[i], view + at, r, to + at);
    }
    if (t->again) to[2 * t->words] = both[0] != NULL;
}

static void child(const void *tables, const uint64_t *view, int32_t r, uint64_t *to) {
    go_down(tables, view, r, to, 0);
}

static void below(const void *tables, const uint64_t *view, int32_t r, uint64_t *to) {
    go_down(tables, view, r, to, 1);
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
    /* Where there are no smaller blocks to compare with, they keep all that prices drop. */
    tally *t = atomic_load(&tables->alone.asked) ? &tables->alone : &tables->all;
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

/* The set itself, by these and by earlier prices. */
static int64_t set(const void *tables, const uint64_t *view) {
    const price_tables *t = tables;
    if (!t->again) return corels_prices_set(t->prices, view);
    int64_t first = view[2 * t->words] ? corels_prices_set(t->prices, view) : -1;
    int64_t again = corels_prices_set(t->again, view + t->words);
    return first > again ? first : again;
}

/* The newer ones: the others stand in the record already. */
static int put(const void *tables, record *to) {
    const price_tables *t = tables;
    return corels_prices_record(t->again ? t->again : t->prices, to);
}

const tables_face prices_tables = {
    .stages = PRICE_STAGES,
    .first = PRICE_FIRST,
    .due = due,
    .due_now = due_now,
    .worthwhile = worthwhile,
    .needed = needed,
    .begin = begin,
    .build = build,
    .share = share,
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
    .set = set,
    .record = put,
};

/* Prices: drop a child if even the cells' own cheapest lists cost as much as is needed.
 *
 * f(S \ r) >= F(S \ r), which the view has for all r at once. No completion of the child, with or
 * without a rule more, costs less; so the same number goes into the floor of the set.
 *
 * Which cells are cut, how long prices are trained, and when: price_stages.h.
 *
 * The first stages are made for the set of all points, and say little of the small sets where a
 * long search spends its time. So later on the prices of the same cells are retrained on a sample
 * of the sets that the search has met (search/filter.c): for sets like these they are better, for
 * others worse. They take the place of those before.
 * What earlier prices say of a set takes little to know, so before a set is counted they are
 * asked about it, too (corels_prices_set).
 */
#include <stdlib.h>

#include "bits.h"
#include "bounds.h"
#include "corels/store.h"
#include "price_stages.h"

/* Visits of a cell between two looks at the clock; times their look-ups that views and tables of
 * few points take in all. */
enum { PIECE = 500, LOOKED_FEW = 3 };
typedef struct {
    tables head;
    tables_data data;
    corels_prices *prices; /* the newest */
    /* While a stage is built. */
    corels_prices_builder *builder;
    corels_prices_options options;
    price_signs signs; /* of what was built so far */
} price_tables;

static void free_tables(tables *head) {
    price_tables *t = (price_tables *)head;
    corels_prices_builder_free(t->builder);
    corels_prices_free(t->prices);
    free(t);
}

static size_t bytes(const tables *head) {
    const price_tables *t = (const price_tables *)head;
    return sizeof *t + (t->prices ? corels_prices_bytes(t->prices) : 0);
}

/* --- Views --- */

/* A view remembers what it was asked: it changes, and the bound that it tells does not. */
static void *asked(const uint64_t *view) {
    return (void *)(uintptr_t)view;
}

static void view_of(const tables *head, const corels_viewed *from, uint64_t *to) {
    const price_tables *t = (const price_tables *)head;
    if (from->above)
        corels_prices_child(t->prices, from->above, from->r, from->lasts, to);
    else
        corels_prices_view(t->prices, from->set, to);
}

/* --- What they tell --- */

static int32_t keep(const tables *head, const uint64_t *view, node_view *node, int32_t *list,
                    int32_t n) {
    const price_tables *t = (const price_tables *)head;
    int64_t whole = corels_prices_least(t->prices, asked(view), -1);
    int32_t kept = 0, open = 0, *some = (int32_t *)node->order;
    /* F(S \ r) <= F(S): of a child that needs more there is nothing to ask. */
    for (int32_t i = 0; i < n; i++)
        if (whole >= child_need(node, list[i])) some[open++] = list[i];
    corels_prices_ask(t->prices, asked(view), some, open);
    node->looked =
        corels_prices_looked(t->prices, asked(view)) * (price_few(&t->data) ? LOOKED_FEW : 1);
    for (int32_t i = 0, at = 0; i < n; i++) {
        int32_t r = list[i];
        int64_t need = child_need(node, r), found = -1;
        if (at < open && some[at] == r)
            found = corels_prices_least(t->prices, asked(view), some[at++]);
        if (found >= 0 && found >= need)
            lower(&node->floor, node->need - need + found);
        else
            list[kept++] = r;
    }
    return kept;
}

static int64_t least(const tables *head, const uint64_t *view, int32_t r, int64_t most) {
    const price_tables *t = (const price_tables *)head;
    /* The set itself by earlier prices, too. */
    int64_t found =
        r < 0 ? corels_prices_set(t->prices, view) : corels_prices_least(t->prices, asked(view), r);
    return found < most ? found : most;
}

/* --- Building --- */

/* What prices prove of the set of all points; 0 without memory for a view. */
static int64_t of_all_points(const price_tables *t, const corels_prices *prices) {
    store scratch = {0};
    size_t words = corels_prices_view_bytes(prices) / sizeof(uint64_t);
    uint64_t *set = store_take(&scratch, (size_t)corels_words(t->data.in.points), sizeof *set);
    uint64_t *view = store_take(&scratch, words, sizeof *view);
    int64_t said = 0;
    if (!scratch.failed) {
        corels_fill(set, t->data.in.points);
        corels_prices_view(prices, set, view);
        said = corels_prices_least(prices, asked(view), -1);
    }
    store_free(&scratch);
    return said;
}

/* Notes what a new stage of the data's own shows. */
static void note_signs(price_tables *t, const corels_prices *made, int stage, int64_t incumbent) {
    double cost = incumbent > 0 ? (double)incumbent : 1,
           said = (double)of_all_points(t, made) / cost,
           before = t->signs.share < 0 ? 0 : t->signs.share;
    if (price_trial(&t->data, stage))
        t->signs.trial = before < 1 ? (said - before) / (1 - before) : 0;
    if (said > before || t->signs.share < 0) t->signs.share = said;
    /* Sooner, retraining would learn from low thresholds; if prices prove little, nothing waits. */
    t->head.settles = t->signs.share < t->data.tune->prices_share ? 1 : t->head.first;
}

/* When the stages to come are due, by what was found. */
static void plan_on(price_tables *t, int stage) {
    for (int i = stage + 1; i < t->head.stages; i++)
        t->head.due[i] = price_due(&t->data, i, &t->signs);
}

static int worthwhile(const tables_data *data) {
    return data->in.antecedents > 0 && data->in.points > 1 && data->in.classes > 1 &&
           data->in.rule_cost > 0;
}

static int begin(price_tables *t, int stage, const build_budget *budget) {
    if (!worthwhile(&t->data)) return CORELS_BAD_ARGUMENT;
    t->options = price_options(&t->data, budget->memory, stage, &t->signs);
    t->head.reserved = 0;
    if (stage < t->head.first)
        return corels_prices_builder_new(&t->builder, &t->data.in, &t->options);
    if (!t->prices || !budget->sample.n || !budget->room) return CORELS_BAD_ARGUMENT;
    t->options.memory = budget->room;
    return corels_prices_builder_again(&t->builder, t->prices, &t->options, &budget->sample);
}

/* Cells of near points leave most points out: begins anew with points far apart. */
static int turn(price_tables *t, int stage) {
    corels_prices_builder_free(t->builder);
    t->builder = NULL;
    t->signs.near = 0;
    t->options = price_options(&t->data, t->options.memory, stage, &t->signs);
    return corels_prices_builder_new(&t->builder, &t->data.in, &t->options);
}

/* The new prices take the place of those before. */
static void take(price_tables *t, corels_prices *made, const build_budget *budget) {
    if (made != t->prices) corels_prices_free(t->prices);
    t->prices = made;
    t->head.view_words = (int32_t)(corels_prices_view_bytes(made) / sizeof(uint64_t));
    /* The newer ones: the others stand in the record already. */
    if (budget->proof) t->head.unrecorded = !corels_prices_record(made, budget->proof);
}

/* What the builder has made. */
static int finish(price_tables *t, int stage, const build_budget *budget) {
    corels_prices *made = corels_prices_build_end(t->builder);
    corels_prices_builder_free(t->builder);
    t->builder = NULL;
    if (!made) return CORELS_NO_MEMORY;
    if (stage < t->head.first) note_signs(t, made, stage, budget->incumbent);
    take(t, made, budget);
    plan_on(t, stage);
    return CORELS_DONE;
}

static int build_on(price_tables *t, int stage, const build_budget *budget) {
    for (;;) {
        int status = corels_prices_build_step(t->builder, PIECE);
        size_t held = corels_prices_builder_bytes(t->builder);
        if (held > t->head.reserved) t->head.reserved = held;
        if (status == CORELS_DONE) status = finish(t, stage, budget);
        if (status == CORELS_BAD_ARGUMENT && t->builder && t->signs.near) status = turn(t, stage);
        if (status != CORELS_OK) return status;
        if (control_due(budget->control, budget->pace)) {
            t->head.done = corels_prices_build_share(t->builder);
            corels_prices_build_rest(t->builder);
            return CORELS_OK;
        }
    }
}

static int build(tables *head, int stage, const build_budget *budget) {
    price_tables *t = (price_tables *)head;
    int status = t->builder ? CORELS_OK : begin(t, stage, budget);
    if (status == CORELS_OK) status = build_on(t, stage, budget);
    if (status != CORELS_OK && status != CORELS_DONE) {
        corels_prices_builder_free(t->builder);
        t->builder = NULL;
    }
    return status;
}

static const tables_ops ops = {build, free_tables, bytes, view_of, least, keep, NULL};

tables *prices_new(const tables_data *data) {
    price_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->data = *data;
    t->head = (tables){.ops = &ops,
                       .stages = CORELS_PRICE_STAGES,
                       .first = price_first(data),
                       .settles = 1,
                       .trial = (int)data->tune->prices_trial,
                       .provable = 1,
                       .slow = 1,
                       .of_sets = 1};
    t->signs = (price_signs){.near = !price_few(data), .share = -1};
    plan_on(t, -1);
    return &t->head;
}

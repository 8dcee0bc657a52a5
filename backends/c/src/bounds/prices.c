/* Prices: drop a child where even the cells' own cheapest lists cost as much as is needed.
 *
 * f(S \ r) >= F(S \ r), which the view has for all r at once. No completion of the child, with or
 * without a rule more, costs less; so the same number goes into the floor of the set.
 *
 * Which cells are cut, how long prices are trained, and when: price_stages.h.
 *
 * The first stages are made for the set of all points, and say little of the small sets where a
 * long search spends its time. So later on the prices of the same cells are retrained on a sample
 * of the sets that the search has met (search/visited.h): for sets like these they are better, for
 * others worse. So there are two tables then, and each set is judged by those that say more of it.
 * What still earlier prices say of a set takes little to know, so before a set is counted they are
 * asked about it, too (corels_prices_set).
 */
#include <stdlib.h>

#include "bits.h"
#include "bounds.h"
#include "price_stages.h"
#include "store.h"

typedef struct {
    tables head;
    tables_data data;
    corels_prices *prices; /* made for the set of all points, */
    corels_prices *again;  /* and for sets that the search has met, or NULL */
    size_t words;          /* of a view of the first; one of the second follows, and whether the
                              first one is there */
    int small;             /* the cells are */
    /* While a stage is built. */
    corels_prices_builder *builder;
    corels_prices_options options;
    int small_now;
    price_signs signs; /* of what was built so far */
} price_tables;

static void free_tables(tables *head) {
    price_tables *t = (price_tables *)head;
    corels_prices_builder_free(t->builder);
    corels_prices_free(t->prices);
    corels_prices_free(t->again);
    free(t);
}

static size_t bytes(const tables *head) {
    const price_tables *t = (const price_tables *)head;
    size_t of = t->prices ? corels_prices_bytes(t->prices) : 0;
    return sizeof *t + of + (t->again ? corels_prices_bytes(t->again) : 0);
}

/* --- Views --- */

/* A view remembers what it was asked: it changes, and the bound that it tells does not. */
static void *asked(const uint64_t *view) {
    return (void *)(uintptr_t)view;
}

/* By how much the first prices say more of the view's set than the retrained ones. */
static int64_t lead_of_first(const price_tables *t, const uint64_t *view) {
    if (!view[2 * t->words]) return INT64_MIN;
    return corels_prices_least(t->prices, asked(view), -1) -
           corels_prices_least(t->again, asked(view + t->words), -1);
}

/* Where the retrained ones say more of a set by some part of a rule, they mostly say more of the
 * sets below it: there the first ones are not looked up any more. */
static int first_goes_on(const price_tables *t, const uint64_t *view) {
    return !t->again ||
           lead_of_first(t, view) >= -t->data.in.rule_cost / t->data.tune->prices_behind;
}

static void go_down(const price_tables *t, const view_source *from, uint64_t *to) {
    const uint64_t *view = from->above;
    const corels_prices *both[2] = {first_goes_on(t, view) ? t->prices : NULL, t->again};
    for (size_t i = 0, at = 0; i < 2; i++, at += t->words)
        if (both[i]) corels_prices_child(both[i], view + at, from->r, from->lasts, to + at);
    if (t->again) to[2 * t->words] = both[0] != NULL;
}

static void view_of(const tables *head, const view_source *from, uint64_t *to) {
    const price_tables *t = (const price_tables *)head;
    if (from->above) {
        go_down(t, from, to);
        return;
    }
    corels_prices_view(t->prices, from->set, to);
    if (!t->again) return;
    corels_prices_view(t->again, from->set, to + t->words);
    to[2 * t->words] = 1;
}

/* Those that say more of the view's set, and their part of the view. */
static const corels_prices *better(const price_tables *t, const uint64_t **view) {
    if (!t->again || lead_of_first(t, *view) >= 0) return t->prices;
    *view += t->words;
    return t->again;
}

/* --- What they tell --- */

/* Nanoseconds, roughly. Where points are few, views and tables that are made again and again take
 * several times as long as the look-ups themselves. */
static int64_t looked(const price_tables *t, const corels_prices *prices, const uint64_t *view) {
    int64_t times = price_small(&t->data) ? t->data.tune->prices_looked_few : 1;
    return times * corels_prices_looked(prices, asked(view));
}

static int32_t keep(const tables *head, const uint64_t *view, node_view *node, int32_t *list,
                    int32_t n) {
    const price_tables *t = (const price_tables *)head;
    const corels_prices *prices = better(t, &view);
    int64_t whole = node->said = corels_prices_least(prices, asked(view), -1);
    int32_t kept = 0, open = 0, *some = (int32_t *)node->order;
    /* F(S \ r) <= F(S): of a child that needs more there is nothing to ask. */
    for (int32_t i = 0; i < n; i++)
        if (whole >= child_need(node, list[i])) some[open++] = list[i];
    corels_prices_ask(prices, asked(view), some, open);
    node->looked = looked(t, prices, view);
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

/* The set itself, by these and by earlier prices. */
static int64_t least_of_set(const price_tables *t, const uint64_t *view) {
    if (!t->again) return corels_prices_set(t->prices, view);
    int64_t first = view[2 * t->words] ? corels_prices_set(t->prices, view) : -1;
    int64_t again = corels_prices_set(t->again, view + t->words);
    return first > again ? first : again;
}

static int64_t least(const tables *head, const uint64_t *view, int32_t r, int64_t most) {
    const price_tables *t = (const price_tables *)head;
    int64_t found;
    if (r < 0)
        found = least_of_set(t, view);
    else {
        const corels_prices *prices = better(t, &view);
        found = corels_prices_least(prices, asked(view), r);
    }
    return found < most ? found : most;
}

/* --- Building --- */

/* What prices prove of the set of all points; 0 without memory for a view. */
static int64_t of_all_points(const price_tables *t, const corels_prices *prices) {
    store scratch = {0};
    size_t words = corels_prices_view_bytes(prices) / sizeof(uint64_t);
    uint64_t *set = store_take(&scratch, (size_t)words_for(t->data.in.points), sizeof *set);
    uint64_t *view = store_take(&scratch, words, sizeof *view);
    int64_t said = 0;
    if (!scratch.failed) {
        fill_bits(set, t->data.in.points);
        corels_prices_view(prices, set, view);
        said = corels_prices_least(prices, asked(view), -1);
    }
    store_free(&scratch);
    return said;
}

/* Notes what a new stage of the data's own shows. */
static void note_signs(price_tables *t, const corels_prices *made, int stage, int64_t incumbent) {
    int64_t said = of_all_points(t, made);
    double cost = incumbent > 0 ? (double)incumbent : 1, before = t->signs.share < 0 ? 0 : t->signs.share;
    t->signs.newest = before < 1 ? ((double)said / cost - before) / (1 - before) : 0;
    if (price_trial(&t->data, stage)) t->signs.trial = t->signs.newest;
    if ((double)said > before * cost || t->signs.share < 0) t->signs.share = (double)said / cost;
    t->signs.lacks = incumbent - said;
}

/* When the stages to come are due, by what was found. */
static void plan_on(price_tables *t, int stage) {
    for (int i = stage + 1; i < t->head.stages; i++)
        t->head.due[i] = price_due(&t->data, i, t->small, &t->signs);
    t->head.ranks = t->signs.share >= t->data.tune->prices_ranks;
}

static int worthwhile(const tables_data *data) {
    return data->in.antecedents > 0 && data->in.points > 1 && data->in.classes > 1 &&
           data->in.rule_cost > 0;
}

static int begin(price_tables *t, int stage, const build_budget *budget) {
    if (!worthwhile(&t->data)) return CORELS_BAD_ARGUMENT;
    t->small_now = t->prices ? t->small : price_small(&t->data);
    t->options = price_options(&t->data, budget->memory, stage, t->small_now, &t->signs);
    const corels_prices *better_than = t->again ? t->again : t->prices;
    size_t needed = stage < t->head.first || !better_than
                        ? corels_prices_needed(&t->data.in, &t->options)
                        : corels_prices_needed_again(better_than, &t->options);
    if (needed + sizeof *t > budget->room) return CORELS_NO_MEMORY;
    t->head.reserved = 0;
    if (stage < t->head.first)
        return corels_prices_builder_new(&t->builder, &t->data.in, &t->options);
    if (!better_than || !budget->sample.n) return CORELS_BAD_ARGUMENT;
    return corels_prices_builder_again(&t->builder, better_than, &t->options, &budget->sample);
}

/* Large cells leave most points out: begins anew with small ones. */
static int turn(price_tables *t, int stage) {
    corels_prices_builder_free(t->builder);
    t->builder = NULL;
    t->small_now = 1;
    t->options = price_options(&t->data, t->options.memory, stage, 1, &t->signs);
    return corels_prices_builder_new(&t->builder, &t->data.in, &t->options);
}

/* The new prices take the place of those of their kind. */
static void take(price_tables *t, corels_prices *made, int stage, const build_budget *budget) {
    corels_prices **place = stage < t->head.first ? &t->prices : &t->again;
    corels_prices_free(*place);
    *place = made;
    t->words = corels_prices_view_bytes(t->prices) / sizeof(uint64_t);
    t->head.view_words = (int32_t)(t->again ? 2 * t->words + 1 : t->words);
    /* The newer ones: the others stand in the record already. */
    if (budget->proof) t->head.unrecorded = !corels_prices_record(made, budget->proof);
}

/* What the builder has made. */
static int finish(price_tables *t, int stage, const build_budget *budget) {
    corels_prices *made = corels_prices_build_end(t->builder);
    corels_prices_builder_free(t->builder);
    t->builder = NULL;
    if (!made) return CORELS_NO_MEMORY;
    t->small = t->small_now;
    if (stage < t->head.first) note_signs(t, made, stage, budget->incumbent);
    int keeps = !price_trial(&t->data, stage) || t->signs.trial >= t->data.tune->prices_kept;
    if (keeps)
        take(t, made, stage, budget);
    else
        corels_prices_free(made);
    plan_on(t, stage);
    return keeps ? CORELS_DONE : CORELS_BAD_ARGUMENT;
}

static int build_on(price_tables *t, int stage, const build_budget *budget) {
    for (;;) {
        int status = corels_prices_build_step(t->builder, t->data.tune->prices_piece);
        size_t held = corels_prices_builder_bytes(t->builder);
        if (held > t->head.reserved) t->head.reserved = held;
        if (status == CORELS_DONE) status = finish(t, stage, budget);
        if (status == CORELS_BAD_ARGUMENT && !t->small_now) status = turn(t, stage);
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
                       .settles = price_first(data),
                       .trial = (int)data->tune->prices_trial,
                       .provable = 1,
                       .slow = 1,
                       .of_sets = 1};
    t->small = price_small(data);
    t->signs.share = -1;
    plan_on(t, -1);
    return &t->head;
}

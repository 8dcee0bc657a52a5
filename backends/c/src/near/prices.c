/* The price bound for the graph: F(T) <= what any completion of T costs (corels/prices.h).
 *
 * Only where there are too many points for blocks: where there are blocks, prices rule out few sets
 * more and looking them up takes longer (measured in docs/internals/near.md). Tables are built
 * between two sets of the graph, a piece at a time, so that a step of the engine comes back soon.
 * They stay for later budgets. A view tells the bound of all children of a set at once:
 * near->prices.view of the set at hand, frame->price of a set of the search for claims.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"

static const double PIECE_SECONDS = 0.02;
/* Tables that drop fewer than one in SHARE of the children of TRIAL sets are thrown away. */
enum { TRIAL = 500, SHARE = 50 };

/* The tables, from when they may be wanted on; NULL: not yet, or no memory. */
static tables *tables_of(corels_near *near) {
    near_prices *p = &near->prices;
    if (p->tables || near->blocks || !near->stage || !near->counter || !near->in.rule_cost)
        return p->tables;
    tables_data data = {.kernel = near->kernel,
                        .tune = &tuning_defaults,
                        .masks = near->front,
                        .regrets = near->regrets,
                        .antecedents = near->in.antecedents,
                        .points = near->in.front,
                        .classes = near->in.classes,
                        .rule_cost = near->in.rule_cost,
                        .unit = near->in.unit,
                        .seed = near->options.seed,
                        .threads = 1};
    return p->tables = prices_new(&data);
}

int near_prices_due(corels_near *near) {
    const near_prices *p = &near->prices;
    if (p->building) return 1;
    if (near->blocks || p->useless) return 0;
    const tables *t = tables_of(near);
    return t && p->stage < t->first && near->counts_made >= t->due[p->stage];
}

/* Holds what the tables now take, and room for a view; 0: no memory. */
static int take(corels_near *near) {
    near_prices *p = &near->prices;
    size_t words = (size_t)p->tables->view_words, bytes = p->tables->ops->bytes(p->tables);
    uint64_t *view = realloc(p->view, words * sizeof *view);
    if (view) p->view = view;
    near_release(near, p->bytes);
    p->bytes = 0;
    if (!view || near_hold(near, bytes) != CORELS_OK) return 0;
    p->bytes = bytes;
    p->words = words;
    p->version++;
    return 1;
}

static void drop(corels_near *near) {
    near_prices *p = &near->prices;
    near_release(near, p->bytes);
    if (p->tables) p->tables->ops->free(p->tables);
    p->tables = NULL;
    p->bytes = 0;
    p->useless = 1;
}

static size_t room(const corels_near *near) {
    size_t limit = near->options.memory;
    return !limit ? SIZE_MAX : limit > near->held ? limit - near->held : 0;
}

void near_prices_build(corels_near *near) {
    near_prices *p = &near->prices;
    size_t limit = near->options.memory;
    control until = {0};
    pace looks = {0};
    control_begin(&until, PIECE_SECONDS);
    build_budget budget = {.control = &until,
                           .pace = &looks,
                           .room = room(near),
                           .memory = limit ? (limit - p->bytes) / 4 : 0,
                           .incumbent = INT64_MAX};
    int status = p->tables->ops->build(p->tables, p->stage, &budget);
    size_t reserved = p->tables->reserved;
    if (!p->building && reserved && near_hold(near, reserved) == CORELS_OK) p->scratch = reserved;
    p->building = status == CORELS_OK;
    if (p->building) return;
    near_release(near, p->scratch);
    p->scratch = p->tables->reserved = 0;
    p->stage++;
    if (status == CORELS_DONE && !take(near)) drop(near);
}

void near_prices_judge(corels_near *near, int32_t asked, int32_t dropped) {
    near_prices *p = &near->prices;
    p->asked += asked;
    p->dropped += dropped;
    p->sets++;
}

/* Throws away what turned out to be of no use; between two sets of the graph. */
void near_prices_review(corels_near *near) {
    near_prices *p = &near->prices;
    if (!near_priced(near) || p->building || p->sets < TRIAL) return;
    if (p->dropped * SHARE < p->asked) drop(near);
    p->sets = p->asked = p->dropped = 0;
}

void near_prices_free(corels_near *near) {
    near_prices *p = &near->prices;
    if (p->tables) p->tables->ops->free(p->tables);
    free(p->view);
}

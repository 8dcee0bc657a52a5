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

static tables_data data_of(const near_prices *p, const corels_near *near) {
    size_t limit = near->options.memory;
    return (tables_data){.kernel = near->kernel,
                         .masks = near->front,
                         .regrets = near->regrets,
                         .antecedents = near->in.antecedents,
                         .points = near->in.front,
                         .classes = near->in.classes,
                         .rule_cost = near->in.rule_cost,
                         .unit = near->in.unit,
                         .seed = near->options.seed,
                         .memory = limit ? (limit - p->bytes) / 4 : 0};
}

int near_prices_due(const corels_near *near) {
    const near_prices *p = &near->prices;
    if (p->building) return 1;
    if (p->stage >= prices_tables.first || !near->counter || !near->in.rule_cost) return 0;
    if (near->blocks || !near->stage) return 0;
    tables_data data = data_of(p, near);
    return near->counts_made >= prices_tables.due(&data, p->stage);
}

static void pass(corels_near *near) {
    near->prices.building = NULL;
    near->prices.stage++;
    near_release(near, near->prices.scratch);
    near->prices.scratch = 0;
}

static void begin(corels_near *near) {
    near_prices *p = &near->prices;
    tables_data data = data_of(p, near);
    p->scratch = 0;
    size_t bytes = prices_tables.needed(&data, p->stage);
    int ok = prices_tables.worthwhile(&data, p->stage) && near_hold(near, bytes) == CORELS_OK;
    if (ok) p->scratch = bytes;
    if (!ok || prices_tables.begin(&p->building, &data, p->stage, p->built) != CORELS_OK)
        pass(near);
}

/* The new tables, if there is memory for their view. */
static void take(corels_near *near) {
    near_prices *p = &near->prices;
    void *fresh = prices_tables.finish(p->building, p->built);
    size_t words = (size_t)prices_tables.view_words(fresh);
    uint64_t *view = malloc(words * sizeof *view);
    pass(near);
    if (!view || near_hold(near, prices_tables.bytes(fresh)) != CORELS_OK) {
        free(view);
        prices_tables.free(fresh);
        return;
    }
    near_release(near, p->bytes);
    if (p->built) prices_tables.free(p->built);
    free(p->view);
    p->built = fresh;
    p->bytes = prices_tables.bytes(fresh);
    p->view = view;
    p->words = words;
    p->version++;
}

void near_prices_build(corels_near *near) {
    near_prices *p = &near->prices;
    if (!p->building) begin(near);
    if (!p->building) return;
    control until = {0};
    pace looks = {0};
    control_begin(&until, PIECE_SECONDS);
    int status = prices_tables.build(p->building, &until, &looks);
    if (status == CORELS_DONE)
        take(near);
    else if (status != CORELS_OK) {
        prices_tables.cancel(p->building);
        pass(near);
    }
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
    if (!p->built || p->sets < TRIAL) return;
    if (p->dropped * SHARE < p->asked) {
        prices_tables.free(p->built);
        near_release(near, p->bytes);
        p->built = NULL;
        p->bytes = 0;
        p->stage = prices_tables.first;
    }
    p->sets = p->asked = p->dropped = 0;
}

void near_prices_free(corels_near *near) {
    near_prices *p = &near->prices;
    if (p->building) prices_tables.cancel(p->building);
    if (p->built) prices_tables.free(p->built);
    free(p->view);
}

/* Building, in small pieces: cut the points into cells, cover by cover; then the ascent; then
 * round, check the budgets in exact integers, and hand over.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "corels/memory.h"
#include "numbers.h"

enum phase { COVERING, ASCENDING, READY, FAILED };
enum { ROUND = 100 }; /* so much more cells are, in visits of a cell */
/* Up to which the values of earlier prices are kept: look-ups of more miss the processor's caches,
 * and cost more than they spare. */
enum { EARLIER_STATES = 262144 };

struct corels_prices_builder {
    corels_prices *prices;
    int again; /* they are of somebody else, and are made better */
    corels_prices_options options;
    price_cutting *cutting;
    price_ascent *ascent;
    enum phase phase;
    int32_t iterations; /* done */
};

static int valid(const corels_instance *in, const corels_prices_options *o) {
    return in->antecedents > 0 && in->antecedents <= PRICE_ANTECEDENTS && in->points > 0 &&
           in->classes > 1 && in->rule_cost >= 0 && in->unit >= 1 && o->most_points >= 2 &&
           o->most_points <= PRICE_POINTS && o->most_splits >= 1 && o->covers >= 1 &&
           o->covers <= 64 && o->least_covered >= 0 && o->least_covered <= 1 &&
           o->iterations >= 0 && o->threads >= 1 && o->first_step >= o->last_step &&
           (o->last_step > 0 || !o->iterations) && price_shift(in) > -30;
}

static const tuning *tuning_of(const corels_prices_options *o) {
    return o->tune ? o->tune : &tuning_defaults;
}

static corels_prices *tables_new(const corels_instance *in, const corels_prices_options *options) {
    corels_prices *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->in = *in;
    p->kernel = corels_kernel_table_current();
    p->tune = tuning_of(options);
    p->team = team_new(options->threads);
    p->shift = price_shift(in);
    p->stride = (in->antecedents + 15) / 16 * 16;
    return p;
}

int corels_prices_builder_new(corels_prices_builder **out, const corels_instance *instance,
                              const corels_prices_options *options) {
    *out = NULL;
    if (!valid(instance, options) || !corels_kernel_table_current()) return CORELS_BAD_ARGUMENT;
    corels_prices_builder *b = calloc(1, sizeof *b);
    if (!b) return CORELS_NO_MEMORY;
    b->options = *options;
    b->prices = tables_new(instance, options);
    if (b->prices && b->prices->team) b->cutting = price_cutting_new(b->prices, options);
    if (!b->cutting) {
        corels_prices_builder_free(b);
        return CORELS_NO_MEMORY;
    }
    *out = b;
    return CORELS_OK;
}

/* Keeps the values, unless they are many, as those of earlier prices. 0: no memory, or more than
 * `most` bytes, which fall by what was taken. */
static int keep_values(corels_prices *p, size_t *most) {
    if (p->states_n > EARLIER_STATES) return 1;
    if (!p->earlier) {
        size_t bytes = corels_memory_bytes(p->states_n, sizeof *p->earlier);
        if (*most && bytes >= *most) return 0;
        p->earlier = store_take(&p->arrays, p->states_n, sizeof *p->earlier);
        if (!p->earlier) return 0;
        if (*most) *most -= bytes;
    }
    memcpy(p->earlier, p->values, p->states_n * sizeof *p->earlier);
    return 1;
}

int corels_prices_builder_again(corels_prices_builder **out, corels_prices *prices,
                                const corels_prices_options *options, const corels_sample *sample) {
    size_t most = options->memory;
    *out = NULL;
    if (!valid(&prices->in, options)) return CORELS_BAD_ARGUMENT;
    if (!keep_values(prices, &most)) return CORELS_NO_MEMORY;
    corels_prices_builder *b = calloc(1, sizeof *b);
    if (!b) return CORELS_NO_MEMORY;
    b->options = *options;
    b->prices = prices;
    b->again = 1;
    prices->team = team_new(options->threads);
    if (prices->team) b->ascent = price_ascent_new(prices, sample, most);
    if (!b->ascent) {
        corels_prices_builder_free(b);
        return CORELS_NO_MEMORY;
    }
    b->phase = ASCENDING;
    *out = b;
    return CORELS_OK;
}

static void end_team(corels_prices *p) {
    team_free(p->team);
    p->team = NULL;
}

void corels_prices_builder_free(corels_prices_builder *b) {
    if (!b) return;
    if (b->prices) end_team(b->prices);
    if (!b->again) corels_prices_free(b->prices);
    price_cutting_free(b->cutting);
    price_ascent_free(b->ascent);
    free(b);
}

static int begin_ascent(corels_prices_builder *b) {
    price_cutting_free(b->cutting);
    b->cutting = NULL;
    b->ascent = price_ascent_new(b->prices, NULL, 0);
    b->phase = ASCENDING;
    if (b->ascent) price_ascend(b->ascent, 0);
    return b->ascent ? CORELS_OK : CORELS_NO_MEMORY;
}

/* Some more cells; if all are there, or memory ends, those so far have to do. */
static int cover_more(corels_prices_builder *b) {
    int status = price_cutting_more(b->cutting);
    return status == CORELS_DONE ? begin_ascent(b) : status;
}

static double step_of(const corels_prices_builder *b) {
    const corels_prices_options *o = &b->options;
    double along = o->iterations > 1 ? (double)b->iterations / (o->iterations - 1) : 1;
    /* A step of few digits is the same whatever library raises the power. */
    return floor(1024 * o->first_step * pow(o->last_step / o->first_step, along) + 0.5) / 1024;
}

/* At last the tables get their values, unless a check fails (a defect). */
static int ascend_once(corels_prices_builder *b) {
    int last = b->iterations == b->options.iterations;
    price_ascend(b->ascent, last ? 0 : step_of(b));
    b->iterations++;
    if (!last) return CORELS_OK;
    if (!corels_prices_within_budget(b->prices)) return CORELS_NO_MEMORY;
    price_hand_over(b->ascent);
    price_ascent_free(b->ascent);
    b->ascent = NULL;
    b->phase = READY;
    return CORELS_OK;
}

int corels_prices_build_step(corels_prices_builder *b, int64_t amount) {
    int status = CORELS_OK;
    while (amount > 0 && status == CORELS_OK && b->phase < READY) {
        amount -= b->phase == COVERING ? ROUND : b->prices->n + 1;
        status = b->phase == COVERING ? cover_more(b) : ascend_once(b);
    }
    if (status != CORELS_OK) b->phase = FAILED;
    if (b->phase == FAILED) return status == CORELS_BAD_ARGUMENT ? status : CORELS_NO_MEMORY;
    return b->phase == READY ? CORELS_DONE : CORELS_OK;
}

void corels_prices_build_rest(corels_prices_builder *b) {
    team_rest(b->prices->team);
}

double corels_prices_build_share(const corels_prices_builder *b) {
    if (b->phase == COVERING) return price_cutting_share(b->cutting) / 2;
    return (1 + (double)b->iterations / (b->options.iterations + 1)) / 2;
}

corels_prices *corels_prices_build_end(corels_prices_builder *b) {
    corels_prices *prices = b->prices;
    if (b->phase != READY) return NULL;
    end_team(prices);
    b->prices = NULL;
    return prices;
}

size_t corels_prices_builder_bytes(const corels_prices_builder *b) {
    size_t bytes = sizeof *b + (b->prices && !b->again ? corels_prices_bytes(b->prices) : 0);
    if (b->cutting) bytes += price_cutting_bytes(b->cutting);
    if (b->ascent) bytes += price_ascent_bytes(b->ascent);
    return bytes;
}

void corels_prices_free(corels_prices *p) {
    if (!p) return;
    store_free(&p->arrays);
    free(p);
}

size_t corels_prices_bytes(const corels_prices *p) {
    return sizeof *p + p->arrays.bytes;
}

int32_t corels_prices_cells(const corels_prices *p) {
    return p->n;
}

void corels_prices_spoil(corels_prices *p, int32_t percent) {
    price_ascent *ascent = price_ascent_new(p, NULL, 0);
    if (!ascent) return;
    for (size_t k = 0; k < p->traces_n * (size_t)p->in.classes; k++)
        p->prices[k] = (int32_t)((int64_t)p->prices[k] * percent / 100);
    price_refill(ascent);
    price_hand_over(ascent);
    price_ascent_free(ascent);
}

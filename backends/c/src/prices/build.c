/* Building, in small pieces: cut the points into cells, cover by cover; then the ascent; then
 * round, check the budgets in exact integers, and hand over.
 */
#include <math.h>
#include <stdlib.h>

#include "cell.h"
#include "numbers.h"

enum phase { COVERING, ASCENDING, READY, FAILED };
enum { ROUND = 100 }; /* so much more cells are, in visits of a cell */

struct corels_prices_builder {
    corels_prices *prices;
    corels_prices_options options;
    price_buckets *buckets;
    price_ascent *ascent;
    team *team;
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
    b->team = team_new(options->threads);
    b->prices = b->team ? tables_new(instance, options) : NULL;
    if (b->prices) b->buckets = price_buckets_new(b->prices, options, b->team);
    if (!b->buckets) {
        corels_prices_builder_free(b);
        return CORELS_NO_MEMORY;
    }
    *out = b;
    return CORELS_OK;
}

int corels_prices_builder_again(corels_prices_builder **out, const corels_prices *prices,
                                const corels_prices_options *options, const corels_sample *sample) {
    *out = NULL;
    if (!valid(&prices->in, options)) return CORELS_BAD_ARGUMENT;
    corels_prices_builder *b = calloc(1, sizeof *b);
    if (!b) return CORELS_NO_MEMORY;
    b->options = *options;
    b->team = team_new(options->threads);
    b->prices = b->team ? price_copy(prices) : NULL;
    size_t most = options->memory,
           held = b->prices && price_keep_values(b->prices) ? corels_prices_bytes(b->prices) : 0;
    if (held && (!most || held < most))
        b->ascent =
            price_ascent_new(b->prices, sample, b->team, options->threads, most ? most - held : 0);
    if (!b->ascent) {
        corels_prices_builder_free(b);
        return CORELS_NO_MEMORY;
    }
    b->phase = ASCENDING;
    *out = b;
    return CORELS_OK;
}

void corels_prices_builder_free(corels_prices_builder *b) {
    if (!b) return;
    corels_prices_free(b->prices);
    price_buckets_free(b->buckets);
    price_ascent_free(b->ascent);
    team_free(b->team);
    free(b);
}

static int begin_ascent(corels_prices_builder *b) {
    price_buckets_free(b->buckets);
    b->buckets = NULL;
    b->ascent = price_ascent_new(b->prices, NULL, b->team, b->options.threads, 0);
    b->phase = ASCENDING;
    return b->ascent ? price_ascend(b->ascent, 0) : CORELS_NO_MEMORY;
}

/* Some more cells; where all are there, or memory ends, those so far have to do. */
static int cover_more(corels_prices_builder *b) {
    int status = price_buckets_more(b->buckets);
    return status == CORELS_DONE ? begin_ascent(b) : status;
}

static double step_of(const corels_prices_builder *b) {
    const corels_prices_options *o = &b->options;
    double along = o->iterations > 1 ? (double)b->iterations / (o->iterations - 1) : 1;
    /* A step of few digits is the same whatever library raises the power. */
    return floor(1024 * o->first_step * pow(o->last_step / o->first_step, along) + 0.5) / 1024;
}

static int ascend_once(corels_prices_builder *b) {
    int status = CORELS_OK;
    if (b->iterations < b->options.iterations) {
        status = price_ascend(b->ascent, step_of(b));
        b->iterations++;
        return status;
    }
    status = price_ascend(b->ascent, 0);
    if (status == CORELS_OK && !b->prices->place) status = price_order(b->prices);
    price_ascent_free(b->ascent);
    b->ascent = NULL;
    b->phase = READY;
    return status;
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
    team_rest(b->team);
}

double corels_prices_build_share(const corels_prices_builder *b) {
    if (b->phase == COVERING) return price_buckets_share(b->buckets) / 2;
    return (1 + (double)b->iterations / (b->options.iterations + 1)) / 2;
}

corels_prices *corels_prices_build_end(corels_prices_builder *b) {
    corels_prices *prices = b->prices;
    if (b->phase != READY || !prices || !corels_prices_within_budget(prices)) return NULL;
    b->prices = NULL;
    return prices;
}

size_t corels_prices_builder_bytes(const corels_prices_builder *b) {
    size_t bytes = sizeof *b + (b->prices ? corels_prices_bytes(b->prices) : 0);
    if (b->buckets) bytes += price_buckets_bytes(b->buckets);
    if (b->ascent) bytes += price_ascent_bytes(b->ascent);
    return bytes;
}

int32_t corels_prices_cells(const corels_prices *p) {
    return p->n;
}

void corels_prices_spoil(corels_prices *p, int32_t percent) {
    price_ascent *ascent = price_ascent_new(p, NULL, NULL, 1, 0);
    if (!ascent) return;
    for (size_t k = 0; k < p->used[N_TRACES] * (size_t)p->in.classes; k++)
        p->prices[k] = (int32_t)((int64_t)p->prices[k] * percent / 100);
    price_refill(ascent);
    price_ascent_free(ascent);
}

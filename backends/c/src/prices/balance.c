/* Scaling prices so that no (antecedent, class) spends more than a rule costs, and shares so that
 * no point weighs more than it does.
 *
 * What an antecedent spends is the sum of its prices over the cells that it splits; budget / sum is
 * the factor by which its prices may grow, or have to fall. Antecedents of one trace share one
 * price, which is scaled by the least of their factors. The shares of a point are divided by their
 * sum. Prices and weights are rounded down, so they stay within the budgets; budget.c checks that
 * in exact integers.
 *
 * Each sum is added up cell after cell by one thread, so it is the same for any number of threads.
 */
#include <math.h>
#include <string.h>

#include "cell.h"

/* Sums of doubles, and what is multiplied by them, may be too high by less than these parts. */
static const double ROUNDED = 1e-8, ROUNDED_SHARE = 1e-12;
/* The least share of the next iteration. */
static const double LEAST_SHARE = 1e-5;

/* The antecedents that split each cell, and by which trace: those that its prices are for. With
 * pairs of conditions there are thousands of antecedents, and a tenth to a half of them split a
 * given cell. (The check of the budgets reads the rows themselves.) */
static void list_users(price_scale *s) {
    const corels_prices *p = s->prices;
    price_user *user = s->users;
    for (int32_t i = 0; i < p->n; i++) {
        const price_cell *cell = p->cells + i;
        const uint8_t *row = p->of + (size_t)i * (size_t)p->stride;
        uint8_t trace[PRICE_STATES];
        memset(trace, PRICE_STATES - 1, sizeof trace);
        for (int32_t t = 0; t < cell->traces; t++) trace[price_byte(p, cell, t)] = (uint8_t)t;
        for (uint32_t r = 0; r < (uint32_t)p->in.antecedents; r++) {
            uint8_t t = trace[row[p->column[r]]];
            if (t < cell->traces) *user++ = (price_user){r, t};
        }
        s->end[i] = (size_t)(user - s->users);
    }
}

int price_scale_new(price_scale *s, corels_prices *p, store *arrays) {
    size_t users = 0, spent = (size_t)p->in.antecedents * (size_t)p->in.classes,
           points = (size_t)p->in.points;
    for (int32_t i = 0; i < p->n; i++) users += (size_t)p->cells[i].users;
    *s = (price_scale){.prices = p};
    s->end = store_take(arrays, (size_t)p->n, sizeof *s->end);
    s->users = store_take(arrays, users, sizeof *s->users);
    s->sums = store_take(arrays, spent > points ? spent : points, sizeof *s->sums);
    if (arrays->failed) return 0;
    list_users(s);
    for (size_t k = 0; k < p->members_n; k++) s->shared |= s->sums[p->members[k]]++ > 0;
    return 1;
}

static double budget_of(const corels_prices *p) {
    return (double)price_scaled(p, p->in.rule_cost);
}

/* What some antecedents spend on one class, and then their factors. */
static void sum_class(const price_scale *s, size_t c, uint32_t from, uint32_t to, double *sums) {
    const corels_prices *p = s->prices;
    const price_user *user = s->users;
    double budget = budget_of(p) * (1 - ROUNDED);
    memset(sums + from, 0, (size_t)(to - from) * sizeof *sums);
    for (int32_t i = 0; i < p->n; i++) {
        const float *wishes = p->wishes + price_first(p, p->cells + i, c);
        for (; user < s->users + s->end[i]; user++)
            if (user->antecedent >= from && user->antecedent < to)
                sums[user->antecedent] += wishes[user->trace];
    }
    for (uint32_t r = from; r < to; r++) sums[r] = sums[r] > 0 ? budget / sums[r] : 0;
}

static void sum_range(void *scale, int32_t part, int32_t from, int32_t to) {
    const price_scale *s = scale;
    const corels_instance *in = &s->prices->in;
    (void)part;
    for (size_t c = 0; c < (size_t)in->classes; c++)
        sum_class(s, c, (uint32_t)from, (uint32_t)to, s->sums + c * (size_t)in->antecedents);
}

static void scale_class(const price_scale *s, int32_t i, size_t c) {
    corels_prices *p = s->prices;
    const price_cell *cell = p->cells + i;
    const double *factors = s->sums + c * (size_t)p->in.antecedents;
    double budget = budget_of(p), lowest = budget * 1e-6, least[PRICE_TRACES];
    for (int32_t t = 0; t < cell->traces; t++) least[t] = INFINITY;
    for (size_t k = i ? s->end[i - 1] : 0; k < s->end[i]; k++) {
        double factor = factors[s->users[k].antecedent], *of = least + s->users[k].trace;
        *of = factor < *of ? factor : *of;
    }
    for (int32_t t = 0; t < cell->traces; t++) {
        size_t at = price_first(p, cell, c) + (size_t)t;
        double wish = p->wishes[at] * least[t];
        p->prices[at] = (int32_t)(wish < budget ? wish : budget);
        p->wishes[at] = (float)(wish < lowest ? lowest : wish);
    }
}

static void scale_range(void *scale, int32_t part, int32_t from, int32_t to) {
    const price_scale *s = scale;
    (void)part;
    for (int32_t i = from; i < to; i++)
        for (size_t c = 0; c < (size_t)s->prices->in.classes; c++) scale_class(s, i, c);
}

void price_scale_prices(price_scale *s) {
    const corels_prices *p = s->prices;
    int32_t n = p->in.antecedents, each = (n - 1) / team_size(p->team) + 1;
    team_ranges(p->team, PRICE_THREADS, n, each, sum_range, s);
    team_ranges(p->team, PRICE_THREADS, p->n, 1, scale_range, s);
}

static void share_range(void *scale, int32_t part, int32_t from, int32_t to) {
    const price_scale *s = scale;
    corels_prices *p = s->prices;
    size_t classes = (size_t)p->in.classes;
    (void)part;
    for (size_t k = (size_t)from; k < (size_t)to; k++) {
        int32_t x = p->members[k];
        double share = p->shares[k] / s->sums[x], part_of = share < 1 ? 1 - ROUNDED_SHARE : 1;
        p->shares[k] = (float)(share < LEAST_SHARE ? LEAST_SHARE : share);
        for (size_t c = 0; c < classes; c++)
            p->weights[k * classes + c] =
                (int32_t)(share * part_of * (double)price_regret(p, (int32_t)c, x));
    }
}

void price_scale_shares(price_scale *s) {
    const corels_prices *p = s->prices;
    memset(s->sums, 0, (size_t)p->in.points * sizeof *s->sums);
    for (size_t k = 0; k < p->members_n; k++) s->sums[p->members[k]] += p->shares[k];
    team_ranges(p->team, PRICE_THREADS, (int32_t)p->members_n, 1, share_range, s);
}

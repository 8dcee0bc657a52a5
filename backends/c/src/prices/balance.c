/* Scaling prices so that no (antecedent, class) spends more than a rule costs.
 *
 * What an antecedent spends is the sum of its prices over the cells that it splits; budget / sum is
 * the factor by which its prices may grow, or have to fall. Antecedents of one trace share one
 * price, which is scaled by the least of their factors. Prices are rounded down, so they stay
 * within the budgets; budget.c checks that in exact integers.
 *
 * Each antecedent's sum is added up cell after cell by one thread, so it is the same for any number
 * of threads.
 */
#include <string.h>

#include "balance.h"

/* The antecedents that split each cell, and by which trace: those that its prices are for. With
 * pairs of conditions there are thousands of antecedents, and a tenth to a half of them split a
 * given cell. (The check of the budgets reads the rows themselves.) */
static void list_range(void *balance, int32_t part, int32_t from, int32_t to) {
    price_balance *b = balance;
    const corels_prices *p = b->prices;
    (void)part;
    for (int32_t i = from; i < to; i++) {
        const uint8_t *row = p->of + (size_t)i * (size_t)p->stride;
        uint32_t *list = b->list + b->first[i];
        uint8_t numbers[PRICE_STATES];
        price_numbers(p, p->cells + i, numbers);
        for (int32_t r = 0; r < p->in.antecedents; r++)
            if (numbers[row[r]] < p->cells[i].traces) *list++ = (uint32_t)r << 8 | numbers[row[r]];
    }
}

static void list_users(price_balance *b, store *arrays) {
    int32_t n = b->prices->n;
    b->first = store_take(arrays, (size_t)n + 1, sizeof *b->first);
    for (int32_t i = 0; b->first && i < n; i++)
        b->first[i + 1] = b->first[i] + (size_t)b->prices->cells[i].users;
    if (b->first) b->list = store_take(arrays, b->first[n], sizeof *b->list);
    if (!arrays->failed) team_ranges(b->team, b->threads, n, 1, list_range, b);
}

static size_t place_of(uint32_t listed) {
    return listed >> 8;
}

static size_t trace_of(uint32_t listed) {
    return listed & 255;
}

static const double NO_FACTOR = 1e300;
/* Sums of doubles, and what is multiplied by them, may be too high by less than this part. */
static const double ROUNDED = 1e-8;

int price_balance_new(price_balance *b, corels_prices *p, team *t, int32_t threads, store *arrays) {
    *b = (price_balance){.prices = p, .team = t, .threads = threads};
    size_t classes = (size_t)p->in.classes, row = PRICE_TRACES * classes;
    b->factors = store_take(arrays, (size_t)p->in.antecedents * classes, sizeof *b->factors);
    b->least = store_take(arrays, (size_t)threads * row, sizeof *b->least);
    list_users(b, arrays);
    return !arrays->failed;
}

/* The first of the users at or behind `list` whose place is not below `place`. */
static const uint32_t *user_from(const uint32_t *list, const uint32_t *end, int32_t place) {
    uint32_t sought = (uint32_t)place << 8;
    while (list < end) {
        const uint32_t *middle = list + (end - list) / 2;
        if (*middle < sought)
            list = middle + 1;
        else
            end = middle;
    }
    return list;
}

/* Adds to the sums what these users spend in one cell; its wishes are [classes][traces]. Two
 * classes are the common case: if this is inlined, their number is a constant. */
static inline __attribute__((always_inline)) void spend(double *sums, const uint32_t *user,
                                                        const uint32_t *end, const float *wishes,
                                                        size_t traces, size_t classes) {
    for (; user < end; user++)
        for (size_t c = 0; c < classes; c++)
            sums[place_of(*user) * classes + c] += wishes[c * traces + trace_of(*user)];
}

/* What some antecedents spend on each class, and then their factors. */
static void sum_range(void *balance, int32_t part, int32_t from, int32_t to) {
    const price_balance *b = balance;
    const corels_prices *p = b->prices;
    size_t classes = (size_t)p->in.classes;
    double budget = (double)price_scaled(p, p->in.rule_cost) * (1 - ROUNDED);
    (void)part;
    memset(b->factors + (size_t)from * classes, 0,
           (size_t)(to - from) * classes * sizeof *b->factors);
    for (int32_t i = 0; i < p->n; i++) {
        const price_cell *cell = p->cells + i;
        const uint32_t *user = b->list + b->first[i];
        const uint32_t *end = b->list + b->first[i + 1];
        if (from > 0) user = user_from(user, end, from);
        if (to < p->in.antecedents) end = user_from(user, end, to);
        const float *wishes = p->wishes + cell->trace * classes;
        if (classes == 2)
            spend(b->factors, user, end, wishes, (size_t)cell->traces, 2);
        else
            spend(b->factors, user, end, wishes, (size_t)cell->traces, classes);
    }
    for (size_t k = (size_t)from * classes; k < (size_t)to * classes; k++)
        b->factors[k] = b->factors[k] > 0 ? budget / b->factors[k] : 0;
}

static inline void lower_factor(double *least, double factor) {
    *least = factor < *least ? factor : *least;
}

/* The least factor of the users of each trace: [traces][classes]. */
static inline __attribute__((always_inline)) void find_least(const price_balance *b, int32_t i,
                                                             size_t classes, double *least) {
    const uint32_t *user = b->list + b->first[i];
    const uint32_t *end = b->list + b->first[i + 1];
    for (size_t k = 0; k < (size_t)b->prices->cells[i].traces * classes; k++) least[k] = NO_FACTOR;
    for (; user < end; user++)
        for (size_t c = 0; c < classes; c++)
            lower_factor(least + trace_of(*user) * classes + c,
                         b->factors[place_of(*user) * classes + c]);
}

static void scale_range(void *balance, int32_t part, int32_t from, int32_t to) {
    const price_balance *b = balance;
    corels_prices *p = b->prices;
    size_t classes = (size_t)p->in.classes;
    double budget = (double)price_scaled(p, p->in.rule_cost), lowest = budget * 1e-6;
    double *least = b->least + (size_t)part * PRICE_TRACES * classes;
    for (int32_t i = from; i < to; i++) {
        const price_cell *cell = p->cells + i;
        size_t traces = (size_t)cell->traces;
        if (classes == 2)
            find_least(b, i, 2, least);
        else
            find_least(b, i, classes, least);
        for (size_t c = 0; c < classes; c++)
            for (size_t t = 0; t < traces; t++) {
                size_t at = cell->trace * classes + c * traces + t;
                double wish = p->wishes[at] * least[t * classes + c];
                p->prices[at] = (int32_t)(wish < budget ? wish : budget);
                p->wishes[at] = (float)(wish < lowest ? lowest : wish);
            }
    }
}

/* One range of antecedents a thread: each range goes over all cells, and looks up its part of every
 * list. */
void price_balance_all(price_balance *b) {
    int32_t n = b->prices->in.antecedents;
    team_ranges(b->team, b->threads, n, (n - 1) / b->threads + 1, sum_range, b);
    team_ranges(b->team, b->threads, b->prices->n, 1, scale_range, b);
}

/* Budgets, in exact integers: the prices of an (antecedent, class) over all cells add up to at most
 * the cost of a rule, the regrets of a point to at most its own. The theorem needs no more of them,
 * wherever the numbers come from.
 */
#include <stdlib.h>

#include "cell.h"

static int64_t heaviest(const corels_instance *in) {
    int64_t most = 0;
    for (int32_t c = 0; c < in->classes; c++) {
        int64_t sum = 0;
        for (int32_t x = 0; x < in->points; x++) sum += in->regrets[(size_t)c * in->points + x];
        if (sum > most) most = sum;
    }
    return most;
}

int32_t price_shift(const corels_instance *in) {
    const int64_t most = INT64_C(1) << 29; /* alone, values and prices, and sums of two of them */
    int64_t errors = heaviest(in), largest = in->rule_cost;
    if (errors > INT64_MAX / 4 / in->unit) return INT32_MIN;
    if (in->unit * errors > largest) largest = in->unit * errors;
    int32_t shift = 0;
    while (shift < 20 && largest << (shift + 1) <= most) shift++;
    while (shift <= 0 && largest >> -shift > most) shift--;
    return shift;
}

int64_t price_scaled(const corels_prices *prices, int64_t x) {
    return prices->shift >= 0 ? x << prices->shift : x >> -prices->shift;
}

/* Checked by what the look-ups read: the rows of the antecedents themselves. */
static int prices_within(const corels_prices *p, int64_t *sums) {
    int64_t budget = price_scaled(p, p->in.rule_cost);
    size_t classes = (size_t)p->in.classes, m = (size_t)p->in.antecedents;
    for (size_t i = 0; i < (size_t)p->n * classes; i++) {
        const price_cell *cell = p->cells + i / classes;
        const int32_t *prices = p->prices + price_first(p, cell, i % classes);
        const uint8_t *row = p->of + i / classes * (size_t)p->stride;
        int32_t of[PRICE_STATES] = {0};
        for (int32_t t = 0; t < cell->traces; t++) {
            if (prices[t] < 0) return 0;
            of[price_byte(p, cell, t)] = prices[t];
        }
        for (size_t r = 0; r < m; r++) sums[i % classes * m + r] += of[row[p->column[r]]];
    }
    for (size_t k = 0; k < m * classes; k++)
        if (sums[k] > budget) return 0;
    return 1;
}

static int weights_within(const corels_prices *p, int64_t *sums) {
    size_t classes = (size_t)p->in.classes;
    for (size_t k = 0; k < p->members_n; k++)
        for (size_t c = 0; c < classes; c++) {
            int32_t x = p->members[k], weight = p->weights[k * classes + c];
            sums[(size_t)x * classes + c] += weight;
            if (weight < 0 || sums[(size_t)x * classes + c] > price_regret(p, (int32_t)c, x))
                return 0;
        }
    return 1;
}

int corels_prices_within_budget(const corels_prices *p) {
    size_t classes = (size_t)p->in.classes;
    int64_t *prices = calloc((size_t)p->in.antecedents * classes + 1, sizeof *prices);
    int64_t *weights = calloc((size_t)p->in.points * classes + 1, sizeof *weights);
    int within = prices && weights && prices_within(p, prices) && weights_within(p, weights);
    free(prices);
    free(weights);
    return within;
}

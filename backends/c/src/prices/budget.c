/* Budgets, in exact integers: the prices of an (antecedent, class) over all cells add up to at most
 * the cost of a rule, the regrets of a point to at most its own. The theorem needs no more of them,
 * wherever the numbers come from.
 */
#include <stdlib.h>

#include "balance.h"

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

/* Lowers each price to what the cells before it have left of the budget of every antecedent that
 * uses it. `spent` is [places in the rows][classes], zero at first; behind it is room for the
 * prices of one cell. */
static void cut_prices(corels_prices *p, const price_users *users, int64_t *spent) {
    int64_t budget = price_scaled(p, p->in.rule_cost);
    size_t classes = (size_t)p->in.classes;
    int64_t *allowed = spent + (size_t)p->in.antecedents * classes;
    for (int32_t i = 0; i < p->n; i++) {
        size_t traces = (size_t)p->cells[i].traces;
        int32_t *price = p->prices + p->cells[i].trace * classes;
        for (size_t k = 0; k < traces * classes; k++) allowed[k] = price[k];
        for (size_t k = users->first[i]; k < users->first[i + 1]; k++)
            for (size_t c = 0; c < classes; c++) {
                int64_t left = budget - spent[price_place_of(users->list[k]) * classes + c];
                int64_t *most = allowed + c * traces + price_trace_of(users->list[k]);
                if (left < *most) *most = left;
            }
        for (size_t k = 0; k < traces * classes; k++) price[k] = (int32_t)allowed[k];
        for (size_t k = users->first[i]; k < users->first[i + 1]; k++)
            for (size_t c = 0; c < classes; c++)
                spent[price_place_of(users->list[k]) * classes + c] +=
                    allowed[c * traces + price_trace_of(users->list[k])];
    }
}

/* `left` is [points][classes]. */
static void cut_weights(corels_prices *p, int64_t *left) {
    size_t classes = (size_t)p->in.classes;
    for (int32_t x = 0; x < p->in.points; x++)
        for (size_t c = 0; c < classes; c++)
            left[(size_t)x * classes + c] = price_regret(p, (int32_t)c, x);
    for (size_t k = 0; k < p->used[N_MEMBERS]; k++)
        for (size_t c = 0; c < classes; c++) {
            int64_t *here = left + (size_t)p->members[k] * classes + c;
            int32_t *weight = p->weights + k * classes + c;
            if (*weight > *here) *weight = (int32_t)*here;
            *here -= *weight;
        }
}

int price_cut(corels_prices *p, const price_users *users) {
    size_t classes = (size_t)p->in.classes;
    size_t prices = ((size_t)p->in.antecedents + PRICE_TRACES) * classes;
    size_t weights = (size_t)p->in.points * classes, most = prices > weights ? prices : weights;
    int64_t *sums = calloc(most + 1, sizeof *sums);
    if (!sums) return CORELS_NO_MEMORY;
    cut_prices(p, users, sums);
    cut_weights(p, sums);
    free(sums);
    return CORELS_OK;
}

/* Checked anew, by what the look-ups read: the traces of the antecedents themselves. */
static int prices_within(const corels_prices *p, int64_t *sums, uint8_t *of) {
    int64_t budget = price_scaled(p, p->in.rule_cost);
    size_t classes = (size_t)p->in.classes;
    for (int32_t i = 0; i < p->n; i++) {
        const price_cell *cell = p->cells + i;
        price_numbers(p, i, of);
        for (int32_t r = 0; r < p->in.antecedents; r++) {
            int32_t t = of[r];
            for (size_t c = 0; t < cell->traces && c < classes; c++) {
                int32_t price =
                    p->prices[cell->trace * classes + c * (size_t)cell->traces + (size_t)t];
                sums[(size_t)r * classes + c] += price;
                if (price < 0 || sums[(size_t)r * classes + c] > budget) return 0;
            }
        }
    }
    return 1;
}

static int weights_within(const corels_prices *p, int64_t *sums) {
    size_t classes = (size_t)p->in.classes;
    for (size_t k = 0; k < p->used[N_MEMBERS]; k++)
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
    uint8_t *row = malloc((size_t)p->stride + 1);
    int within = prices && weights && row && prices_within(p, prices, row);
    within = within && weights_within(p, weights);
    free(row);
    free(prices);
    free(weights);
    return within;
}

/* Cells with prices: points with shares of their weights, and for each rule that cuts the cell a
 * share of what a rule costs. What the cheapest list of each cell costs in its own weights and
 * prices adds up to no more than f (docs/internals/prices.md), as long as the shares add up to no
 * more than there is: that is checked here, in whole numbers.
 *
 * A state is what rules can leave of a cell's points, as bits. All states are found from the whole
 * cell by taking out cuts, and valued from the smallest up:
 *
 *     value = min( the errors as one cell, min over cuts and classes of
 *                  the price + the errors in what is cut out + the value of the rest )
 */
#include "prices.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 64, MOST_STATES = 4096, SLOTS = 16384, SHIFT = 64 };
static const int64_t most_cost = INT64_C(1) << 60;
static const size_t most_table_bytes = (size_t)512 << 20;

typedef struct {
    int32_t points, cuts, states, slots;
    int32_t *places;  /* [points] */
    int64_t *weights; /* [points][classes] */
    uint64_t *traces; /* [cuts] */
    int64_t *prices;  /* [cuts][classes] */
    int32_t *of; /* [antecedents]: its cut; `cuts` where it captures nothing, + 1: everything */
    uint64_t *subsets; /* [states], from the smallest up */
    int64_t *values;   /* [states] */
    int64_t *falls;    /* [states][cuts + 2]: by how much the value falls */
    int32_t *index;    /* [slots]: state + 1 */
} cell;

struct price_tables {
    const corels_check_table *in;
    size_t words;
    int32_t shift, n;
    cell *cells;
    size_t bytes;
    uint64_t *subsets; /* scratch: [MOST_STATES] */
    int32_t *index;    /* scratch: [SLOTS] */
};

static void *array(size_t n, size_t size) {
    return n > SIZE_MAX / 2 / size ? NULL : calloc(n + 2, size);
}

static int64_t scaled(const price_tables *p, int64_t cost) {
    return p->shift >= 0 ? cost << p->shift : cost >> -p->shift;
}

static int captured(const price_tables *p, int32_t r, int32_t point) {
    return (int)(p->in->masks[(size_t)r * p->words + (size_t)point / 64] >> (point % 64) & 1);
}

static uint64_t all_of(const cell *c) {
    return c->points == 64 ? ~UINT64_C(0) : (UINT64_C(1) << c->points) - 1;
}

static int32_t *slot_of(const cell *c, uint64_t subset) {
    uint64_t at = subset * UINT64_C(0x9E3779B97F4A7C15) >> 20;
    for (;; at++) {
        int32_t *slot = c->index + (at & (uint64_t)(c->slots - 1));
        if (!*slot || c->subsets[*slot - 1] == subset) return slot;
    }
}

static int smaller_first(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    int ones = __builtin_popcountll(x) - __builtin_popcountll(y);
    return ones ? ones : (x > y) - (x < y);
}

static void index_states(cell *c) {
    memset(c->index, 0, (size_t)c->slots * sizeof *c->index);
    for (int32_t s = 0; s < c->states; s++) *slot_of(c, c->subsets[s]) = s + 1;
}

/* All that rules can leave of the cell, and nothing: in scratch, whose index is left empty. */
static int find_states(cell *c, price_tables *p) {
    c->slots = SLOTS;
    c->subsets = p->subsets, c->index = p->index;
    memset(c->index, 0, SLOTS * sizeof *c->index);
    uint64_t first[2] = {all_of(c), 0};
    for (int i = 0; i < 1 + (first[0] != 0); i++) {
        c->subsets[c->states++] = first[i];
        *slot_of(c, first[i]) = c->states;
    }
    for (int32_t s = 0; s < c->states; s++)
        for (int32_t t = 0; t < c->cuts; t++) {
            uint64_t rest = c->subsets[s] & ~c->traces[t];
            int32_t *slot = slot_of(c, rest);
            if (*slot) continue;
            if (c->states == MOST_STATES) return CORELS_CHECK_DATA;
            c->subsets[c->states++] = rest;
            *slot = c->states;
        }
    return CORELS_CHECK_HOLDS;
}

/* The states that were found, by size, in memory of their own. */
static int keep_states(cell *c, price_tables *p) {
    size_t states = (size_t)c->states;
    while (c->slots > 4 && c->slots / 4 > c->states) c->slots /= 2;
    p->bytes += states * (size_t)(c->cuts + 4) * 8 + (size_t)c->slots * sizeof *c->index;
    if (p->bytes > most_table_bytes) return CORELS_CHECK_DATA;
    c->subsets = array(states, sizeof *c->subsets);
    c->index = array((size_t)c->slots, sizeof *c->index);
    if (!c->subsets || !c->index) return CORELS_CHECK_MEMORY;
    memcpy(c->subsets, p->subsets, states * sizeof *c->subsets);
    qsort(c->subsets, states, sizeof *c->subsets, smaller_first);
    index_states(c);
    return CORELS_CHECK_HOLDS;
}

static int64_t errors(const cell *c, uint64_t subset, int32_t classes, int32_t k) {
    int64_t sum = 0;
    for (; subset; subset &= subset - 1) sum += c->weights[__builtin_ctzll(subset) * classes + k];
    return sum;
}

static void value_state(cell *c, int32_t s, int32_t classes) {
    uint64_t subset = c->subsets[s];
    int64_t *falls = c->falls + (size_t)s * (size_t)(c->cuts + 2), best = most_cost;
    for (int32_t k = 0; k < classes; k++) {
        int64_t alone = errors(c, subset, classes, k);
        if (alone < best) best = alone;
    }
    for (int32_t t = 0; t < c->cuts; t++) {
        uint64_t cut = subset & c->traces[t];
        if (!cut) continue;
        int64_t rest = c->values[*slot_of(c, subset & ~cut) - 1];
        for (int32_t k = 0; k < classes; k++) {
            int64_t here = c->prices[t * classes + k] + errors(c, cut, classes, k) + rest;
            if (here < best) best = here;
        }
    }
    c->values[s] = best;
    for (int32_t t = 0; t < c->cuts; t++)
        falls[t] = best - c->values[*slot_of(c, subset & ~c->traces[t]) - 1];
    falls[c->cuts + 1] = best;
}

static int fill(price_tables *p, cell *c) {
    int result = find_states(c, p);
    c->subsets = NULL, c->index = NULL;
    if (!result) result = keep_states(c, p);
    if (result) return result;
    c->values = array((size_t)c->states, sizeof *c->values);
    c->falls = array((size_t)c->states * (size_t)(c->cuts + 2), sizeof *c->falls);
    if (!c->values || !c->falls) return CORELS_CHECK_MEMORY;
    for (int32_t s = 0; s < c->states; s++) value_state(c, s, p->in->classes);
    return CORELS_CHECK_HOLDS;
}

/* Points and weights, taken off `left` [classes][points]. */
static int read_points(const price_tables *p, cell *c, reader *in, int64_t *left) {
    int32_t classes = p->in->classes;
    c->points = (int32_t)next_below(in, MOST_POINTS + 1);
    c->places = array((size_t)c->points, sizeof *c->places);
    c->weights = array((size_t)c->points * (size_t)classes, sizeof *c->weights);
    if (!c->places || !c->weights) return CORELS_CHECK_MEMORY;
    for (int32_t i = 0; i < c->points; i++) {
        int32_t number = (int32_t)next_below(in, p->in->numbered);
        c->places[i] = in->bad ? -1 : p->in->kept[number];
        if (c->places[i] < 0) return CORELS_CHECK_DATA;
        for (int32_t k = 0; k < classes; k++) {
            int64_t weight = next_below(in, most_cost);
            int64_t *of = left + (size_t)k * (size_t)p->in->points + c->places[i];
            if (in->bad || weight > *of) return CORELS_CHECK_DATA;
            *of -= weight;
            c->weights[i * classes + k] = weight;
        }
    }
    return CORELS_CHECK_HOLDS;
}

/* Which cut each antecedent makes: those with equal traces make one. */
static int find_cuts(const price_tables *p, cell *c) {
    size_t m = (size_t)p->in->antecedents;
    c->of = array(m, sizeof *c->of);
    c->traces = array(m, sizeof *c->traces);
    if (!c->of || !c->traces) return CORELS_CHECK_MEMORY;
    for (size_t r = 0; r < m; r++) {
        uint64_t trace = 0;
        for (int32_t i = 0; i < c->points; i++)
            trace |= (uint64_t)captured(p, (int32_t)r, c->places[i]) << i;
        int32_t t = 0;
        while (t < c->cuts && c->traces[t] != trace) t++;
        c->of[r] = !trace ? -1 : trace == all_of(c) ? -2 : t;
        if (c->of[r] == c->cuts) c->traces[c->cuts++] = trace;
    }
    for (size_t r = 0; r < m; r++) /* nothing is cut, or everything */
        if (c->of[r] < 0) c->of[r] = c->of[r] == -1 ? c->cuts : c->cuts + 1;
    c->prices = array((size_t)c->cuts * (size_t)p->in->classes, sizeof *c->prices);
    return c->prices ? CORELS_CHECK_HOLDS : CORELS_CHECK_MEMORY;
}

/* Prices of cuts, added to what each antecedent has `spent` [antecedents][classes]. */
static int read_prices(const price_tables *p, cell *c, reader *in, int64_t *spent) {
    int32_t classes = p->in->classes;
    int64_t n = next_below(in, (int64_t)p->in->antecedents + 1);
    for (int64_t i = 0; i < n; i++) {
        int32_t r = (int32_t)next_below(in, p->in->antecedents);
        if (in->bad || c->of[r] >= c->cuts) return CORELS_CHECK_DATA;
        for (int32_t k = 0; k < classes; k++)
            c->prices[c->of[r] * classes + k] = next_below(in, most_cost);
    }
    for (int32_t r = 0; r < p->in->antecedents && !in->bad; r++)
        for (int32_t k = 0; c->of[r] < c->cuts && k < classes; k++) {
            int64_t *sum = spent + (size_t)r * (size_t)classes + k;
            *sum += c->prices[c->of[r] * classes + k];
            if (*sum > scaled(p, p->in->rule_cost)) return CORELS_CHECK_DATA;
        }
    return in->bad ? CORELS_CHECK_MALFORMED : CORELS_CHECK_HOLDS;
}

static int read_cells(price_tables *p, reader *in, int64_t *left, int64_t *spent) {
    int result = CORELS_CHECK_HOLDS;
    for (int32_t i = 0; i < p->n && !result; i++) {
        cell *c = p->cells + i;
        result = read_points(p, c, in, left);
        if (!result) result = find_cuts(p, c);
        if (!result) result = read_prices(p, c, in, spent);
        if (!result) result = fill(p, c);
    }
    return result;
}

/* The unit: costs times 2^shift. All costs must be below 2^60 in it. */
static int read_shift(price_tables *p, reader *in) {
    int64_t most = p->in->rule_cost;
    for (int32_t k = 0; k < p->in->classes; k++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < p->in->points; i++)
            sum += p->in->unit * p->in->regrets[(size_t)k * (size_t)p->in->points + (size_t)i];
        if (sum > most) most = sum;
    }
    p->shift = (int32_t)next_below(in, 2 * SHIFT) - SHIFT;
    return !in->bad && p->shift >= -62 && p->shift <= 62 &&
           (p->shift <= 0 || most < most_cost >> p->shift) && most < most_cost;
}

int prices_read(price_tables **out, const corels_check_table *table, reader *in) {
    size_t regrets = (size_t)table->classes * (size_t)table->points;
    price_tables *p = *out = calloc(1, sizeof *p);
    if (!p) return CORELS_CHECK_MEMORY;
    p->in = table, p->words = ((size_t)table->points + 63) / 64;
    if (!read_shift(p, in)) return CORELS_CHECK_DATA;
    p->n = (int32_t)next_below(in, in->end - in->at + 1 < 1 << 24 ? in->end - in->at + 1 : 1 << 24);
    p->cells = array((size_t)p->n, sizeof *p->cells);
    int64_t *left = array(regrets, sizeof *left);
    int64_t *spent = array((size_t)table->antecedents * (size_t)table->classes, sizeof *spent);
    p->subsets = array(MOST_STATES, sizeof *p->subsets);
    p->index = array(SLOTS, sizeof *p->index);
    int result = p->cells && left && spent && p->subsets && p->index ? CORELS_CHECK_HOLDS
                                                                     : CORELS_CHECK_MEMORY;
    for (size_t i = 0; i < regrets && !result; i++)
        left[i] = scaled(p, table->unit * table->regrets[i]);
    if (!result) result = in->bad ? CORELS_CHECK_MALFORMED : read_cells(p, in, left, spent);
    free(left), free(spent);
    return result;
}

void prices_free(price_tables *p) {
    if (!p) return;
    for (int32_t i = 0; p->cells && i < p->n; i++) {
        cell *c = p->cells + i;
        free(c->places), free(c->weights), free(c->traces), free(c->prices), free(c->of);
        free(c->subsets), free(c->values), free(c->falls), free(c->index);
    }
    free(p->cells), free(p->subsets), free(p->index);
    free(p);
}

void prices_view(const price_tables *p, const uint64_t *set, int64_t *view) {
    size_t m = (size_t)p->in->antecedents;
    memset(view, 0, (m + 1) * sizeof *view);
    for (int32_t i = 0; i < p->n; i++) {
        const cell *c = p->cells + i;
        uint64_t subset = 0;
        for (int32_t k = 0; k < c->points; k++)
            subset |= (set[c->places[k] / 64] >> (c->places[k] % 64) & 1) << k;
        int32_t state = *slot_of(c, subset) - 1;
        if (state < 0 || !c->values[state]) continue; /* no rules leave it, or it costs nothing */
        const int64_t *falls = c->falls + (size_t)state * (size_t)(c->cuts + 2);
        view[m] += c->values[state];
        for (size_t r = 0; r < m; r++) view[r] += falls[c->of[r]];
    }
}

int64_t prices_least(const price_tables *p, const int64_t *view, int32_t r) {
    int64_t value = view[p->in->antecedents] - view[r];
    if (p->shift < 0) return value << -p->shift;
    return (value + (INT64_C(1) << p->shift) - 1) >> p->shift;
}

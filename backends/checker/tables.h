/* Tables that a proof gives as data: cells of points, with shares of their weights. The shares must
 * add up to no more than there is: that is checked here, in whole numbers.
 *
 * A state says which items rules have left of a cell. A rule leaves those that it does not capture.
 *
 * A rule pays a share of its cost in each cell (docs/internals/prices.md), and what the cheapest
 * list of each cell costs adds up to no more than what any list costs. All numbers here are lower
 * bounds: one that does not fit is cut down. */
#include <string.h>

#include "checker.h"

enum { MOST_ITEMS = 8, STATES = 1 << MOST_ITEMS };

typedef corels_check_worker worker;
typedef corels_check_record record;
typedef corels_check_move move;

/* The cell that is filled. */
typedef struct {
    const worker *w;
    const record *of;
    const int64_t *weights; /* its items */
    size_t items, states, classes;
    uint8_t made[STATES]; /* whether some antecedent captures just these items */
} cell;

static int take(const cell *c, int64_t *left, const int64_t *share) {
    int right = 1;
    for (size_t k = 0; k < c->classes; k++) right &= (left[k] -= share[k]) >= 0;
    return right;
}

/* What each antecedent captures of the items, as bits, and what it leaves. */
static int read_items(cell *c, uint8_t *left) {
    const corels_check_table *in = c->w->in;
    uint8_t *traces = c->w->tables->traces;
    memset(traces, 0, in->antecedents);
    for (size_t i = 0; i < c->items; i++) {
        const int64_t *row = c->weights + i * (1 + c->classes);
        size_t point = (size_t)*row;
        if (point >= in->points || !take(c, c->of->points + point * c->classes, row + 1)) return 0;
        for (size_t r = 0; r < in->antecedents; r++)
            traces[r] |= (uint8_t)((in->masks[r * in->words + point / 64] >> point % 64 & 1) << i);
    }
    for (size_t r = 0; r < in->antecedents; r++, left += c->w->proof->cells) {
        *left = (uint8_t)((c->states - 1) & ~(size_t)traces[r]);
        c->made[traces[r]] = 1;
    }
    return 1;
}

/* Prices of what is captured, which every antecedent that captures just this has to pay. What
 * captures the whole cell has none: it does what the default rule does. */
static int read_prices(const cell *c, const int64_t *row, const int64_t *end) {
    const corels_check_tables *t = c->w->tables;
    int right = 1;
    memset(t->prices, 0, c->states * c->classes * sizeof *t->prices);
    for (; row < end; row += 1 + c->classes) {
        size_t r = (size_t)*row;
        if (r >= c->w->in->antecedents || !t->traces[r] || t->traces[r] == c->states - 1) return 0;
        memcpy(t->prices + t->traces[r] * c->classes, row + 1, c->classes * sizeof *row);
    }
    for (size_t r = 0; r < c->w->in->antecedents; r++)
        right &= take(c, c->of->rules + r * c->classes, t->prices + t->traces[r] * c->classes);
    return right;
}

/* The errors of a state as one class. */
static int64_t alone(const cell *c, size_t state) {
    const int64_t *sums = c->w->tables->sums + state;
    int64_t least = sums[0];
    for (size_t k = 1; k < c->classes; k++)
        least = sums[k * STATES] < least ? sums[k * STATES] : least;
    return least;
}

/* A state's value: its errors as one class, or the least over rules of the price, the errors in
 * what is cut out, and the value of the rest. */
static void fill_values(const cell *c, int32_t *values, const move *moves, size_t n) {
    for (size_t s = 0; s < c->states; s++) {
        int64_t best = alone(c, s);
        for (const move *m = moves; m < moves + n; m++) {
            size_t rest = s & ~m->gone;
            int64_t here = m->price + m->sums[s] - m->sums[rest] + values[rest];
            best = rest != s && here < best ? here : best;
        }
        values[s] = (int32_t)(best < INT32_MAX ? best : INT32_MAX);
    }
}

/* What each state errs as a class, and the rules of this class; how many. */
static size_t add_class(const cell *c, size_t class, move *moves) {
    const corels_check_tables *t = c->w->tables;
    int64_t *sums = t->sums + class * STATES;
    size_t n = 0;
    sums[0] = 0;
    for (size_t i = 0; i < c->items; i++)
        for (size_t s = 0, half = (size_t)1 << i; s < half; s++)
            sums[half + s] = sums[s] + c->weights[i * (1 + c->classes) + 1 + class];
    for (size_t gone = 1; gone < c->states; gone++)
        if (c->made[gone]) moves[n++] = (move){gone, t->prices[gone * c->classes + class], sums};
    return n;
}

static int fill(worker *w, size_t number, size_t from, size_t to) {
    const record *of = w->proof->given + number;
    corels_check_tables *t = w->tables;
    size_t classes = w->in->classes, width = 1 + classes, n;
    for (size_t i = from; i < to; i++) {
        const int64_t *items = of->ends[0] + i, *paid = of->ends[1] + i;
        cell c = {w, of, of->items + items[0] * width, .classes = classes};
        c.items = (size_t)(items[1] - items[0]);
        if (c.items > MOST_ITEMS) return 0;
        c.states = (size_t)1 << c.items;
        if (!read_items(&c, t->left + of->begin + i)) return 0;
        if (!read_prices(&c, of->paid + paid[0] * width, of->paid + paid[1] * width)) return 0;
        t->start[of->begin + i] = (int32_t)t->used;
        if (t->used + c.states > t->room) return 0;
        for (size_t k = n = 0; k < classes; k++) n += add_class(&c, k, t->moves + n);
        fill_values(&c, t->values + t->used, t->moves, n);
        t->used += c.states;
    }
    return 1;
}

/* Whether whatever follows r costs `need` or more. */
static int by_prices(const worker *w, const record *given, size_t r, int64_t need) {
    const uint8_t *left = w->tables->left + r * w->proof->cells;
    int64_t total = 0;
    for (size_t i = given->begin; i < given->begin + given->cells; i++)
        total += w->tables->values[w->tables->start[i] + (w->view[i] & left[i])];
    if (given->shift < 0) return total << -given->shift >= need;
    return (total + (INT64_C(1) << given->shift) - 1) >> given->shift >= need;
}

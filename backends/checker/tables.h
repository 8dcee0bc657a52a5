/* Tables that a proof gives as data: cells of points, with shares of their weights. The shares must
 * add up to no more than there is: that is checked here, in whole numbers.
 *
 * A state says which *parts* rules have left of a cell: each item is a part, or, where they are too
 * many, each *cut*, that is, each set of items that some antecedent captures. A rule takes the
 * parts that lie in what it captures, and an item is left where all of its parts are.
 *
 * A rule pays a share of its cost in each cell (docs/internals/prices.md), and what the cheapest
 * list of each cell costs adds up to no more than what any list costs. All numbers here are lower
 * bounds: one that does not fit is cut down. */
#include <string.h>

#include "checker.h"

enum { MOST_ITEMS = 64, MOST_PARTS = 16, STATES = 1 << MOST_PARTS };

typedef corels_check_worker worker;
typedef corels_check_record record;
typedef corels_check_move move;

/* The cell that is filled. */
typedef struct {
    const worker *w;
    const record *of;
    const int64_t *weights; /* its items */
    size_t items, cuts, parts, classes;
    uint64_t part[MOST_PARTS];
} cell;

static int take(const cell *c, int64_t *left, const int64_t *share) {
    int right = 1;
    for (size_t k = 0; k < c->classes; k++) right &= (left[k] -= share[k]) >= 0;
    return right;
}

/* What each antecedent captures of the items, as bits. */
static int read_items(const cell *c) {
    const corels_check_table *in = c->w->in;
    uint64_t *traces = c->w->tables->traces;
    memset(traces, 0, in->antecedents * sizeof *traces);
    for (size_t i = 0; i < c->items; i++) {
        const int64_t *row = c->weights + i * (1 + c->classes);
        size_t point = (size_t)*row;
        if (point >= in->points || !take(c, c->of->points + point * c->classes, row + 1)) return 0;
        for (size_t r = 0; r < in->antecedents; r++)
            traces[r] |= (in->masks[r * in->words + point / 64] >> point % 64 & 1) << i;
    }
    return 1;
}

static uint16_t parts_in(const cell *c, uint64_t trace) {
    uint32_t found = 0;
    for (size_t j = 0; j < c->parts; j++) found |= (uint32_t)!(c->part[j] & ~trace) << j;
    return (uint16_t)found;
}

/* The cuts and parts of a cell; left: what each antecedent leaves. */
static int find_cuts(cell *c, uint16_t *left) {
    const uint64_t *traces = c->w->tables->traces;
    uint64_t *cuts = c->w->tables->cuts;
    size_t antecedents = c->w->in->antecedents, *made = c->w->tables->made;
    cuts[0] = 0, c->cuts = 1; /* the class of antecedents that capture nothing */
    for (size_t r = 0; r < antecedents; r++) {
        for (made[r] = 0; made[r] < c->cuts && cuts[made[r]] != traces[r];) made[r]++;
        if (made[r] == c->cuts) cuts[c->cuts++] = traces[r];
    }
    int by_cuts = c->cuts - 1 < c->items;
    c->parts = by_cuts ? c->cuts - 1 : c->items;
    if (c->parts > MOST_PARTS) return 0;
    for (size_t j = 0; j < c->parts; j++) c->part[j] = by_cuts ? cuts[1 + j] : UINT64_C(1) << j;
    for (size_t r = 0; r < antecedents; r++, left += c->w->proof->cells)
        *left = (uint16_t)(((1u << c->parts) - 1) & ~(uint32_t)parts_in(c, traces[r]));
    return 1;
}

/* Prices of cuts, which every antecedent that makes the cut has to pay. What captures the whole
 * cell has none: it does what the default rule does. */
static int read_prices(const cell *c, const int64_t *row, const int64_t *end) {
    const corels_check_tables *t = c->w->tables;
    uint64_t all = ~UINT64_C(0) >> (MOST_ITEMS - c->items) % MOST_ITEMS;
    int right = 1;
    memset(t->prices, 0, c->cuts * c->classes * sizeof *t->prices);
    for (; row < end; row += 1 + c->classes) {
        size_t r = (size_t)*row;
        if (r >= c->w->in->antecedents || !t->traces[r] || t->traces[r] == all) return 0;
        memcpy(t->prices + t->made[r] * c->classes, row + 1, c->classes * sizeof *row);
    }
    for (size_t r = 0; r < c->w->in->antecedents; r++)
        right &= take(c, c->of->rules + r * c->classes, t->prices + t->made[r] * c->classes);
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
    for (size_t s = 0; s < (size_t)1 << c->parts; s++) {
        int64_t best = alone(c, s);
        for (const move *m = moves; m < moves + n; m++) {
            size_t rest = s & ~(size_t)m->gone;
            int64_t here = m->price + m->sums[s] - m->sums[rest] + values[rest];
            best = rest != s && here < best ? here : best;
        }
        values[s] = (int32_t)(best < INT32_MAX ? best : INT32_MAX);
    }
}

/* What each state errs as a class, and the rules of this class. */
static void add_class(const cell *c, size_t class, move *moves) {
    const corels_check_tables *t = c->w->tables;
    size_t states = (size_t)1 << c->parts;
    int64_t *sums = t->sums + class * STATES;
    move one = {.sums = sums};
    memset(sums, 0, states * sizeof *sums);
    for (size_t i = 0; i < c->items; i++) {
        const int64_t *weights = c->weights + i * (1 + c->classes) + 1;
        uint16_t needs = 0;
        for (size_t j = 0; j < c->parts; j++) needs |= (uint16_t)((c->part[j] >> i & 1) << j);
        sums[needs] += weights[class];
    }
    for (size_t bit = 1; bit < states; bit *= 2)
        for (size_t s = 0; s < states; s += 2 * bit)
            for (size_t low = s; low < s + bit; low++) sums[low + bit] += sums[low];
    for (size_t j = 1; j < c->cuts; j++) {
        one.gone = parts_in(c, t->cuts[j]), one.price = t->prices[j * c->classes + class];
        *moves++ = one;
    }
}

static int fill(worker *w, size_t number, size_t from, size_t to) {
    const record *of = w->proof->given + number;
    corels_check_tables *t = w->tables;
    size_t classes = w->in->classes, width = 1 + classes, n;
    for (size_t i = from; i < to; i++) {
        const int64_t *items = of->ends[0] + i, *paid = of->ends[1] + i;
        cell c = {w, of, of->items + items[0] * width, .classes = classes};
        c.items = (size_t)(items[1] - items[0]);
        if (c.items > MOST_ITEMS || !read_items(&c)) return 0;
        if (!find_cuts(&c, t->left + of->begin + i)) return 0;
        if (!read_prices(&c, of->paid + paid[0] * width, of->paid + paid[1] * width)) return 0;
        t->start[of->begin + i] = (int32_t)t->used;
        if (t->used + ((size_t)1 << c.parts) > t->room) return 0;
        for (size_t k = n = 0; k < classes; k++, n += c.cuts - 1) add_class(&c, k, t->moves + n);
        fill_values(&c, t->values + t->used, t->moves, n);
        t->used += (size_t)1 << c.parts;
    }
    return 1;
}

/* Whether whatever follows r costs `need` or more. */
static int by_prices(const worker *w, const record *given, size_t r, int64_t need) {
    const uint16_t *left = w->tables->left + r * w->proof->cells;
    int64_t total = 0;
    for (size_t i = given->begin; i < given->begin + given->cells; i++)
        total += w->tables->values[w->tables->start[i] + (w->view[i] & left[i])];
    if (given->shift < 0) return total << -given->shift >= need;
    return (total + (INT64_C(1) << given->shift) - 1) >> given->shift >= need;
}

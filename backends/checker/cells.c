/* Cells with prices: points with shares of their weights, and for each rule that cuts the cell a
 * share of what a rule costs. What the cheapest list of each cell costs in its own weights and
 * prices adds up to no more than f (docs/internals/prices.md), as long as the shares add up to no
 * more than there is: that is checked here, in whole numbers.
 *
 * A state is what rules can leave of a cell's points. Its value is
 *
 *     min( the errors as one cell, min over cuts and classes of
 *          the price + the errors in what is cut out + the value of the rest )
 *
 * A state is a row of the table: for each cut of the cell, by how much the value falls where the
 * cut is taken out, and the row of what is left. So a view of a set is a row a cell.
 */
#include "inner.h"

enum { MOST_STATES = 4096, SLOTS = 4 * MOST_STATES, SHIFT = 64, MOST_CUTS = 4096 };

static const int64_t most_cost = 1 << 30; /* of all, in the unit of the tables */

typedef struct {
    const corels_check_table *in;
    int32_t shift; /* costs times 2^shift are the unit of the tables */
    uint32_t cells;
    size_t words;      /* of a set of cells */
    int32_t *falls;    /* row after row: by how much the value falls, */
    uint32_t *next;    /* and the row of what is left; 0 where that costs nothing */
    size_t used, room; /* of falls and next */
    uint32_t *whole;   /* [cells]: the row of all points */
    int64_t total;     /* of their values */
    uint16_t *cut;     /* [antecedents][cells]: the place in a row, */
    uint64_t *cuts;    /* [antecedents][words]: the cells of which something is captured */
} tables;

/* One cell while its states are found: of each state the points, the value, the errors as one cell
 * of each class. A slot holds the number of a state, beyond `base` while it is of this cell. */
typedef struct {
    items of;
    uint64_t *traces;       /* [cuts] */
    int64_t *prices, *left; /* [cuts][classes]; [antecedents][classes]: of budgets */
    int32_t *cut_of;        /* [antecedents]: -1 where nothing is captured */
    int64_t *alone;         /* [MOST_STATES][classes] */
    uint64_t subsets[MOST_STATES];
    int64_t values[MOST_STATES];
    uint32_t row[MOST_STATES], slots[SLOTS], base;
    int32_t cuts, states;
    size_t *room;
} cell;

/* A view: the sum of the values; a row a cell; the cells whose row is not 0. */
typedef struct {
    int64_t total;
    uint32_t *row;
    uint64_t *alive;
} place;

static inline place place_of(const tables *t, const void *view) {
    uint64_t *alive = (uint64_t *)view + 1;
    return (place){*(const int64_t *)view, (uint32_t *)(alive + t->words), alive};
}

static void begin(const void *of, void *view) {
    const tables *t = of;
    place p = place_of(t, view);
    *(int64_t *)view = t->total;
    for (size_t i = 0; i < t->cells; i++) {
        p.row[i] = t->whole[i];
        p.alive[i / 64] |= (uint64_t)(p.row[i] > 0) << (i % 64);
    }
}

static void enter(const void *of, int32_t r, void *view) {
    const tables *t = of;
    const uint16_t *cut = t->cut + (size_t)r * t->cells;
    const uint64_t *cuts = t->cuts + (size_t)r * t->words;
    place p = place_of(t, view);
    for (size_t w = 0; w < t->words; w++)
        for (uint64_t left = cuts[w] & p.alive[w]; left; left &= left - 1) {
            size_t i = 64 * w + (size_t)__builtin_ctzll(left), at = p.row[i] + cut[i];
            p.total -= t->falls[at];
            p.row[i] = t->next[at];
            if (!p.row[i]) p.alive[w] &= ~(left & -left);
        }
    *(int64_t *)view = p.total;
}

static int shows(const void *of, const void *view, int32_t r, int64_t need) {
    const tables *t = of;
    const uint16_t *cut = t->cut + (size_t)r * t->cells;
    const uint64_t *cuts = t->cuts + (size_t)r * t->words;
    place p = place_of(t, view);
    for (size_t w = 0; w < t->words; w++)
        for (uint64_t left = cuts[w] & p.alive[w]; left; left &= left - 1) {
            size_t i = 64 * w + (size_t)__builtin_ctzll(left);
            p.total -= t->falls[p.row[i] + cut[i]];
        }
    if (t->shift < 0) return p.total << -t->shift >= need;
    return (p.total + (INT64_C(1) << t->shift) - 1) >> t->shift >= need;
}

static void release(void *of) {
    tables *t = of;
    free(t->falls), free(t->next), free(t->whole), free(t->cut), free(t->cuts), free(t);
}

/* Which cut each antecedent makes: those with equal traces make one. */
static void find_cuts(cell *c, int32_t antecedents) {
    c->cuts = 0;
    for (int32_t r = 0; r < antecedents; r++) {
        int32_t t = 0;
        while (t < c->cuts && c->traces[t] != c->of.traces[r]) t++;
        c->cut_of[r] = c->of.traces[r] ? t : -1;
        if (t == c->cuts && c->of.traces[r]) c->traces[c->cuts++] = c->of.traces[r];
    }
}

/* Prices of cuts, taken off what is left of each antecedent's. What captures the whole cell has
 * none: it does what the default does. */
static int read_prices(cell *c, const corels_check_table *in, reader *from, uint64_t all) {
    size_t classes = (size_t)in->classes;
    int64_t n = next_below(from, (int64_t)in->antecedents + 1);
    memset(c->prices, 0, (size_t)c->cuts * classes * sizeof *c->prices);
    for (int64_t i = 0; i < n; i++) {
        int32_t r = (int32_t)next_below(from, in->antecedents);
        if (from->bad || c->cut_of[r] < 0 || c->of.traces[r] == all) return CORELS_CHECK_DATA;
        for (size_t k = 0; k < classes; k++)
            c->prices[(size_t)c->cut_of[r] * classes + k] = next_below(from, most_cost);
    }
    for (size_t r = 0; r < (size_t)in->antecedents && !from->bad; r++)
        for (size_t k = 0; c->cut_of[r] >= 0 && k < classes; k++) {
            int64_t *left = c->left + r * classes + k;
            *left -= c->prices[(size_t)c->cut_of[r] * classes + k];
            if (*left < 0) return CORELS_CHECK_DATA;
        }
    if (c->cuts > MOST_CUTS) return CORELS_CHECK_DATA;
    return from->bad ? CORELS_CHECK_MALFORMED : CORELS_CHECK_HOLDS;
}

static uint32_t *slot_of(cell *c, uint64_t subset) {
    uint64_t at = subset * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    for (;; at++) {
        uint32_t *slot = c->slots + at % SLOTS;
        if (*slot < c->base || c->subsets[*slot - c->base] == subset) return slot;
    }
}

static int more_rows(tables *t, size_t n, size_t *room) {
    if (t->used + n <= t->room) return CORELS_CHECK_HOLDS;
    size_t more = t->room + n, bytes = more * (sizeof *t->falls + sizeof *t->next);
    if (bytes > *room) return CORELS_CHECK_DATA;
    int32_t *falls = realloc(t->falls, (t->room + more) * sizeof *falls);
    if (falls) t->falls = falls;
    uint32_t *next = realloc(t->next, (t->room + more) * sizeof *next);
    if (next) t->next = next;
    if (!falls || !next) return CORELS_CHECK_MEMORY;
    *room -= bytes;
    t->room += more;
    return CORELS_CHECK_HOLDS;
}

/* The number of a state; what it leads to is found first, and each cut leads to fewer points. A
 * negative number is a result less 100. */
static int32_t state_of(tables *t, cell *c, uint64_t subset) {
    size_t classes = (size_t)t->in->classes;
    uint32_t *slot = slot_of(c, subset);
    if (*slot >= c->base) return (int32_t)(*slot - c->base);
    int result =
        c->states == MOST_STATES ? CORELS_CHECK_DATA : more_rows(t, (size_t)c->cuts, c->room);
    if (result) return result - 100;
    int32_t s = c->states++;
    *slot = c->base + (uint32_t)s;
    size_t row = t->used;
    t->used += (size_t)c->cuts;
    c->subsets[s] = subset, c->row[s] = (uint32_t)row;
    int64_t *alone = c->alone + (size_t)s * classes, best = INT64_MAX;
    for (size_t k = 0; k < classes; k++) {
        alone[k] = 0;
        for (uint64_t left = subset; left; left &= left - 1)
            alone[k] += c->of.weights[(size_t)__builtin_ctzll(left) * classes + k];
        if (alone[k] < best) best = alone[k];
    }
    for (int32_t i = 0; i < c->cuts; i++) {
        int32_t rest = subset & c->traces[i] ? state_of(t, c, subset & ~c->traces[i]) : s;
        if (rest < 0) return rest;
        t->falls[row + (size_t)i] = rest;
        for (size_t k = 0; k < classes && rest != s; k++) {
            int64_t here = c->prices[(size_t)i * classes + k] + alone[k] -
                           c->alone[(size_t)rest * classes + k] + c->values[rest];
            if (here < best) best = here;
        }
    }
    c->values[s] = best;
    int needed = best || t->used > row + (size_t)c->cuts;
    if (!needed) t->used = row, c->row[s] = 0;
    for (int32_t i = 0; i < c->cuts && needed; i++) {
        int32_t rest = t->falls[row + (size_t)i];
        t->falls[row + (size_t)i] = (int32_t)(best - c->values[rest]);
        t->next[row + (size_t)i] = c->row[rest];
    }
    return s;
}

static int read_cell(tables *t, cell *c, reader *from, uint32_t number) {
    const corels_check_table *in = t->in;
    int result = items_read(&c->of, in, from, MOST_ITEMS);
    if (result) return result;
    uint64_t all = c->of.n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << c->of.n) - 1;
    find_cuts(c, in->antecedents);
    result = read_prices(c, in, from, all);
    if (result) return result;
    c->base += (uint32_t)c->states, c->states = 0;
    int32_t whole = state_of(t, c, all);
    if (whole < 0) return whole + 100;
    t->whole[number] = c->row[whole];
    t->total += c->values[whole];
    for (size_t r = 0; r < (size_t)in->antecedents; r++)
        if (c->cut_of[r] >= 0) {
            t->cut[r * t->cells + number] = (uint16_t)c->cut_of[r];
            t->cuts[r * t->words + number / 64] |= UINT64_C(1) << (number % 64);
        }
    return CORELS_CHECK_HOLDS;
}

static int64_t scaled(const tables *t, int64_t cost) {
    return t->shift >= 0 ? cost << t->shift : cost >> -t->shift;
}

/* What there is of each regret and of the cost of each rule, in the unit of the tables. */
static int budgets(const tables *t, cell *c) {
    size_t points = (size_t)t->in->points, classes = (size_t)t->in->classes;
    int64_t most = t->in->rule_cost;
    for (size_t k = 0; k < classes; k++) {
        int64_t sum = 0;
        for (size_t i = 0; i < points; i++) sum += t->in->unit * t->in->regrets[k * points + i];
        most = sum > most ? sum : most;
    }
    if (t->shift < -62 ||
        (t->shift >= 0 ? most >= most_cost >> t->shift : scaled(t, most) >= most_cost))
        return 0;
    for (size_t i = 0; i < points * classes; i++)
        c->of.left[i] = scaled(t, t->in->unit * t->in->regrets[i]);
    for (size_t i = 0; i < (size_t)t->in->antecedents * classes; i++)
        c->left[i] = scaled(t, t->in->rule_cost);
    return 1;
}

static void cell_free(cell *c) {
    if (!c) return;
    items_free(&c->of);
    free(c->traces), free(c->cut_of), free(c->prices), free(c->left), free(c->alone), free(c);
}

static cell *cell_new(const corels_check_table *in, size_t *room) {
    size_t m = (size_t)in->antecedents, classes = (size_t)in->classes;
    cell *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->base = 1, c->room = room;
    c->traces = array(m, 8), c->cut_of = array(m, sizeof *c->cut_of);
    c->prices = array(m * classes, 8), c->left = array(m * classes, 8);
    c->alone = array(MOST_STATES * classes, 8);
    int ok = items_new(&c->of, in) && c->traces && c->cut_of && c->prices && c->left && c->alone;
    if (ok) return c;
    cell_free(c);
    return NULL;
}

int cells_read(given *out, const corels_check_table *in, reader *from, size_t *room) {
    int32_t shift = (int32_t)next_below(from, 2 * SHIFT) - SHIFT;
    /* A cell takes two bytes at least: no more are believed than there are bytes left. */
    uint32_t cells = (uint32_t)next_below(from, from->end - from->at + 1);
    size_t bytes = ((size_t)cells + 1) * (size_t)in->antecedents * sizeof(uint16_t);
    if (from->bad) return CORELS_CHECK_MALFORMED;
    if (bytes > *room) return CORELS_CHECK_DATA;
    *room -= bytes;
    tables *t = calloc(1, sizeof *t);
    if (!t) return CORELS_CHECK_MEMORY;
    *t = (tables){.in = in, .shift = shift, .cells = cells, .words = (cells + 63) / 64};
    *out = (given){.view_bytes = 8 + t->words * 8 + cells * sizeof(uint32_t),
                   .begin = begin,
                   .enter = enter,
                   .shows = shows,
                   .free = release,
                   .tables = t};
    t->whole = array(cells, sizeof *t->whole), t->cut = array(bytes, 1),
    t->cuts = array((size_t)in->antecedents, t->words * 8 + 1);
    cell *c = cell_new(in, room);
    int result = c && t->whole && t->cut && t->cuts ? CORELS_CHECK_HOLDS : CORELS_CHECK_MEMORY;
    if (!result) result = more_rows(t, MOST_CUTS, room);
    if (!result) { /* row 0 */
        memset(t->falls, 0, MOST_CUTS * sizeof *t->falls);
        memset(t->next, 0, MOST_CUTS * sizeof *t->next);
        t->used = MOST_CUTS;
    }
    if (!result && !budgets(t, c)) result = CORELS_CHECK_DATA;
    for (uint32_t i = 0; i < cells && !result; i++) result = read_cell(t, c, from, i);
    cell_free(c);
    return result;
}

/* Tables that a proof gives as data: parts of the points, *cells*, with shares of their weights.
 * The shares must add up to no more than there is: that is checked here, in whole numbers.
 *
 * A state says what rules have left of a cell: a bit an item, or, in a cell of many items, a bit a
 * cut, that is, a set of items that some antecedent captures. A view is a state a cell.
 *
 * Blocks (docs/internals/blocks.md) are cells of 16 items at most. For each state a row says the
 * least errors that 0 .. 7 rules leave of it; errors add up over the blocks.
 *
 * In cells with prices (docs/internals/prices.md) a cut has a share of what a rule costs, and what
 * the cheapest list of each cell costs adds up to no more than what any list costs. A state's value
 *
 *     min( the errors as one class, min over cuts and classes of
 *          the price + the errors in what is cut out + the value of the rest )
 */
#include "inner.h"

enum { MOST_ITEMS = 64, BITS = 16, STATES = 1 << BITS, LANES = 8, SHIFT = 64, LEAF = 12 };
enum { MANY = 1 << 18, SMALL = 1024 }; /* what a cell takes at least */

typedef uint16_t lanes __attribute__((vector_size(2 * LANES))); /* lane k is for k rules */

typedef struct {
    size_t n, cuts;
    int by_cuts;      /* a state has a bit a cut, and not an item */
    int64_t *weights; /* [n][classes] */
    uint64_t *cut;    /* [cuts]: the different ones, none of them empty */
    int64_t *prices;  /* [cuts][classes] */
    size_t start;     /* of the states */
} cell;

struct given {
    const corels_check_table *in;
    size_t cells, classes;
    int priced, shift; /* blocks: errors >> shift; prices: costs << shift */
    cell *cell;
    uint16_t *keep;    /* [antecedents][cells]: the bits of a state that r leaves */
    uint32_t *start;   /* [cells]: of its states */
    lanes *rows;       /* blocks: [states] */
    int32_t *values;   /* prices: [states] */
    uint32_t *touched; /* [antecedents][cells]: the cells of which r captures something, */
    size_t *touches;   /* [antecedents]: so many, */
    int (*show)(const struct given *, const uint16_t *, const uint16_t *, const int32_t *, int32_t);
    int64_t (*sum)(const struct given *, const uint16_t *, const uint16_t *);
    int many; /* states beyond the cache: then to sum up all in order is faster */
};

static uint32_t whole(const cell *c) {
    return (1u << (c->by_cuts ? c->cuts : c->n)) - 1;
}

static uint64_t all_of(const cell *c) {
    return c->n == MOST_ITEMS ? ~UINT64_C(0) : (UINT64_C(1) << c->n) - 1;
}

/* ---- views ---- */

/* A view ends with the sum of the values. */
enum { SUM = sizeof(int64_t) / sizeof(uint16_t) };

size_t given_view(const given *g) {
    return g->cells + SUM;
}

void given_begin(const given *g, uint16_t *view) {
    int64_t total = 0;
    for (size_t i = 0; i < g->cells; i++) {
        view[i] = (uint16_t)whole(g->cell + i);
        if (g->priced) total += g->values[g->start[i] + view[i]];
    }
    memcpy(view + g->cells, &total, sizeof total);
}

/* The sum of all values behind r. */
HERE int64_t sum_here(const given *g, const uint16_t *view, const uint16_t *kept) {
    int64_t total = 0;
    for (size_t i = 0; i < g->cells; i++)
        total += g->values[g->start[i] + (uint32_t)(view[i] & kept[i])];
    return total;
}

VERSIONS(int64_t, sum, (const given *g, const uint16_t *view, const uint16_t *kept),
         (g, view, kept))

static int64_t behind(const given *g, const uint16_t *view, int32_t r) {
    const uint16_t *kept = g->keep + (size_t)r * g->cells;
    const uint32_t *touched = g->touched + (size_t)r * g->cells;
    int64_t total;
    if (g->many) return g->sum(g, view, kept);
    memcpy(&total, view + g->cells, sizeof total);
    for (size_t n = 0; n < g->touches[r]; n++) {
        const int32_t *values = g->values + g->start[touched[n]];
        uint32_t state = view[touched[n]];
        total += values[state & kept[touched[n]]] - values[state];
    }
    return total;
}

void given_enter(const given *g, int32_t r, uint16_t *view) {
    const uint16_t *kept = g->keep + (size_t)r * g->cells;
    int64_t total = g->priced && !g->many ? behind(g, view, r) : 0;
    for (size_t i = 0; i < g->cells; i++) view[i] &= kept[i];
    memcpy(view + g->cells, &total, sizeof total);
}

/* Whether 1 .. 7 rules leave so many errors or more, less those of r. */
HERE int show_here(const given *g, const uint16_t *view, const uint16_t *kept, const int32_t *goals,
                   int32_t errors) {
    typedef uint64_t words __attribute__((vector_size(16)));
    typedef int32_t numbers __attribute__((vector_size(4 * LANES)));
    numbers need;
    memcpy(&need, goals, sizeof need);
    need = ((need - errors - 1) >> g->shift) + 1; /* rounded up */
    need[0] = 0, need &= need > 0;
    numbers large = need >> 16;
    if (large[1] | large[2] | large[3] | large[4] | large[5] | large[6] | large[7]) return 0;
    lanes goal = __builtin_convertvector(need, lanes), sums = {0};
    for (size_t b = 0; b < g->cells; b++) {
        sums += g->rows[g->start[b] + (view[b] & kept[b])];
        if (b % 4 < 3 && b + 1 < g->cells) continue;
        words open = (words)(lanes)(sums < goal);
        if (!(open[0] | open[1])) return 1;
    }
    return 0;
}

VERSIONS(int, show,
         (const given *g, const uint16_t *view, const uint16_t *kept, const int32_t *goals,
          int32_t errors),
         (g, view, kept, goals, errors))

int given_shows(const given *g, const uint16_t *view, int32_t r, const int32_t *goals,
                int32_t errors, int64_t need) {
    const uint16_t *kept = g->keep + (size_t)r * g->cells;
    if (!g->priced) return g->show(g, view, kept, goals, errors);
    int64_t total = behind(g, view, r);
    if (g->shift < 0) return total << -g->shift >= need;
    return (total + (INT64_C(1) << g->shift) - 1) >> g->shift >= need;
}

/* ---- reading ---- */

/* What is left of the regrets and of the costs of rules while cells are read. */
typedef struct {
    reader *from;
    int64_t *points, *rules; /* [points][classes], [antecedents][classes] */
    uint64_t *traces, *cuts; /* [antecedents]: the items of one cell that each captures */
} budget;

/* A cost in the unit of the tables. */
static int64_t scaled(const given *g, keeper *k, int64_t cost) {
    if (!g->priced) return cost;
    if (g->shift < 0) return cost >> -g->shift;
    if (cost > MOST_COST / MOST_ITEMS >> g->shift) fail(k, CORELS_CHECK_DATA);
    return cost << g->shift;
}

static void take(budget *b, int64_t *left, int64_t share) {
    if ((*left -= share) < 0) fail(b->from->keeper, CORELS_CHECK_DATA);
}

static void read_items(const given *g, cell *c, budget *b) {
    const corels_check_table *in = g->in;
    size_t words = ((size_t)in->points + 63) / 64;
    c->n = (size_t)next_below(b->from, (g->priced ? MOST_ITEMS : BITS) + 1);
    c->weights = keep(b->from->keeper, c->n * g->classes, sizeof *c->weights);
    memset(b->traces, 0, (size_t)in->antecedents * sizeof *b->traces);
    for (size_t i = 0; i < c->n; i++) {
        int32_t place = in->kept[next_below(b->from, in->numbered)];
        if (place < 0) fail(b->from->keeper, CORELS_CHECK_DATA);
        for (size_t k = 0; k < g->classes; k++) {
            int64_t weight = c->weights[i * g->classes + k] = next_below(b->from, MOST_COST);
            take(b, b->points + (size_t)place * g->classes + k, weight);
        }
        for (size_t r = 0; r < (size_t)in->antecedents; r++)
            b->traces[r] |= (in->masks[r * words + (size_t)place / 64] >> (place % 64) & 1) << i;
    }
}

static size_t cut_of(const cell *c, uint64_t trace) {
    size_t t = 0;
    while (t < c->cuts && c->cut[t] != trace) t++;
    return t;
}

/* The different cuts, and what each antecedent leaves of a state. */
static void find_cuts(const given *g, cell *c, const budget *b) {
    size_t m = (size_t)g->in->antecedents, number = (size_t)(c - g->cell);
    c->cut = b->cuts;
    for (size_t r = 0; r < m; r++)
        if (b->traces[r] && cut_of(c, b->traces[r]) == c->cuts) c->cut[c->cuts++] = b->traces[r];
    c->cut = keep(b->from->keeper, c->cuts, sizeof *c->cut);
    memcpy(c->cut, b->cuts, c->cuts * sizeof *c->cut);
    c->by_cuts = g->priced && c->cuts < c->n;
    if ((c->by_cuts ? c->cuts : c->n) > BITS) fail(b->from->keeper, CORELS_CHECK_DATA);
    for (size_t r = 0; r < m; r++) {
        uint64_t gone = c->by_cuts ? UINT64_C(1) << cut_of(c, b->traces[r]) : b->traces[r];
        g->keep[r * g->cells + number] = (uint16_t)~(b->traces[r] ? gone : 0);
        if (b->traces[r]) g->touched[r * g->cells + g->touches[r]++] = (uint32_t)number;
    }
}

/* Prices of cuts, which every antecedent that makes the cut has to pay. What captures the whole
 * cell has none: it does what the default rule does. */
static void read_prices(const given *g, cell *c, budget *b) {
    int32_t m = g->in->antecedents;
    c->prices = keep(b->from->keeper, c->cuts * g->classes, sizeof *c->prices);
    for (int64_t n = next_below(b->from, (int64_t)m + 1); n > 0; n--) {
        uint64_t trace = b->traces[next_below(b->from, m)];
        if (!trace || trace == all_of(c)) fail(b->from->keeper, CORELS_CHECK_DATA);
        for (size_t k = 0; k < g->classes; k++)
            c->prices[cut_of(c, trace) * g->classes + k] = next_below(b->from, MOST_COST);
    }
    for (size_t r = 0; r < (size_t)m; r++)
        for (size_t k = 0; k < g->classes && b->traces[r]; k++)
            take(b, b->rules + r * g->classes + k,
                 c->prices[cut_of(c, b->traces[r]) * g->classes + k]);
}

/* What all points of a cell cost as one class. */
static int64_t as_one(const given *g, const cell *c) {
    int64_t least = INT64_MAX;
    for (size_t k = 0; k < g->classes; k++) {
        int64_t sum = 0;
        for (size_t i = 0; i < c->n; i++) sum += c->weights[i * g->classes + k];
        least = sum < least ? sum : least;
    }
    return least;
}

static void read_cells(given *g, budget *b, size_t *room) {
    keeper *k = b->from->keeper;
    size_t states = 0;
    int64_t total = 0;
    for (size_t i = 0; i < g->cells; i++) {
        cell *c = g->cell + i;
        read_items(g, c, b);
        find_cuts(g, c, b);
        if (g->priced) read_prices(g, c, b);
        c->start = states, g->start[i] = (uint32_t)states, states += (size_t)whole(c) + 1;
        if (g->priced && as_one(g, c) > INT32_MAX) fail(k, CORELS_CHECK_DATA);
        total += as_one(g, c);
    }
    while (!g->priced && total >> g->shift > 65535) g->shift++; /* so that sums fit 16 bits */
    size_t size = g->priced ? sizeof *g->values : sizeof *g->rows;
    if (states > *room / size) fail(k, CORELS_CHECK_DATA);
    *room -= states * size;
    g->many = states > MANY;
    if (g->priced)
        g->values = keep(k, states, size);
    else
        g->rows = keep(k, states, size);
}

given *given_read(const corels_check_table *in, reader *from, int priced, size_t *room) {
    keeper *k = from->keeper;
    size_t m = (size_t)in->antecedents, points = (size_t)in->points;
    given *g = keep(k, 1, sizeof *g);
    *g = (given){.in = in, .classes = (size_t)in->classes, .priced = priced};
    if (priced) g->shift = (int)next_below(from, 2 * SHIFT - 1) - SHIFT;
    if (g->shift < -62) fail(k, CORELS_CHECK_DATA);
    /* A cell takes a byte at least: no more are believed than there are bytes left. */
    g->cells = (size_t)next_below(from, from->end - from->at + 1);
    if (g->cells > *room / (m * (sizeof *g->keep + sizeof *g->touched) + SMALL))
        fail(k, CORELS_CHECK_DATA);
    *room -= g->cells * (m * (sizeof *g->keep + sizeof *g->touched) + SMALL);
    g->cell = keep(k, g->cells, sizeof *g->cell), g->start = keep(k, g->cells, sizeof *g->start);
    g->keep = keep(k, m * g->cells, sizeof *g->keep);
    g->touched = keep(k, m * g->cells, sizeof *g->touched), g->touches = keep(k, m, 8);
    budget b = {from, keep(k, points * g->classes, 8), keep(k, m * g->classes, 8), keep(k, m, 8),
                keep(k, m, 8)};
    for (size_t i = 0; i < points * g->classes; i++)
        b.points[i] = scaled(
            g, k, (priced ? in->unit : 1) * in->regrets[i % g->classes * points + i / g->classes]);
    for (size_t i = 0; i < m * g->classes; i++) b.rules[i] = scaled(g, k, in->rule_cost);
    read_cells(g, &b, room);
    g->sum = CHOSEN(sum), g->show = CHOSEN(show);
    return g;
}

/* ---- filling ---- */

/* Scratch for one cell after another. */
typedef struct {
    const given *g;
    lanes later[STATES];           /* rows, one lane further */
    int64_t sums[STATES], *errors; /* [states][classes] */
    uint16_t alone[STATES];        /* a state's errors as one class */
    uint8_t seen[STATES];
} filler;

/* rows[t][k]: t as one class, or the best first rule and k - 1 for what it leaves. Nothing
 * overflows: two parts cost no more than both as one. */
HERE void rows_here(filler *f, lanes *rows, uint32_t from, uint32_t to, const uint16_t *cuts,
                    size_t n) {
    for (uint32_t t = from; t < to; t++) {
        lanes best = (lanes){0} + f->alone[t];
        f->later[t] = best; /* for a cut that takes out nothing */
        for (size_t i = 0; i < n; i++) {
            uint32_t cut = t & cuts[i];
            lanes here = f->later[t & ~cut] + f->alone[cut];
            for (int k = 0; k < LANES; k++) best[k] = here[k] < best[k] ? here[k] : best[k];
        }
        best[0] = f->alone[t]; /* no rule */
        rows[t] = best;
        f->later[t] =
            (lanes){best[0], best[0], best[1], best[2], best[3], best[4], best[5], best[6]};
    }
}

VERSIONS(void, rows,
         (filler * f, lanes *rows, uint32_t from, uint32_t to, const uint16_t *cuts, size_t n),
         (f, rows, from, to, cuts, n))

/* The rows of the states `high` and what 2^bits lower ones add. A cut that another one equals
 * there, or that is part of another one that errs nowhere there, is not needed. */
static void fill_rows(filler *f, lanes *rows, uint32_t high, size_t bits, uint16_t *cuts,
                      size_t n) {
    uint16_t *needed = cuts + n;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        uint16_t cut = (uint16_t)(cuts[i] & (high | ((1u << bits) - 1)));
        size_t kept = 0, j = 0;
        while (j < m && cut != needed[j] && (cut & ~needed[j] || f->alone[needed[j]])) j++;
        if (!cut || j < m) continue;
        for (j = 0; j < m; j++)
            if (f->alone[cut] || needed[j] & ~cut) needed[kept++] = needed[j];
        needed[kept] = cut, m = kept + 1;
    }
    size_t lower = bits > 4 ? bits - 4 : 0;
    if (bits <= LEAF)
        CHOSEN(rows)(f, rows, high, high + (1u << bits), needed, m);
    else
        for (uint32_t i = 0; i < 16; i++) fill_rows(f, rows, high | i << lower, lower, needed, m);
}

static void fill_block(filler *f, keeper *k, const cell *c) {
    for (size_t class = 0; class < f->g->classes; class++)
        for (uint32_t x = 0; x <= whole(c); x++) {
            size_t item = x ? (size_t)__builtin_ctz(x) * f->g->classes + class : 0;
            f->sums[x] = x ? f->sums[x & (x - 1)] + c->weights[item] : 0;
            int64_t here = f->sums[x] >> f->g->shift;
            if (!class || f->alone[x] > here) f->alone[x] = (uint16_t)(here < 65535 ? here : 65535);
        }
    uint16_t *cuts = keep(k, c->cuts * (BITS + 2), sizeof *cuts);
    for (size_t t = 0; t < c->cuts; t++) cuts[t] = (uint16_t)c->cut[t];
    fill_rows(f, f->g->rows + c->start, 0, c->n, cuts, c->cuts);
}

/* The value of a state, and those of all that it leads to. */
static int64_t value_of(filler *f, const cell *c, uint32_t state) {
    size_t classes = f->g->classes;
    int32_t *value = f->g->values + c->start + state;
    int64_t *errors = f->errors + state * classes, best = INT32_MAX;
    if (f->seen[state]++) return f->seen[state] = 1, *value;
    uint64_t left = c->by_cuts ? all_of(c) : state;
    for (size_t t = 0; t < c->cuts && c->by_cuts; t++)
        if (!(state >> t & 1)) left &= ~c->cut[t];
    memset(errors, 0, classes * sizeof *errors);
    for (; left; left &= left - 1)
        for (size_t k = 0; k < classes; k++)
            errors[k] += c->weights[(size_t)__builtin_ctzll(left) * classes + k];
    for (size_t k = 0; k < classes; k++) best = errors[k] < best ? errors[k] : best;
    for (size_t t = 0; t < c->cuts; t++) {
        uint32_t rest = state & ~(uint32_t)(c->by_cuts ? UINT64_C(1) << t : c->cut[t]);
        int64_t behind = rest == state ? 0 : value_of(f, c, rest);
        for (size_t k = 0; k < classes && rest != state; k++) {
            int64_t here = c->prices[t * classes + k] + errors[k] - f->errors[rest * classes + k];
            best = here + behind < best ? here + behind : best;
        }
    }
    return *value = (int32_t)best;
}

void given_fill(const given *g, keeper *k, size_t part, size_t parts) {
    filler *f = keep(k, 1, sizeof *f);
    f->g = g, f->errors = keep(k, STATES * g->classes, sizeof *f->errors);
    for (size_t i = part; i < g->cells; i += parts) {
        if (!g->priced)
            fill_block(f, k, g->cell + i);
        else
            memset(f->seen, 0, whole(g->cell + i) + 1),
                value_of(f, g->cell + i, whole(g->cell + i));
    }
}

/* Tables that a proof gives as data: cells of points, with shares of their weights. The shares must
 * add up to no more than there is: that is checked here, in whole numbers.
 *
 * A state says which *parts* rules have left of a cell: each item is a part, or, where they are too
 * many, each set of items that some antecedent captures. A rule takes the parts that lie in what it
 * captures, and an item is left where all of its parts are.
 *
 * Blocks (docs/internals/blocks.md) are cells of 16 items at most. For each state a row says the
 * least errors that 0 .. 7 rules leave of it; errors add up over the blocks. In cells with prices
 * (docs/internals/prices.md) a rule has to pay a share of its cost, and what the cheapest list of
 * each cell costs adds up to no more than what any list costs. All these numbers are lower bounds:
 * one that does not fit is cut down. */
#ifndef CORELS_CHECKER_TABLES_H
#define CORELS_CHECKER_TABLES_H

#include "counting.h"

enum { MOST_ITEMS = 64, MOST_PARTS = 16, STATES = 1 << MOST_PARTS, LEAF = 6, MOST_SHIFT = 62 };
#define MOST_TABLES ((size_t)512 << 20)

typedef uint16_t lanes __attribute__((vector_size(2 * LANES))); /* lane k is for k rules */

typedef struct {
    const int64_t *rows; /* its items */
    size_t items, cuts, parts, start;
    uint64_t *cut, *part; /* the different sets of items that antecedents capture; parts */
    int64_t *prices;      /* [cuts][classes] */
} cell;

/* A rule in a cell: the parts that it takes, and its class. */
typedef struct {
    uint16_t gone, free, worst; /* blocks: the items that err nothing as its class, or the most */
    int64_t price;
    const int64_t *sums; /* what each state errs as its class */
} move;

typedef struct {
    const corels_check_table *in;
    const corels_check_proof *proof;
    keeper *keeper;
    size_t cells, *begin; /* [records + 1]: where the cells of a record begin */
    cell *cell;
    int32_t *start; /* [cells]: of its states, among those of all blocks or all cells with prices */
    uint16_t *left; /* [antecedents][cells]: the parts that an antecedent leaves */
    lanes *rows;    /* of all blocks: [states] */
    int32_t *values; /* of all cells with prices: [states] */
    /* Scratch for the cell that is filled. */
    int64_t *sums; /* [classes][STATES]: what a state errs as a class */
    lanes *later;  /* [STATES]: rows, one lane further */
    move *moves;
    int shift;
} tables;

/* ---- reading ---- */

static void require(keeper *k, int right) {
    if (!right) longjmp(k->out, CORELS_CHECK_DATA);
}

static void take(keeper *k, int64_t *left, const int64_t *share, size_t classes) {
    for (size_t i = 0; i < classes; i++) require(k, (left[i] -= share[i]) >= 0);
}

/* What each antecedent captures of the items, as bits, and how much of a point is left. */
static void read_items(const tables *t, const cell *c, int64_t *points, uint64_t *traces) {
    size_t words = (t->in->points + 63) / 64, classes = t->in->classes;
    memset(traces, 0, t->in->antecedents * sizeof *traces);
    for (size_t i = 0; i < c->items; i++) {
        const int64_t *row = c->rows + i * (1 + classes);
        size_t point = (size_t)*row;
        require(t->keeper, point < t->in->points);
        take(t->keeper, points + point * classes, row + 1, classes);
        for (size_t r = 0; r < t->in->antecedents; r++)
            traces[r] |= (t->in->masks[r * words + point / 64] >> point % 64 & 1) << i;
    }
}

static uint16_t parts_in(const cell *c, uint64_t trace) {
    uint32_t found = 0;
    for (size_t j = 0; j < c->parts; j++) found |= (uint32_t)!(c->part[j] & ~trace) << j;
    return (uint16_t)found;
}

/* made[r]: the number of the cut that r makes; of those who make none, that of an empty one. */
static void find_cuts(const tables *t, cell *c, int priced, const uint64_t *traces, size_t *made) {
    size_t antecedents = t->in->antecedents;
    c->cut = keep(t->keeper, 1 + antecedents, sizeof *c->cut);
    c->cuts = 1; /* the empty one */
    for (size_t r = 0; r < antecedents; r++) {
        for (made[r] = 0; made[r] < c->cuts && c->cut[made[r]] != traces[r];) made[r]++;
        if (made[r] == c->cuts) c->cut[c->cuts++] = traces[r];
    }
    c->parts = priced && c->cuts - 1 < c->items ? c->cuts - 1 : c->items;
    require(t->keeper, c->parts <= MOST_PARTS);
    c->part = keep(t->keeper, c->parts, sizeof *c->part);
    for (size_t j = 0; j < c->parts; j++)
        c->part[j] = c->parts < c->items ? c->cut[1 + j] : UINT64_C(1) << j;
    for (size_t r = 0; r < antecedents; r++)
        t->left[r * t->cells + (size_t)(c - t->cell)] =
            ((1u << c->parts) - 1) & ~(uint32_t)parts_in(c, traces[r]);
}

/* Prices of cuts, which every antecedent that makes the cut has to pay. What captures the whole
 * cell has none: it does what the default rule does. */
static const int64_t *read_prices(const tables *t, cell *c, const int64_t *row, int64_t rows,
                                  const uint64_t *traces, const size_t *made, int64_t *rules) {
    size_t classes = t->in->classes;
    uint64_t all = c->items == MOST_ITEMS ? ~UINT64_C(0) : (UINT64_C(1) << c->items) - 1;
    c->prices = keep(t->keeper, c->cuts * classes, sizeof *c->prices);
    for (; rows > 0; rows--, row += 1 + classes) {
        size_t r = (size_t)*row;
        require(t->keeper, r < t->in->antecedents && traces[r] && traces[r] != all);
        memcpy(c->prices + made[r] * classes, row + 1, classes * sizeof *row);
    }
    for (size_t r = 0; r < t->in->antecedents; r++)
        take(t->keeper, rules + r * classes, c->prices + made[r] * classes, classes);
    return row;
}

/* A cost in the unit of a record. */
static int64_t scaled(const tables *t, const corels_check_record *record, int64_t cost) {
    int shift = record->priced ? record->shift : 0;
    require(t->keeper, -MOST_SHIFT <= shift && shift <= MOST_SHIFT &&
                           record->shift >= -MOST_SHIFT * record->priced &&
                           record->shift <= MOST_SHIFT);
    require(t->keeper, shift < 0 || cost <= (INT64_C(1) << 56) >> shift);
    return shift < 0 ? cost >> -shift : cost << shift;
}

static void read_record(tables *t, const corels_check_record *record, cell *c, size_t *states) {
    const corels_check_table *in = t->in;
    size_t antecedents = in->antecedents, classes = in->classes;
    const int64_t *item = record->items, *cut = record->cuts;
    /* What is left of the regrets of points and of the costs of rules. */
    int64_t *points = keep(t->keeper, in->points * classes, sizeof *points);
    int64_t *rules = keep(t->keeper, antecedents * classes, sizeof *rules);
    uint64_t *traces = keep(t->keeper, antecedents, sizeof *traces);
    size_t *made = keep(t->keeper, antecedents, sizeof *made);
    for (size_t i = 0; i < in->points * classes; i++)
        points[i] = scaled(t, record,
                           (record->priced ? in->unit : 1) *
                               in->weights[i % classes * in->points + i / classes]);
    for (size_t i = 0; i < antecedents * classes; i++)
        rules[i] = scaled(t, record, record->priced ? in->rule_cost : 0);
    for (const int64_t *size = record->sizes; size < record->sizes + 2 * record->cells;
         size += 2, c++) {
        require(t->keeper, size[0] <= (record->priced ? MOST_ITEMS : MOST_PARTS));
        *c = (cell){.rows = item, .items = (size_t)size[0], .start = states[record->priced]};
        read_items(t, c, points, traces);
        find_cuts(t, c, record->priced, traces, made);
        item += c->items * (1 + classes),
            cut = read_prices(t, c, cut, size[1], traces, made, rules);
        t->start[c - t->cell] = (int32_t)c->start, states[record->priced] += (size_t)1 << c->parts;
        require(t->keeper,
                states[0] * sizeof *t->rows + states[1] * sizeof *t->values <= MOST_TABLES);
    }
}

static void tables_new(tables *t, const corels_check_table *in, const corels_check_proof *proof,
                       keeper *k) {
    size_t states[2] = {0}; /* of blocks, and of cells with prices */
    *t = (tables){.in = in, .proof = proof, .keeper = k, .begin = keep(k, proof->records + 1, 8)};
    for (size_t i = 0; i < proof->records; i++) t->begin[i + 1] = t->cells += proof->given[i].cells;
    t->cell = keep(k, t->cells, sizeof *t->cell), t->start = keep(k, t->cells, sizeof *t->start);
    t->left = keep(k, t->cells * in->antecedents, sizeof *t->left);
    for (size_t i = 0; i < proof->records; i++)
        read_record(t, proof->given + i, t->cell + t->begin[i], states);
    t->rows = keep(k, states[0], sizeof *t->rows),
    t->values = keep(k, states[1], sizeof *t->values);
    if (!t->cells) return;
    t->sums = keep(k, in->classes * STATES, sizeof *t->sums),
    t->later = keep(k, STATES, sizeof *t->later);
    t->moves =
        keep(k, (MOST_PARTS / 2 + 1) * in->classes * (1 + in->antecedents), sizeof *t->moves);
}

/* ---- filling ---- */

static uint16_t narrow(const tables *t, int64_t errors) {
    return (uint16_t)(errors >> t->shift < INT16_MAX ? errors >> t->shift : INT16_MAX);
}

/* The errors of a state as one class. */
static int64_t alone(const tables *t, size_t state) {
    int64_t least = INT64_MAX;
    for (size_t k = 0; k < t->in->classes; k++)
        least = t->sums[k * STATES + state] < least ? t->sums[k * STATES + state] : least;
    return least;
}

/* rows[s][k]: the state s as one class, or the best first rule and k - 1 for what it leaves. */
static void fill_rows(tables *t, lanes *rows, uint32_t from, uint32_t to, const move *moves,
                      size_t n) {
    for (uint32_t s = from; s < to; s++) {
        lanes best = (lanes){0} + narrow(t, alone(t, s));
        uint16_t no_rule = best[0];
        t->later[s] = best; /* for a move that takes nothing */
        for (size_t i = 0; i < n; i++) {
            uint32_t gone = s & moves[i].gone;
            lanes here = t->later[s & ~gone] + narrow(t, moves[i].sums[gone]);
            for (int k = 0; k < LANES; k++) best[k] = here[k] < best[k] ? here[k] : best[k];
        }
        best[0] = no_rule;
        rows[s] = best;
        t->later[s] =
            (lanes){no_rule, no_rule, best[1], best[2], best[3], best[4], best[5], best[6]};
    }
}

/* Whether b is as good as a among some items: what it takes more errs nothing, and what it takes
 * less errs as much as it can. */
static int as_good(const move *b, const move *a, uint32_t among) {
    return a->sums == b->sums && !(b->gone & ~a->gone & ~a->free & among) &&
           !(a->gone & ~b->gone & ~a->worst & among);
}

/* The rows of the states `high` and what 2^bits lower ones add, with the moves needed there. */
static void fill_below(tables *t, lanes *rows, uint32_t high, size_t bits, move *moves, size_t n) {
    move *needed = moves + n;
    uint32_t among = high | ((1u << bits) - 1);
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        size_t kept = 0, j = 0;
        while (j < m && !as_good(needed + j, moves + i, among)) j++;
        if (j < m) continue;
        for (j = 0; j < m; j++)
            if (!as_good(moves + i, needed + j, among)) needed[kept++] = needed[j];
        needed[kept] = moves[i], m = kept + 1;
    }
    if (bits <= LEAF) fill_rows(t, rows, high, high + (1u << bits), needed, m);
    for (uint32_t i = 0; i < 4 && bits > LEAF; i++)
        fill_below(t, rows, high | i << (bits - 2), bits - 2, needed, m);
}

/* A state's value: its errors as one class, or the least over rules of the price, the errors in
 * what is cut out, and the value of the rest. */
static void fill_values(const tables *t, int32_t *values, size_t states, size_t n) {
    for (size_t s = 0; s < states; s++) {
        int64_t best = alone(t, s);
        for (const move *m = t->moves; m < t->moves + n; m++) {
            size_t rest = s & ~(size_t)m->gone;
            int64_t here = m->price + m->sums[s] - m->sums[rest] + values[rest];
            best = rest != s && here < best ? here : best;
        }
        values[s] = (int32_t)(best < INT32_MAX ? best : INT32_MAX);
    }
}

/* What each state errs as a class, and the rules of this class. */
static void add_class(tables *t, const cell *c, size_t class, move *moves) {
    int64_t *sums = t->sums + class * STATES;
    size_t states = (size_t)1 << c->parts, classes = t->in->classes;
    move one = {.sums = sums};
    memset(sums, 0, states * sizeof *sums);
    for (size_t i = 0; i < c->items; i++) {
        const int64_t *weights = c->rows + i * (1 + classes) + 1;
        uint16_t needs = 0;
        int worst = 1;
        for (size_t j = 0; j < c->parts; j++) needs |= (uint16_t)((c->part[j] >> i & 1) << j);
        for (size_t k = 0; k < classes; k++) worst &= weights[k] <= weights[class];
        one.free |= weights[class] ? 0 : needs, one.worst |= worst ? needs : 0;
        sums[needs] += weights[class];
    }
    for (size_t bit = 1; bit < states; bit *= 2)
        for (size_t s = 0; s < states; s += 2 * bit)
            for (size_t low = s; low < s + bit; low++) sums[low + bit] += sums[low];
    for (size_t j = 0; j < c->cuts; j++) {
        one.gone = parts_in(c, c->cut[j]), one.price = c->prices[j * classes + class];
        moves[j] = one;
    }
}

static void fill(tables *t, size_t from, size_t to) {
    for (size_t i = from, record = 0; i < to; i++) {
        const cell *c = t->cell + i;
        size_t n = t->in->classes * c->cuts;
        while (i >= t->begin[record + 1]) record++;
        for (size_t k = 0; k < t->in->classes; k++) add_class(t, c, k, t->moves + k * c->cuts);
        t->shift = t->proof->given[record].shift;
        if (t->proof->given[record].priced)
            fill_values(t, t->values + c->start, (size_t)1 << c->parts, n);
        else
            fill_below(t, t->rows + c->start, 0, c->parts, t->moves, n);
    }
}

/* ---- looking up ---- */

/* Whether 1 .. 7 rules behind an antecedent leave goals[k] errors or more. view: the states that
 * rules leave; left: what the antecedent leaves of them. */
static int by_blocks(const tables *t, size_t record, const uint16_t *view, const uint16_t *left,
                     const int32_t *goals, int32_t errors) {
    typedef uint64_t words __attribute__((vector_size(16)));
    typedef int32_t numbers __attribute__((vector_size(4 * LANES)));
    size_t end = t->begin[record + 1];
    numbers need;
    memcpy(&need, goals, sizeof need);
    need = ((need - errors - 1) >> t->proof->given[record].shift) + 1; /* rounded up */
    need[0] = 0, need &= need > 0;
    for (int k = 1; k < LANES; k++)
        if (need[k] > UINT16_MAX) return 0;
    lanes goal = __builtin_convertvector(need, lanes), sums = {0};
    for (size_t b = t->begin[record]; b < end; b++) {
        sums += t->rows[t->start[b] + (view[b] & left[b])];
        if (b % 4 < 3 && b + 1 < end) continue;
        words open = (words)(lanes)(sums < goal);
        if (!(open[0] | open[1])) return 1;
    }
    return 0;
}

/* Whether whatever follows the antecedent costs `need` or more. */
static int by_prices(const tables *t, size_t record, const uint16_t *view, const uint16_t *left,
                     int64_t need) {
    int32_t shift = t->proof->given[record].shift;
    int64_t total = 0;
    for (size_t i = t->begin[record]; i < t->begin[record + 1]; i++)
        total += t->values[t->start[i] + (view[i] & left[i])];
    if (shift < 0) return total << -shift >= need;
    return (total + (INT64_C(1) << shift) - 1) >> shift >= need;
}
#endif

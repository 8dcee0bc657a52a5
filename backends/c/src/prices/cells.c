/* From points to cells: covers are put in order, their buckets are cut into groups, and groups that
 * are worth it become cells.
 *
 * Several threads cut, a bucket each, the earliest ones first. The groups stay where they are, in
 * the order of the covers. When all are there, it is known how many cells the memory holds; then
 * cells are made on several threads, each in its place. So cells do not depend on the number of
 * threads.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "cover.h"
#include "team.h"

enum { CELLS = 100 }; /* of a thread in a step */
enum { SIZE = 127 };  /* without what stands beside it */

struct price_cutting {
    corels_prices *prices;
    store arrays;
    price_cover *cover;
    int32_t *covered; /* [all]: points in groups that are worth a cell */
    price_cutter *cutters[PRICE_THREADS];
    int32_t threads, next, all; /* the first bucket that is not done; buckets of all covers */
    int32_t made;               /* cells; < 0: there is no place for them yet */
    size_t limit;
};

void price_cutting_free(price_cutting *s) {
    if (!s) return;
    store_free(&s->arrays);
    free(s);
}

/* Half of what is left beside one thread is for tables, and as much for the ascent to come, so that
 * cells do not depend on the threads. Further ones use that as long as it lasts: there may be fewer
 * than asked for. 0: nothing is left. */
static int take_threads(price_cutting *s, size_t memory) {
    size_t before = s->arrays.bytes;
    s->cutters[s->threads++] = price_cutter_new(s->cover, &s->arrays);
    size_t held = sizeof *s + s->arrays.bytes, each = s->arrays.bytes - before;
    if (s->arrays.failed || (memory && memory <= held + 2)) return 0;
    s->limit = memory ? (memory - held) / 2 : 0;
    while (s->threads < team_size(s->prices->team) && s->threads < PRICE_THREADS &&
           (!memory || (size_t)s->threads * each <= s->limit))
        s->cutters[s->threads++] = price_cutter_new(s->cover, &s->arrays);
    return !s->arrays.failed;
}

price_cutting *price_cutting_new(corels_prices *prices, const corels_prices_options *options) {
    price_cutting *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (price_cutting){.prices = prices, .made = -1};
    s->arrays.most = options->memory;
    s->cover = price_cover_new(prices, options, &s->arrays);
    if (s->cover) s->all = s->cover->buckets * options->covers;
    s->covered = store_take(&s->arrays, (size_t)s->all, sizeof *s->covered);
    if (s->cover && take_threads(s, options->memory)) return s;
    price_cutting_free(s);
    return NULL;
}

size_t price_cutting_bytes(const price_cutting *s) {
    return sizeof *s + s->arrays.bytes;
}

double price_cutting_share(const price_cutting *s) {
    return (price_cover_share(s->cover) + (double)s->next / s->all) / 2;
}

static void cut_range(void *cutting, int32_t part, int32_t from, int32_t to) {
    const price_cutting *s = cutting;
    for (int32_t i = from; i < to; i++)
        s->covered[s->next + i] = price_cut_bucket(s->cover, s->cutters[part], s->next + i);
}

/* A bucket for each thread. CORELS_BAD_ARGUMENT: too few points of the first cover are in cells. */
static int cut_more(price_cutting *s) {
    int32_t n = s->all - s->next < s->threads ? s->all - s->next : s->threads,
            first = s->cover->buckets;
    team_ranges(s->prices->team, s->threads, n, 1, cut_range, s);
    s->next += n;
    if (s->next - n >= first || s->next < first) return CORELS_OK;
    double covered = 0;
    for (int32_t i = 0; i < first; i++) covered += s->covered[i];
    int enough = covered >= s->cover->options.least_covered * s->cover->n;
    return enough ? CORELS_OK : CORELS_BAD_ARGUMENT;
}

/* --- Cells --- */

/* A cell of a group of so many points, with as many traces as there may be. */
static price_cell widest(const price_cover *cover, int32_t points) {
    int32_t traces = (1 << points) - 2, states = 1 << points;
    if (traces > cover->options.most_splits) traces = cover->options.most_splits;
    if (traces > cover->prices->in.antecedents) traces = cover->prices->in.antecedents;
    return (price_cell){.points = (int16_t)points,
                        .traces = (int16_t)traces,
                        .states = (int16_t)(states < LEAST_STATES ? LEAST_STATES : states)};
}

/* Goes over the groups that are worth it, in order, up to the limit, and says how many cells,
 * points, traces and states there are; gives cells their places in the arrays, if there are any. */
static void place_cells(const price_cutting *s, corels_prices *p) {
    const price_cover *cover = s->cover;
    size_t classes = (size_t)p->in.classes, bytes = 0,
           each = sizeof(price_cell) + (size_t)p->stride + (size_t)p->in.antecedents,
           all = (size_t)cover->n * (size_t)cover->options.covers;
    p->n = 0, p->members_n = p->traces_n = p->states_n = 0;
    for (size_t at = 0; at < all; at += cover->size[at] & SIZE) {
        if (cover->size[at] & PRICE_WORTHLESS) continue;
        price_cell cell = widest(cover, cover->size[at]);
        bytes += each + (size_t)cell.points * (8 + 4 * classes) +
                 (size_t)cell.traces * (1 + 8 * classes) + (size_t)cell.states * 4;
        if ((s->limit && bytes > s->limit) || p->n == PRICE_CELLS) return;
        cell.member = (uint32_t)p->members_n, cell.trace = (uint32_t)p->traces_n;
        cell.state = (uint32_t)p->states_n;
        if (p->cells) {
            p->cells[p->n] = cell;
            memcpy(p->members + cell.member, cover->order + at,
                   (size_t)cell.points * sizeof *p->members);
        }
        p->n++;
        p->members_n += (size_t)cell.points, p->traces_n += (size_t)cell.traces;
        p->states_n += (size_t)cell.states;
    }
}

/* Points of the antecedent that are not of its commonest class. */
static int64_t errors_of(const corels_prices *p, size_t r, const uint64_t *of_class) {
    size_t words = (size_t)corels_words(p->in.points);
    const uint64_t *mask = p->in.masks + r * words;
    uint64_t all = 0, most = 0;
    for (int32_t c = 0; c < p->in.classes; c++, of_class += words) {
        uint64_t n = p->kernel->ops.popcount_and(mask, of_class, words);
        all += n;
        most = n > most ? n : most;
    }
    return (int64_t)(all - most);
}

/* A search asks about few antecedents of a set, mostly about those that err on few points of all.
 * If these have neighbouring columns, sums of few groups of sixteen are made (view.c). 0: no
 * memory. */
static int order_columns(const price_cover *cover, corels_prices *p) {
    const corels_instance *in = &p->in;
    size_t words = (size_t)corels_words(in->points), m = (size_t)in->antecedents;
    store scratch = {0};
    uint64_t *of_class = store_take(&scratch, words * (size_t)in->classes, sizeof *of_class);
    ranked *errors = store_take(&scratch, m, sizeof *errors);
    if (!scratch.failed) {
        for (int32_t x = 0; x < in->points; x++)
            set_bit(of_class + words * (size_t)cover->best[x], x);
        for (size_t r = 0; r < m; r++) errors[r] = (ranked){errors_of(p, r, of_class), (int32_t)r};
        qsort(errors, m, sizeof *errors, price_rising);
        for (size_t i = 0; i < m; i++) p->column[errors[i].at] = (int32_t)i;
    }
    int there = !scratch.failed;
    store_free(&scratch);
    return there;
}

/* Takes the arrays; 0: no memory. */
static int make_room(const price_cutting *s, corels_prices *p) {
    size_t classes = (size_t)p->in.classes;
    store *all = &p->arrays;
    place_cells(s, p);
    p->padded = (p->n + 15) / 16 * 16;
    price_cell *cells = store_take(all, (size_t)p->n, sizeof *cells);
    p->column = store_take(all, (size_t)p->in.antecedents, sizeof *p->column);
    p->of = store_take(all, (size_t)p->n, (size_t)p->stride);
    p->captured = store_take(all, (size_t)p->in.antecedents, (size_t)p->padded);
    p->members = store_take(all, p->members_n, sizeof *p->members);
    p->shares = store_take(all, p->members_n, sizeof *p->shares);
    p->weights = store_take(all, p->members_n * classes, sizeof *p->weights);
    p->traces = store_take(all, p->traces_n, 1);
    p->wishes = store_take(all, p->traces_n * classes, sizeof *p->wishes);
    p->prices = store_take(all, p->traces_n * classes, sizeof *p->prices);
    p->values = store_take(all, p->states_n, sizeof *p->values);
    p->cells = cells;
    if (all->failed) return 0;
    place_cells(s, p);
    return order_columns(s->cover, p);
}

/* What each antecedent captures of the cell, as bits, into its row. */
static void capture(const price_cover *cover, const price_cell *cell, uint8_t *row) {
    const corels_prices *p = cover->prices;
    const int32_t *members = p->members + cell->member;
    for (int32_t i = 0; i < cell->points; i++)
        for (size_t w = 0; w < cover->words; w++)
            for (uint64_t left = cover->patterns[(size_t)members[i] * cover->words + w]; left;
                 left &= left - 1)
                row[p->column[64 * w + (size_t)corels_lowest(left)]] |= (uint8_t)(1 << i);
}

/* The traces, in the order of the antecedents that make them, and rows as cell.h says; points have
 * their whole weight in the cell. */
static void make_cell(const price_cutting *s, int32_t i) {
    corels_prices *p = s->prices;
    price_cell *cell = p->cells + i;
    size_t m = (size_t)p->in.antecedents, classes = (size_t)p->in.classes;
    uint8_t *row = p->of + (size_t)i * (size_t)p->stride, *traces = p->traces + cell->trace;
    uint8_t number[PRICE_STATES], known[PRICE_STATES] = {[0] = 1};
    known[price_whole(cell)] = 1; /* neither splits the cell */
    capture(s->cover, cell, row);
    cell->traces = 0, cell->users = 0;
    for (size_t r = 0; r < m; r++) {
        uint8_t trace = row[p->column[r]];
        p->captured[r * (size_t)p->padded + (size_t)i] = trace;
        cell->users += trace && trace != price_whole(cell);
        if (known[trace]) continue;
        known[trace] = 1;
        number[trace] = (uint8_t)cell->traces;
        traces[cell->traces++] = trace;
    }
    number[0] = (uint8_t)cell->traces, number[price_whole(cell)] = (uint8_t)(cell->traces + 1);
    if (price_numbered(cell))
        for (size_t r = 0; r < m; r++) row[r] = number[row[r]];
    for (int32_t k = 0; k < cell->points; k++) p->shares[cell->member + (size_t)k] = 1;
    for (size_t k = 0; k < (size_t)cell->traces * classes; k++)
        p->wishes[cell->trace * classes + k] = 1;
}

static void make_range(void *cutting, int32_t part, int32_t from, int32_t to) {
    const price_cutting *s = cutting;
    (void)part;
    for (int32_t i = from; i < to; i++) make_cell(s, s->made + i);
}

static int make_more(price_cutting *s) {
    if (s->made < 0) {
        s->made = 0;
        return make_room(s, s->prices) ? CORELS_OK : CORELS_NO_MEMORY;
    }
    int32_t n = s->prices->n - s->made, most = CELLS * s->threads;
    if (n > most) n = most;
    team_ranges(s->prices->team, s->threads, n, 1, make_range, s);
    s->made += n;
    return s->made < s->prices->n ? CORELS_OK : CORELS_DONE;
}

int price_cutting_more(price_cutting *s) {
    if (s->next < s->all && s->cover->ordered == s->cover->options.covers) return cut_more(s);
    if (s->next == s->all) return make_more(s);
    price_cover_order(s->cover);
    return CORELS_OK;
}

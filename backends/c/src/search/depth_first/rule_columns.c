/* Columns of the points that a rule captures, alone.
 *
 * An antecedent mostly captures few of all points. So the columns of these points are kept for each
 * antecedent that has been a rule often enough to pay for it (counter/within.c): a count within the
 * rule reads a fifth of the words, if antecedents capture a fifth of the points. What the rest
 * of the set has is what all of the set has, less that: the frame above has the first.
 *
 * A rule and its complement have one row of the counter, and share their columns: of the points of
 * the smaller side, which are those that the row has, or those that it lacks.
 *
 * The columns say of each rule which of their points it captures, so what the path leaves of these
 * is found without looking at all points.
 *
 * All workers share the columns; the one that wants some makes them, while the others count as
 * before. It changes nothing but the time of counts.
 */
#include <stdlib.h>

#include "depth_first.h"

enum { UNKNOWN, WANTED, MADE };
enum { MOST_BYTES = 250000000 }; /* of all columns */

/* Columns of some points alone. */
typedef struct {
    corels_counter *counter;
    atomic_int state, uses;
    int lacks; /* of a row: they are of the points that the row lacks */
} some_columns;

struct all_columns {
    size_t rows;      /* of the counter */
    some_columns *of; /* [rows] */
    atomic_size_t bytes;
    size_t most;
};

/* About what the columns of all rows would take, and no more than an eighth of the memory. */
static size_t budget(const search *s) {
    if (!s->counter || s->in.points < s->tune.rule_columns_points) return 0;
    double rows = corels_counter_rows(s->counter), bytes = (double)corels_counter_bytes(s->counter);
    double all = bytes * rows / 4, most = MOST_BYTES;
    if (s->memory_limit && (double)s->memory_limit / 8 < most) most = (double)s->memory_limit / 8;
    return (size_t)(all < most ? all : most);
}

int rule_columns_new(search *s) {
    all_columns *a = calloc(1, sizeof *a);
    tree_of(s)->columns = a;
    if (!a) return CORELS_NO_MEMORY;
    a->most = budget(s);
    if (!a->most) return CORELS_OK;
    a->rows = (size_t)corels_counter_rows(s->counter);
    a->of = calloc(a->rows, sizeof *a->of);
    return a->of ? CORELS_OK : CORELS_NO_MEMORY;
}

void rule_columns_free(search *s) {
    all_columns *a = tree_of(s)->columns;
    if (!a) return;
    for (size_t i = 0; a->of && i < a->rows; i++) corels_counter_free(a->of[i].counter);
    free(a->of);
    free(a);
    tree_of(s)->columns = NULL;
}

size_t rule_columns_bytes(const search *s, int to_come) {
    const all_columns *a = tree_of(s)->columns;
    return !a ? 0 : to_come ? a->most : atomic_load(&a->bytes);
}

/* Makes columns of these points, as long as there is room: the last ones may go beyond it. */
static void make(worker_path *k, some_columns *c, const uint64_t *points) {
    all_columns *a = k->tree->columns;
    if (atomic_load(&a->bytes) >= a->most) return;
    if (corels_counter_within(&c->counter, k->search->counter, points) != CORELS_OK) return;
    atomic_fetch_add(&a->bytes, corels_counter_bytes(c->counter));
    atomic_store_explicit(&c->state, MADE, memory_order_release);
}

/* Of the points of a row, or of those that it lacks if these are fewer. */
static void make_of_row(worker_path *k, some_columns *c, int32_t row) {
    const search *s = k->search;
    const uint64_t *mask = mask_of(s, corels_counter_first(s->counter, row));
    c->lacks = 2 * (int64_t)s->kernel->ops.popcount(mask, (size_t)s->in.words) > s->in.points;
    if (c->lacks) {
        corels_fill(k->squeezed, s->in.points);
        take_bits(k->squeezed, k->squeezed, mask, s->in.words);
        mask = k->squeezed;
    }
    make(k, c, mask);
}

/* Whether the asking worker makes columns now. */
static int wanted(const worker_path *k, some_columns *c) {
    int uses = atomic_fetch_add_explicit(&c->uses, 1, memory_order_relaxed) + 1;
    int unknown = UNKNOWN;
    return uses >= k->search->tune.rule_columns_after &&
           atomic_compare_exchange_strong(&c->state, &unknown, WANTED);
}

static int state_of(some_columns *c) {
    return atomic_load_explicit(&c->state, memory_order_acquire);
}

/* Of the side of a row that has fewer points. NULL: they were not asked for often enough, or there
 * is no room. */
static const some_columns *columns_of(worker_path *k, int32_t row) {
    all_columns *a = k->tree->columns;
    if (!a->of) return NULL;
    some_columns *c = a->of + row;
    if (state_of(c) == UNKNOWN && wanted(k, c)) make_of_row(k, c, row);
    return state_of(c) == MADE ? c : NULL;
}

/* Whether the rule captures the points of its row's columns; else it captures the others. */
static int captures_columns(const search *s, int32_t rule, const some_columns *c) {
    int32_t row = corels_counter_row(s->counter, rule);
    return (corels_counter_first(s->counter, row) == rule) != c->lacks;
}

/* What the set of frame `depth` has of the points of these columns: [measures][rows], until the
 * next count of the worker. */
static const int32_t *count_columns(worker_path *k, int32_t depth, const some_columns *c) {
    if (k->tree->root) {
        corels_counter_squeeze(c->counter, k->frames[depth].set, k->squeezed);
    } else {
        const int32_t *rules = path_rules(k, depth, k->w->rules);
        corels_counter_left(c->counter, rules, depth, k->squeezed);
    }
    return corels_counter_sums(c->counter, k->squeezed, k->w->scratch);
}

static void subtract(int32_t *from, const int32_t *whole, size_t n) {
    for (size_t i = 0; i < n; i++) from[i] = whole[i] - from[i];
}

int rule_columns_count(worker_path *k, const frame *above, frame *f) {
    const search *s = k->search;
    if (!rule_columns_bytes(s, 1)) return 0;
    const some_columns *c = columns_of(k, corels_counter_row(s->counter, f->rule));
    if (!c) return 0;
    const int32_t *sums = count_columns(k, (int32_t)(above - k->frames), c);
    corels_counter_hand_out(s->counter, sums, f->counts, k->w->totals);
    if (!captures_columns(s, f->rule, c)) return 1;
    subtract(f->counts, above->counts, (size_t)s->in.measures * (size_t)s->stride);
    subtract(k->w->totals, above->totals, (size_t)s->in.measures);
    return 1;
}

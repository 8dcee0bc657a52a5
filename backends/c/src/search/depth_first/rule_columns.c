/* Columns of the points that a rule captures, alone.
 *
 * An antecedent mostly captures few of all points. So the columns of these points are kept for each
 * antecedent that has been a rule often enough to pay for it (counter/narrow.c): a count within the
 * rule reads a fifth of the words, where antecedents capture a fifth of the points. And of two such
 * antecedents, the columns of the points that both capture: they are made of the columns of one.
 *
 * A rule and its complement have one row of the counter, and share their columns: of the points of
 * the smaller side, which are those that the row has, or those that it lacks.
 *
 * The columns say of each rule which of their points it captures, so what the path leaves of these
 * is found without looking at all points.
 *
 * A pair's columns serve sets that a path from all points leaves: a question about a set
 * (walk_from.c) does without them. All workers share the columns; whoever wants some makes them,
 * while the others count as before.
 */
#include <stdlib.h>

#include "depth_first.h"

enum { UNKNOWN, WANTED, MADE };

struct all_columns {
    size_t rows;        /* of the counter */
    some_columns *of;   /* [rows] */
    some_columns *both; /* [rows][rows], of a row and a later one; or NULL */
    atomic_size_t bytes;
    size_t most;
};

/* Whether there are few rows, and the crossings of all frames take an eighth of the memory at most:
 * of many classes they take megabytes a frame. */
static int pairs_fit(const search *s) {
    double frames = (double)s->worker_count * (double)s->tune.memory_deepest;
    return corels_counter_rows(s->counter) <= MOST_CROSSED &&
           (!s->memory_limit || frames * (double)crossings_bytes(s) <= (double)s->memory_limit / 8);
}

/* About what the columns of all rows and pairs would take, and no more than an eighth of the
 * memory; a quarter of the tuning value where there are none of pairs. */
static size_t budget(const search *s) {
    if (!s->counter || s->in.points < s->tune.rule_columns_points ||
        !corels_counter_narrows(s->counter))
        return 0;
    double rows = corels_counter_rows(s->counter), bytes = (double)corels_counter_bytes(s->counter);
    double all = bytes * rows / 4, most = (double)s->tune.rule_columns_bytes / 4;
    if (pairs_fit(s)) all *= 1 + rows / 8, most *= 4;
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
    if (pairs_fit(s)) a->both = calloc(a->rows * a->rows, sizeof *a->both);
    return a->of && (a->both || !pairs_fit(s)) ? CORELS_OK : CORELS_NO_MEMORY;
}

int crossings_fit(const search *s) {
    return tree_of(s)->columns && tree_of(s)->columns->both;
}

static void free_some(some_columns *of, size_t n) {
    for (size_t i = 0; of && i < n; i++) corels_counter_free(of[i].counter);
    free(of);
}

void rule_columns_free(search *s) {
    all_columns *a = tree_of(s)->columns;
    if (!a) return;
    free_some(a->both, a->rows * a->rows);
    free_some(a->of, a->rows);
    free(a);
    tree_of(s)->columns = NULL;
}

size_t rule_columns_bytes(const search *s, int to_come) {
    const all_columns *a = tree_of(s)->columns;
    return !a ? 0 : to_come ? a->most : atomic_load(&a->bytes);
}

/* Makes columns of these points, which `from` has, if there is room for them. */
static void make(worker_path *k, some_columns *c, const corels_counter *from,
                 const uint64_t *points) {
    const search *s = k->search;
    all_columns *a = k->tree->columns;
    size_t words = (size_t)corels_counter_words(from);
    size_t bytes =
        corels_counter_narrow_bytes(from, (int64_t)s->kernel->ops.popcount(points, words));
    int room = atomic_fetch_add(&a->bytes, bytes) + bytes <= a->most;
    if (!room || corels_counter_narrow(&c->counter, from, points)) {
        atomic_fetch_sub(&a->bytes, bytes);
        return;
    }
    atomic_store_explicit(&c->state, MADE, memory_order_release);
}

/* Of the points of a row, or of those that it lacks if these are fewer. */
static void make_of_row(worker_path *k, some_columns *c, int32_t row) {
    const search *s = k->search;
    const uint64_t *mask = mask_of(s, corels_counter_first(s->counter, row));
    c->lacks = 2 * (int64_t)s->kernel->ops.popcount(mask, (size_t)s->in.words) > s->in.points;
    if (c->lacks) {
        fill_bits(k->squeezed, s->in.points);
        take_bits(k->squeezed, k->squeezed, mask, s->in.words);
        mask = k->squeezed;
    }
    make(k, c, s->counter, mask);
}

/* Whether columns are to be made now, by the worker who asks. */
static int wanted(const worker_path *k, some_columns *c) {
    int uses = atomic_fetch_add_explicit(&c->uses, 1, memory_order_relaxed) + 1;
    int unknown = UNKNOWN;
    return uses >= k->search->tune.rule_columns_after &&
           atomic_compare_exchange_strong(&c->state, &unknown, WANTED);
}

static int state_of(some_columns *c) {
    return atomic_load_explicit(&c->state, memory_order_acquire);
}

const some_columns *columns_of(worker_path *k, int32_t row) {
    all_columns *a = k->tree->columns;
    if (!a->of) return NULL;
    some_columns *c = a->of + row;
    if (state_of(c) == UNKNOWN && wanted(k, c)) make_of_row(k, c, row);
    return state_of(c) == MADE ? c : NULL;
}

const some_columns *columns_of_both(worker_path *k, int32_t p, int32_t q) {
    all_columns *a = k->tree->columns;
    if (!a->both || p == q || k->tree->root) return NULL;
    some_columns *c = a->both + (size_t)(p < q ? p : q) * a->rows + (size_t)(p < q ? q : p);
    if (state_of(c) == UNKNOWN && state_of(a->of + p) == MADE && state_of(a->of + q) == MADE &&
        wanted(k, c)) {
        const corels_counter *of_p = a->of[p].counter;
        corels_counter_row_points(of_p, q, a->of[q].lacks, k->squeezed);
        make(k, c, of_p, k->squeezed);
    }
    return state_of(c) == MADE ? c : NULL;
}

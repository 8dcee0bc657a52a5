/* Counting a set by what its last rule captured.
 *
 * Let rule r leave S \ r of S. Every count of S \ r is that of S, which the frame above has, less
 * that of what r captures of S. An antecedent mostly captures few of all points. So the columns of
 * these points alone are kept for each antecedent that has been a rule often enough to pay for it
 * (counter/narrow.c): a count reads a fifth of the words, where antecedents capture a fifth of the
 * points. If r captures more than half of them, the columns are those of the points that it does
 * not capture, and S \ r itself is counted in them.
 *
 * The columns say of each rule which of their points it captures, so what the path leaves of these
 * is found without looking at all points. A rule and its complement share their columns.
 *
 * It changes nothing but the time of counts. All workers share the columns; whoever wants some
 * makes them, while the others count as before.
 */
#include <stdlib.h>

#include "depth_first.h"

enum { UNKNOWN, WANTED, MADE };

typedef struct {
    corels_counter *counter;
    atomic_int state, uses;
    int32_t maker; /* the rule for which they were made, */
    int captured;  /* and whether they are of the points that it captures; else of the others */
} rule_columns;

struct all_columns {
    rule_columns *of; /* [antecedents], by corels_counter_row */
    atomic_size_t bytes;
    size_t most;
};

/* About what the columns of all antecedents would take, and no more than an eighth of the memory.
 */
static size_t budget(const search *s) {
    if (!s->counter || s->in.points < s->tune.rule_columns_points ||
        !corels_counter_narrows(s->counter))
        return 0;
    double all = (double)corels_counter_bytes(s->counter) * s->in.antecedents / 4;
    double most = (double)s->tune.rule_columns_bytes, limit = (double)s->memory_limit / 8;
    if (s->memory_limit && limit < most) most = limit;
    return (size_t)(all < most ? all : most);
}

int rule_columns_new(search *s) {
    all_columns *a = calloc(1, sizeof *a);
    tree_of(s)->columns = a;
    if (!a) return CORELS_NO_MEMORY;
    a->most = budget(s);
    a->of = a->most ? calloc((size_t)s->in.antecedents, sizeof *a->of) : NULL;
    return a->of || !a->most ? CORELS_OK : CORELS_NO_MEMORY;
}

void rule_columns_free(search *s) {
    all_columns *a = tree_of(s)->columns;
    if (!a) return;
    for (int32_t r = 0; a->of && r < s->in.antecedents; r++) corels_counter_free(a->of[r].counter);
    free(a->of);
    free(a);
    tree_of(s)->columns = NULL;
}

size_t rule_columns_bytes(const search *s, int to_come) {
    const all_columns *a = tree_of(s)->columns;
    return !a ? 0 : to_come ? a->most : atomic_load(&a->bytes);
}

static void make(worker_path *k, rule_columns *c, int32_t r) {
    const search *s = k->search;
    const uint64_t *mask = mask_of(s, r);
    all_columns *a = k->tree->columns;
    size_t words = (size_t)s->in.words;
    uint64_t *others = k->squeezed;
    fill_bits(others, s->in.points);
    int64_t captured = (int64_t)s->kernel->ops.popcount(mask, words);
    c->maker = r;
    c->captured = 2 * captured <= s->in.points;
    take_bits(others, others, mask, s->in.words);
    int64_t points = c->captured ? captured : s->in.points - captured;
    size_t bytes = corels_counter_narrow_bytes(s->counter, points);
    int room = atomic_fetch_add(&a->bytes, bytes) + bytes <= a->most;
    if (!room || corels_counter_narrow(&c->counter, s->counter, c->captured ? mask : others)) {
        atomic_fetch_sub(&a->bytes, bytes);
        return;
    }
    atomic_fetch_add(&a->bytes, corels_counter_bytes(c->counter) - bytes);
    atomic_store_explicit(&c->state, MADE, memory_order_release);
}

/* The columns for rule r, once it or its complement has been one often enough; or NULL. */
static const rule_columns *columns_of(worker_path *k, int32_t r) {
    rule_columns *c = k->tree->columns->of + corels_counter_row(k->search->counter, r);
    int state = atomic_load_explicit(&c->state, memory_order_acquire);
    if (state == MADE) return c;
    if (state == WANTED) return NULL;
    int uses = atomic_fetch_add_explicit(&c->uses, 1, memory_order_relaxed) + 1;
    int unknown = UNKNOWN;
    if (uses < k->search->tune.rule_columns_after ||
        !atomic_compare_exchange_strong(&c->state, &unknown, WANTED))
        return NULL;
    make(k, c, r);
    return atomic_load(&c->state) == MADE ? c : NULL;
}

static void subtract(int32_t *from, const int32_t *whole, size_t n) {
    for (size_t i = 0; i < n; i++) from[i] = whole[i] - from[i];
}

/* What the path to `above` leaves of the points that the columns have. */
static void take_left(worker_path *k, const rule_columns *c, const frame *above) {
    if (k->tree->root) {
        corels_counter_squeeze(c->counter, above->set, k->squeezed);
        return;
    }
    int32_t *rules = k->w->rules, n = (int32_t)(above - k->frames);
    for (int32_t d = 1; d <= n; d++) rules[d - 1] = k->frames[d].rule;
    corels_counter_left(c->counter, rules, n, k->squeezed);
}

int rule_columns_count(worker_path *k, frame *above, frame *f) {
    const search *s = k->search;
    const rule_columns *c = k->tree->columns->of ? columns_of(k, f->rule) : NULL;
    sibling_counts_forget(f);
    if (!c) return 0;
    size_t measures = (size_t)s->in.measures;
    take_left(k, c, above);
    int32_t row = corels_counter_row(s->counter, c->maker);
    int of_row = c->captured == (corels_counter_first(s->counter, row) == c->maker);
    sibling_counts(k, above, f, c->counter, row, !of_row);
    if (c->captured == (f->rule != c->maker)) return 1; /* not of the points that it captures */
    subtract(f->counts, above->counts, measures * (size_t)s->stride);
    subtract(k->w->totals, above->totals, measures);
    return 1;
}

/* Looking up: the states of the cells, and what all of them together lose by each antecedent.
 *
 * A view is sums[stride] and then the cells' states. sums[r] is the sum over the cells of
 * value[state] - value[state without r]; a last antecedent that captures everything makes
 * sums[antecedents] the sum of the values, F. So F(S \ r) = sums[antecedents] - sums[r]. The view
 * of a child differs from its parent's in the cells of which r captures something: their old rows
 * are taken off and the new ones added, in one pass over the difference.
 */
#include <string.h>

#include "cell.h"

static inline int32_t *sums_of(void *view) {
    return view;
}

static inline uint16_t *states_of(const corels_prices *p, void *view) {
    return (uint16_t *)((int32_t *)view + p->stride);
}

size_t corels_prices_view_bytes(const corels_prices *p) {
    return ((size_t)p->stride * sizeof(int32_t) + (size_t)p->n * sizeof(uint16_t) + 63) / 64 * 64;
}

/* Cell i goes from state `before` (-1: it is new in the sums) to `after`. */
static inline void move(const corels_prices *p, int32_t i, int32_t before, int32_t after,
                        int32_t *sums) {
    const price_cell *cell = p->cells + i;
    const int32_t *values = p->values + cell->state;
    const uint16_t *next = p->next + cell->next;
    size_t traces = (size_t)cell->traces, from = before < 0 ? 0 : (size_t)before;
    int32_t was = before < 0 ? 0 : values[before];
    if (!was && !values[after]) return; /* nor then do the states below them cost anything */
    p->kernel->move_cell(sums, p->of + (size_t)i * (size_t)p->stride, (size_t)p->stride,
                         (size_t)cell->entries, values, before < 0 ? NULL : next + from * traces,
                         next + (size_t)after * traces, traces, was, values[after]);
}

/* A set that rules leave is all points without those of the rules, each of which captures nothing
 * of what is left. So the state is the whole cell without the traces that meet nothing of the set.
 * Where that is not what the set holds of the cell, no rules leave it: the empty state claims
 * nothing. */
int32_t price_state(const corels_prices *p, const price_cell *cell, const uint64_t *set) {
    uint64_t left = 0;
    int32_t state = cell->states - 1;
    for (int32_t i = 0; i < cell->points; i++) {
        int32_t x = p->members[cell->member + (size_t)i];
        left |= (set[x / 64] >> (x % 64) & 1) << i;
    }
    const uint16_t *next = p->next + cell->next;
    if (!left) return 0;
    for (size_t t = 0; t < (size_t)cell->traces; t++)
        if (!(p->traces[cell->trace + t] & left))
            state = next[(size_t)state * (size_t)cell->traces + t];
    return p->subsets[cell->state + (size_t)state] == left ? state : 0;
}

/* The sums of the view's states. */
static void sum_up(const corels_prices *p, void *view) {
    int32_t *sums = sums_of(view);
    const uint16_t *states = states_of(p, view);
    memset(sums, 0, (size_t)p->stride * sizeof *sums);
    for (int32_t i = 0; i < p->n; i++) move(p, i, -1, states[i], sums);
}

void corels_prices_root(const corels_prices *p, void *view) {
    uint16_t *states = states_of(p, view);
    for (int32_t i = 0; i < p->n; i++) states[i] = (uint16_t)(p->cells[i].states - 1);
    sum_up(p, view);
}

void corels_prices_view(const corels_prices *p, const uint64_t *set, void *view) {
    uint16_t *states = states_of(p, view);
    for (int32_t i = 0; i < p->n; i++) states[i] = (uint16_t)price_state(p, p->cells + i, set);
    sum_up(p, view);
}

static inline int32_t without(const corels_prices *p, int32_t i, int32_t state, int32_t r) {
    const price_cell *cell = p->cells + i;
    int32_t t = p->of[(size_t)i * (size_t)p->stride + (size_t)r];
    if (t >= cell->traces) return t == cell->traces ? state : 0;
    return p->next[cell->next + (size_t)state * (size_t)cell->traces + (size_t)t];
}

void corels_prices_child(const corels_prices *p, const void *view, int32_t r, void *child) {
    enum { AHEAD = 6 };
    if (view != child) memcpy(child, view, corels_prices_view_bytes(p));
    int32_t *sums = sums_of(child), last = p->touched_first[r + 1];
    uint16_t *states = states_of(p, child);
    for (int32_t k = p->touched_first[r]; k < last; k++) {
        int32_t i = p->touched[k], before = states[i];
        if (k + AHEAD < last) {
            const price_cell *soon = p->cells + p->touched[k + AHEAD];
            __builtin_prefetch(p->of + (size_t)p->touched[k + AHEAD] * (size_t)p->stride);
            __builtin_prefetch(p->values + soon->state);
            __builtin_prefetch(p->next + soon->next +
                               (size_t)states[p->touched[k + AHEAD]] * (size_t)soon->traces);
        }
        if (!before) continue;
        int32_t after = without(p, i, before, r);
        if (after == before) continue;
        states[i] = (uint16_t)after;
        move(p, i, before, after, sums);
    }
}

/* From the unit of the tables to costs, rounded up: f is an integer. */
static inline int64_t to_cost(const corels_prices *p, int64_t value) {
    if (p->shift < 0) return value << -p->shift;
    return (value + (INT64_C(1) << p->shift) - 1) >> p->shift;
}

int64_t corels_prices_least(const corels_prices *p, const void *view, int32_t r) {
    const int32_t *sums = view;
    return to_cost(p, (int64_t)sums[p->in.antecedents] - (r < 0 ? 0 : sums[r]));
}

void corels_prices_children(const corels_prices *p, const void *view, int64_t *least) {
    for (int32_t r = 0; r < p->in.antecedents; r++) least[r] = corels_prices_least(p, view, r);
}

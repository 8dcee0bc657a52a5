/* Looking up: the states of the cells, and what all of them together lose by each antecedent.
 *
 * A view is a header, sums[stride], the cells that have changed, and the cells' states.
 * sums[column[r]] is the sum over the cells of value[state] - value[state without what r captures];
 * `whole` is the sum of the values, F. So F(S \ r) = whole - sums[column[r]].
 *
 * Sums are made when they are first read, for groups of sixteen neighbours: a search reads
 * those of the few antecedents that cheaper bounds have left, and `known` says which groups are
 * made. A view below another one begins with the sums of the upper view. In the cells in which the
 * rule between them captures something, the old rows are subtracted and the new ones added, in one
 * pass over the difference. A view without one above adds up all cells that cost anything.
 *
 * Beside F stands what the set costs by earlier prices, if there are any: `earlier`.
 */
#include <string.h>

#include "bits.h"
#include "cell.h"

/* If there are few groups all are made at once: one pass costs less than two. */
enum { GROUP = 16, FEW = 8 };

typedef struct view {
    struct view *above; /* or NULL */
    int32_t whole;
    int32_t earlier; /* the sum of the values by earlier prices */
    int32_t changed; /* cells whose state is not that of the view above */
    int64_t looked;  /* cells read for the states and the sums so far */
} view;

static inline size_t groups_of(const corels_prices *p) {
    return (size_t)p->stride / GROUP;
}

static inline uint64_t *known_of(view *v) {
    return (uint64_t *)(v + 1);
}

static inline int32_t *sums_of(const corels_prices *p, view *v) {
    return (int32_t *)(known_of(v) + (groups_of(p) + 63) / 64);
}

/* The cells that have changed. */
static inline int32_t *changed_of(const corels_prices *p, view *v) {
    return sums_of(p, v) + p->stride;
}

static inline uint8_t *states_of(const corels_prices *p, view *v) {
    return (uint8_t *)(changed_of(p, v) + p->n + 1);
}

size_t corels_prices_view_bytes(const corels_prices *p) {
    size_t bytes = sizeof(view) + (groups_of(p) + 63) / 64 * sizeof(uint64_t) +
                   (size_t)p->stride * sizeof(int32_t) +
                   ((size_t)p->n + 16) * (sizeof(int32_t) + 1);
    return (bytes + 63) / 64 * 64;
}

/* Cell i goes from state `before` (0: it is new in the sums) to `after`. */
static inline void move(const corels_prices *p, int32_t i, int32_t before, int32_t after,
                        int32_t *sums, const uint16_t *groups, size_t n) {
    const price_cell *cell = p->cells + i;
    const uint8_t *row = p->of + (size_t)i * (size_t)p->stride;
    const int32_t *values = p->values + cell->state;
    if (!price_numbered(cell))
        p->kernel->move_cell(sums, row, groups, n, values, before, after);
    else
        p->kernel->move_numbered(sums, row, groups, n, p->traces + cell->trace,
                                 (size_t)cell->traces, values, before, after);
}

int32_t price_state(const corels_prices *p, const price_cell *cell, const uint64_t *set) {
    const int32_t *members = p->members + cell->member;
    int32_t left = 0;
    for (int32_t i = 0; i < cell->points; i++)
        left |= (int32_t)(set[members[i] / 64] >> (members[i] % 64) & 1) << i;
    return left;
}

static void sum_whole(const corels_prices *p, view *v) {
    uint8_t *states = states_of(p, v);
    v->above = NULL;
    v->whole = 0;
    v->looked = p->n;
    for (int32_t i = p->n; i < p->padded; i++) states[i] = 0;
    memset(known_of(v), 0, (groups_of(p) + 63) / 64 * sizeof(uint64_t));
    v->earlier = 0;
    for (int32_t i = 0; i < p->n; i++) {
        size_t first = p->cells[i].state;
        if (!p->values[first + states[i]]) states[i] = 0;
        v->whole += p->values[first + states[i]];
        if (p->earlier) v->earlier += p->earlier[first + states[i]];
    }
}

void corels_prices_view(const corels_prices *p, const uint64_t *set, void *to) {
    uint8_t *states = states_of(p, to);
    for (int32_t i = 0; i < p->n; i++) states[i] = (uint8_t)price_state(p, p->cells + i, set);
    sum_whole(p, to);
}

/* Writes the cells in which the antecedent captures something into `changed` and returns their
 * number. Sixteen are compared at once. */
static int32_t cells_changed(const corels_prices *p, const uint8_t *states, const uint8_t *captured,
                             int32_t *changed) {
    int32_t n = 0;
    for (int32_t i = 0; i < p->padded; i += 16) {
        uint8_t met[16];
        uint64_t any[2];
        for (int j = 0; j < 16; j++) met[j] = states[i + j] & captured[i + j];
        memcpy(any, met, sizeof any);
        if (!(any[0] | any[1])) continue;
        for (int32_t j = 0; j < 16; j++) {
            changed[n] = i + j;
            n += met[j] != 0;
        }
    }
    return n;
}

/* The states without what antecedent r captures, and what they cost. */
static void take_out(const corels_prices *p, view *v, int32_t r) {
    uint8_t *states = states_of(p, v);
    int32_t *changed = changed_of(p, v), whole = v->whole;
    const uint8_t *captured = p->captured + (size_t)r * (size_t)p->padded;
    v->changed = cells_changed(p, states, captured, changed);
    v->looked = p->padded / 16 + v->changed;
    for (int32_t k = 0; k < v->changed; k++) {
        int32_t i = changed[k];
        size_t first = p->cells[i].state, before = first + states[i],
               after = before - (states[i] & captured[i]);
        if (!p->values[after]) after = first;
        whole += p->values[after] - p->values[before];
        if (p->earlier) v->earlier += p->earlier[after] - p->earlier[before];
        states[i] = (uint8_t)(after - first);
    }
    v->whole = whole;
}

void corels_prices_child(const corels_prices *p, const void *from, int32_t r, int lasts, void *to) {
    view *child = to, *above = (view *)from;
    if (from != to) {
        memcpy(states_of(p, child), states_of(p, above), (size_t)p->padded);
        child->whole = above->whole;
        child->earlier = above->earlier;
    }
    child->above = lasts ? above : NULL;
    child->looked = 0;
    memset(known_of(child), 0, (groups_of(p) + 63) / 64 * sizeof(uint64_t));
    take_out(p, child, r);
}

/* The sums of some groups: those of the view above, and what the rule changes. */
static void differ(const corels_prices *p, view *v, const uint16_t *groups, size_t n) {
    int32_t *sums = sums_of(p, v);
    const int32_t *old = sums_of(p, v->above), *changed = changed_of(p, v);
    const uint8_t *states = states_of(p, v), *before = states_of(p, v->above);
    v->looked += v->changed * (int64_t)(2 + n / 4);
    for (size_t g = 0; g < n; g++)
        memcpy(sums + GROUP * groups[g], old + GROUP * groups[g], GROUP * sizeof *sums);
    for (int32_t k = 0; k < v->changed; k++)
        move(p, changed[k], before[changed[k]], states[changed[k]], sums, groups, n);
}

static void add_up(const corels_prices *p, view *v, const uint16_t *groups, size_t n) {
    int32_t *sums = sums_of(p, v);
    const uint8_t *states = states_of(p, v);
    for (size_t g = 0; g < n; g++) memset(sums + GROUP * groups[g], 0, GROUP * sizeof *sums);
    for (int32_t i = 0; i < p->n; i++)
        if (states[i]) move(p, i, 0, states[i], sums, groups, n);
}

/* Up to 64 groups of the word `at` of `known`. */
static void make_known(const corels_prices *p, view *v, size_t at, uint64_t wanted) {
    uint16_t groups[64];
    size_t n = 0;
    uint64_t missing = wanted & ~known_of(v)[at];
    if (!missing) return;
    if (groups_of(p) <= FEW) missing = ((UINT64_C(1) << groups_of(p)) - 1) & ~known_of(v)[at];
    if (v->above) make_known(p, v->above, at, missing);
    for (uint64_t left = missing; left; left &= left - 1)
        groups[n++] = (uint16_t)(64 * at + (size_t)corels_lowest(left));
    if (v->above)
        differ(p, v, groups, n);
    else
        add_up(p, v, groups, n);
    known_of(v)[at] |= missing;
}

/* From the unit of the tables to costs, rounded up: f is an integer, and not negative, where falls
 * that were rounded up may take a little more than there is. */
static inline int64_t to_cost(const corels_prices *p, int64_t value) {
    if (value <= 0) return 0;
    if (p->shift < 0) return value << -p->shift;
    return (value + (INT64_C(1) << p->shift) - 1) >> p->shift;
}

void corels_prices_ask(const corels_prices *p, void *of, const int32_t *list, int32_t n) {
    uint64_t wanted[PRICE_ANTECEDENTS / GROUP / 64];
    size_t words = (groups_of(p) + 63) / 64;
    memset(wanted, 0, words * sizeof *wanted);
    for (int32_t i = 0; i < n; i++) set_bit(wanted, p->column[list[i]] / GROUP);
    for (size_t at = 0; at < words; at++) make_known(p, of, at, wanted[at]);
}

int64_t corels_prices_least(const corels_prices *p, void *of, int32_t r) {
    view *v = of;
    if (r < 0) return to_cost(p, v->whole);
    size_t column = (size_t)p->column[r], group = column / GROUP;
    make_known(p, v, group / 64, UINT64_C(1) << group % 64);
    return to_cost(p, (int64_t)v->whole - sums_of(p, v)[column]);
}

int64_t corels_prices_looked(const corels_prices *p, const void *of) {
    int64_t rows = (int64_t)p->n * p->stride; /* few bytes of them stay in the nearest caches */
    return (rows <= 1 << 16 ? 2 : rows <= 1 << 20 ? 8 : 24) * ((const view *)of)->looked;
}

int64_t corels_prices_set(const corels_prices *p, const void *of) {
    const view *v = of;
    return to_cost(p, v->whole > v->earlier ? v->whole : v->earlier);
}

/* Counting a set by what its last rule captured.
 *
 * Let rule r leave S \ r of S. Every count of S \ r is that of S, which the frame above has, less
 * that of S and r. And where S is what rule q left of T, each count of S and r is that of T and r,
 * less that of T and q and r: a count of the points that both rules capture, which are a
 * twenty-fifth of all points where each captures a fifth (rule_columns.c has their columns). So a
 * frame keeps what its set has in common with the rules that were asked about, its crossings, and
 * finds those that it lacks by those of the frame above. Only at the root, and for pairs of rules
 * that have no columns, all that one rule captures is counted.
 *
 * For a rule that captures more than half of the points, all this is about the points that it does
 * not capture: there "S and r" is what r leaves of S. So each row of the counter, which a rule and
 * its complement share, has one side that matters, that of its columns.
 *
 * It changes nothing but the time of counts.
 */
#include <stdlib.h>

#include "depth_first.h"

static size_t sums_of_one(const search *s) {
    return (size_t)s->in.measures * (size_t)corels_counter_rows(s->counter);
}

size_t crossings_bytes(const search *s) {
    return (size_t)corels_counter_rows(s->counter) * sums_of_one(s) * sizeof(int32_t);
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

static const int32_t *cross(worker_path *k, int32_t depth, int32_t row, const some_columns *c);

/* sums = the same of the row's columns `c`, by those that the row shares with the last rule's row.
 * 0: there are none. */
static int count_by_pair(worker_path *k, int32_t depth, int32_t row, const some_columns *c,
                         int32_t *sums) {
    const search *s = k->search;
    if (!depth) return 0;
    int32_t rule = k->frames[depth].rule, last = corels_counter_row(s->counter, rule);
    const some_columns *both = columns_of_both(k, last, row);
    if (!both) return 0;
    int captures = captures_columns(s, rule, columns_of(k, last));
    const int32_t *above = captures ? cross(k, depth - 1, row, c) : NULL;
    if (captures && !above) return 0;
    const int32_t *shared = count_columns(k, depth - 1, both);
    for (size_t i = 0; i < sums_of_one(s); i++)
        sums[i] = captures ? above[i] - shared[i] : shared[i];
    return 1;
}

/* What the set of frame `depth` has of the points of a row's columns, as count_columns; kept in the
 * frame where frames keep crossings. NULL: no memory. */
static const int32_t *cross(worker_path *k, int32_t depth, int32_t row, const some_columns *c) {
    const search *s = k->search;
    frame *f = k->frames + depth;
    if (!crossings_fit(s)) return count_columns(k, depth, c);
    if (!f->crossings) f->crossings = store_take(&f->arrays, crossings_bytes(s), 1);
    if (!f->crossings) return NULL;
    size_t n = sums_of_one(s);
    int32_t *sums = f->crossings + (size_t)row * n;
    if (has_bit(f->crossed, row)) return sums;
    if (!count_by_pair(k, depth, row, c, sums))
        memcpy(sums, count_columns(k, depth, c), n * sizeof *sums);
    set_bit(f->crossed, row);
    return sums;
}

static void subtract(int32_t *from, const int32_t *whole, size_t n) {
    for (size_t i = 0; i < n; i++) from[i] = whole[i] - from[i];
}

int crossings_count(worker_path *k, frame *above, frame *f) {
    const search *s = k->search;
    crossings_forget(f);
    if (!rule_columns_bytes(s, 1)) return 0;
    int32_t row = corels_counter_row(s->counter, f->rule);
    const some_columns *c = columns_of(k, row);
    const int32_t *sums = c ? cross(k, (int32_t)(above - k->frames), row, c) : NULL;
    if (!sums) return 0;
    corels_counter_hand_out(s->counter, sums, f->counts, k->w->totals);
    if (!captures_columns(s, f->rule, c)) return 1;
    subtract(f->counts, above->counts, (size_t)s->in.measures * (size_t)s->stride);
    subtract(k->w->totals, above->totals, (size_t)s->in.measures);
    return 1;
}

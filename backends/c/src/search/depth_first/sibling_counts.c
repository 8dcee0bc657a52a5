/* Counts that siblings share.
 *
 * What rules r and q both capture of a set S is counted twice: when r is the rule behind S, and
 * when q is. So a frame keeps the counts of S within each rule that was counted in its own columns
 * (rule_columns.c). A later child takes from its siblings what they know, and counts the other rows
 * alone: where half of the children of a frame are counted, that saves a quarter of the rows.
 *
 * Rows are those of the counter: of a rule and its complement one has a row, and the columns are of
 * the points of either. The frame keeps what the rows have in common: a complement has the rest.
 */
#include <stdlib.h>

#include "depth_first.h"

size_t sibling_counts_bytes(const search *s) {
    if (!rule_columns_bytes(s, 1) || s->in.points / 2 < 64 * (CORELS_LONG - 1)) return 0;
    size_t rows = (size_t)corels_counter_rows(s->counter);
    return rows <= MOST_CROSSED ? rows * rows * (size_t)s->in.measures * sizeof(int32_t) : 0;
}

/* Of a set of which two rows have `both`, what the second and the complement of the first have. */
static int32_t rest_of(const worker_path *k, const frame *above, size_t measure, int32_t row,
                       int32_t both) {
    const search *s = k->search;
    int32_t antecedent = corels_counter_first(s->counter, row);
    return above->counts[measure * (size_t)s->stride + (size_t)antecedent] - both;
}

/* The sums of the rows that siblings know; and what those of row `row` tell them. */
typedef struct {
    int32_t row, rows;
    size_t measures;
    int other_side;
    int32_t *sums;
} crossing;

static void take_known(const worker_path *k, const frame *above, const crossing *c) {
    size_t rows = (size_t)c->rows;
    for (int32_t q = 0; q < c->rows; q++)
        for (size_t m = 0; has_bit(above->crossed, q) && m < c->measures; m++) {
            int32_t both = above->crossings[((size_t)q * c->measures + m) * rows + (size_t)c->row];
            c->sums[m * rows + (size_t)q] = c->other_side ? rest_of(k, above, m, q, both) : both;
        }
}

static void keep(const worker_path *k, frame *above, const crossing *c) {
    size_t rows = (size_t)c->rows;
    int32_t *to = above->crossings + (size_t)c->row * c->measures * rows;
    memcpy(to, c->sums, c->measures * rows * sizeof *to);
    for (size_t m = 0; c->other_side && m < c->measures; m++)
        for (int32_t q = 0; q < corels_counter_counted(k->search->counter); q++)
            to[m * rows + (size_t)q] = rest_of(k, above, m, q, to[m * rows + (size_t)q]);
    set_bit(above->crossed, c->row);
}

void sibling_counts(worker_path *k, frame *above, frame *f, const corels_counter *columns,
                    int32_t row, int other_side) {
    const search *s = k->search;
    crossing c = {.row = row,
                  .rows = corels_counter_rows(s->counter),
                  .measures = (size_t)s->in.measures,
                  .other_side = other_side,
                  .sums = corels_counter_sums(columns, k->w->scratch)};
    size_t bytes = c.sums ? sibling_counts_bytes(s) : 0;
    if (bytes && !above->crossings) above->crossings = malloc(bytes);
    if (!bytes || !above->crossings) {
        corels_counter_count(columns, k->squeezed, k->w->scratch, f->counts, k->w->totals);
        return;
    }
    take_known(k, above, &c);
    corels_counter_count_rest(columns, k->squeezed, k->w->scratch, above->crossed, f->counts,
                              k->w->totals);
    keep(k, above, &c);
}

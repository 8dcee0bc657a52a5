/* Cells and prices as data of a proof: docs/reference/proof-format.md. */
#include "record.h"

#include <string.h>

#include "cell.h"

enum { SHIFT = 64 }; /* what the format adds to the shift */

/* An antecedent that makes the trace t. */
static int32_t maker(const corels_prices *p, int32_t i, int32_t t) {
    const uint8_t *row = p->of + (size_t)i * (size_t)p->stride;
    return (
        int32_t)((const uint8_t *)memchr(row, price_byte(p, p->cells + i, t), (size_t)p->stride) -
                 row);
}

static int weighs(const corels_prices *p, size_t member) {
    for (int32_t c = 0; c < p->in.classes; c++)
        if (p->weights[member * (size_t)p->in.classes + (size_t)c]) return 1;
    return 0;
}

/* The points of the cell that weigh something in it: the others, such as points without regret,
 * mean nothing to a proof. */
static uint32_t weighty(const corels_prices *p, const price_cell *cell) {
    uint32_t found = 0;
    for (int32_t i = 0; i < cell->points; i++)
        found |= (uint32_t)weighs(p, cell->member + (size_t)i) << i;
    return found;
}

/* Whether the cut t is the first of those that are alike on these points, and cuts them. */
static int is_first(const uint32_t *cut, int32_t t, uint32_t points) {
    if (!cut[t] || cut[t] == points) return 0;
    for (int32_t u = 0; u < t; u++)
        if (cut[u] == cut[t]) return 0;
    return 1;
}

/* Of cuts that are alike a list takes the cheapest. */
static int32_t price_of(const corels_prices *p, const price_cell *cell, const uint32_t *cut,
                        int32_t t, size_t c) {
    const int32_t *prices = p->prices + price_first(p, cell, c);
    int32_t least = prices[t];
    for (int32_t u = 0; u < cell->traces; u++)
        if (cut[u] == cut[t] && prices[u] < least) least = prices[u];
    return least;
}

static void put_cell(const corels_prices *p, int32_t i, record *to) {
    const price_cell *cell = p->cells + i;
    size_t classes = (size_t)p->in.classes;
    uint32_t points = weighty(p, cell), cut[PRICE_TRACES];
    uint64_t cuts = 0;
    for (int32_t t = 0; t < cell->traces; t++) cut[t] = p->traces[cell->trace + (size_t)t] & points;
    record_put(to, (uint64_t)__builtin_popcount(points));
    for (size_t k = cell->member; k < cell->member + (size_t)cell->points; k++) {
        if (!weighs(p, k)) continue;
        record_put(to, (uint64_t)record_point(to, p->members[k]));
        for (size_t c = 0; c < classes; c++) record_put(to, (uint64_t)p->weights[k * classes + c]);
    }
    for (int32_t t = 0; t < cell->traces; t++) cuts += (uint64_t)is_first(cut, t, points);
    record_put(to, cuts);
    for (int32_t t = 0; t < cell->traces; t++) {
        if (!is_first(cut, t, points)) continue;
        record_put(to, (uint64_t)record_antecedent(to, maker(p, i, t)));
        for (size_t c = 0; c < classes; c++) record_put(to, (uint64_t)price_of(p, cell, cut, t, c));
    }
}

int corels_prices_record(const corels_prices *p, struct record *to) {
    size_t rows = p->members_n + p->traces_n + 2 * (size_t)p->n;
    if (!record_begin(to, rows * (size_t)(p->in.classes + 1) + 3)) return 0;
    record_put(to, RECORD_PRICES);
    record_put(to, (uint64_t)(p->shift + SHIFT));
    record_put(to, (uint64_t)p->n);
    for (int32_t i = 0; i < p->n; i++) put_cell(p, i, to);
    record_end(to);
    return 1;
}

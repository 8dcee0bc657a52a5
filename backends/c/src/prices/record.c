/* Cells and prices as data of a proof: docs/reference/proof-format.md. */
#include "record.h"

#include "cell.h"

enum { SHIFT = 64 }; /* what the format adds to the shift */

/* An antecedent that makes the trace t. */
static int32_t maker(const corels_prices *p, int32_t i, int32_t t) {
    const uint8_t *row = p->of + (size_t)i * (size_t)p->stride;
    uint8_t byte = price_byte(p, p->cells + i, t);
    int32_t r = 0;
    while (row[p->column[r]] != byte) r++;
    return r;
}

static void put_cell(const corels_prices *p, int32_t i, record *to) {
    const price_cell *cell = p->cells + i;
    size_t classes = (size_t)p->in.classes;
    record_put(to, (uint64_t)cell->points);
    for (size_t k = cell->member; k < cell->member + (size_t)cell->points; k++) {
        record_put(to, (uint64_t)record_point(to, p->members[k]));
        for (size_t c = 0; c < classes; c++) record_put(to, (uint64_t)p->weights[k * classes + c]);
    }
    record_put(to, (uint64_t)cell->traces);
    for (int32_t t = 0; t < cell->traces; t++) {
        record_put(to, (uint64_t)record_antecedent(to, maker(p, i, t)));
        for (size_t c = 0; c < classes; c++)
            record_put(to, (uint64_t)p->prices[price_first(p, cell, c) + (size_t)t]);
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

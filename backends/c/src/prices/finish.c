/* What look-ups read beside the values.
 *
 * Of large cells: a record of each state. So a look-up of a state touches one line of the caches,
 * where values, falls and what the traces lead to would be four. Of small cells: the falls of the
 * whole cell alone, for each place of the rows.
 */
#include <string.h>

#include "cell.h"
#include "team.h"

/* Such units that a fall from this value fits 16 bits, rounded up. */
static int32_t coarse_of(int32_t value) {
    int32_t coarse = 0;
    while (value >> coarse >= UINT16_MAX) coarse++;
    return coarse;
}

static uint16_t rounded_up(int32_t fall, int32_t coarse) {
    return (uint16_t)((fall + (1 << coarse) - 1) >> coarse);
}

static void finish_cell(corels_prices *p, int32_t i) {
    const price_cell *cell = p->cells + i;
    large_cell *to = p->long_cells + i;
    const int32_t *values = p->values + cell->state;
    size_t traces = (size_t)cell->traces;
    const uint16_t *next = p->next + cell->next;
    uint16_t *record = p->records + PRICE_LINE * (size_t)to->first;
    int32_t coarse = coarse_of(values[price_whole(p, cell)]); /* no state costs more */
    to->coarse = (uint8_t)coarse;
    for (size_t s = 0; s < (size_t)cell->states; s++, record += to->size, next += traces) {
        memcpy(record, values + s, sizeof *values);
        for (size_t t = 0; t < traces; t++) {
            int32_t left = values[next[t]];
            record[2 + t] = rounded_up(values[s] - left, coarse);
            record[2 + traces + t] = (uint16_t)(next[t] | (left ? 0 : PRICE_DEAD));
        }
    }
}

static void finish_range(void *prices, int32_t part, int32_t from, int32_t to) {
    (void)part;
    for (int32_t i = from; i < to; i++) finish_cell(prices, i);
}

static int finish_large(corels_prices *p, team *t, int32_t threads) {
    p->records = store_take(&p->finished, p->used[N_RECORDS], sizeof *p->records);
    p->long_cells = store_take(&p->finished, (size_t)p->n, sizeof *p->long_cells);
    if (p->finished.failed) return CORELS_NO_MEMORY;
    size_t first = 0;
    for (int32_t i = 0; i < p->n; i++) {
        size_t traces = (size_t)p->cells[i].traces;
        p->long_cells[i] = (large_cell){.first = (uint32_t)first,
                                        .size = (uint16_t)price_record(traces),
                                        .traces = (uint8_t)traces};
        first += price_records(traces, (size_t)p->cells[i].states) / PRICE_LINE;
    }
    team_ranges(t, threads, p->n, 1, finish_range, p);
    return CORELS_OK;
}

/* Where cells are small, most look-ups are of whole cells, from which rules take something for the
 * first time. So for them the numbers stand there for each place of the rows, and need not be
 * looked up: by how much the value falls, rounded up to 16 bits, which a bound allows. Cells of few
 * points do without. */
static void whole_row(corels_prices *p, int32_t i) {
    small_cell *cell = p->short_cells + i;
    const int32_t *values = p->values + cell->state;
    const uint8_t *of = p->of + (size_t)i * (size_t)p->stride;
    uint16_t *row = p->wholes + (size_t)i * (size_t)p->stride;
    int32_t whole = price_whole(p, p->cells + i);
    cell->whole = (int16_t)whole;
    cell->coarse = coarse_of(values[whole]);
    for (int32_t k = 0; k < p->stride; k++)
        row[k] = rounded_up(values[whole] - values[whole & ~of[k]], cell->coarse);
}

static void small_range(void *prices, int32_t part, int32_t from, int32_t to) {
    corels_prices *p = prices;
    (void)part;
    for (int32_t i = from; i < to; i++) {
        const price_cell *cell = p->cells + i;
        p->short_cells[i] = (small_cell){
            .state = (uint32_t)cell->state, .whole = -2, .states = (int16_t)cell->states};
        if (cell->points > PRICE_FEW) whole_row(p, i);
    }
}

static int finish_small(corels_prices *p, team *t, int32_t threads) {
    size_t row = p->has_wholes ? (size_t)p->stride * sizeof *p->wholes : 0;
    p->wholes = store_take(&p->finished, (size_t)p->n, row);
    p->short_cells = store_take(&p->finished, (size_t)p->n, sizeof *p->short_cells);
    if (p->finished.failed) return CORELS_NO_MEMORY;
    team_ranges(t, threads, p->n, 1, small_range, p);
    return CORELS_OK;
}

int price_finish(corels_prices *p, team *t, int32_t threads) {
    store_free(&p->finished);
    return p->small ? finish_small(p, t, threads) : finish_large(p, t, threads);
}

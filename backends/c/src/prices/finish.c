/* What look-ups read of a cell beside the values, once prices are made.
 *
 * Most look-ups are of whole cells, from which rules take something for the first time. So for them
 * the numbers stand there for each place of the rows, and need not be looked up: by how much the
 * value falls, rounded up to 16 bits, which a bound allows. Cells of few points do without.
 */
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

static void whole_row(corels_prices *p, int32_t i) {
    short_cell *cell = p->short_cells + i;
    const int32_t *values = p->values + cell->state;
    const uint8_t *of = p->of + (size_t)i * (size_t)p->stride;
    uint16_t *row = p->wholes + (size_t)i * (size_t)p->stride;
    int32_t whole = price_whole(p->cells + i);
    cell->whole = (int16_t)whole;
    cell->coarse = coarse_of(values[whole]);
    for (int32_t k = 0; k < p->stride; k++)
        row[k] = rounded_up(values[whole] - values[whole & ~of[k]], cell->coarse);
}

static void finish_range(void *prices, int32_t part, int32_t from, int32_t to) {
    corels_prices *p = prices;
    (void)part;
    for (int32_t i = from; i < to; i++) {
        const price_cell *cell = p->cells + i;
        p->short_cells[i] = (short_cell){
            .state = (uint32_t)cell->state, .whole = -2, .states = (int16_t)cell->states};
        if (cell->points > PRICE_FEW) whole_row(p, i);
    }
}

int price_finish(corels_prices *p, team *t, int32_t threads) {
    size_t row = p->has_wholes ? (size_t)p->stride * sizeof *p->wholes : 0;
    store_free(&p->finished);
    p->wholes = store_take(&p->finished, (size_t)p->n, row);
    p->short_cells = store_take(&p->finished, (size_t)p->n, sizeof *p->short_cells);
    if (p->finished.failed) return CORELS_NO_MEMORY;
    team_ranges(t, threads, p->n, 1, finish_range, p);
    return CORELS_OK;
}

/* What look-ups read beside the values.
 *
 * Of large cells: by how much the value falls along each trace, beside where the trace leads. So a
 * look-up touches one row for each state and need not read values that lie apart. Of small cells:
 * the same for the whole cell alone, for each place of the rows.
 */
#include <stdlib.h>

#include "cell.h"
#include "team.h"

static void finish_cell(corels_prices *p, const price_cell *cell) {
    const int32_t *values = p->values + cell->state;
    size_t traces = (size_t)cell->traces;
    for (size_t s = 0; s < (size_t)cell->states; s++)
        for (size_t t = 0; t < traces; t++) {
            size_t at = cell->next + s * traces + t;
            uint16_t to = p->next[at];
            p->falls[at] = values[s] - values[to];
            if (!values[to]) p->next[at] = to | PRICE_DEAD;
        }
}

static void finish_range(void *prices, int32_t part, int32_t from, int32_t to) {
    (void)part;
    for (int32_t i = from; i < to; i++) finish_cell(prices, ((corels_prices *)prices)->cells + i);
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
    while (values[whole] >> cell->coarse >= UINT16_MAX) cell->coarse++;
    for (int32_t k = 0; k < p->stride; k++) {
        int32_t fall = values[whole] - values[whole & ~of[k]];
        row[k] = (uint16_t)((fall + (1 << cell->coarse) - 1) >> cell->coarse);
    }
}

static void small_range(void *prices, int32_t part, int32_t from, int32_t to) {
    corels_prices *p = prices;
    (void)part;
    for (int32_t i = from; i < to; i++) {
        const price_cell *cell = p->cells + i;
        p->short_cells[i] = (small_cell){
            .state = (uint32_t)cell->state, .whole = -2, .entries = (int16_t)cell->entries};
        if (cell->points > PRICE_FEW) whole_row(p, i);
    }
}

static int finish_small(corels_prices *p, team *t, int32_t threads) {
    size_t row = p->has_wholes ? (size_t)p->stride * sizeof *p->wholes : 0;
    if (!p->wholes) p->wholes = malloc((size_t)p->n * row + 1);
    if (!p->short_cells) p->short_cells = malloc(((size_t)p->n + 1) * sizeof *p->short_cells);
    if (!p->wholes || !p->short_cells) return CORELS_NO_MEMORY;
    team_ranges(t, threads, p->n, 1, small_range, p);
    return CORELS_OK;
}

int price_finish(corels_prices *p, team *t, int32_t threads) {
    if (p->small) return finish_small(p, t, threads);
    if (!p->falls) p->falls = malloc((p->next_n + 1) * sizeof *p->falls);
    if (!p->falls) return CORELS_NO_MEMORY;
    team_ranges(t, threads, p->n, 1, finish_range, p);
    return CORELS_OK;
}

void price_reopen(corels_prices *p) {
    for (size_t k = 0; k < p->next_n; k++) p->next[k] &= PRICE_DEAD - 1;
}

/* Finished tables: the order of their rows, and what each antecedent captures of each cell.
 *
 * What a search asks about, once cheaper bounds have looked, are the antecedents that err on few
 * points. They come first in every row, so that they stand in few groups of neighbours.
 */
#include <string.h>

#include "cell.h"
#include "ranked.h"

void price_numbers(const corels_prices *p, int32_t i, uint8_t *numbers) {
    const price_cell *cell = p->cells + i;
    const uint8_t *of = p->of + (size_t)i * (size_t)p->stride;
    uint8_t number[PRICE_STATES];
    if (p->place && cell->traces <= PRICE_NUMBERED) {
        memcpy(numbers, of, (size_t)p->in.antecedents);
        return;
    }
    number[0] = (uint8_t)cell->traces;
    number[price_whole(cell)] = (uint8_t)(cell->traces + 1);
    for (int32_t t = 0; t < cell->traces; t++)
        number[p->traces[cell->trace + (size_t)t]] = (uint8_t)t;
    for (int32_t k = 0; k < p->in.antecedents; k++) numbers[k] = number[of[k]];
}

/* The parts of the cell that an antecedent with this number takes. */
static int32_t taken(const corels_prices *p, const price_cell *cell, int32_t number) {
    if (number < cell->traces) return p->traces[cell->trace + (size_t)number];
    if (number == cell->traces) return 0;
    return price_whole(cell);
}

/* Adds to regrets[c][r] what r errs in cell i if it predicts c. */
static void add_regrets(const corels_prices *p, int32_t i, uint8_t *numbers, int64_t *regrets) {
    const price_cell *cell = p->cells + i;
    size_t m = (size_t)p->in.antecedents;
    int64_t sum[PRICE_TRACES + 2];
    price_numbers(p, i, numbers);
    for (int32_t c = 0; c < p->in.classes; c++) {
        const int32_t *of_class = p->in.regrets + (size_t)c * (size_t)p->in.points;
        for (int32_t t = 0; t < cell->traces + 2; t++) {
            int32_t trace = taken(p, cell, t);
            sum[t] = 0;
            for (size_t k = 0; k < (size_t)cell->points; k++)
                if (price_captures(p, cell, trace, k))
                    sum[t] += of_class[p->members[cell->member + k]];
        }
        for (size_t r = 0; r < m; r++) regrets[(size_t)c * m + r] += sum[numbers[r]];
    }
}

static void choose_places(corels_prices *p, int32_t *place, const int64_t *regrets, ranked *order) {
    size_t m = (size_t)p->in.antecedents;
    for (size_t r = 0; r < m; r++) {
        order[r] = (ranked){INT64_MAX, (int32_t)r};
        for (size_t c = 0; c < (size_t)p->in.classes; c++)
            if (regrets[c * m + r] < order[r].number) order[r].number = regrets[c * m + r];
    }
    sort_ranked(order, m);
    for (size_t k = 0; k < m; k++) {
        p->antecedent[k] = order[k].at;
        place[order[k].at] = (int32_t)k;
    }
}

/* Puts the rows into their order, as numbers where traces are few, and lists for each antecedent
 * what it takes of each cell. */
static void finish_rows(corels_prices *p, uint8_t *old) {
    size_t m = (size_t)p->in.antecedents;
    for (int32_t i = 0; i < p->n; i++) {
        uint8_t *of = p->of + (size_t)i * (size_t)p->stride;
        for (size_t r = 0; r < m; r++) p->captured[r * (size_t)p->padded + (size_t)i] = of[r];
        if (p->cells[i].traces <= PRICE_NUMBERED)
            price_numbers(p, i, old);
        else
            memcpy(old, of, m);
        for (size_t k = 0; k < m; k++) of[k] = old[p->antecedent[k]];
    }
}

int price_order(corels_prices *p) {
    size_t m = (size_t)p->in.antecedents;
    store scratch = {0}, *all = &p->ordered;
    int64_t *regrets = store_take(&scratch, m * (size_t)p->in.classes, sizeof *regrets);
    ranked *order = store_take(&scratch, m, sizeof *order);
    uint8_t *row = store_take(&scratch, m, 1);
    int32_t *place = store_take(all, m, sizeof *p->place);
    p->antecedent = store_take(all, m, sizeof *p->antecedent);
    p->padded = (p->n + 15) / 16 * 16;
    p->captured = store_take(all, m, (size_t)p->padded);
    int done = !scratch.failed && !all->failed;
    if (done) {
        for (int32_t i = 0; i < p->n; i++) add_regrets(p, i, row, regrets);
        choose_places(p, place, regrets, order);
        finish_rows(p, row);
        p->place = place;
    }
    store_free(&scratch);
    return done ? CORELS_OK : CORELS_NO_MEMORY;
}

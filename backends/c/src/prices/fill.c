/* Filling the tables: what every state of a cell costs. See cell.h for the recursion.
 *
 * Sixteen cells are filled at a time, a lane each: every set of points is a state, so the same sets
 * are combined in all of them. A cell with fewer points than its neighbours has points that weigh
 * nothing and that no trace takes.
 */
#include <string.h>

#include "cell.h"

enum { LANES = CORELS_PRICE_LANES };

/* Scratch, [..][LANES]. */
typedef struct {
    int32_t *price;  /* [classes][256] */
    int32_t *values; /* [256] */
    int32_t *work;   /* [classes][256], what the points weigh, each at the state of it alone; and as
                        much again for the kernel */
} lanes;

size_t price_fill_bytes(const corels_prices *p) {
    size_t classes = (size_t)p->in.classes;
    return (classes * 3 + 1) * PRICE_STATES * LANES * sizeof(int32_t);
}

static lanes lanes_of(const corels_prices *p, void *scratch) {
    size_t classes = (size_t)p->in.classes;
    lanes to = {.price = scratch};
    to.values = to.price + classes * PRICE_STATES * LANES;
    to.work = to.values + PRICE_STATES * LANES;
    return to;
}

static void put_in_lane(const corels_prices *p, const price_cell *cell, size_t lane, size_t states,
                        const lanes *to) {
    size_t classes = (size_t)p->in.classes, traces = (size_t)cell->traces;
    const int32_t *prices = p->prices + cell->trace * classes;
    const int32_t *weights = p->weights + cell->member * classes;
    for (size_t c = 0; c < classes; c++)
        for (size_t t = 0; t < traces; t++)
            to->price[(c * states + p->traces[cell->trace + t]) * LANES + lane] =
                prices[c * traces + t];
    for (size_t k = 0; k < (size_t)cell->points; k++)
        for (size_t c = 0; c < classes; c++)
            to->work[(c * states + ((size_t)1 << k)) * LANES + lane] = weights[k * classes + c];
}

static void take_from_lane(const lanes *from, size_t lane, size_t states, int32_t *values) {
    for (size_t s = 0; s < states; s++) values[s] = from->values[s * LANES + lane];
}

void price_fill(const corels_prices *p, const int32_t *list, int32_t left, int32_t *values,
                void *scratch) {
    size_t classes = (size_t)p->in.classes;
    lanes in = lanes_of(p, scratch);
    for (; left > 0; left -= LANES, list += LANES) {
        int32_t n = left < LANES ? left : LANES;
        size_t bits = 4, states;
        for (int32_t j = 0; j < n; j++)
            if ((size_t)p->cells[list[j]].points > bits) bits = (size_t)p->cells[list[j]].points;
        states = (size_t)1 << bits;
        for (size_t k = 0; k < classes * states * LANES; k++) in.price[k] = CORELS_NO_PRICE;
        memset(in.work, 0, classes * states * LANES * sizeof *in.work);
        for (int32_t j = 0; j < n; j++) put_in_lane(p, p->cells + list[j], (size_t)j, states, &in);
        p->kernel->fill_cells(bits, classes, in.price, in.work, in.values);
        for (int32_t j = 0; j < n; j++)
            take_from_lane(&in, (size_t)j, (size_t)p->cells[list[j]].states,
                           values + p->cells[list[j]].state);
    }
}

void price_alone(const corels_prices *p, const price_cell *cell, int32_t *alone) {
    size_t classes = (size_t)p->in.classes, states = (size_t)cell->states;
    const int32_t *weights = p->weights + cell->member * classes;
    for (size_t c = 0; c < classes; c++) {
        int32_t *here = alone + c * states;
        memset(here, 0, states * sizeof *here);
        for (size_t k = 0; k < (size_t)cell->points; k++)
            for (size_t s = 0, half = (size_t)1 << k; s < half; s++)
                here[half + s] = here[s] + weights[k * classes + c];
    }
}

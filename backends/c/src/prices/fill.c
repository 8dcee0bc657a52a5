/* Filling the tables: what every state of a cell costs. See cell.h for the recursion.
 *
 * Sixteen cells are filled at a time, a lane each: every subset is a state, so the same subsets are
 * combined in all of them. A cell with fewer points than its neighbours has points without weight,
 * that no trace captures.
 */
#include <string.h>

#include "cell.h"

enum { LANES = CORELS_PRICE_LANES };

/* Scratch, [..][LANES]. */
typedef struct {
    int32_t *price;  /* [classes][256] */
    int32_t *weight; /* [PRICE_POINTS][classes] */
    int32_t *values; /* [256] */
    int32_t *work;   /* [classes][2 * 256] */
} lanes;

size_t price_fill_bytes(const corels_prices *p) {
    size_t classes = (size_t)p->in.classes;
    return (classes * (3 * PRICE_STATES + PRICE_POINTS) + PRICE_STATES) * LANES * sizeof(int32_t);
}

static lanes lanes_of(const corels_prices *p, void *scratch) {
    size_t classes = (size_t)p->in.classes;
    lanes to = {.price = scratch};
    to.weight = to.price + classes * PRICE_STATES * LANES;
    to.values = to.weight + PRICE_POINTS * classes * LANES;
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
    for (size_t k = 0; k < (size_t)cell->points * classes; k++)
        to->weight[k * LANES + lane] = weights[k];
}

static void take_from_lane(const lanes *from, size_t lane, size_t states, int32_t *values) {
    for (size_t s = 0; s < states; s++) values[s] = from->values[s * LANES + lane];
}

void price_fill(corels_prices *p, int32_t from, int32_t to, void *scratch) {
    size_t classes = (size_t)p->in.classes;
    lanes in = lanes_of(p, scratch);
    for (; from < to; from += LANES) {
        int32_t n = to - from < LANES ? to - from : LANES;
        size_t bits = 4, states;
        for (int32_t j = 0; j < n; j++)
            if ((size_t)p->cells[from + j].points > bits) bits = (size_t)p->cells[from + j].points;
        states = (size_t)1 << bits;
        for (size_t k = 0; k < classes * states * LANES; k++) in.price[k] = CORELS_NO_PRICE;
        memset(in.weight, 0, PRICE_POINTS * classes * LANES * sizeof *in.weight);
        for (int32_t j = 0; j < n; j++) put_in_lane(p, p->cells + from + j, (size_t)j, states, &in);
        p->kernel->fill_cells(bits, classes, in.price, in.weight, in.work, in.values);
        for (int32_t j = 0; j < n; j++)
            take_from_lane(&in, (size_t)j, (size_t)p->cells[from + j].states,
                           p->values + p->cells[from + j].state);
    }
}

/* Doubled, point by point. Few points have fewer subsets than tables have room for. */
void price_alone(const corels_prices *p, const price_cell *cell, int32_t *alone) {
    size_t classes = (size_t)p->in.classes, states = (size_t)cell->states;
    const int32_t *weights = p->weights + cell->member * classes;
    for (size_t c = 0; c < classes; c++) {
        int32_t *here = alone + c * states;
        here[0] = 0;
        for (int32_t i = 0; i < cell->points; i++)
            for (size_t s = 0, half = (size_t)1 << i; s < half; s++)
                here[half + s] = here[s] + weights[(size_t)i * classes + c];
        for (size_t s = (size_t)1 << cell->points; s < states; s++) here[s] = 0;
    }
}

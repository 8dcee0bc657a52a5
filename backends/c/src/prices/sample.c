/* What an ascent on a sample of sets begins with: how much of it is in which state of each cell. */
#include "cell.h"

typedef struct {
    const corels_prices *prices;
    const corels_sample *sample;
    float *mass;
} placing;

/* The tables need not be filled for that. */
static void place_range(void *placing_, int32_t part, int32_t from, int32_t to) {
    const placing *of = placing_;
    const corels_prices *p = of->prices;
    size_t words = ((size_t)p->in.points + 63) / 64;
    float each = (float)(1.0 / of->sample->n);
    (void)part;
    for (int32_t i = from; i < to; i++) {
        const price_cell *cell = p->cells + i;
        for (int32_t j = 0; j < of->sample->n; j++) {
            int32_t state = price_state(p, cell, of->sample->sets + (size_t)j * words);
            of->mass[cell->state + (size_t)state] += each;
        }
    }
}

void price_place_sample(const corels_prices *p, const corels_sample *sample, float *mass) {
    placing of = {.prices = p, .sample = sample, .mass = mass};
    if (!sample || !sample->n) {
        for (int32_t i = 0; i < p->n; i++)
            mass[p->cells[i].state + (size_t)price_whole(p->cells + i)] = 1;
        return;
    }
    team_ranges(p->team, PRICE_THREADS, p->n, 1, place_range, &of);
}

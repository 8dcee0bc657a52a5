/* What look-ups of large cells read: by how much the value falls along each trace, beside where the
 * trace leads. So a look-up touches one row for each state and need not read values that lie apart.
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

int price_finish(corels_prices *p, team *t, int32_t threads) {
    if (p->small) return CORELS_OK;
    if (!p->falls) p->falls = malloc((p->next_n + 1) * sizeof *p->falls);
    if (!p->falls) return CORELS_NO_MEMORY;
    team_ranges(t, threads, p->n, 1, finish_range, p);
    return CORELS_OK;
}

void price_reopen(corels_prices *p) {
    for (size_t k = 0; k < p->next_n; k++) p->next[k] &= PRICE_DEAD - 1;
}

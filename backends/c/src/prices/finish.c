/* What look-ups of large cells read: by how much the value falls along each trace, beside where the
 * trace leads. So a look-up touches one row for each state and need not read values that lie apart.
 */
#include <stdlib.h>

#include "cell.h"

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

int price_finish(corels_prices *p) {
    if (p->small) return CORELS_OK;
    if (!p->falls) p->falls = malloc((p->next_n + 1) * sizeof *p->falls);
    if (!p->falls) return CORELS_NO_MEMORY;
    for (int32_t i = 0; i < p->n; i++) finish_cell(p, p->cells + i);
    return CORELS_OK;
}

void price_reopen(corels_prices *p) {
    for (size_t k = 0; k < p->next_n; k++) p->next[k] &= PRICE_DEAD - 1;
}

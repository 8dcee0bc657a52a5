/* The antecedents that split each cell, and by which trace: those that its prices are for.
 *
 * With pairs of conditions there are thousands of antecedents, and a tenth to a half of them split
 * a given cell. The ascent, which adds up in each iteration what every antecedent spends, and the
 * last cut to the budgets go over these lists. The check of the budgets does not: it reads the rows
 * themselves.
 */
#include <stdlib.h>

#include "users.h"

typedef struct {
    price_users *users;
    const corels_prices *prices;
    uint8_t *rows; /* [threads][stride] */
} listing;

/* The trace of each antecedent in cell i, in the row of this part. */
static const uint8_t *traces_of(const listing *l, int32_t part, int32_t i) {
    uint8_t *row = l->rows + (size_t)part * (size_t)l->prices->stride;
    price_numbers(l->prices, i, row);
    return row;
}

/* How many antecedents split each cell, into the place behind it. */
static void count_range(void *listing_, int32_t part, int32_t from, int32_t to) {
    const listing *l = listing_;
    for (int32_t i = from; i < to; i++) {
        const uint8_t *of = traces_of(l, part, i);
        size_t n = 0, traces = (size_t)l->prices->cells[i].traces;
        for (int32_t k = 0; k < l->prices->in.antecedents; k++) n += of[k] < traces;
        l->users->first[i + 1] = n;
    }
}

static void list_range(void *listing_, int32_t part, int32_t from, int32_t to) {
    const listing *l = listing_;
    for (int32_t i = from; i < to; i++) {
        const uint8_t *of = traces_of(l, part, i);
        size_t traces = (size_t)l->prices->cells[i].traces;
        uint32_t *list = l->users->list + l->users->first[i];
        for (int32_t k = 0; k < l->prices->in.antecedents; k++)
            if (of[k] < traces) *list++ = (uint32_t)k << 8 | of[k];
    }
}

int price_users_list(price_users *u, const corels_prices *p, team *t, int32_t threads) {
    listing l = {.users = u, .prices = p};
    u->first = calloc((size_t)p->n + 1, sizeof *u->first);
    l.rows = malloc((size_t)threads * (size_t)p->stride + 1);
    int listed = u->first && l.rows;
    if (listed) {
        team_ranges(t, threads, p->n, 1, count_range, &l);
        for (int32_t i = 0; i < p->n; i++) u->first[i + 1] += u->first[i];
        u->list = malloc((u->first[p->n] + 1) * sizeof *u->list);
        listed = u->list != NULL;
    }
    if (listed) team_ranges(t, threads, p->n, 1, list_range, &l);
    free(l.rows);
    return listed;
}

void price_users_free(price_users *u) {
    free(u->first);
    free(u->list);
}

static size_t bytes_of(const corels_prices *p, size_t listed) {
    return ((size_t)p->n + 1) * sizeof(size_t) + (listed + 1) * sizeof(uint32_t);
}

size_t price_users_bytes(const price_users *u, const corels_prices *p) {
    return bytes_of(p, u->first[p->n]);
}

size_t price_users_most(const corels_prices *p) {
    return bytes_of(p, (size_t)p->n * (size_t)p->in.antecedents);
}

/* The antecedents that split each cell: see users.c. */
#ifndef CORELS_PRICE_USERS_H
#define CORELS_PRICE_USERS_H

#include "cell.h"

typedef struct price_users {
    size_t *first;  /* [cells + 1]: where the users of each cell begin in the list */
    uint32_t *list; /* cell by cell, in rising order: place in the rows << 8 | trace */
} price_users;

/* Fills `users`, which is zero; 0: no memory. In either case price_users_free is to be called. */
int price_users_list(price_users *users, const corels_prices *prices, team *, int32_t threads);
void price_users_free(price_users *users);
size_t price_users_bytes(const price_users *users, const corels_prices *prices);
size_t price_users_most(const corels_prices *prices); /* before they are listed */

static inline size_t price_place_of(uint32_t listed) {
    return listed >> 8;
}
static inline size_t price_trace_of(uint32_t listed) {
    return listed & 255;
}

/* budget.c: takes from prices and weights what goes beyond a budget, after rounding. */
int price_cut(corels_prices *prices, const price_users *users);

#endif

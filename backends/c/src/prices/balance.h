/* The antecedents that each cell's prices are for, and scaling prices to their budgets. */
#pragma once

#include "cell.h"

/* The antecedents that split each cell. */
typedef struct price_users {
    size_t *first;  /* [cells + 1]: where the users of each cell begin in the list */
    uint32_t *list; /* cell by cell, in rising order: place in the rows << 8 | trace */
} price_users;

static inline size_t price_place_of(uint32_t listed) {
    return listed >> 8;
}
static inline size_t price_trace_of(uint32_t listed) {
    return listed & 255;
}

/* budget.c: takes from prices and weights what goes beyond a budget, after rounding. */
int price_cut(corels_prices *prices, const price_users *users);

typedef struct {
    corels_prices *prices;
    team *team;
    int32_t threads;
    price_users users;
    float *factors; /* [places in the rows][classes]: what the antecedent there spends, then its
                       factor */
    float *least;   /* [threads]: of the traces of a cell, [traces][classes] */
} price_balance;

int price_balance_new(price_balance *balance, corels_prices *prices, team *, int32_t threads,
                      store *); /* 0: no memory */
/* Scales all wishes, and makes prices of them. */
void price_balance_all(price_balance *balance);

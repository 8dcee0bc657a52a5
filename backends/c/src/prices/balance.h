/* Scaling prices to their budgets. */
#pragma once

#include "cell.h"

typedef struct {
    corels_prices *prices;
    team *team;
    int32_t threads;
    size_t *first;   /* [cells + 1]: where the antecedents that split each cell begin */
    uint32_t *list;  /* cell by cell, in rising order: antecedent << 8 | trace */
    double *factors; /* [antecedents][classes]: what the antecedent spends, then its factor */
    double *least;   /* [threads]: of the traces of a cell, [traces][classes] */
} price_balance;

int price_balance_new(price_balance *balance, corels_prices *prices, team *, int32_t threads,
                      store *); /* 0: no memory */
/* Scales all wishes, and makes prices of them. */
void price_balance_all(price_balance *balance);

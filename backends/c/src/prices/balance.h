/* Scaling prices to the budgets of the antecedents: see balance.c. */
#ifndef CORELS_PRICE_BALANCE_H
#define CORELS_PRICE_BALANCE_H

#include "users.h"

typedef struct {
    corels_prices *prices;
    team *team;
    int32_t threads;
    price_users users;
    float *factors; /* [places in the rows][classes]: what the antecedent there spends, then its
                       factor */
    float *least;   /* [threads]: of the traces of a cell, [traces][classes] */
} price_balance;

/* 0: no memory. In either case price_balance_free is to be called. */
int price_balance_new(price_balance *balance, corels_prices *prices, team *, int32_t threads);
void price_balance_free(price_balance *balance);
size_t price_balance_bytes(const price_balance *balance);
size_t price_balance_most(const corels_prices *prices, int32_t threads); /* before it is made */
/* Scales all wishes, and makes prices of them. */
void price_balance_all(price_balance *balance);

#endif

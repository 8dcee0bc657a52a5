/* Cells with prices, as a proof gives them. See prices.c. */
#ifndef CORELS_CHECKER_PRICES_H
#define CORELS_CHECKER_PRICES_H

#include "checker.h"
#include "reader.h"

typedef struct price_tables price_tables;

/* Reads cells, checks their budgets, fills their tables: a corels_check_result. */
int prices_read(price_tables **out, const corels_check_table *table, reader *in);
void prices_free(price_tables *);
/* What the cells know of a set: how far the sum falls by each antecedent, and at the end the sum.
 * `view` is [antecedents + 1]. */
void prices_view(const price_tables *, const uint64_t *set, int64_t *view);
/* What whatever follows costs at least where antecedent r is taken out of the set of the view. */
int64_t prices_least(const price_tables *, const int64_t *view, int32_t r);

#endif

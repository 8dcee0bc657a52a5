/* The price bound as a filter of children, beside those of node.h. */
#ifndef CORELS_PRICES_BOUND_H
#define CORELS_PRICES_BOUND_H

#include "corels/prices.h"
#include "node.h"

/* Keeps the children r whose completions may cost less than is needed, as far as the prices tell;
 * `view` is the view of the node's set. */
int32_t corels_keep_prices(corels_node *node, const corels_prices *prices, const void *view,
                           int64_t need, int32_t *list, int32_t n);

#endif

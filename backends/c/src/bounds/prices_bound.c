/* Prices: drop a child where even the cells' own cheapest lists cost as much as is needed.
 *
 * f(S \ r) >= F(S \ r), which the view has for all r at once. No completion of the child, with or
 * without a rule more, costs less; so the same number goes into the floor of the set.
 */
#include "prices_bound.h"

int32_t corels_keep_prices(corels_node *node, const corels_prices *prices, const void *view,
                           int64_t need, int32_t *list, int32_t n) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i];
        int64_t need_r = corels_child_need(node, need, r);
        int64_t least = corels_prices_least(prices, view, r);
        if (least >= need_r)
            corels_lower(&node->floor, need - need_r + least);
        else
            list[kept++] = r;
    }
    return kept;
}

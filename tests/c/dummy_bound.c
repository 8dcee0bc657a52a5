/* A plain bound, to be copied: drop a child if what is left of the need does not pay for a rule.
 *
 * Every completion of the child with a rule more costs at least rule_cost, and the list that ends
 * with the child has been scored. So if its need is no more than that, nothing is lost.
 */
#include "bounds.h"

int32_t dummy_filter(node_view *node, int32_t *list, int32_t n) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int64_t need = child_need(node, list[i]);
        if (need > node->rule_cost)
            list[kept++] = list[i];
        else /* for a completion with one more rule than the child */
            lower(&node->floor, node->need - need + node->rule_cost);
    }
    return kept;
}

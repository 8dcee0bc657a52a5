/* One rule: where there is room for one rule more, the best one is found at once and nothing is
 * left to search. The search does that (search/expand.c, best_first/close.c), since it takes a
 * count; this is the test on tables. */
#include "bounds.h"

void one_rule_on_table(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->rules_left != 1 && c->lower_bound[i] + 2 * c->rule_cost < incumbent;
}

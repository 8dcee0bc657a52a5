/* Last rules: if one more rule fits and not two, one count of the set tells all that follow.
 *
 * Most sets of the graph would be such ones. They have no nodes: what can follow is counted anew
 * whenever a pass over the graph meets them, which takes less than to store it.
 */
#include "near.h"

static void add_last(corels_near *near, int32_t r, int32_t most) {
    near_last last = {.antecedent = r};
    last.errors = near_best(near, r, &last.prediction) + near_closing(near, r, &last.fallback);
    if (last.errors <= most) near->last[near->last_count++] = last;
}

void near_last_rules(corels_near *near, int32_t id, const near_edge *edge, int64_t left) {
    uint64_t pending = near_use(near, near_pending(near, id), edge->antecedent);
    int64_t most = (left - near->in.rule_cost) / near->in.unit;
    near->last_count = 0;
    near_behind(near, edge->antecedent);
    near_count_of(near, near->child);
    for (int32_t r = 0; r < near->in.antecedents; r++)
        if (!(near->avoided && near->avoided[r]) && !near_use(near, pending, r) &&
            near_captures(near, near->child, r))
            add_last(near, r, most > INT32_MAX ? INT32_MAX : (int32_t)most);
}

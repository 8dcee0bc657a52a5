/* The lower bound while the search runs.
 *
 * What a walker has not searched are the children left in its frames. Every list that could still
 * improve the incumbent goes through one of them, so the least of their bounds, or the incumbent's
 * cost where that is less, is a lower bound of the optimum. It rises as the shallow frames run out
 * of cheap children. Each walker covers the whole problem by itself: the best of their bounds
 * counts.
 */
#include "depth_first.h"

int64_t child_bound(walker *k, int32_t depth, const frame_child *child) {
    const search *s = k->search;
    int64_t rule_cost = s->in.rule_cost, unit = s->in.unit;
    int64_t most = unit * (child->closing - child->errors),
            least = rule_cost < most ? rule_cost : most;
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        const uint64_t *view = tables_speak(of->face, of->built) ? frame_view(k, depth, i) : NULL;
        if (!view) continue;
        int64_t better = of->face->least(of->built, view, child->rule, rule_cost, unit, most);
        if (better > least) least = better;
    }
    return k->frames[depth].cost + rule_cost + unit * child->errors + least;
}

int64_t open_bound(walker *k) {
    int64_t bound = incumbent_cost(&k->search->incumbent);
    if (!k->walking) return 0;
    for (int32_t d = 0; d <= k->depth; d++) {
        const frame *f = k->frames + d;
        for (int32_t i = 0; i < f->n; i++) {
            if (i >= f->put_off && i < f->next) continue;
            int64_t here = child_bound(k, d, f->children + i);
            if (here < bound) bound = here;
        }
    }
    return bound;
}

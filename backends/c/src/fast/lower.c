/* The lower bound while the search runs.
 *
 * What a walker has not searched are the children left in its frames. Every list that could still
 * improve the incumbent goes through one of them, so the least of their bounds, or the incumbent's
 * cost where that is less, is a lower bound of the optimum. It rises as the shallow frames run out
 * of cheap children. Each walker covers the whole problem by itself: the best of their bounds
 * counts.
 */
#include "fast.h"

int64_t corels_child_bound(const corels_walker *walker, const corels_frame *frame,
                           const uint64_t *view, const corels_child *child) {
    const struct corels_fast *fast = walker->fast;
    int64_t rule_cost = fast->in.rule_cost, unit = fast->in.unit;
    int64_t most = unit * (child->closing - child->errors),
            least = rule_cost < most ? rule_cost : most;
    if (view) {
        int64_t better =
            corels_blocks_least(fast->blocks, view, child->rule, rule_cost, unit, most);
        if (better > least) least = better;
    }
    return frame->cost + rule_cost + unit * child->errors + least;
}

int64_t corels_open_bound(corels_walker *walker) {
    const struct corels_fast *fast = walker->fast;
    int64_t bound = atomic_load(&fast->incumbent.cost);
    if (!walker->walking) return 0;
    for (int32_t d = 0; d <= walker->depth; d++) {
        corels_frame *frame = walker->frames + d;
        const uint64_t *view = fast->blocks ? corels_frame_view(walker, d) : NULL;
        for (int32_t i = 0; i < frame->n; i++) {
            if (i >= frame->put_off && i < frame->next) continue;
            int64_t here = corels_child_bound(walker, frame, view, frame->children + i);
            if (here < bound) bound = here;
        }
    }
    return bound;
}

/* The lower bound while the search runs.
 *
 * What is proved of a frame's set is the least of what its settled children were proved to cost,
 * what the open ones are bounded by, and what is known, in the same way, of the frame below; or the
 * memo's claim from an earlier pass, if that is more. So from the deepest frame up: what is known
 * of the root is a lower bound of the optimum. Each worker covers the whole problem by itself: the
 * best of their bounds counts. It rises with every threshold (deepen.c) and, within a pass, as the
 * root runs out of children of a low bound (root_order.c).
 */
#include "depth_first.h"

int64_t child_bound(worker_path *k, int32_t depth, const frame_child *child) {
    const search *s = k->search;
    int64_t rule_cost = s->in.rule_cost, unit = s->in.unit;
    int64_t most = unit * (child->closing - child->errors),
            least = rule_cost < most ? rule_cost : most;
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        const uint64_t *view = tables_speak(of) ? frame_view(k, depth, i) : NULL;
        if (!view) continue;
        int64_t better = tables_least(of->tables, view, child->rule, most);
        if (better > least) least = better;
    }
    return k->frames[depth].cost + rule_cost + unit * child->errors + least;
}

/* What the tables know of the child that was entered from frame d. */
static int64_t looked_up(worker_path *k, int32_t d, int64_t least) {
    const search *s = k->search;
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        const uint64_t *view = of->tables->view_words ? frame_view(k, d, i) : NULL;
        if (!view) continue;
        int64_t here = tables_least(of->tables, view, k->frames[d + 1].rule, INT64_MAX);
        if (here > least) least = here;
    }
    return least;
}

int64_t child_least(worker_path *k, int32_t d, const frame_child *child) {
    const instance *in = &k->search->in;
    int64_t known = d ? 0 : deepen_known(k, child->rule),
            least = in->rule_cost + in->unit * child->errors + known;
    int64_t bound = child_bound(k, d, child) - k->frames[d].cost;
    return bound > least ? bound : least;
}

int64_t open_least(worker_path *k, int32_t d, int64_t below) {
    const frame *f = k->frames + d;
    int64_t least = f->least;
    for (int32_t i = 0; i < f->n; i++)
        if (i < f->put_off || i >= f->next) lower(&least, child_least(k, d, f->children + i));
    if (d < k->depth) lower(&least, f[1].cost - f->cost + looked_up(k, d, below));
    return least > f->claim ? least : f->claim;
}

int64_t open_bound(worker_path *k) {
    int64_t least = 0, cost = incumbent_cost(&k->search->incumbent);
    for (int32_t d = k->walking ? k->depth : -1; d >= 0; d--) least = open_least(k, d, least);
    return least < cost ? least : cost;
}

/* The lower bound while the search runs.
 *
 * What is proved of a frame's set is the least of what its settled children were proved to cost,
 * what the open ones are bounded by, and what is known, in the same way, of the frame below; or the
 * memo's claim from an earlier pass, if that is more. So from the deepest frame up: what is known
 * of the root is a lower bound of the optimum. Each worker covers the whole problem by itself: the
 * best of their bounds counts. It rises with every threshold (deepen.c).
 */
#include "depth_first.h"
#include "numbers.h"

/* What is left by a rule costs `least`, or what the tables say of it, at most `most`: those that
 * are asked, or all. */
static int64_t looked_up(worker_path *k, int32_t depth, int32_t rule, int64_t least, int64_t most,
                         int all) {
    const search *s = k->search;
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        int asked = all ? of->tables->view_words != 0 : tables_speak(of);
        const uint64_t *view = asked ? frame_view(k, depth, i) : NULL;
        if (view) least = greater(least, tables_least(of->tables, view, rule, most));
    }
    return least;
}

/* What completions of the frame's set through this child cost at least. */
static int64_t child_least(worker_path *k, int32_t d, const frame_child *child) {
    const instance *in = &k->search->in;
    int64_t most = in->unit * (child->closing - child->errors),
            bound = looked_up(k, d, child->rule, lesser(in->rule_cost, most), most, 0),
            known = d ? 0 : deepen_known(k, child->rule);
    return in->rule_cost + in->unit * child->errors + greater(bound, known);
}

int64_t open_least(worker_path *k, int32_t d, int64_t below) {
    const frame *f = k->frames + d;
    int64_t least = f->least;
    for (int32_t i = 0; i < f->n; i++)
        if (i < f->put_off || i >= f->next) lower(&least, child_least(k, d, f->children + i));
    if (d < k->depth) {
        int64_t known = looked_up(k, d, f[1].rule, below, INT64_MAX, 1);
        lower(&least, f[1].cost - f->cost + known);
    }
    return least > f->claim ? least : f->claim;
}

int64_t open_bound(worker_path *k) {
    int64_t least = 0, cost = incumbent_cost(&k->search->incumbent);
    for (int32_t d = k->walking ? k->depth : -1; d >= 0; d--) least = open_least(k, d, least);
    return least < cost ? least : cost;
}

/* Trials: children that tables have dropped, searched all the same.
 *
 * Of what tables drop, much would have been closed for less: by the memo, which knows the set by
 * another order of its rules, or by a bound that comes after the tables. So some of these children
 * are searched without the tables (filter.c chooses them), and the scheduler learns what the rest
 * would have taken. Few counts tell enough: a child that takes more is left, and settled by what
 * the tables tell of it.
 */
#include "depth_first.h"

void try_begin(walker *k) {
    search *s = k->search;
    const frame *above = k->frames + k->depth;
    const frame_child *child = above->children + above->next;
    int32_t which = child->tried - 1;
    if (which < 0 || !tables_speak(s->staged + which)) return;
    const tables *t = s->staged[which].tables;
    const uint64_t *view = frame_view(k, k->depth, which);
    int64_t need = need_of(s, child_cost(s, above, child)) + slack_of(k, child->rule);
    int64_t claim = view ? tables_least(t, view, child->rule, need) : -1;
    if (claim < need) return; /* newer tables do not drop it */
    k->tried.depth = k->depth + 1;
    k->tried.which = which;
    k->tried.began = k->w->seen.counts;
    k->tried.claim = claim;
}

void try_on(walker *k) {
    int64_t counts = k->w->seen.counts - k->tried.began;
    frame *f = k->frames + k->tried.depth;
    if (k->depth >= k->tried.depth) {
        if (counts < k->search->tune.tables_tried_counts) return;
        for (; k->depth >= k->tried.depth; k->depth--) share_leave(k, k->frames + k->depth);
        settle_child(f - 1, f, k->tried.claim);
    }
    scheduler_tried(k->search->staged + k->tried.which, counts);
    k->tried.depth = 0;
}

/* Trials: children that tables have dropped, searched all the same.
 *
 * Of what tables drop, much would have been closed for less: by the memo, which knows the set by
 * another order of its rules, or by a bound that comes after the tables. So some of these children
 * are searched without the tables (filter.c chooses them), and the scheduler learns what the rest
 * would have taken. Few counts say enough: a child that takes more is left. What the tables said
 * of it when they dropped it went into the set above, as of every child that they drop (filter.c).
 * So its frames are settled by no more than was found in them, and while one worker tries a child
 * the others pass theirs over: else many would be at it before any of them is known.
 */
#include "depth_first.h"

/* Whether it is still worth while: many more are chosen than may be searched in the end, because
 * sets are listed long before the last of their children has its turn. */
static int wanted(const search *s, const frame *above, const staged *of) {
    return above->version >= of->version && tables_speak(of) && scheduler_tries(s, of);
}

int trial_begin(worker_path *k) {
    const frame *above = k->frames + k->depth;
    int32_t which = above->children[above->next].tried - 1;
    if (which < 0) return 1;
    staged *of = k->search->staged + which;
    int nobody = 0;
    if (!wanted(k->search, above, of) || !atomic_compare_exchange_strong(&of->trying, &nobody, 1)) {
        if (above->version >= of->version) atomic_fetch_sub(&of->all.searched, 1);
        return 0;
    }
    k->tried.depth = k->depth + 1;
    k->tried.which = which;
    k->tried.version = of->version;
    k->tried.began = k->w->seen.counts - k->w->seen.uncounted;
    return 1;
}

void trial_end(worker_path *k) {
    if (k->tried.depth) atomic_store(&k->search->staged[k->tried.which].trying, 0);
    k->tried.depth = 0;
}

void trial_watch(worker_path *k) {
    staged *of = k->search->staged + k->tried.which;
    int64_t counts = k->w->seen.counts - k->w->seen.uncounted - k->tried.began;
    if (k->depth >= k->tried.depth) {
        if (counts < k->search->tune.tables_tried_counts) return;
        for (; k->depth >= k->tried.depth; k->depth--) {
            frame *f = k->frames + k->depth;
            share_leave(k, f);
            emit_settled(k, f, 0);
        }
    }
    if (k->tried.version == of->version) scheduler_tried(of, counts);
    trial_end(k);
}

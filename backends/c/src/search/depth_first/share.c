/* Sharing the work: several workers, one problem, and no queue of tasks.
 *
 * All workers start at the root and share the incumbent and the memo. There each set is marked with
 * the number of workers that have it on their path. A worker takes a child on which no other is;
 * the others it puts off to the end of the frame, by when the memo mostly knows the answer. A frame
 * whose children are all taken and not all settled leaves three things to do:
 *
 *   go back    another worker has this very set on the path, too, and will settle it: the worker
 *              puts the whole set off in the frame above, and looks for work there;
 *   help       otherwise the set is this worker's to settle, and so it enters the first child that
 *              is left, though another one is at it, and looks for children that are free in there;
 *   rest       entering such a set means to expand it a second time. So if sets expanded for that
 *              reason would be more than one in share_help of all, the worker waits a moment and
 *              looks again.
 *
 * Going back leads to larger pieces of work: two workers in one small set part again, instead of
 * following each other down to the last leaf. A set is on a worker's path whenever it is marked, so
 * the worker at the smallest set of all can go on, and a worker that has rested for long may help:
 * the walk always ends. Nothing here is needed for truth: a claim is stored by a worker that has
 * seen every child settled, and it does not matter by whom.
 *
 * With `turns` the workers run on the caller's thread, each for so many expansions in turn. Then a
 * run repeats exactly, and tells what workers do twice, whatever the machine.
 */
#include "depth_first.h"

/* Notes the worker at the set under the key that is known before it is counted. */
int64_t share_enter(worker_path *k, const frame *above, frame *f, int32_t *others) {
    int alone = !above->helps;
    int64_t bound = memo_enter(k->tree->memo, f->guess, f->left, f->need, alone, others);
    f->at_guess = bound < f->need && !(alone && *others);
    f->helped = f->at_guess && *others;
    return bound;
}

/* And under its closure mask. */
int64_t share_enter_key(worker_path *k, frame *f) {
    int32_t others = 0;
    int64_t bound = memo_enter(k->tree->memo, f->key, f->left, f->need, 0, &others);
    f->at_key = bound < f->need;
    return bound;
}

/* Takes the worker off the set. */
void share_leave(worker_path *k, frame *f) {
    if (f->at_guess) memo_leave(k->tree->memo, f->guess, f->left);
    if (f->at_key) memo_leave(k->tree->memo, f->key, f->left);
    f->at_guess = f->at_key = 0;
}

/* The child that was taken last comes again. */
void share_put_off(frame *above) {
    above->children[above->put_off++] = above->children[above->next - 1];
}

/* Whether another worker has the set of frame `f` on the path. */
static int shared(worker_path *k, const frame *f) {
    int32_t workers = 0;
    if (!k->depth || !(f->at_guess || f->at_key)) return 0;
    memo_find(k->tree->memo, f->at_key ? f->key : f->guess, f->left, &workers);
    return workers > 1;
}

static void go_back(worker_path *k, frame *f) {
    share_leave(k, f);
    share_put_off(f - 1);
    k->depth--;
}

static int may_help(const worker_path *k) {
    int64_t expanded = k->rests, helped = 1;
    for (int32_t i = 0; i < k->tree->n; i++) {
        worker_path *other = k->tree->paths + i;
        expanded += atomic_load_explicit(&other->expanded, memory_order_relaxed);
        helped += atomic_load_explicit(&other->helped, memory_order_relaxed);
    }
    return helped * k->search->tune.share_help <= expanded;
}

static void rest(worker_path *k) {
    k->rests++;
    if (k->tree->turns)
        k->turn_over = 1;
    else
        thread_rest();
}

/* What other workers' `may_help` goes by. */
void share_note(worker_path *k, const frame *f) {
    atomic_store_explicit(&k->expanded, k->w->seen.expanded, memory_order_relaxed);
    if (f->helped) atomic_fetch_add_explicit(&k->helped, 1, memory_order_relaxed);
}

/* The top frame has no child left in its list; whether some were put off. */
int share_again(worker_path *k, frame *f) {
    int stuck = !f->entered;
    if (!f->put_off) return 0;
    f->n = f->put_off;
    f->next = f->put_off = f->entered = 0;
    if (!stuck) return 1;
    if (shared(k, f))
        go_back(k, f);
    else if (may_help(k))
        f->helps = 1;
    else
        rest(k);
    return 1;
}

/* How much is left to search, in counts.
 *
 * A pass of the deepening (deepen.c) goes where the one before went, and further. So what a child
 * of the root took in the pass before is its weight in this one; on the path below, the memo knows
 * what each open child took, to a power of two. The part of these weights that is settled is the
 * part of the pass that is over. While that is too little to tell, the cost of the pass is taken
 * from the growth of the passes so far; and so is that of the passes to come. Nothing is proved by
 * it: people see how long it may take.
 */
#include "depth_first.h"

enum { DEEPEST = 4 }; /* frames whose children are looked up in the memo */
static const double ENOUGH = 0.05, LATER = 1.125; /* part of a pass; the passes to come, in lasts */

static double weight_of(const deepening *d, int32_t r) {
    return (double)atomic_load_explicit(&d->first[r].before, memory_order_relaxed) + 1;
}

/* What the set took that the child r of the frame f leaves, as the memo has it. */
static uint64_t effort_of(walker *k, const frame *f, int32_t r) {
    frame *scratch = k->frames + k->depth + 1;
    if (k->tree->by_closure) {
        memcpy(scratch->guess, f->key, key_bytes(k));
        set_bit(scratch->guess, r);
    } else
        take_bits(scratch->set, f->set, mask_of(k->search, r), k->search->in.words);
    return memo_effort(k->tree->memo, scratch->guess);
}

/* What the memo's sets that the open children of frame d leave took, when they were last searched.
 */
static double open_below(walker *k, int32_t d) {
    if (!frame_below(k)) return 0; /* for scratch; frames may move for it */
    const frame *f = k->frames + d;
    double sum = 0;
    for (int32_t i = 0; i < f->n; i++) {
        if (i >= f->put_off && i < f->next) continue;
        sum += (double)effort_of(k, f, f->children[i].rule);
    }
    return sum;
}

/* The weight of what this pass has left, and of the whole. */
static double pass_left(walker *k, const deepening *d, double *whole) {
    const frame *root = k->frames;
    double left = 0;
    *whole = 0;
    for (int32_t i = 0; i < root->n; i++) {
        double here = weight_of(d, root->children[i].rule);
        *whole += here;
        if (i < root->put_off || i >= root->next) left += here;
    }
    if (k->depth < 1) return left;
    double most = weight_of(d, k->frames[1].rule), below = 0;
    for (int32_t at = 1; at <= k->depth && at < DEEPEST; at++) below += open_below(k, at);
    return left + (below < most ? below : most);
}

double tree_left(search *s) {
    const depth_first_tree *tree = tree_of(s);
    const deepening *d = &tree->passes;
    walker *k = tree->walkers;
    if (!d->number || d->expected <= 0 || !k->walking) return -1;
    double whole, left = pass_left(k, d, &whole), part = whole > 0 ? 1 - left / whole : 0;
    double done = (double)(all_counts(s) - d->began);
    double pass = part > ENOUGH ? done / part : d->expected;
    double later = s->target < incumbent_cost(&s->incumbent) ? LATER * d->finish : 0;
    return (pass > done ? pass - done : 0) + later;
}

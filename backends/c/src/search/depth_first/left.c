/* How much is left to search, in counts.
 *
 * A pass of the deepening (deepen.c) goes where the one before went, and further. So what a child
 * of the root took in the pass before is its weight in this one, and what the settled children take
 * now, over their weights, is the growth of the pass. While too little is settled to tell, the
 * growth is taken from the costs of the passes so far; and so is the cost of the passes to come.
 * Nothing is proved by it: people see how long it may take.
 */
#include "depth_first.h"

/* The growth of this pass over the one before is first taken from the model: as if so much of the
 * pass had been seen. The passes to come, in last ones; and what is left at least of a child that
 * takes longer than expected. */
static const double SEEN = 0.03, LATER = 1.125, LEAST = 0.2;

static double weight_of(const deepening *d, int32_t r) {
    return (double)atomic_load_explicit(&d->first[r].before, memory_order_relaxed) + 1;
}

/* Weights of the root's children: of all, of those that are settled, and of the one at hand. */
typedef struct {
    double all, settled, here;
} weights;

static weights weigh(const walker *k, const deepening *d) {
    const frame *root = k->frames;
    weights of = {0, 0, k->depth ? weight_of(d, k->frames[1].rule) : 0};
    double open = 0;
    for (int32_t i = 0; i < root->n; i++) {
        double weight = weight_of(d, root->children[i].rule);
        of.all += weight;
        if (i < root->put_off || i >= root->next) open += weight;
    }
    of.settled = of.all - open - of.here;
    return of;
}

/* What this pass has left, in counts. */
static double pass_left(search *s, const walker *k, const deepening *d) {
    weights of = weigh(k, d);
    double begun = k->depth ? (double)((k->w->seen.counts - k->frames[1].counted) * k->tree->n) : 0;
    double done = (double)(all_counts(s) - d->began) - begun;
    double growth = (done + SEEN * d->expected) / (of.settled + SEEN * of.all);
    double here = growth * of.here, rest = here - begun;
    if (rest < LEAST * here) rest = LEAST * here;
    return growth * (of.all - of.settled - of.here) + rest;
}

double tree_left(search *s) {
    const depth_first_tree *tree = tree_of(s);
    const deepening *d = &tree->passes;
    const walker *k = tree->walkers;
    if (!d->number || d->expected <= 0 || !k->walking) return -1;
    double later = s->target < incumbent_cost(&s->incumbent) ? LATER * d->finish : 0;
    return pass_left(s, k, d) + later;
}

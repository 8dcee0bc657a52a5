/* How much of the root's children is settled, of the last pass of the deepening (deepen.c).
 *
 * The root's children are settled one after another. Each weighs as much as it took in the pass
 * before; without a pass before, all weigh the same. Nothing is proved by it: people see how far
 * the search is, and the scheduler sees which tables still pay.
 */
#include <math.h>

#include "depth_first.h"

static double weight_of(const deepening *d, int32_t rule) {
    if (!d->first) return 1;
    return (double)atomic_load_explicit(&d->first[rule].before, memory_order_relaxed) + 1;
}

double tree_settled(const search *s) {
    const depth_first_tree *tree = tree_of(s);
    const deepening *d = &tree->passes;
    const worker_path *k = tree->paths;
    if (!k || !k->walking || k->depth < 0) return -1;
    if (d->number && s->target < incumbent_cost(&s->incumbent)) return -1;
    const frame *root = k->frames;
    double all = 0, settled = 0;
    for (int32_t i = 0; i < root->n; i++) {
        int32_t rule = root->children[i].rule;
        int here = k->depth && k->frames[1].rule == rule;
        double weight = weight_of(d, rule);
        all += weight;
        if (i >= root->put_off && i < root->next && !here) settled += weight;
    }
    return all > 0 ? settled / all : 0;
}

/* The first children are the dear ones, so a power of the share that is settled tells the whole. */
double tree_to_come(const search *s) {
    const depth_first_tree *tree = tree_of(s);
    const deepening *d = &tree->passes;
    if (tree->root) return -1; /* it asks about a set */
    double share = tree_settled(s);
    double done = (double)(all_counts(s) - (d->number ? d->began : s->start_counts));
    return share > 0 ? done * (pow(1 / share, s->tune.settled_power) - 1) : -1;
}

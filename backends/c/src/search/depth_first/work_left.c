/* How much is left to search, in counts.
 *
 * When a pass of the deepening (deepen.c) begins, two things speak of what is to come: what all has
 * taken so far (searches that have taken long take long), and the extrapolation from the passes to
 * the incumbent. The first errs by a factor of a few, the second by one of thousands where passes
 * were small; so they are mixed, as logarithms, with little of the second.
 *
 * Then the root's children are settled one after another. Each has a weight, and what was done
 * over the share of the weight that is settled tells the whole pass. A child weighs as much as it
 * took in the pass before, which is good where that pass was large; or by how much its bound is
 * below the threshold, exponentially, at two slopes. Each of these takes the first children, which
 * are the dear ones, for lighter than they are. So the way counts that says that most is settled;
 * and of its share, not the share itself but a power of it.
 *
 * Nothing is proved by it: people see how long it may take. docs/internals/depth-first.md says how
 * good it is.
 */
#include <math.h>

#include "depth_first.h"

static const double STEEPEST = 600; /* of an exponent: doubles end there */

/* What is left after so many counts, where nothing is known of this pass. */
static double guess(const tuning *t, const deepening *d, double counts) {
    double like = t->left_so_far * (counts + 1);
    return d->finish > 0 ? pow(d->finish, t->left_finish) * pow(like, 1 - t->left_finish) : like;
}

/* By the bounds, once a pass, when it is first asked for: the children that are settled by then
 * weigh, too, for their bounds are what they were. */
static void weigh_children(worker_path *k, deepening *d, int64_t threshold) {
    const tuning *t = &k->search->tune;
    const double slopes[SLOPED] = {t->left_slope, t->left_steep_slope};
    const frame *root = k->frames;
    if (d->weighed == d->number) return;
    d->weighed = d->number;
    for (int32_t i = 0; i < root->n; i++) {
        first_child *child = d->first + root->children[i].rule;
        double below = (double)(threshold - child_least(k, 0, root->children + i)) /
                       (double)k->search->in.rule_cost;
        for (int w = 0; w < SLOPED; w++) {
            double rise = slopes[w] * below;
            child->weight[w] = rise > 0 ? expm1(rise < STEEPEST ? rise : STEEPEST) : 0;
        }
    }
}

/* What a child of the root weighs: what it took in the pass before, or by its bound. */
static double weight_of(const deepening *d, int32_t rule, int way) {
    if (way) return d->first[rule].weight[way - 1];
    long long before =
        d->first ? atomic_load_explicit(&d->first[rule].before, memory_order_relaxed) : 0;
    return (double)before + 1;
}

/* The share of the weight of the root's children that is settled, in one way to weigh them. */
static double settled_share(const worker_path *k, const deepening *d, int way) {
    const frame *root = k->frames;
    double all = 0, settled = 0;
    for (int32_t i = 0; i < root->n; i++) {
        int32_t r = root->children[i].rule;
        double weight = weight_of(d, r, way);
        int here = k->depth && k->frames[1].rule == r;
        all += weight;
        if (i >= root->put_off && i < root->next && !here) settled += weight;
    }
    return all > 0 ? settled / all : 0;
}

/* The same in the way in which it is most. */
static double most_settled(const worker_path *k, const deepening *d) {
    double most = settled_share(k, d, 0);
    for (int way = 1; way <= SLOPED; way++) {
        double share = settled_share(k, d, way);
        if (share > most) most = share;
    }
    return most;
}

/* What the last pass has left. */
static double pass_left(const worker_path *k, const deepening *d, double done) {
    const tuning *t = &k->search->tune;
    double share = most_settled(k, d), all = guess(t, d, (double)d->began);
    if (all < 1.25 * done) all = 1.25 * done;
    if (share > 0.002 && done > 0) {
        double trust = share / (share + t->left_trust), by_share = done / pow(share, t->left_power);
        all = pow(all, 1 - trust) * pow(by_share, trust);
    }
    double left = all - done, least = t->left_least * done * (1 - share);
    return left > least ? left : least;
}

double tree_left(search *s) {
    depth_first_tree *tree = tree_of(s);
    deepening *d = &tree->passes;
    worker_path *k = tree->paths;
    if (!d->number || !k->walking || k->depth < 0) return -1;
    int64_t cost = incumbent_cost(&s->incumbent);
    double counts = (double)all_counts(s);
    if (s->target < cost) return guess(&s->tune, d, counts);
    weigh_children(k, d, cost);
    return pass_left(k, d, counts - (double)d->began);
}

/* The children weigh as much as they took in the pass before, or all the same. (What the display
 * goes by depends on when it was first asked.) */
double tree_to_come(const search *s) {
    const depth_first_tree *tree = tree_of(s);
    const deepening *d = &tree->passes;
    const worker_path *k = tree->paths;
    if (!k || !k->walking || k->depth < 0 || tree->root) return -1; /* or it asks about a set */
    if (d->number && s->target < incumbent_cost(&s->incumbent)) return -1;
    double share = settled_share(k, d, 0);
    double done = (double)(all_counts(s) - (d->number ? d->began : s->start_counts));
    return share > 0 ? done * (pow(1 / share, s->tune.left_power) - 1) : -1;
}

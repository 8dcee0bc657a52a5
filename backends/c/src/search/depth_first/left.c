/* How much is left to search, as a number that shrinks with the work.
 *
 * A child whose bound leaves room for n more rules has a subtree that grows by some factor with
 * every such rule. So what is open weighs two to the n, summed over the children that are left in
 * the first walker's frames. Nothing is proved by it: people see how long it may take.
 */
#include "depth_first.h"

enum { MOST_ROOM = 62 };

/* Two to the power of room / rule_cost, straight between whole powers. */
static double weight_of(int64_t room, int64_t rule_cost) {
    if (room <= 0) return 0;
    int64_t whole = rule_cost ? room / rule_cost : MOST_ROOM;
    if (whole >= MOST_ROOM) return (double)(1ull << MOST_ROOM);
    double part = (double)(room % rule_cost) / (double)rule_cost;
    return (double)(1ull << whole) * (1 + part);
}

double tree_left(search *s) {
    depth_first_tree *tree = tree_of(s);
    walker *k = tree->walkers;
    double weight = 0;
    if (!k || !k->walking) return 0;
    for (int32_t d = 0; d <= k->depth; d++) {
        const frame *f = k->frames + d;
        for (int32_t i = 0; i < f->n; i++) {
            if (i >= f->put_off && i < f->next) continue;
            int64_t room = need_of(s, child_bound(k, d, f->children + i));
            weight += weight_of(room, s->in.rule_cost);
        }
    }
    return weight;
}

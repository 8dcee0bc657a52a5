/* What share of the search tree is done, which tells how much is left (corels/search/work.py).
 *
 * The root weighs 1. A prefix passes its weight on to the children that enter the queue, to each by
 * the square of its room: how far its lower bound is below the incumbent. A prefix that leaves the
 * queue without children is done. Nothing else depends on it.
 */
#include "best_first.h"

static double squared_room(const search *s, int64_t lower_bound) {
    double room = (double)(incumbent_cost(&s->incumbent) + s->in.base - lower_bound);
    return room > 0 ? room * room : 0;
}

void share_end(best_first_frontier *f, int32_t slot) {
    f->done += cache_node(&f->cache, slot)->share;
}

double share_rooms(const search *s) {
    const corels_children *c = &s->workers->table.children;
    double rooms = 0;
    for (int32_t row = 0; row < frontier_of(s)->now.n; row++)
        rooms += squared_room(s, c->lower_bound[row]);
    return rooms;
}

double share_of_child(const search *s, double share, int64_t lower_bound, double rooms) {
    if (rooms > 0) return share * squared_room(s, lower_bound) / rooms;
    return share / frontier_of(s)->now.n;
}

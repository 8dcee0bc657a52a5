/* A lower bound that rises: the root's children in the order of their bounds.
 *
 * The bound of what is left is the least bound of an open child, and of the root's children the
 * last one may have the least. So once there are tables that tell the bounds well, those of the
 * root's children that are left are taken in the order of their bounds, and every one that is
 * settled lets the least of the rest rise. By then the incumbent is mostly the optimum, and the
 * order of the proof costs nothing much (docs/internals/prices.md says what was measured).
 */
#include <stdlib.h>

#include "depth_first.h"

typedef struct {
    int64_t bound;
    frame_child child;
} ranked;

static int lower_first(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->bound != b->bound) return a->bound < b->bound ? -1 : 1;
    return (a->child.at > b->child.at) - (a->child.at < b->child.at);
}

void order_root(worker_path *k) {
    const search *s = k->search;
    frame *root = k->frames;
    int32_t n = root->n - root->next;
    if (root->ordered == s->version) return;
    root->ordered = s->version;
    if (n < 2 || s->policy != policy_objective || !scheduler_ranks(s)) return;
    ranked *left = malloc((size_t)n * sizeof *left);
    if (!left) return; /* any order will do */
    for (int32_t i = 0; i < n; i++) {
        const frame_child *child = root->children + root->next + i;
        left[i] = (ranked){child_bound(k, 0, child), *child};
    }
    qsort(left, (size_t)n, sizeof *left, lower_first);
    for (int32_t i = 0; i < n; i++) root->children[root->next + i] = left[i].child;
    free(left);
}

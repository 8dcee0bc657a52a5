/* The order of a prefix: the same rules, cheaper.
 *
 * The points that a prefix leaves do not depend on the order of its rules, but its errors do. A set
 * that is reached by a dear order is soon reached by a cheaper one, with more need; what was proved
 * for the dear one does then not suffice, and the set is searched again. So it is searched with the
 * need of the cheapest order that is known at once: `slack` is how much less that order costs.
 * More is then proved than the present prefix needs, which is sound for any slack at all.
 *
 * Let F_0, .., F_d be the frames of the path, p_i the rule from F_i to F_i+1, and r the rule to
 * come. If r came at F_j, its cell would be S_j and r, and each later p_i would lose the points
 * that r captures of its cell. Those are counted already: what r captures of p_i's cell is what r
 * captures of S_i less what it captures of S_i+1. The slack of F_j itself is for the rules before
 * it.
 */
#include "depth_first.h"

/* The least errors of a cell: counts[c] less captured[c], over the classes c. */
static int32_t errors_without(const search *s, const int32_t *cell, const int32_t *of,
                              const int32_t *left) {
    int32_t least = INT32_MAX;
    for (int32_t c = 0; c < s->in.for_rules; c++) {
        size_t at = (size_t)c * (size_t)s->stride;
        int32_t errors = cell[at] - (of ? of[at] - left[at] : 0);
        if (errors < least) least = errors;
    }
    return least;
}

int64_t slack_of(const worker_path *k, int32_t r) {
    const search *s = k->search;
    const frame *f = k->frames + k->depth;
    int64_t slack = f->slack;
    if (!k->tree->memo) return 0; /* it is for claims alone */
    /* Errors of p_j, .., p_d-1 and r: as they come, and of the p alone where r comes first. */
    int64_t last = errors_without(s, f->counts + r, NULL, NULL), later = 0;
    for (; f > k->frames; f--) {
        const int32_t *before = f[-1].counts, *after = f->counts;
        int32_t p = f->rule;
        last += errors_without(s, before + p, NULL, NULL);
        later += errors_without(s, before + p, before + r, after + r);
        int64_t first = errors_without(s, before + r, NULL, NULL);
        int64_t here = f[-1].slack + s->in.unit * (last - later - first);
        if (here > slack) slack = here;
    }
    return slack;
}

/* The order of a prefix: the same rules, cheaper.
 *
 * The points that a prefix leaves do not depend on the order of its rules, but its errors do. A set
 * that is reached by a dear order is soon reached by a cheaper one, with more need; what was proved
 * for the dear one does then not suffice, and the set is searched again. So it is searched with the
 * need of the cheapest order that can be told at once: `slack` is how much less that order costs.
 * More is then proved than the present prefix needs, which is sound for any slack at all.
 *
 * Let F_0, .., F_d be the frames of the path, p_i the rule from F_i to F_i+1, and r the rule to
 * come. If r came at F_j, its cell would be S_j and r, and each later p_i would lose the points
 * that r captures of its cell. Those are counted already: what r captures of p_i's cell is what r
 * captures of S_i less what it captures of S_i+1. The slack of F_j itself is for the rules before
 * it.
 */
#include "fast.h"

/* The least errors of a cell: counts[c] less captured[c], over the classes c. */
static int32_t errors_without(const struct corels_fast *fast, const int32_t *cell,
                              const int32_t *of, const int32_t *left) {
    int32_t least = INT32_MAX;
    for (int32_t c = 0; c < fast->in.classes; c++) {
        size_t at = (size_t)c * (size_t)fast->stride;
        int32_t errors = cell[at] - (of ? of[at] - left[at] : 0);
        if (errors < least) least = errors;
    }
    return least;
}

int64_t corels_slack(const corels_walker *walker, int32_t r) {
    const struct corels_fast *fast = walker->fast;
    const corels_frame *frame = walker->frames + walker->depth;
    int64_t slack = frame->slack;
    /* Errors of p_j, .., p_d-1 and r: as they come, and of the p alone where r comes first. */
    int64_t last = errors_without(fast, frame->counts + r, NULL, NULL), later = 0;
    for (; frame > walker->frames; frame--) {
        const int32_t *before = frame[-1].counts, *after = frame->counts;
        int32_t p = frame->rule;
        last += errors_without(fast, before + p, NULL, NULL);
        later += errors_without(fast, before + p, before + r, after + r);
        int64_t first = errors_without(fast, before + r, NULL, NULL);
        int64_t here = frame[-1].slack + fast->in.unit * (last - later - first);
        if (here > slack) slack = here;
    }
    return slack;
}

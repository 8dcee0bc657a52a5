/* Writing the proof: the claims of frames, finished ones and, where the search stops, open ones.
 *
 * A frame that is left claims `least` of the set that its path leaves. Where the search stops, the
 * frames of the path are not finished; but their children are settled, or open and bounded, or the
 * frame below. So from the deepest up, each frame claims the least of these: the claim of the root
 * is the lower bound, and what it rests on is in the file.
 */
#include "fast.h"
#include "record.h"

static int claim(const corels_walker *walker, int32_t depth, int64_t value) {
    corels_record *record = walker->fast->record;
    int32_t *rules = walker->list; /* free between expansions */
    for (int32_t d = 1; d <= depth; d++) rules[d - 1] = walker->frames[d].rule;
    return corels_record_claim(record, CORELS_RECORD_CLAIM, rules, depth, value);
}

int corels_claim_frame(corels_walker *walker) {
    if (!walker->fast->record) return CORELS_OK;
    return claim(walker, walker->depth, walker->frames[walker->depth].least);
}

static int64_t bound_of(const corels_walker *walker, const corels_frame *frame,
                        const uint64_t *view, const corels_child *child) {
    return corels_child_bound(walker, frame, view, child) - frame->cost;
}

/* What the set of frame d costs at least; `below` is what was told of the frame below it. */
static int64_t open_least(corels_walker *walker, int32_t d, int64_t below) {
    const struct corels_fast *fast = walker->fast;
    corels_frame *frame = walker->frames + d;
    const uint64_t *view = fast->blocks ? corels_frame_view(walker, d) : NULL;
    int64_t least = frame->least;
    for (int32_t i = 0; i < frame->n; i++)
        if (i < frame->put_off || i >= frame->next)
            corels_lower(&least, bound_of(walker, frame, view, frame->children + i));
    if (d == walker->depth) return least;
    if (view) { /* the blocks may know more of the child that was entered */
        int64_t blocks = corels_blocks_least(fast->blocks, view, frame[1].rule, fast->in.rule_cost,
                                             fast->in.unit, INT64_MAX);
        if (blocks > below) below = blocks;
    }
    corels_lower(&least, frame[1].cost - frame->cost + below);
    return least;
}

int corels_claim_path(corels_walker *walker) {
    int64_t least = 0;
    int status = CORELS_OK;
    if (!walker->fast->record || !walker->walking) return CORELS_OK;
    for (int32_t d = walker->depth; d >= 0 && status == CORELS_OK; d--) {
        least = open_least(walker, d, least);
        status = claim(walker, d, least);
    }
    return status;
}

int corels_fast_prove(corels_fast *fast, const int32_t *antecedents, const int32_t *points) {
    if (fast->record || (fast->walkers && fast->walkers->walking)) return CORELS_BAD_ARGUMENT;
    return corels_record_new(&fast->record, antecedents, fast->in.antecedents, points,
                             fast->in.points);
}

int corels_fast_prove_open(corels_fast *fast) {
    int status = CORELS_OK;
    for (int32_t i = 0; status == CORELS_OK && fast->walkers && i < fast->options.threads; i++)
        status = corels_claim_path(fast->walkers + i);
    return status;
}

size_t corels_fast_proof(corels_fast *fast, uint8_t *out, size_t room) {
    if (!fast->record) return 0;
    return out ? corels_record_take(fast->record, out, room) : corels_record_waiting(fast->record);
}

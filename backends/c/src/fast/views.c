/* The blocks' views of the sets on a walker's path.
 *
 * A set's view is its parent's view without what the rule between them captures: a few words, where
 * putting it together from the set takes a step for every four points. Frames that were entered
 * before the present blocks were built get theirs when it is first asked for, from the root down.
 */
#include <stdlib.h>

#include "fast.h"

static int make_room(corels_frame *frame, int32_t words) {
    if (frame->view_room >= words) return 1;
    free(frame->view);
    frame->view = malloc((size_t)words * sizeof(uint64_t));
    frame->view_room = frame->view ? words : 0;
    return frame->view != NULL;
}

const uint64_t *corels_frame_view(corels_walker *walker, int32_t depth) {
    const struct corels_fast *fast = walker->fast;
    int32_t first = depth;
    while (first > 0 && walker->frames[first].view_stage != fast->stage) first--;
    for (int32_t d = first; d <= depth; d++) {
        corels_frame *frame = walker->frames + d;
        if (frame->view_stage == fast->stage) continue;
        if (!make_room(frame, corels_blocks_view_words(fast->blocks))) {
            walker->status = CORELS_NO_MEMORY;
            return NULL;
        }
        if (d == 0)
            corels_blocks_view(fast->blocks, frame->set, frame->view);
        else
            corels_blocks_child(fast->blocks, frame[-1].view, frame->rule, frame->view);
        frame->view_stage = fast->stage;
    }
    return walker->frames[depth].view;
}

/* The tables' views of the sets on a worker's path.
 *
 * A set's view is its parent's view and what the rule between them changes. Frames that were
 * entered before the present tables were built get theirs when it is first asked for, from the root
 * down.
 */
#include "depth_first.h"

const uint64_t *frame_view(worker_path *k, int32_t depth, int32_t which) {
    const staged *of = k->search->staged + which;
    int32_t first = depth;
    while (first > 0 && k->frames[first].view_version[which] != of->version) first--;
    for (int32_t d = first; d <= depth; d++) {
        frame *f = k->frames + d;
        if (f->view_version[which] == of->version) continue;
        if (!view_room(f->view + which, f->view_room + which, (size_t)of->tables->view_words)) {
            k->w->status = CORELS_NO_MEMORY;
            return NULL;
        }
        if (d == 0)
            view_set(of->tables, f->set, k->search->before, f->view[which]);
        else
            view_child(of->tables, f[-1].view[which], f->rule, 1, f->view[which]);
        f->view_version[which] = of->version;
    }
    return k->frames[depth].view[which];
}

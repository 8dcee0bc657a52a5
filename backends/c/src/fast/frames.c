/* A walker's memory: its frames, made once for each depth, and the scratch of one expansion. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

static void *aligned(size_t bytes) {
    return aligned_alloc(64, (bytes + 64) / 64 * 64);
}

static size_t count_bytes(const struct corels_fast *fast) {
    return (size_t)fast->measures * (size_t)fast->stride * sizeof(int32_t);
}

static size_t frame_bytes(const struct corels_fast *fast) {
    return (size_t)(fast->words + 2 * fast->key_words) * sizeof(uint64_t) +
           (size_t)fast->in.antecedents * sizeof(corels_child) + count_bytes(fast);
}

static int frame_new(corels_frame *frame, const struct corels_fast *fast) {
    *frame = (corels_frame){0};
    frame->set = calloc((size_t)(fast->words + 2 * fast->key_words) + 1, sizeof(uint64_t));
    frame->children = malloc(((size_t)fast->in.antecedents + 1) * sizeof(corels_child));
    frame->counts = aligned(count_bytes(fast));
    if (!frame->set || !frame->children || !frame->counts) return 0;
    frame->key = fast->by_closure ? frame->set + fast->words : frame->set;
    frame->guess = fast->by_closure ? frame->key + fast->key_words : frame->set;
    return 1;
}

static void frame_free(corels_frame *frame) {
    free(frame->set);
    free(frame->view);
    free(frame->counts);
    free(frame->children);
}

corels_frame *corels_frame_below(corels_walker *walker) {
    int32_t at = walker->depth + 1;
    if (at == walker->room) {
        corels_frame *frames = realloc(walker->frames, ((size_t)at + 1) * sizeof *frames);
        if (!frames) return NULL;
        walker->frames = frames;
        if (!frame_new(frames + at, walker->fast)) {
            frame_free(frames + at);
            return NULL;
        }
        walker->room = at + 1;
    }
    return walker->frames + at;
}

int corels_walker_new(corels_walker *walker, struct corels_fast *fast) {
    size_t stride = (size_t)fast->stride;
    *walker = (corels_walker){.fast = fast, .depth = -1};
    walker->totals = aligned((size_t)fast->measures * sizeof(int32_t));
    walker->errors = aligned(stride * sizeof(int32_t));
    walker->closing = aligned(stride * sizeof(int32_t));
    walker->list = aligned((stride + (size_t)fast->in.points + 64) * sizeof(int32_t));
    walker->rivals.a = aligned(stride * sizeof(int32_t));
    walker->rivals.b = aligned(stride * sizeof(int32_t));
    walker->order = aligned(stride * sizeof(uint64_t));
    walker->scratch = aligned(corels_counter_scratch(fast->counter) + 64);
    if (!walker->totals || !walker->errors || !walker->closing || !walker->list ||
        !walker->rivals.a || !walker->rivals.b || !walker->order || !walker->scratch)
        return CORELS_NO_MEMORY;
    return corels_frame_below(walker) ? CORELS_OK : CORELS_NO_MEMORY;
}

void corels_walker_free(corels_walker *walker) {
    for (int32_t d = 0; d < walker->room; d++) frame_free(walker->frames + d);
    free(walker->frames);
    free(walker->totals);
    free(walker->errors);
    free(walker->closing);
    free(walker->list);
    free(walker->rivals.a);
    free(walker->rivals.b);
    free(walker->order);
    free(walker->scratch);
}

size_t corels_frames_to_come(const corels_walker *walker, int32_t deepest) {
    const struct corels_fast *fast = walker->fast;
    size_t view = fast->blocks ? (size_t)corels_blocks_view_words(fast->blocks) * 8 : 0;
    if (walker->room >= deepest) return 0;
    return (size_t)(deepest - walker->room) * (frame_bytes(fast) + sizeof(corels_frame)) +
           (size_t)deepest * view;
}

size_t corels_walker_bytes(const corels_walker *walker) {
    const struct corels_fast *fast = walker->fast;
    size_t lanes = (size_t)7 * (size_t)fast->stride * sizeof(int32_t);
    size_t views = 0;
    for (int32_t d = 0; d < walker->room; d++)
        views += (size_t)walker->frames[d].view_room * sizeof(uint64_t);
    return lanes + views + corels_counter_scratch(fast->counter) +
           (size_t)walker->room * (frame_bytes(fast) + sizeof(corels_frame));
}

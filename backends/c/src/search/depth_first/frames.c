/* A worker's frames, made once for each depth. */
#include <stdlib.h>

#include "depth_first.h"

static int frame_new(frame *f, const worker_path *k) {
    const search *s = k->search;
    size_t words = (size_t)s->in.words, key = (size_t)k->tree->key_words;
    *f = (frame){0};
    f->key = f->guess = f->set = store_take(&f->arrays, words, sizeof *f->set);
    if (k->tree->by_closure) f->key = store_take(&f->arrays, key, sizeof *f->key);
    if (k->tree->by_closure) f->guess = store_take(&f->arrays, key, sizeof *f->guess);
    f->children = store_take(&f->arrays, (size_t)s->in.antecedents, sizeof *f->children);
    f->counts = store_take(&f->arrays, (size_t)s->in.measures * (size_t)s->stride, sizeof(int32_t));
    f->totals = store_take(&f->arrays, (size_t)s->in.measures, sizeof *f->totals);
    return !f->arrays.failed;
}

static void frame_free(frame *f) {
    store_free(&f->arrays);
    for (int i = 0; i < MOST_STAGED; i++) free(f->view[i]);
}

frame *frame_below(worker_path *k) {
    int32_t at = k->depth + 1;
    if (at == k->room) {
        frame *frames = realloc(k->frames, ((size_t)at + 1) * sizeof *frames);
        if (!frames) return NULL;
        k->frames = frames;
        if (!frame_new(frames + at, k)) {
            frame_free(frames + at);
            return NULL;
        }
        k->room = at + 1;
    }
    return k->frames + at;
}

int path_new(worker_path *k, search *s, worker *w) {
    *k = (worker_path){.search = s, .tree = tree_of(s), .w = w, .depth = -1, .asked = -2};
    path_aim(k);
    size_t words = (size_t)s->in.words, key = (size_t)k->tree->key_words;
    k->scratch = store_take(&k->arrays, key > words ? key : words, sizeof *k->scratch);
    k->squeezed = store_take(&k->arrays, words + 1, sizeof *k->squeezed);
    return !k->arrays.failed && frame_below(k) ? CORELS_OK : CORELS_NO_MEMORY;
}

void path_free(worker_path *k) {
    for (int32_t d = 0; d < k->room; d++) frame_free(k->frames + d);
    free(k->frames);
    store_free(&k->arrays);
}

static size_t view_bytes(const search *s) {
    size_t bytes = 0;
    for (int32_t i = 0; i < s->staged_count; i++)
        bytes += (size_t)s->staged[i].tables->view_words * sizeof(uint64_t);
    return bytes;
}

size_t frames_to_come(const worker_path *k, int32_t deepest) {
    if (!k->room || k->room >= deepest) return 0;
    size_t each = sizeof(frame) + k->frames->arrays.bytes;
    size_t views = k->search->version ? (size_t)deepest * view_bytes(k->search) : 0;
    return (size_t)(deepest - k->room) * each + views;
}

size_t path_bytes(const worker_path *k) {
    size_t bytes = k->arrays.bytes;
    for (int32_t d = 0; d < k->room; d++) {
        const frame *f = k->frames + d;
        bytes += sizeof *f + f->arrays.bytes;
        for (int i = 0; i < MOST_STAGED; i++) bytes += f->view_room[i] * sizeof(uint64_t);
    }
    return bytes;
}

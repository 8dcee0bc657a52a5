/* Lists of conjunctions that stay within a room. */
#include "found.h"

#include <stdlib.h>
#include <string.h>

static int greater_gain(const void *x, const void *y) {
    const conjunction *a = x, *b = y;
    if (a->gain != b->gain) return a->gain < b->gain ? 1 : -1;
    if (a->n != b->n) return a->n - b->n;
    for (int32_t i = 0; i < a->n; i++)
        if (a->conditions[i] != b->conditions[i]) return a->conditions[i] - b->conditions[i];
    return 0;
}

/* 0: no memory. */
static int resize(found *f, int32_t room) {
    conjunction *kept = realloc(f->kept, ((size_t)room + 1) * sizeof *kept);
    if (!kept) return 0;
    f->kept = kept;
    f->room = room;
    return 1;
}

/* Room for one more. 0: no memory. */
static int make_room(found *f, int32_t most) {
    if (f->n < f->room) return 1;
    if (f->room >= 2 * most) {
        qsort(f->kept, (size_t)f->n, sizeof *f->kept, greater_gain);
        f->n = most;
        return 1;
    }
    return resize(f, f->room ? 2 * f->room : 16);
}

int found_add(found *f, const conjunction *one, double scale, int32_t most) {
    if (!f->number++ || scale < f->scale) f->scale = scale;
    if (!make_room(f, most)) return 0;
    f->kept[f->n++] = *one;
    return 1;
}

size_t found_bytes(const found *of, int32_t lists) {
    size_t bytes = 0;
    for (int32_t i = 0; i < lists; i++) bytes += (size_t)of[i].room * sizeof *of[i].kept;
    return bytes;
}

int found_merge(found *to, const found *of, int32_t lists, int32_t room) {
    int32_t all = 0;
    for (int32_t i = 0; i < lists; i++) all += of[i].n;
    if (!resize(to, to->n + all)) return 0;
    conjunction *more = to->kept + to->n;
    for (int32_t i = 0, at = 0; i < lists; at += of[i++].n) {
        if (of[i].n) memcpy(more + at, of[i].kept, (size_t)of[i].n * sizeof *more);
        if (of[i].number && (!to->number || of[i].scale < to->scale)) to->scale = of[i].scale;
        to->number += of[i].number;
    }
    qsort(more, (size_t)all, sizeof *more, greater_gain);
    to->n += all < room ? all : room;
    return resize(to, to->n);
}

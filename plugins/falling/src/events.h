/* The events that wait for the reader; if there is no room for more, the search pauses. */
#pragma once

#include <string.h>

#include "corels_falling/falling.h"

enum { EVENT_INCUMBENT = 1, EVENT_EXPANDED = 4, EVENT_ROOM = 1 << 14 };

typedef struct {
    corels_falling_event slots[EVENT_ROOM];
    size_t count;
} events;

/* Room for `needed` more? The search asks before it starts what may emit that many. */
static inline int events_room(const events *e, size_t needed) {
    return e->count + needed <= EVENT_ROOM;
}

static inline void events_emit(events *e, corels_falling_event event) {
    if (e->count < EVENT_ROOM) e->slots[e->count++] = event;
}

/* Take up to `room` of the oldest; returns how many. */
static inline size_t events_drain(events *e, corels_falling_event *out, size_t room) {
    size_t taken = e->count < room ? e->count : room;
    e->count -= taken;
    memcpy(out, e->slots, taken * sizeof *out);
    memmove(e->slots, e->slots + taken, e->count * sizeof *out);
    return taken;
}

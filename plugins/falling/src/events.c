#include "events.h"

#include <stdlib.h>

int events_create(events *e) {
    *e = (events){malloc(EVENT_ROOM * sizeof *e->slots), 0, 0};
    return e->slots != NULL;
}

void events_destroy(events *e) {
    free(e->slots);
}

int events_room(const events *e, size_t needed) {
    return e->count + needed <= EVENT_ROOM;
}

void events_emit(events *e, int32_t kind, uint32_t step, uint64_t iteration, int64_t value) {
    if (e->count == EVENT_ROOM) return;
    e->slots[(e->first + e->count++) % EVENT_ROOM] =
        (corels_falling_event){kind, step, iteration, value};
}

size_t events_drain(events *e, corels_falling_event *out, size_t room) {
    size_t taken = 0;
    for (; taken < room && e->count; taken++, e->count--) {
        out[taken] = e->slots[e->first];
        e->first = (e->first + 1) % EVENT_ROOM;
    }
    return taken;
}

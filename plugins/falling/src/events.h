/* A ring of events between the search and its reader; a full ring pauses the search. */
#ifndef FALLING_EVENTS_H
#define FALLING_EVENTS_H

#include "corels_falling/falling.h"

enum { EVENT_INCUMBENT = 1, EVENT_STEP = 2, EVENT_EXPANDED = 3, EVENT_ROOM = 1 << 14 };

typedef struct {
    corels_falling_event *slots;
    size_t first, count;
} events;

int events_create(events *e);
void events_destroy(events *e);
/* Room for `needed` more? The search asks before it starts what may emit that many. */
int events_room(const events *e, size_t needed);
void events_emit(events *e, int32_t kind, uint32_t step, uint64_t iteration, int64_t value);
size_t events_drain(events *e, corels_falling_event *out, size_t room);

#endif

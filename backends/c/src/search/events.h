/* The event buffer: records are appended during a step and drained between steps.
 *
 * An expansion writes a bounded number of records, so the search asks for room before it begins
 * one and pauses where there is none: no record, and no incumbent, is ever lost.
 */
#ifndef CORELS_EVENTS_H
#define CORELS_EVENTS_H

#include "corels/engine.h"

/* Kinds, as in corels/events.py. */
enum {
    EVENT_START,
    EVENT_INCUMBENT,
    EVENT_COLLECT,
    EVENT_DONE,
    EVENT_POP,
    EVENT_PRUNE,
    EVENT_MERGE,
    EVENT_PUSH,
    EVENT_STALE,
};

typedef struct event_buffer {
    corels_event *records;
    int64_t count, capacity;
} event_buffer;

/* Room for several expansions of `rows` children each; 0 without memory. */
int events_init(event_buffer *, int32_t rows);
void events_free(event_buffer *);
int events_room(const event_buffer *, int64_t records);
void events_emit(event_buffer *, corels_event);

#endif

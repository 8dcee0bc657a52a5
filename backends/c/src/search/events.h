/* The event buffer: records are appended during a step and drained between steps.
 *
 * An expansion writes a bounded number of records. The search asks for room before it begins one
 * and comes back from the step if there is none, so no record and no incumbent is ever lost.
 * Each thread has a buffer of its own; they are joined when they are drained.
 */
#pragma once

#include "corels/search.h"

/* Kinds, as in corels/search/events.py. */
enum {
    EVENT_START = 0,
    EVENT_INCUMBENT = 1,
    EVENT_COLLECT = 2,
    EVENT_DONE = 3,
    EVENT_POP = 4,
    EVENT_PRUNE = 5,
    EVENT_MERGE = 6,
    EVENT_PUSH = 7,
    EVENT_STALE = 8,
    EVENT_SETTLE = 11,
};

typedef struct event_buffer {
    corels_event *records;         /* [capacity], to be freed by free */
    int64_t count, capacity, most; /* `most`: an expansion writes no more */
} event_buffer;

/* Room for several expansions of `rows` children each; 0 without memory. */
int events_init(event_buffer *, int32_t rows, int fine);
/* Whether an expansion may begin. */
static inline int events_room(const event_buffer *buffer) {
    return buffer->count + buffer->most <= buffer->capacity;
}
static inline void events_emit(event_buffer *buffer, corels_event event) {
    buffer->records[buffer->count++] = event;
}
/* Takes back what was written since `mark`, but for incumbents: the expansion will be done again.
 */
void events_withdraw(event_buffer *buffer, int64_t mark);
/* Appends the records of `from`, which then has none; incumbents that are no news by now are left
 * out. 0 without memory: then `from` still has them. */
int events_join(event_buffer *buffer, event_buffer *from);

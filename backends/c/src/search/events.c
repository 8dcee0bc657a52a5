#include "events.h"

#include <stdlib.h>

#include "corels/store.h"

enum { FINE_RECORDS = 16384, OTHERS = 32 };

int events_init(event_buffer *buffer, int32_t rows, int fine) {
    buffer->most = 2 * (int64_t)rows + OTHERS;
    buffer->capacity = 2 * buffer->most;
    if (fine && buffer->capacity < FINE_RECORDS) buffer->capacity = FINE_RECORDS;
    buffer->records = malloc((size_t)buffer->capacity * sizeof *buffer->records);
    return buffer->records != NULL;
}

void events_withdraw(event_buffer *buffer, int64_t mark) {
    int64_t kept = mark;
    for (int64_t i = mark; i < buffer->count; i++)
        if (buffer->records[i].kind == EVENT_INCUMBENT)
            buffer->records[kept++] = buffer->records[i];
    buffer->count = kept;
}

static int64_t last_objective(const event_buffer *buffer) {
    for (int64_t i = buffer->count; i-- > 0;)
        if (buffer->records[i].kind == EVENT_INCUMBENT) return buffer->records[i].objective;
    return INT64_MAX;
}

int events_join(event_buffer *buffer, event_buffer *from) {
    int64_t wanted = buffer->count + from->count + buffer->most;
    corels_event *records = grow_array(buffer->records, &buffer->capacity, wanted, sizeof *records);
    if (!records) return 0;
    buffer->records = records;
    int64_t best = last_objective(buffer);
    for (int64_t i = 0; i < from->count; i++) {
        const corels_event *record = from->records + i;
        if (record->kind == EVENT_INCUMBENT && record->objective >= best) continue;
        if (record->kind == EVENT_INCUMBENT) best = record->objective;
        events_emit(buffer, *record);
    }
    from->count = 0;
    return 1;
}

#include "events.h"

#include <stdlib.h>

int events_init(event_buffer *buffer, int32_t rows) {
    buffer->capacity = 4 * ((int64_t)rows + 64) > 16384 ? 4 * ((int64_t)rows + 64) : 16384;
    buffer->records = malloc((size_t)buffer->capacity * sizeof *buffer->records);
    return buffer->records != NULL;
}

void events_free(event_buffer *buffer) {
    free(buffer->records);
}

int events_room(const event_buffer *buffer, int64_t records) {
    return buffer->count + records <= buffer->capacity;
}

void events_emit(event_buffer *buffer, corels_event record) {
    buffer->records[buffer->count++] = record;
}

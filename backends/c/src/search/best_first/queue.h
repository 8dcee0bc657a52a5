/* The queue: a binary heap of prefixes, the lowest priority first, ties by serial number.
 *
 * An entry carries what the order needs, so that a comparison touches no node. Priorities are
 * computed once, when a prefix is queued; they never change, because nothing they depend on does.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct queue_entry {
    double priority;
    int64_t serial;
    int32_t slot;
} queue_entry;

typedef struct {
    queue_entry *entries; /* [capacity], to be freed by free */
    int64_t count, capacity;
} queue;

/* Room for `more` entries, so that the pushes that follow cannot fail; 0 without memory. */
int queue_reserve(queue *, int64_t more);
void queue_push(queue *, double priority, int64_t serial, int32_t slot);
/* Require: not empty. */
queue_entry queue_pop(queue *);
/* Restore the heap order after entries were removed from the array. */
void queue_heapify(queue *);

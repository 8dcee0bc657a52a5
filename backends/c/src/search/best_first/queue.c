#include "queue.h"

#include "corels/store.h"

static int before(queue_entry a, queue_entry b) {
    return a.priority < b.priority || (a.priority == b.priority && a.serial < b.serial);
}

int queue_reserve(queue *q, int64_t more) {
    queue_entry *entries = grow_array(q->entries, &q->capacity, q->count + more, sizeof *entries);
    if (entries) q->entries = entries;
    return entries != NULL;
}

void queue_push(queue *q, double priority, int64_t serial, int32_t slot) {
    queue_entry entry = {priority, serial, slot};
    int64_t at = q->count++;
    for (; at > 0 && before(entry, q->entries[(at - 1) / 2]); at = (at - 1) / 2)
        q->entries[at] = q->entries[(at - 1) / 2];
    q->entries[at] = entry;
}

static void sink(queue *q, int64_t at) {
    queue_entry entry = q->entries[at];
    for (;;) {
        int64_t child = 2 * at + 1;
        if (child >= q->count) break;
        if (child + 1 < q->count && before(q->entries[child + 1], q->entries[child])) child++;
        if (!before(q->entries[child], entry)) break;
        q->entries[at] = q->entries[child];
        at = child;
    }
    q->entries[at] = entry;
}

queue_entry queue_pop(queue *q) {
    queue_entry first = q->entries[0];
    q->entries[0] = q->entries[--q->count];
    if (q->count) sink(q, 0);
    return first;
}

void queue_heapify(queue *q) {
    for (int64_t at = q->count / 2 - 1; at >= 0; at--) sink(q, at);
}

#include "pool.h"

#include <stdlib.h>
#include <string.h>

void pool_reset(pool *p, uint32_t capacity, uint32_t stride, int keep_all) {
    pool_clear(p);
    p->capacity = capacity;
    p->stride = stride;
    p->keep_all = keep_all;
}

void pool_clear(pool *p) {
    free(p->entries);
    free(p->features);
    memset(p, 0, sizeof *p);
}

static int grow(pool *p) {
    if (p->count < p->allocated) return 0;
    uint64_t wanted = p->allocated ? 2 * (uint64_t)p->allocated : 64;
    if (wanted > p->capacity) wanted = p->capacity;
    entry *entries = realloc(p->entries, wanted * sizeof *entries);
    if (!entries) return -1;
    p->entries = entries;
    uint32_t *features = realloc(p->features, wanted * p->stride * sizeof *features);
    if (!features) return -1;
    p->features = features;
    p->allocated = (uint32_t)wanted;
    return 0;
}

static void sift_up(entry *heap, uint32_t i) {
    while (i > 0 && heap[(i - 1) / 2].reduced_cost < heap[i].reduced_cost) {
        entry other = heap[i];
        heap[i] = heap[(i - 1) / 2];
        heap[(i - 1) / 2] = other;
        i = (i - 1) / 2;
    }
}

static void sift_down(entry *heap, uint32_t count) {
    for (uint32_t i = 0, child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && heap[child + 1].reduced_cost > heap[child].reduced_cost) child++;
        if (heap[child].reduced_cost <= heap[i].reduced_cost) return;
        entry other = heap[i];
        heap[i] = heap[child];
        heap[child] = other;
    }
}

static void store(pool *p, entry *e, int64_t reduced_cost, const uint32_t *features,
                  uint32_t length) {
    e->reduced_cost = reduced_cost;
    e->length = length;
    memcpy(p->features + (size_t)e->slot * p->stride, features, length * sizeof *features);
}

int pool_offer(pool *p, int64_t reduced_cost, const uint32_t *features, uint32_t length) {
    if (p->count == p->capacity) {
        if (p->keep_all) return 1;
        if (reduced_cost >= p->entries[0].reduced_cost) return 0;
        store(p, &p->entries[0], reduced_cost, features, length);
        sift_down(p->entries, p->count);
        return 0;
    }
    if (grow(p)) return -1;
    p->entries[p->count].slot = p->count;
    store(p, &p->entries[p->count], reduced_cost, features, length);
    p->count++;
    if (!p->keep_all) sift_up(p->entries, p->count - 1);
    return 0;
}

int64_t pool_cutoff(const pool *p, int64_t cutoff) {
    if (p->keep_all || p->count < p->capacity) return cutoff;
    return p->entries[0].reduced_cost;
}

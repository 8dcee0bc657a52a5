/* The containers behind corels/containers.h: thin, so that what is tested is what the engine runs.
 */
#include "corels/containers.h"

#include <stdlib.h>

#include "cache.h"
#include "queue.h"
#include "symmetry.h"

queue *corels_queue_new(void) {
    return calloc(1, sizeof(queue));
}

void corels_queue_delete(queue *q) {
    if (q) queue_free(q);
    free(q);
}

int corels_queue_push(queue *q, const double *priorities, const int64_t *ids, int64_t count) {
    if (!queue_reserve(q, count)) return CORELS_NO_MEMORY;
    for (int64_t i = 0; i < count; i++) queue_push(q, priorities[i], ids[i], 0);
    return CORELS_OK;
}

int64_t corels_queue_pop(queue *q) {
    return q->count ? queue_pop(q).serial : -1;
}

int64_t corels_queue_count(const queue *q) {
    return q->count;
}

void corels_queue_ids(const queue *q, int64_t *ids) {
    for (int64_t i = 0; i < q->count; i++) ids[i] = q->entries[i].serial;
}

static int rising(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void corels_queue_retain(queue *q, const int64_t *sorted, int64_t count) {
    int64_t kept = 0;
    for (int64_t i = 0; i < q->count; i++)
        if (bsearch(&q->entries[i].serial, sorted, (size_t)count, sizeof *sorted, rising))
            q->entries[kept++] = q->entries[i];
    q->count = kept;
    queue_heapify(q);
}

cache *corels_cache_new(void) {
    cache *c = calloc(1, sizeof(cache));
    if (c) cache_init(c, 0, 0);
    return c;
}

void corels_cache_delete(cache *c) {
    if (c) cache_free(c);
    free(c);
}

int32_t corels_cache_add(cache *c, int32_t parent, int32_t antecedent, int64_t lower_bound) {
    int32_t slot = cache_add(c, parent, antecedent);
    if (slot == CACHE_NONE) return slot;
    prefix_node *added = cache_node(c, slot);
    added->lower_bound = lower_bound;
    added->length = parent == CACHE_NONE ? 0 : cache_node(c, parent)->length + 1;
    return slot;
}

int64_t corels_cache_lower_bound(const cache *c, int32_t slot) {
    return cache_node(c, slot)->lower_bound;
}

int32_t corels_cache_length(const cache *c, int32_t slot) {
    return cache_node(c, slot)->length;
}

void corels_cache_path(const cache *c, int32_t slot, int32_t *antecedents) {
    cache_path(c, slot, antecedents);
}

void corels_cache_drop(cache *c, int32_t slot) {
    cache_drop(c, slot);
}

int64_t corels_cache_count(const cache *c) {
    return c->living;
}

symmetry_map *corels_map_new(void) {
    return calloc(1, sizeof(symmetry_map));
}

void corels_map_delete(symmetry_map *map) {
    if (map) symmetry_free(map);
    free(map);
}

int corels_map_admit(symmetry_map *map, const uint64_t *key, int32_t words, int64_t lower_bound) {
    map_answer answer = symmetry_admit(map, key, words, lower_bound);
    return answer == MAP_NO_MEMORY ? -1 : answer == MAP_ADMITTED;
}

int corels_map_stale(const symmetry_map *map, const uint64_t *key, int32_t words,
                     int64_t lower_bound) {
    return symmetry_stale(map, key, words, lower_bound);
}

int64_t corels_map_count(const symmetry_map *map) {
    return map->count;
}

#include "symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"

enum { CHUNK_WORDS = 1 << 16, FIRST_CAPACITY = 1 << 10 };

int symmetry_kind(const char *name, map_kind *kind) {
    static const char *const names[] = {"none", "permutation", "captured"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (map_kind)i;
            return 1;
        }
    }
    return 0;
}

void symmetry_free(symmetry_map *map) {
    store_free(&map->keys);
    free(map->entries);
}

/* The entry of a key, or the empty one where it belongs. */
static map_entry *find(const symmetry_map *map, uint64_t hash, const uint64_t *key, int32_t words) {
    for (uint64_t at = hash & map->mask;; at = (at + 1) & map->mask) {
        map_entry *entry = &map->entries[at];
        if (!entry->key) return entry;
        if (entry->hash == hash && entry->key[-1] == (uint64_t)words &&
            memcmp(entry->key, key, (size_t)words * 8) == 0)
            return entry;
    }
}

static int grow(symmetry_map *map) {
    uint64_t old = map->entries ? map->mask + 1 : 0;
    uint64_t capacity = old ? 2 * old : FIRST_CAPACITY;
    map_entry *entries = calloc(capacity, sizeof *entries);
    if (!entries) return 0;
    for (uint64_t i = 0; i < old; i++) {
        if (!map->entries[i].key) continue;
        uint64_t at = map->entries[i].hash & (capacity - 1);
        while (entries[at].key) at = (at + 1) & (capacity - 1);
        entries[at] = map->entries[i];
    }
    free(map->entries);
    map->entries = entries;
    map->mask = capacity - 1;
    return 1;
}

static uint64_t *keep(symmetry_map *map, const uint64_t *key, int32_t words) {
    size_t need = (size_t)words + 1;
    if (map->chunk_free < need) {
        size_t size = need > CHUNK_WORDS ? need : CHUNK_WORDS;
        uint64_t *chunk = store_take(&map->keys, size, sizeof *chunk);
        if (!chunk) return NULL;
        map->chunk = chunk;
        map->chunk_free = size;
    }
    /* Chunks are filled from their end, so that the free words alone say where. */
    map->chunk_free -= need;
    uint64_t *place = map->chunk + map->chunk_free;
    place[0] = (uint64_t)words;
    memcpy(place + 1, key, (size_t)words * 8);
    return place + 1;
}

map_answer symmetry_admit(symmetry_map *map, const uint64_t *key, int32_t words,
                          int64_t lower_bound) {
    if (!map->entries || (uint64_t)map->count * 3 > map->mask * 2)
        if (!grow(map)) return MAP_NO_MEMORY;
    uint64_t hash = corels_hash(key, (size_t)words);
    map_entry *entry = find(map, hash, key, words);
    if (!entry->key) {
        uint64_t *stored = keep(map, key, words);
        if (!stored) return MAP_NO_MEMORY;
        *entry = (map_entry){hash, lower_bound, stored};
        map->count++;
        return MAP_ADMITTED;
    }
    if (entry->lower_bound <= lower_bound) return MAP_REFUSED;
    entry->lower_bound = lower_bound;
    return MAP_ADMITTED;
}

int symmetry_stale(const symmetry_map *map, const uint64_t *key, int32_t words,
                   int64_t lower_bound) {
    if (!map->entries) return 0;
    const map_entry *entry = find(map, corels_hash(key, (size_t)words), key, words);
    return entry->key && entry->lower_bound < lower_bound;
}

size_t symmetry_bytes(const symmetry_map *map) {
    size_t entries = map->entries ? (map->mask + 1) * sizeof *map->entries : 0;
    return entries + map->keys.bytes;
}

#include "cache.h"

#include <stdlib.h>

#include "bits.h"
#include "corels/store.h"

enum { CHUNK_SHIFT = 8, CHUNK_NODES = 1 << CHUNK_SHIFT };

void cache_init(cache *c, int32_t points, int32_t antecedents) {
    memset(c, 0, sizeof *c);
    c->point_words = corels_words(points);
    c->antecedent_words = corels_words(antecedents);
    c->node_bytes =
        sizeof(prefix_node) + 8 * ((size_t)c->point_words + (size_t)c->antecedent_words);
    c->first_free = CACHE_NONE;
}

void cache_free(cache *c) {
    for (int32_t i = 0; i < c->chunk_count; i++) free(c->chunks[i]);
    free(c->chunks);
}

prefix_node *cache_node(const cache *c, int32_t slot) {
    char *chunk = c->chunks[slot >> CHUNK_SHIFT];
    return (prefix_node *)(chunk + (size_t)(slot & (CHUNK_NODES - 1)) * c->node_bytes);
}

uint64_t *cache_viable(const cache *c, int32_t slot) {
    return cache_node(c, slot)->sets + c->point_words;
}

static int add_chunk(cache *c) {
    char **chunks = grow_array(c->chunks, &c->chunk_capacity, c->chunk_count + 1, sizeof *chunks);
    if (!chunks) return 0;
    c->chunks = chunks;
    char *chunk = malloc(CHUNK_NODES * c->node_bytes);
    if (!chunk) return 0;
    c->chunks[c->chunk_count++] = chunk;
    return 1;
}

static int32_t new_slot(cache *c) {
    if (c->first_free != CACHE_NONE) {
        int32_t slot = c->first_free;
        c->first_free = cache_node(c, slot)->parent;
        return slot;
    }
    if (c->used == INT32_MAX) return CACHE_NONE;
    if (c->used == c->chunk_count << CHUNK_SHIFT && !add_chunk(c)) return CACHE_NONE;
    return c->used++;
}

int32_t cache_add(cache *c, int32_t parent, int32_t antecedent) {
    int32_t slot = new_slot(c);
    if (slot == CACHE_NONE) return CACHE_NONE;
    prefix_node *n = cache_node(c, slot);
    memset(n, 0, c->node_bytes);
    n->serial = c->next_serial++;
    n->parent = parent;
    n->antecedent = antecedent;
    if (parent != CACHE_NONE) cache_node(c, parent)->children++;
    c->living++;
    return slot;
}

void cache_drop(cache *c, int32_t slot) {
    while (slot != CACHE_NONE) {
        prefix_node *n = cache_node(c, slot);
        int32_t parent = n->parent;
        if (n->children || parent == CACHE_NONE) return;
        n->parent = c->first_free;
        c->first_free = slot;
        c->living--;
        cache_node(c, parent)->children--;
        slot = parent;
    }
}

int32_t cache_path(const cache *c, int32_t slot, int32_t *antecedents) {
    int32_t length = cache_node(c, slot)->length;
    for (int32_t at = length; at > 0; slot = cache_node(c, slot)->parent)
        antecedents[--at] = cache_node(c, slot)->antecedent;
    return length;
}

size_t cache_bytes(const cache *c) {
    return (size_t)c->chunk_count * CHUNK_NODES * c->node_bytes +
           (size_t)c->chunk_capacity * sizeof *c->chunks;
}

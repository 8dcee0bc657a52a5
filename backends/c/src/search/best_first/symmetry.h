/* The symmetry map: of the prefixes with equal keys, only the cheapest is explored.
 *
 * A key is a run of words: the points that a prefix leaves ("captured", Theorem 15) or its sorted
 * antecedents ("permutation", Corollary 16). The map is an open-addressing hash table from keys to
 * the least lower bound with which each was admitted; keys are compared in full, so a collision of
 * hashes costs time and never an answer. Keys are appended to chunks and never leave: forgetting
 * one would be sound, but would explore its prefixes again.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/store.h"

typedef enum map_kind { MAP_NONE, MAP_PERMUTATION, MAP_CAPTURED } map_kind;

typedef struct map_entry {
    uint64_t hash;
    int64_t lower_bound;
    uint64_t *key; /* NULL: empty; key[-1] is its length in words */
} map_entry;

typedef struct {
    map_kind kind;
    map_entry *entries;
    uint64_t mask; /* capacity - 1 */
    int64_t count;
    store keys;        /* in chunks: */
    uint64_t *chunk;   /* the last one, */
    size_t chunk_free; /* and the words that are left in it */
} symmetry_map;

typedef enum map_answer { MAP_ADMITTED, MAP_REFUSED, MAP_NO_MEMORY } map_answer;

/* 0 for a name that does not exist. */
int symmetry_kind(const char *name, map_kind *kind);
void symmetry_free(symmetry_map *);
/* Admit a prefix if it is the cheapest so far with its key. */
map_answer symmetry_admit(symmetry_map *, const uint64_t *key, int32_t words, int64_t lower_bound);
/* Whether a cheaper prefix with this key has been admitted since. */
int symmetry_stale(const symmetry_map *, const uint64_t *key, int32_t words, int64_t lower_bound);
size_t symmetry_bytes(const symmetry_map *);

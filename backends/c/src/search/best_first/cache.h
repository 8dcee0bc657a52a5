/* The cache: the prefix tree.
 *
 * A node is one prefix: its parent, the antecedent that it appends, and what is needed to expand
 * it later (which points it leaves, which antecedents may follow, its exact costs). A node lives
 * while it is queued or has a living child; dropping it drops its ancestors for as long as they
 * have become childless. So the tree holds exactly the queued prefixes and the paths to them.
 *
 * Nodes have one size for one instance and lie in chunks that never move; a node is named by its
 * slot, and a dropped slot is given again. Serial numbers, which order ties and name nodes in
 * traces, are never given twice. A slot may only be dropped when nothing refers to it: a queued
 * node is dropped after it has been popped or filtered from the queue.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CACHE_NONE (-1)

typedef struct prefix_node {
    int64_t serial;
    int64_t lower_bound;
    int64_t errors;   /* avoidable errors of the rules so far */
    int64_t minority; /* unavoidable errors among the captured points */
    int64_t captured; /* weight captured */
    int32_t parent;   /* slot; while dropped: the next free slot */
    int32_t antecedent;
    int32_t length;
    int32_t children; /* living ones */
    uint64_t sets[];  /* remaining points, then viable antecedents */
} prefix_node;

typedef struct {
    char **chunks;
    size_t node_bytes;
    int32_t point_words, antecedent_words;
    int64_t chunk_capacity;
    int32_t chunk_count;
    int32_t used;       /* slots ever given */
    int32_t first_free; /* or CACHE_NONE */
    int64_t living;
    int64_t next_serial;
} cache;

void cache_init(cache *, int32_t points, int32_t antecedents);
void cache_free(cache *);
/* A new childless node; CACHE_NONE if there is no memory. `parent` may be CACHE_NONE. */
int32_t cache_add(cache *, int32_t parent, int32_t antecedent);
prefix_node *cache_node(const cache *, int32_t slot);
uint64_t *cache_viable(const cache *, int32_t slot);
/* Forget a childless node and every ancestor that thereby becomes childless (never the root). */
void cache_drop(cache *, int32_t slot);
/* The antecedents of a prefix, first rule first; returns their number. */
int32_t cache_path(const cache *, int32_t slot, int32_t *antecedents);
size_t cache_bytes(const cache *);

/* The engine's containers one by one, for loops that are written elsewhere.
 *
 * The teaching backend can run with any of them in place of its own, so that each is held against
 * its reference in a whole search. The engine itself does not use this header.
 */
#ifndef CORELS_CONTAINERS_H
#define CORELS_CONTAINERS_H

#include <stddef.h>
#include <stdint.h>

#include "corels/status.h"

/* cffi: begin */
typedef struct queue queue;
typedef struct cache cache;
typedef struct symmetry_map symmetry_map;

/* Makers answer NULL without memory. */
queue *corels_queue_new(void);
void corels_queue_delete(queue *);
int corels_queue_push(queue *, const double *priorities, const int64_t *ids, int64_t count);
/* The first id, or -1 when empty. */
int64_t corels_queue_pop(queue *);
int64_t corels_queue_count(const queue *);
/* All ids, in any order; `ids` holds corels_queue_count of them. */
void corels_queue_ids(const queue *, int64_t *ids);
/* Keep the ids that a sorted list contains. */
void corels_queue_retain(queue *, const int64_t *sorted, int64_t count);

cache *corels_cache_new(void);
void corels_cache_delete(cache *);
/* A child of slot `parent` (-1: the root); its slot, or -1 without memory. */
int32_t corels_cache_add(cache *, int32_t parent, int32_t antecedent, int64_t lower_bound);
int64_t corels_cache_lower_bound(const cache *, int32_t slot);
int32_t corels_cache_length(const cache *, int32_t slot);
void corels_cache_path(const cache *, int32_t slot, int32_t *antecedents);
void corels_cache_drop(cache *, int32_t slot);
int64_t corels_cache_count(const cache *);

symmetry_map *corels_map_new(void);
void corels_map_delete(symmetry_map *);
/* 1 admitted, 0 refused, -1 without memory. */
int corels_map_admit(symmetry_map *, const uint64_t *key, int32_t words, int64_t lower_bound);
int corels_map_stale(const symmetry_map *, const uint64_t *key, int32_t words, int64_t lower_bound);
int64_t corels_map_count(const symmetry_map *);
/* cffi: end */

#endif

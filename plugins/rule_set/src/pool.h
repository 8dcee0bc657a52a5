/* The clauses that a pricing search keeps.
 *
 * Two uses: the best `capacity` of them (a heap with the worst on top, so that a better one
 * replaces it and the worst kept is the new cutoff), or all of them (a growing array that says so
 * when it is full). Features are stored in rows of `stride`, so a clause moves by its slot number.
 */
#pragma once

#include <stdint.h>

typedef struct {
    int64_t reduced_cost;
    uint32_t slot, length;
} entry;

typedef struct {
    entry *entries;
    uint32_t *features; /* allocated x stride */
    uint32_t count, allocated, capacity, stride;
    int keep_all;
} pool;

void pool_reset(pool *p, uint32_t capacity, uint32_t stride, int keep_all);
void pool_clear(pool *p);
/* 0 kept (or worse than all that are kept), 1 full, -1 no memory. */
int pool_offer(pool *p, int64_t reduced_cost, const uint32_t *features, uint32_t length);
/* Reduced cost that a further clause must stay below, given the caller's cutoff. */
int64_t pool_cutoff(const pool *p, int64_t cutoff);

/* The best list so far, and the exact comparison of two lists. */
#pragma once

#include "state.h"

/* Positives and negatives of one block of a list; the last block is the else. */
typedef struct {
    uint32_t p, q;
} block;

typedef struct {
    uint32_t *rules;
    block *blocks; /* length + 1 */
    uint32_t length;
    cost total; /* INT64_MAX if there is no list */
} incumbent;

/* The arrays lie in the store. */
void incumbent_create(incumbent *best, const table *t, store *);

/* Is the list with these blocks cheaper? `total` is its interval. -1: out of memory. */
int incumbent_beaten(const incumbent *best, const table *t, const block *blocks, uint32_t length,
                     cost total);
void incumbent_replace(incumbent *best, const uint32_t *rules, const block *blocks, uint32_t length,
                       cost total);

/* The incumbent: the best list found so far, shared by all threads. Its cost is read without the
 * lock (it only ever falls), and leaves `base` out. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "threads.h"

typedef struct {
    lock lock;
    atomic_llong cost;
    int32_t *rules, length, room;
} incumbent;

static inline int64_t incumbent_cost(const incumbent *of) {
    return atomic_load_explicit(&((incumbent *)of)->cost, memory_order_relaxed);
}

/* Room for lists of `longest` rules, so that no offer fails later. 0 without memory. */
int incumbent_new(incumbent *, int32_t longest);
void incumbent_free(incumbent *);
/* Forgets the list: from now on, lists that cost less than `cost` are better. No thread looks. */
void incumbent_begin(incumbent *, int64_t cost);
/* Takes the list if it is cheaper; returns whether it was. */
int incumbent_offer(incumbent *, int64_t cost, const int32_t *rules, int32_t length);

/* Inside the best-first frontier: Algorithm 1 of the paper, with a queue. See loop.c. */
#pragma once

#include "cache.h"
#include "expand.h"
#include "queue.h"
#include "symmetry.h"

typedef struct {
    queue queue;
    cache cache;
    symmetry_map map;
    store arrays;
    int32_t *counts; /* of the prefix that is expanded: [measures][stride] */
    /* Of a child that is closed: as counts and totals; errors, saved and closing. */
    int32_t *closing_counts, *closing_totals, *closing_errors;
    uint64_t *left;     /* [words] what a child leaves */
    uint64_t *key;      /* of the symmetry map */
    uint64_t *rejected; /* antecedents that no descendant needs to try */
    uint64_t *view[MOST_STAGED];
    size_t view_room[MOST_STAGED]; /* words */
    int32_t view_version[MOST_STAGED];
    /* The expansion under way. While it is open, its prefix counts as queued. */
    expansion now;
    int32_t open; /* slot, or CACHE_NONE */
    /* Accounting: every prefix that was pushed must come out again. */
    int64_t pushed, popped, collected;
    size_t peak;
} best_first_frontier;

static inline best_first_frontier *frontier_of(const search *s) {
    return s->frontier;
}

/* loop.c */
int best_first_walk(search *, int64_t *budget);

/* expand.c: expand the prefix in `slot`; f->now.node.cut says whether it was cut off. */
int best_first_expand(search *, int32_t slot);

/* close.c: the filter of the bound one_rule. */
int32_t close_children(worker *, expansion *, int32_t *list, int32_t n);

/* admit.c: the children that the symmetry map admits stay in worker->list. */
int admit(search *, int32_t slot);
int is_stale(search *, int32_t slot);
/* The claim of an earlier proof, before the first step; the map has to be that of captured sets. */
int best_first_learn(search *, const int32_t *rules, int32_t n, int32_t left, int64_t value);

/* push.c: the survivors enter cache and queue; and queued prefixes without hope leave them. */
int push(search *, int32_t slot);
void collect(search *);

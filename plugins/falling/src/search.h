/* One running search. */
#pragma once

#include "bounds.h"
#include "events.h"
#include "incumbent.h"
#include "memo.h"
#include "state.h"

struct corels_falling {
    store arrays;
    table t;
    corels_falling_options options;
    void *counting; /* the counter's scratch */
    frame *frames;  /* one per rule of the current prefix */
    uint32_t frame_count, depth;
    memo seen;
    incumbent best;
    events waiting;
    bounds prune;
    corels_falling_statistics statistics;
    uint64_t *scratch; /* a set of classes */
    uint32_t *path;    /* antecedents of the current prefix */
    block *blocks;     /* and what each captures; room for one more and the else */
    uint32_t max_rules;
    int started;
    int proving; /* an event for every prefix that is expanded */
    int32_t status;
};

/* exact.c */
int32_t exact_step(corels_falling *s, uint64_t budget);
int64_t exact_lower_bound(const corels_falling *s);
double exact_settled(const corels_falling *s);

/* expand.c: evaluate every child of the frame, keep those that may beat the incumbent. */
int32_t expand(corels_falling *s, frame *f, const frame *below);

/* search.c: make frames[depth] exist; 0 if memory is lacking. */
int search_reach(corels_falling *s, uint32_t depth);
/* Compare prefix + child (or, with c NULL, the frame's own prefix) closed with its else. */
int32_t search_consider(corels_falling *s, const frame *f, const child *c, cost total);

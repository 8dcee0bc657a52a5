/* Inside the fast search: what its files share. See walk.c for the loop and an overview. */
#ifndef CORELS_FAST_PRIVATE_H
#define CORELS_FAST_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "blocks_bound.h"
#include "corels/counter.h"
#include "corels/fast.h"
#include "memo.h"
#include "node.h"
#include "record.h"

/* A child that is left to search: sorted by `closing`, the errors of the list that ends with it. */
typedef struct {
    int32_t rule, errors, closing;
} corels_child;

/* One set on the path from the root, and those of its children that are left. */
typedef struct {
    uint64_t *set;
    uint64_t *key;   /* of the memo: the set itself or its closure mask */
    uint64_t *guess; /* the same before the set is counted, where the key is a closure mask */
    uint64_t *view;  /* of the blocks of stage `view_stage` */
    int32_t *counts; /* of the set: [measures][stride] */
    int64_t cost;    /* of the prefix: its rules and their errors */
    int64_t slack;   /* how much cheaper its rules are in another order, >= 0; see order.c */
    int64_t need;    /* when the children were listed: incumbent - cost + slack */
    int64_t least;   /* what any completion costs, as far as the children are settled */
    int32_t rule;    /* that led here from the frame above */
    int32_t n, next, put_off, pass, stage, view_stage, view_room;
    uint64_t began; /* expansions of the walker so far */
    corels_child *children;
} corels_frame;

/* One thread's walk: its own path, its own scratch. */
typedef struct {
    struct corels_fast *fast;
    corels_frame *frames; /* [room]; frames[0] is the root */
    int32_t depth, room, walking;
    int32_t *totals, *errors, *closing, *list;
    uint64_t *order;
    corels_rivals rivals;
    void *scratch;
    corels_fast_report seen; /* its share of the figures */
    int64_t budget;
    int status;
    pthread_t thread;
} corels_walker;

/* The best list so far, shared. Its cost is read without the lock: it only ever falls. */
typedef struct {
    pthread_mutex_t lock;
    _Atomic int64_t cost;
    int32_t *rules, length, room;
    uint64_t improvements;
} corels_incumbent;

struct corels_fast {
    corels_fast_instance in; /* its arrays are ours */
    corels_fast_options options;
    const corels_kernel_table *kernel;
    corels_counter *counter;
    corels_blocks *blocks;
    corels_memo *memo;
    corels_record *record; /* of the proof; NULL where none is written */
    corels_incumbent incumbent;
    corels_walker *walkers; /* [threads] */
    uint64_t *masks;
    int32_t *regrets; /* [measures][points]: the classes, then `worst` where there are > 2 */
    int32_t *worst;   /* [points] */
    int32_t words, stride, measures, key_words, by_closure, stage;
    _Atomic int done;
    uint64_t start_counts; /* before the walk */
    int64_t lower_bound;
    size_t fixed_bytes, peak_building; /* of all, while blocks were built */
};

static inline int corels_has(const struct corels_fast *fast, uint32_t part) {
    return (fast->options.parts & part) != 0;
}

static inline int64_t corels_need(const struct corels_fast *fast, int64_t cost) {
    return atomic_load_explicit(&fast->incumbent.cost, memory_order_relaxed) - cost;
}

/* incumbent.c: offer the list of a walker's path, then `last` (-1: none). */
int corels_incumbent_new(corels_incumbent *incumbent);
void corels_incumbent_free(corels_incumbent *incumbent);
int corels_offer_path(corels_walker *walker, int64_t cost, int32_t last);
int corels_offer(corels_incumbent *incumbent, int64_t cost, const int32_t *rules, int32_t length);

/* expand.c: count the set of `frame` and list the children that no bound rules out. */
void corels_expand(corels_walker *walker, corels_frame *frame);
/* The frame's set as the bounds see it, once it has been counted. */
corels_node corels_node_of(const corels_walker *walker, const corels_frame *frame);

/* frames.c */
int corels_walker_new(corels_walker *walker, struct corels_fast *fast);
void corels_walker_free(corels_walker *walker);
size_t corels_walker_bytes(const corels_walker *walker);
/* What its frames will take beyond that, if there are `deepest`. */
size_t corels_frames_to_come(const corels_walker *walker, int32_t deepest);
/* The frame below the top one, with room; NULL where memory is short. */
corels_frame *corels_frame_below(corels_walker *walker);

/* walk.c: search until done, the budget is spent, or blocks are due. */
void corels_walk(corels_walker *walker);
int corels_stage_due(const struct corels_fast *fast, uint64_t counts);

/* start.c: a strong incumbent before the search. */
int corels_start(struct corels_fast *fast);

/* polish.c: exchange single rules of it while that helps. */
int corels_polish(struct corels_fast *fast);

/* order.c: the slack of the child r of the top frame. */
int64_t corels_slack(const corels_walker *walker, int32_t r);

/* lower.c: the least bound of what a walker has not searched yet. */
int64_t corels_open_bound(corels_walker *walker);

int64_t corels_child_bound(const corels_walker *walker, const corels_frame *frame,
                           const uint64_t *view, const corels_child *child);

/* proof.c: writes what was proved of the top frame's set; of all frames, where the search stops. */
int corels_claim_frame(corels_walker *walker);
int corels_claim_path(corels_walker *walker);

/* views.c: the blocks' view of a walker's frame `depth`; NULL where memory is short. */
const uint64_t *corels_frame_view(corels_walker *walker, int32_t depth);

/* stage.c: build the next blocks, where they are worth it and there is memory. */
void corels_next_stage(struct corels_fast *fast);

/* memory.c: bytes held, without the memo's; and the memo gets what that leaves of the limit. */
size_t corels_bytes_but_memo(const struct corels_fast *fast);
void corels_share_memory(struct corels_fast *fast);

#endif

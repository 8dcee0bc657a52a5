/* Inside the depth-first frontier. See walk.c for the loop and an overview. */
#pragma once

#include "expand.h"
#include "memo.h"

/* A child that is left to search. */
typedef struct {
    int32_t rule, errors, closing;
    int32_t at;    /* its place among its siblings by rising antecedent */
    int32_t tried; /* 1 + the tables that dropped it: it is searched all the same; or 0 */
} frame_child;

/* One set on the path from the root, and those of its children that are left. */
typedef struct {
    store arrays;
    uint64_t *set;
    uint64_t *key;   /* of the memo: the set itself or its closure mask */
    uint64_t *guess; /* the same before the set is counted, if the key is a closure mask */
    int32_t *counts; /* of the set: [measures][stride] */
    uint64_t *view[MOST_STAGED];   /* of the tables of version `view_version` */
    size_t view_room[MOST_STAGED]; /* words */
    int32_t view_version[MOST_STAGED];
    int64_t cost;     /* of the prefix: its rules and their errors */
    int64_t need;     /* when the children were listed: incumbent - cost */
    int64_t least;    /* what any completion costs at least, by the children settled so far */
    int64_t none;     /* what the completion without a rule costs */
    int64_t claim;    /* what the memo knew of the set when it was entered, or -1 */
    int64_t captured; /* original weight, if that is counted */
    int64_t serial;   /* of the set as a child of the frame above */
    int32_t left;     /* rules that a completion may have at most (rules_left) */
    int64_t first;    /* serial of the first of its children */
    int32_t rule;     /* that led here from the frame above */
    uint64_t mark;    /* the sum of the marks of the path's rules */
    int32_t n, next, put_off;
    /* For share.c: the worker is noted at the set under the first or the second key; another worker
     * was at the set when it came; it has entered a child; it may enter one if another works. */
    int8_t at_guess, at_key, helped, entered, helps;
    int8_t known;    /* the memo knew the set after all */
    int32_t version; /* of the search's tables when the children were listed */
    int64_t began;   /* expansions of the worker when it was entered */
    int32_t *totals; /* [measures] of the set */
    frame_child *children;
} frame;

/* One worker's path through the sets, from the root. Its scratch is the worker's. */
typedef struct worker_path {
    search *search;
    struct depth_first *tree;
    worker *w;
    frame *frames; /* [room]; frames[0] is the root */
    store arrays;
    uint64_t *scratch;  /* a set or a key */
    uint64_t *squeezed; /* for rule_columns.c, a set */
    int32_t depth, room, walking;
    int64_t until;      /* the count at which to take more of those that are left */
    int64_t asked;      /* counts when the last question began */
    int64_t turn_until; /* expansions, if workers take turns */
    int64_t rests;
    int turn_over;
    struct {                  /* a child that tables dropped, searched all the same (trials.c) */
        int32_t depth, which; /* of its frame, 0: there is none; the tables, */
        int32_t version;      /* and which of theirs dropped it */
        int64_t began;        /* the counts by then */
    } tried;
    int pause;                     /* why it came back, enum corels_pause */
    atomic_llong expanded, helped; /* for the other workers to see */
    expansion now;                 /* of the set that is counted */
    char apart[128];               /* no cache line is written by two threads */
} worker_path;

/* One of the root's children: what any completion of the set that it leaves costs at least; and the
 * counts that its search took in this pass, and in the last one that searched it. */
typedef struct {
    atomic_llong least, now, before;
} first_child;

/* The passes by which the threshold rises. See deepen.c. */
typedef struct {
    int32_t number;         /* of the pass; 0: none has begun */
    atomic_int over;        /* a worker has left the root, and the threshold is proved */
    atomic_llong proved;    /* what every list costs at least */
    int64_t step;           /* of the threshold above what was proved before */
    int64_t began;          /* all counts, when the pass began */
    double took;            /* counts of the pass before; 0 in the first one */
    double slope;           /* by which the log of a pass's counts rises with the threshold */
    int32_t version, mixed; /* of the search's tables then; whether they changed in that pass */
    double finish;          /* counts of a pass to the incumbent; 0: not known */
    first_child *first;     /* [antecedents] */
} deepening;

typedef struct all_columns all_columns; /* rule_columns.c */

typedef struct depth_first {
    const uint64_t *root; /* the set that is asked about (walk_from.c); NULL: all points */
    int asking;           /* such a question is not answered yet (walk_from.c) */
    int64_t others;       /* counts that all workers may then take together */
    memo *memo;           /* NULL without one */
    all_columns *columns;
    deepening passes;
    worker_path *paths;
    int32_t n, key_words, by_closure;
    atomic_llong left; /* counts until all come back that no worker has taken */
    int slice;         /* whether the last worker does a slice of the improver first */
    int32_t turns;     /* expansions that each worker makes in turn on one thread; 0: threads */
    int64_t cost;      /* of the incumbent when the walk began */
    atomic_int done;   /* everything is searched */
    atomic_int back;   /* a worker has come back from walk(), and so should the others */
} depth_first_tree;

static inline depth_first_tree *tree_of(const search *s) {
    return s->frontier;
}

/* Writes the rules of the path to the frame `depth`. */
static inline int32_t *path_rules(const worker_path *k, int32_t depth, int32_t *rules) {
    for (int32_t d = 1; d <= depth; d++) rules[d - 1] = k->frames[d].rule;
    return rules;
}

static inline size_t key_bytes(const worker_path *k) {
    return (size_t)k->tree->key_words * sizeof(uint64_t);
}

/* The prefix of a child of the frame: its rules and their errors. */
static inline int64_t child_cost(const search *s, const frame *above, const frame_child *child) {
    return above->cost + s->in.rule_cost + s->in.unit * child->errors;
}

/* The antecedents known to capture nothing of the set that rule r leaves, before it is counted: any
 * such mask stands for the set of points outside all of them, which is this one, so what is proved
 * under it is proved of this set. Most often it is the closure mask already. */
static inline void guess_key(const worker_path *k, const frame *above, int32_t r, uint64_t *key) {
    memcpy(key, above->key, key_bytes(k));
    set_bit(key, r);
}

/* Whether some completion of the set that is asked about costs less than was asked. */
static inline int walk_answered(const worker_path *k) {
    return k->tree->root && incumbent_cost(&k->search->incumbent) < k->tree->cost;
}

/* Whether a set with this need, to be completed by at most `left` rules, has room for one rule more
 * at most: a count closes it. */
static inline int one_rule_closes(const search *s, int64_t need, int32_t left) {
    return left <= 1 || (plays(s, ROLE_ONE_RULE) && need <= 2 * s->in.rule_cost);
}

/* A fine event about a frame, whose completions cost at least `least`. */
static inline void emit_frame(const worker_path *k, const frame *f, corels_event event,
                              int64_t least) {
    if (!k->search->fine) return;
    event.length = (int32_t)(f - k->frames);
    event.lower_bound = k->search->in.base + f->cost + least;
    events_emit(&k->w->events, event);
}

/* expand.c: count the set of `frame` and list the children that no bound rules out. */
int frame_expand(worker_path *, frame *);
/* Whether the set of `frame`, which one rule closes, is closed without a count, since no rule is
 * good enough for it; then frame_close takes the place of frame_expand. */
int frame_fails(const worker_path *, const frame *above, frame *);
void frame_close(worker_path *, frame *);
void path_aim(worker_path *); /* once, before the first expansion and when the worker has moved */

/* rule_columns.c: counts by columns of the points that a rule captures alone. */
int rule_columns_new(search *);
void rule_columns_free(search *);
/* Their bytes, or as many as they may come to. */
size_t rule_columns_bytes(const search *, int to_come);
/* The counts of the frame to be expanded, by what its rule captures of the set above. 0: they are
 * to be counted otherwise. */
int rule_columns_count(worker_path *, const frame *above, frame *);

/* frames.c */
int path_new(worker_path *, search *, worker *);
void path_free(worker_path *);
size_t path_bytes(const worker_path *);
/* What its frames will take beyond that, if there are `deepest`. */
size_t frames_to_come(const worker_path *, int32_t deepest);
/* The frame below the top one, with room; NULL if memory is short. */
frame *frame_below(worker_path *);

/* walk.c: search until done, the budget is spent, or something else is due. */
void walk(worker_path *);
/* That a frame is left; and that what is known of its set spares it. */
void emit_settled(const worker_path *, const frame *, int64_t least);
void merge(worker_path *, const frame *, int64_t bound);

/* frontier.c: takes some more counts; 0 if none are left, and all have to come back. */
int more_counts(worker_path *);
/* So many counts for all workers together; and all of them walk until they have to come back. */
void tree_share_counts(depth_first_tree *, int64_t counts);
void tree_walk_together(search *);
/* All workers leave the sets on their paths, and begin at the root next time. */
void tree_go_back(depth_first_tree *);

/* children.c: the survivors of an expansion as the frame's children, in the order of the policy. */
int list_children(worker_path *, frame *, expansion *);

/* proof.c: if a proof is written, what was proved of the top frame's set, and of all open ones;
 * and what an earlier proof says of completions of a set by at most `left` rules. */
int claim_frame(worker_path *);
int tree_prove_open(search *);
int tree_learn(search *, const int32_t *rules, int32_t n, int32_t left, int64_t value);

/* share.c: which worker is at which set, if there are several workers. */
int64_t share_enter(worker_path *, const frame *above, frame *, int32_t *others);
int64_t share_enter_key(worker_path *, frame *);
void share_leave(worker_path *, frame *);
void share_put_off(frame *above);
void share_note(worker_path *, const frame *);
int share_again(worker_path *, frame *);

/* trials.c: if the next child of the top frame is one that tables dropped, it is tried, or passed
 * over (0); while one is, whether that is over; and nothing is tried any more. */
int trial_begin(worker_path *);
void trial_watch(worker_path *);
void trial_end(worker_path *);

/* lower_bound.c: a lower bound of all lists, from what a worker has settled and what it has not
 * searched yet; and of the completions of one frame's set, `below` what is known of the frame
 * below. */
int64_t open_bound(worker_path *);
int64_t open_least(worker_path *, int32_t depth, int64_t below);

/* deepen.c: thresholds, once there are tables; the next one, when a pass is over; what a worker
 * says when it leaves the root, and a child of the root; and what is known of such a child's set.
 */
void deepen_begin(search *);
void deepen_next(search *);
void deepen_left_root(worker_path *);
void deepen_note(worker_path *, const frame *, int64_t effort);
int64_t deepen_known(const worker_path *, int32_t r);
size_t deepen_bytes(const search *);

/* settled.c: the share of the root's children that is settled in the last pass; < 0: not known. */
double tree_settled(const search *);
/* For the scheduler of tables: how many counts the search still takes; < 0: it is not known. */
double tree_to_come(const search *);

/* views.c: the view of a worker's frame `depth` in the tables `which`; NULL if memory is short.
 */
const uint64_t *frame_view(worker_path *, int32_t depth, int32_t which);

/* memory.c */
size_t tree_bytes(const search *);
void tree_share_memory(search *);

/* claims.c: the memo's key of a set; and its claim of completions by at most `left` rules, or -1.
 */
void tree_key(const search *, const uint64_t *set, uint64_t *key);
int64_t tree_claim(search *, const uint64_t *set, int32_t left);

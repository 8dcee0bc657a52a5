/* What happens at a node, in both frontiers:
 *
 *     count    what every antecedent captures of the set, in one call
 *     improve  the best list that ends with one more rule is offered to the incumbent
 *     filter   one bound after another shortens the list of children
 *     tell     the children that are left, as a table with serial numbers, for events and policies
 *
 * A frontier says where it is (set, costs, serial number, how to list the prefix) and takes what is
 * left of the children from worker->list. If the step is cut on the way, the frontier withdraws the
 * expansion and does it again later.
 */
#pragma once

#include "search.h"

typedef struct expansion expansion;
struct expansion {
    /* Given by the frontier. */
    const uint64_t *set;
    int32_t *counts;        /* [measures][stride], filled by expansion_count */
    int counted;            /* they have been, and the worker has the totals */
    const uint64_t *viable; /* antecedents that may follow; NULL: those that capture something */
    int64_t cost;           /* of the prefix: its rules and their errors */
    int64_t paid;           /* lower bound of the prefix, `base` in it */
    int64_t captured;       /* original weight captured by the prefix */
    int64_t serial;
    int32_t length;
    void *at;                                         /* handed to these: */
    int32_t (*path)(const void *at, int32_t *rules);  /* lists the prefix; returns its length */
    const uint64_t *(*view)(void *at, int32_t table); /* NULL without memory */
    /* Closes the children with room for one rule only; NULL if sets are closed as a whole. Keeps
     * the others; returns how many. */
    int32_t (*close)(worker *, expansion *, int32_t *list, int32_t n);
    uint64_t *rejected; /* antecedents that no descendant needs to try, or NULL */
    int tries;          /* the frontier may search children that tables have dropped: depth first */
    int32_t without;    /* 1 + the tables that are not asked, since it does so now; 0: none */
    uint64_t rules;     /* of the prefix: the sum of its rules' marks (rule_mark) */
    /* Filled on the way. */
    node_view node;
    int32_t least; /* closing */
    int32_t n;     /* children left in worker->list */
    int64_t mark;  /* events before */
    figures before;
};

/* What the worker's scratch and the search give a node; `counts` may be another array. */
node_view node_of(const worker *, const uint64_t *set, const int32_t *counts);
/* Counts the set alone. */
void worker_count(worker *, const uint64_t *set, int32_t *counts);

void expansion_count(worker *, expansion *);
void expansion_improve(worker *, expansion *);
/* What the node's completions must stay below, as the incumbent is now. */
void expansion_need(const search *, expansion *);
/* CORELS_OK, also if the node is cut; or a part failed, or memory. */
int expansion_filter(worker *, expansion *);
/* The children that are left as worker->children, with serial numbers from `first` on. */
void expansion_table(worker *, expansion *, int64_t first);
/* Their priorities, in worker->priorities. */
int expansion_ask_policy(worker *);
/* Undoes what a cut expansion has counted and said. */
void expansion_withdraw(worker *, const expansion *);

/* Offers the prefix (NULL: without one) and then the antecedents `more`, and says so. */
void offer_list(worker *, const expansion *, int64_t cost, const int32_t *more, int32_t n);

/* A prefix of `length` rules has its children listed. */
static inline void note_expanded(worker *w, int32_t length) {
    w->seen.expanded++;
    if (length > w->seen.longest) w->seen.longest = length;
}

/* One record about the child r. */
void emit_child(worker *, const expansion *, int32_t kind, int32_t part, int32_t r);

/* Room for so many words of views; 0 without memory. */
int view_room(uint64_t **view, size_t *room, size_t words);

/* children.c: the table of the antecedents of `list`. */
void fill_table(worker *, const expansion *, const int32_t *list, int32_t n, int64_t first);

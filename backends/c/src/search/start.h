/* A good list before the walk: a beam, then exchanges of single rules. Both count one set after
 * another, so that a step can end between any two counts.
 */
#ifndef SEARCH_START_H
#define SEARCH_START_H

#include "expand.h"

/* A prefix of the beam. */
typedef struct {
    int64_t cost;   /* of the prefix */
    int64_t closed; /* of the list that ends here */
    int32_t rules[MOST_RULES];
    int32_t parent;
} beam_state;

/* One level of the beam, and the next one in the making. */
typedef struct {
    beam_state *now, *next; /* [tune->beam_width] */
    uint64_t *sets, *next_sets;
    int32_t n, n_next, length, at; /* `at`: the state to be extended next */
    int64_t before;                /* the incumbent's cost when the level began */
    int idle;                      /* levels without an improvement */
} beam;

/* The exchanges: see polish.c. */
typedef struct {
    uint64_t *above, *set;  /* before the exchanged rule, and behind it */
    int32_t *errors;        /* of each antecedent on `above` */
    int32_t *old, n;        /* the list whose rules are exchanged */
    int32_t *rules, length; /* the list in the making */
    int64_t cost;           /* of those */
    int64_t before;         /* the incumbent's cost when the sweep began */
    int32_t at, r;          /* the place, and the antecedent to be tried there next; -1: none yet */
    int before_it;          /* r has been tried instead of the rule; next, before it */
    int64_t counts;
} polish;

struct start {
    search *search;
    worker *worker; /* for its scratch: nobody walks yet */
    int32_t *counts;
    expansion root; /* where lists are offered */
    beam beam;
    polish polish;
    int polishing;
};

/* Counts a set, which leaves errors and closings in the worker; returns the least closing. */
int32_t start_count(struct start *, const uint64_t *set);

int beam_new(struct start *);
void beam_free(beam *);
/* One count, or the step to the next level. CORELS_DONE at the end. */
int beam_more(struct start *);

int polish_new(struct start *);
void polish_free(polish *);
/* One antecedent in one place, in one way. CORELS_DONE at the end. */
int polish_more(struct start *);

#endif

/* A better list beside the proof: see improve.c for when, rounds.c for which lists,
 * and insert.c for how a list gets one rule more. */
#pragma once

#include <stdatomic.h>

#include "expand.h"

typedef struct {
    int32_t rules[MOST_RULES], n;
    int64_t cost;
} draft;

/* What comes next in a round. */
typedef enum { TAKE_OUT, PUT_IN, TIDY } improve_stage;

typedef struct improver {
    search *search;
    store arrays;
    worker worker;         /* its own: the workers' may be in use */
    int32_t *counts;       /* [together][measures][stride]; `together` is the worker's */
    int32_t *totals;       /* [together][measures] */
    uint64_t *behind_sets; /* [together][words]: what rules behind some places get wrong */
    uint64_t *wrong;  /* [classes][words]: the points where predicting the class costs something */
    uint64_t *missed; /* [classes][words]: of them, those that the rules behind a place get wrong */
    uint64_t *sets;   /* [MOST_RULES + 1][words]: what the first i rules of `seen` leave */
    int32_t *errors;  /* [MOST_RULES + 1][stride]: of each antecedent on sets[i] */
    int64_t costs[MOST_RULES + 1]; /* of these rules and their errors */
    int32_t *behind; /* [stride]: what the rules behind a place err where r captures */
    int32_t labels[MOST_RULES + 1]; /* what each rule predicts, and the default */
    draft now;                      /* the list in the making */
    draft kept;                     /* the list whose rules are taken out */
    draft best;                     /* of this round */
    draft seen;                     /* the list that was counted last */
    improve_stage stage;
    int32_t round, rounds; /* of the course: so far, and all */
    int64_t first_price;   /* of a rule, when the course began */
    int32_t level;         /* how much worse a list of the course may be and be kept */
    int32_t ending;        /* what the default predicts in the eyes of the course; -1: the best */
    int64_t price;         /* what a rule costs in this round */
    int32_t forced;        /* rules to be put in even if they do not pay at once */
    int32_t blinks;        /* insertions that this round overlooks, of sixteen */
    int32_t most;          /* rules of a list */
    uint64_t random;
    /* When. */
    int64_t spent;  /* counts and evaluations so far */
    int64_t until;  /* how much is spent when the slice is over */
    int64_t walked; /* counts of the walk when it began, and what the incumbent cost */
    int64_t before;
    int sliced;      /* a slice is under way */
    atomic_int over; /* the workers that it works beside are back: it is to come back, too */
} improver;

/* The cost of the list, counted point by point. */
int64_t draft_cost(improver *, const draft *);
/* Goes on with the round under way, by one insertion; or ends it, or begins the next one. */
void improver_round(improver *);
/* An insertion: the antecedent `rule` in front of rules[at], or of the default. */
typedef struct {
    int32_t at, rule;
    int64_t gain; /* above 0: the list gets cheaper by so much, at least */
} insertion;

/* Counts im->now, offers it and the best list that ends with one rule more, and looks for the best
 * insertion. CORELS_DONE, or CORELS_OK if the step is cut on the way. */
int best_insertion(improver *, insertion *);
/* Offers a list as the incumbent. */
void improver_offer(improver *, const draft *);
/* One xorshift number below n. */
int32_t improver_draw(improver *, int32_t n);

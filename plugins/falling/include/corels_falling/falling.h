/* Falling and softly falling rule lists: exact branch and bound.
 *
 * A search is built from a problem, driven by corels_falling_step() a slice at a time, and read
 * between slices. Nothing here prints, aborts or keeps global state. Every cost is an integer of
 * one scale, chosen by the caller, in which `unit` is the cost of one negative predicted 1; only
 * the soft penalties are fractions of it, and those are kept between two integers (see cost.h).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
typedef struct corels_falling corels_falling;

enum {
    CORELS_FALLING_RUNNING = 0,
    CORELS_FALLING_DONE = 1,        /* proved */
    CORELS_FALLING_EVENTS_FULL = 2, /* drain the events, then step on */
    CORELS_FALLING_NO_MEMORY = -1,
    CORELS_FALLING_OUT_OF_RANGE = -2, /* no rows, or too many to be counted */
    CORELS_FALLING_NO_KERNEL = -3     /* CORELS_KERNEL names none that runs here */
};

/* Bounds, each one a bit of corels_falling_options.bounds. */
enum {
    CORELS_FALLING_PREFIX = 1,     /* (1/alpha - 1) P: Theorem 4.6, soft: Theorem 5.2 */
    CORELS_FALLING_CLASSES = 2,    /* rows alike cost at least the cheaper side */
    CORELS_FALLING_LAGRANGIAN = 4, /* both of them, mixed class by class */
    CORELS_FALLING_SWAP = 8,       /* the last two rules in the other order are no worse */
    CORELS_FALLING_DOMINANCE = 16  /* another prefix captures the same and is no worse */
};

/* Rows with equal antecedents are one class; bit c of an antecedent's words = class c. */
typedef struct {
    uint32_t classes, antecedents;
    const uint32_t *positives, *negatives; /* per class */
    const uint64_t *captures;              /* antecedents x ceil(classes / 64) words */
    int64_t positive_cost;                 /* one positive predicted 0 */
    int64_t unit;                          /* one negative predicted 1 */
    int64_t rule_cost;                     /* one rule */
    int64_t violation_cost;                /* soft: a rise of 1 in proportion; hard: -1 */
} corels_falling_problem;

typedef struct {
    uint32_t bounds;       /* bits above */
    uint32_t max_rules;    /* most rules in a list */
    uint64_t memory_limit; /* bytes for the dominance table */
} corels_falling_options;

/* What happened, in the order in which it happened: a record of `corels.search.EVENT`, of the kinds
 * incumbent (objective: its cost, high end) and, for proofs, 4: a prefix that was expanded
 * (antecedent: of its last rule). */
typedef struct {
    int32_t kind, part, antecedent;
    int32_t length; /* rules of the list, or of the prefix that is extended */
    int64_t node;   /* prefixes expanded before */
    int64_t count, lower_bound, objective;
} corels_falling_event;

typedef struct {
    uint64_t visited;    /* prefixes expanded */
    uint64_t children;   /* prefixes evaluated */
    uint64_t infeasible; /* children that break the order or cannot be completed */
    uint64_t pruned[5];  /* by bound, in the order of the bits above */
    uint64_t memo_entries, memo_bytes;
    uint64_t open;     /* children waiting */
    int64_t best_cost; /* of the incumbent, rounded up; 2^63 - 1 if there is none */
    int64_t bound;     /* no list within the length cap costs less */
    double settled;    /* the share of the first rules that is settled */
} corels_falling_statistics;

/* Requires: costs that `Scale.fits` (setting.py) has seen: every cost, and every product that the
 * bounds form, stays below 2^61. The arrays need to live only during the call. Ensures: *status
 * says why NULL came back. */
corels_falling *corels_falling_new(const corels_falling_problem *problem,
                                   const corels_falling_options *options, int32_t *status);
void corels_falling_free(corels_falling *search);

/* Go on for about `budget` prefixes; returns one of the codes above. */
int32_t corels_falling_step(corels_falling *search, uint64_t budget);

/* Before the first step: emit an event for every prefix that the search expands. */
void corels_falling_prove(corels_falling *search);

/* Offer a list as incumbent (for a warm start); returns 1 taken, 0 not better or not feasible. */
int32_t corels_falling_offer(corels_falling *search, const uint32_t *rules, uint32_t length);

/* The incumbent: its length; `rules` takes at most `room` of its antecedents. */
uint32_t corels_falling_best(const corels_falling *search, uint32_t *rules, uint32_t room);
corels_falling_statistics corels_falling_read(const corels_falling *search);
/* Take up to `room` events off the ring; returns how many. */
size_t corels_falling_drain(corels_falling *search, corels_falling_event *out, size_t room);
/* cffi: end */

/* Pricing for Boolean rule sets: the clause of least reduced cost, among all conjunctions.
 *
 * Column generation keeps a linear program over the clauses made so far. Given its dual values, a
 * clause S (a set of features, all of which must hold) has the reduced cost
 *
 *     rc(S) = (scale + scale_by_size * |S|) * negatives(S) - duals(S)
 *             + clause_cost + condition_cost * |S|
 *
 * negatives(S) = weight of the negative points that satisfy S; duals(S) = sum of the duals of the
 * positive points that do. Everything is an integer: the caller rounds the duals to multiples of
 * 1/scale and passes the numerators, so what is proved here is exact.
 *
 * A search is driven from outside: start, then step(budget) until it says that it is done. At any
 * moment lower_bound is a proven lower bound of rc over all clauses of 1..max_conditions features
 * (at most `cutoff`). Nothing here prints, aborts, or keeps global state.
 */
#pragma once

#include <stdint.h>

/* cffi: begin */
enum corels_pricing_status {
    CORELS_PRICING_DONE = 0, /* every clause below the cutoff is accounted for */
    CORELS_PRICING_MORE = 1, /* the budget of this step is used up; step again */
    CORELS_PRICING_FULL = 2, /* keep_all: more than `capacity` clauses lie below the cutoff */
    CORELS_PRICING_NO_MEMORY = -1,
    CORELS_PRICING_RANGE = -2 /* a value is negative or so large that a sum could overflow */
};

typedef struct corels_pricing corels_pricing;

typedef struct corels_pricing_query {
    const int64_t *duals;    /* one per positive point, >= 0, in units of 1/scale */
    int64_t clause_cost;     /* >= 0, in units of 1/scale */
    int64_t condition_cost;  /* >= 0, in units of 1/scale */
    int64_t scale;           /* > 0 */
    int64_t scale_by_size;   /* >= 0; mostly 0 */
    int64_t cutoff;          /* only clauses with rc < cutoff are wanted */
    int64_t redundant;       /* a condition whose private negatives weigh no more is redundant */
    uint32_t max_conditions; /* >= 1 */
    uint32_t capacity;       /* clauses kept, >= 1 */
    uint32_t keep_all;       /* 0: the best `capacity`; 1: all of them, or FULL */
    const uint64_t *touched; /* of keep_all: the positive points that matter one by one, a set; or
                                NULL. Then a condition that keeps out one of them by itself is not
                                redundant, whatever it weighs */
} corels_pricing_query;

typedef struct corels_pricing_stats {
    uint64_t nodes;      /* expanded clauses, of all searches */
    uint64_t children;   /* extensions looked at, of all searches */
    uint64_t found;      /* clauses kept now */
    int64_t best;        /* least rc found, or cutoff */
    int64_t lower_bound; /* proven for every clause, never above cutoff */
} corels_pricing_stats;

/* A matrix of points: column j is `words` little-endian 64-bit words, bit i = point i, words =
 * ceil(points / 64); weights are >= 1. NULL if memory is short. The arrays are copied. */
corels_pricing *corels_pricing_new(uint32_t features, uint32_t positives, uint32_t negatives,
                                   const uint64_t *positive_columns,
                                   const uint64_t *negative_columns,
                                   const int64_t *negative_weights);
void corels_pricing_free(corels_pricing *p);

/* Begin a search; forgets the one before. DONE means ready (not finished). */
int corels_pricing_start(corels_pricing *p, const corels_pricing_query *query);
/* Expand up to `nodes` clauses: DONE, MORE, FULL or an error. */
int corels_pricing_step(corels_pricing *p, uint64_t nodes);
corels_pricing_stats corels_pricing_read(const corels_pricing *p);

/* Begin the paper's heuristic in place of the search: clauses of 1..max_conditions features,
 * `width` best of each size extended, by `step`. Takes the query of the last start; keeps what it
 * finds if the search would. Proves nothing. */
int corels_pricing_beam(corels_pricing *p, uint32_t width);

/* Copy out the clauses kept, in no order: features in rows of `stride` (see below), lengths and
 * reduced costs. Arrays hold stats.found entries. */
uint32_t corels_pricing_stride(const corels_pricing *p);
void corels_pricing_clauses(const corels_pricing *p, uint32_t *features, uint32_t *lengths,
                            int64_t *reduced_costs);
/* cffi: end */

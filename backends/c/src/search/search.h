/* The state of one search, and the functions of its loop in the order in which the loop uses them.
 * The same names stand in the teaching backend (backends/python/corels_python/search.py). */
#ifndef CORELS_SEARCH_H
#define CORELS_SEARCH_H

#include "../bounds/bounds.h"
#include "cache.h"
#include "corels/counter.h"
#include "corels/engine.h"
#include "events.h"
#include "policies.h"
#include "queue.h"
#include "symmetry.h"
#include "table.h"

typedef struct search_bound {
    bound_call call; /* NULL: ask the caller's `keep` */
    int closes;      /* the bound one_rule: the loop closes what it removes */
    int before, monotone;
    int64_t pruned;
} search_bound;

struct corels_search {
    /* The instance. */
    int32_t antecedents, points, classes, point_words, antecedent_words;
    uint64_t *masks;
    int64_t unit, rule_cost, base, total;
    int counts_captured;

    /* The parts. */
    corels_counter *counter;
    policy_call policy; /* NULL: ask the caller's `priority` */
    search_bound *bounds;
    int32_t bound_count;
    symmetry_map map;
    corels_options options;

    /* The frontier. */
    queue queue;
    cache cache;
    event_buffer events;

    /* The incumbent. */
    int32_t *best;
    int32_t best_length;
    int64_t best_objective;

    /* The expansion under way; `open_bound` keeps its prefix in the proven bound if it fails. */
    int open;
    int64_t open_bound;
    table table;
    int32_t *counts, *totals; /* [measures][stride], [measures] */
    int32_t *closing_counts, *closing_totals;
    int32_t *worst, *regrets; /* [points], [classes][points] */
    corels_expansion expansion;
    void *scratch;
    uint64_t *rejected; /* antecedents that no descendant needs to try */
    uint64_t *key;
    uint8_t *keep;
    double *priorities;

    int status; /* CORELS_OK, or why the search has ended */
    corels_progress progress;
};

/* Measures of the counter: the regret of each class, then these. */
enum { MEASURE_CAPTURED = 0, MEASURE_MINORITY = 1, MEASURE_WORST = 2 };

int32_t search_measures(const corels_search *);
int32_t search_measure(const corels_search *, int which);

/* expand.c */
void search_improved(corels_search *, int32_t slot, int64_t objective);
int search_expand(corels_search *, int32_t slot);
/* children.c */
void search_count(corels_search *, int32_t slot);
void search_children(corels_search *, int32_t slot);
/* prune.c */
int search_prune(corels_search *, int32_t slot, int before);
int search_hopeless(const corels_search *, int64_t lower_bound);
/* close.c */
void search_close(corels_search *, int32_t slot);
/* admit.c */
int search_admit(corels_search *, int32_t slot);
int32_t search_key(corels_search *, int32_t slot, int32_t appended);
int search_stale(corels_search *, int32_t slot);

void search_emit_row(corels_search *, int32_t kind, int32_t part, int32_t slot, int32_t row);
int64_t search_memory(const corels_search *);

#endif

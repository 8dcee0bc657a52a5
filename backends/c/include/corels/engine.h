/* The engine: branch and bound over prefixes of rule lists, driven from outside one step at a time.
 *
 *     corels_search *search;
 *     if (corels_search_new(&search, &instance, &options)) ...
 *     while (corels_search_step(search, 1000) == CORELS_OK) ... look, drain events ...
 *     corels_search_free(search);
 *
 * The engine never prints, never aborts and keeps no global state but the chosen kernel table.
 * Costs are scaled integers: an error costs `unit`, a rule `rule_cost`, every list pays `base`.
 */
#ifndef CORELS_ENGINE_H
#define CORELS_ENGINE_H

#include <stdint.h>

#include "corels/status.h"

/* cffi: begin */
/* What is searched (see corels/instance.py). The engine copies what it keeps. */
typedef struct corels_instance {
    int32_t antecedents, points, classes;
    const uint64_t *masks;   /* [antecedents][(points + 63) / 64], bit i = point i */
    const int32_t *regrets;  /* [classes][points] */
    const int32_t *captured; /* [points] weight, or NULL where no part reads it */
    const int32_t *minority; /* [points] unavoidable errors, NULL exactly where captured is */
    int64_t unit, rule_cost, base, total;
} corels_instance;

/* The set of points that an expansion splits, and what every antecedent captures of it. */
typedef struct corels_expansion {
    const uint64_t *masks;     /* [antecedents][words] */
    const uint64_t *remaining; /* [words] what the prefix leaves */
    const int32_t *counts;     /* [classes][stride] regret of predicting a class there */
    const int32_t *totals;     /* [classes] */
    const int32_t *worst;      /* [points] worst regret of a point */
    const int32_t *regrets;    /* [classes][points] */
    int32_t classes, points, words, stride;
    int64_t cost; /* of the prefix and of all unavoidable errors */
    uint64_t seed;
    void *scratch; /* of the native bounds */
} corels_expansion;

/* The children of one expansion: a row per child, the columns of corels/children.py in their
 * order. Parts may read them until they return. */
typedef struct corels_children {
    int32_t *antecedent;
    int32_t *prediction;
    int32_t *length;
    int64_t *serial;
    int64_t *support;
    int64_t *correct;
    int64_t *captured;
    int64_t *errors;
    int64_t *worst;
    int64_t *default_errors;
    int64_t *lower_bound;
    int64_t *objective;
    int32_t count; /* rows */
    int32_t antecedents;
    int64_t unit, rule_cost, total;
    const corels_expansion *expansion; /* NULL where no chosen bound reads sets */
} corels_children;

/* Parts written in another language: answer 0, or anything else to stop the search. */
typedef int (*corels_priority_call)(void *handle, const corels_children *, double *priorities);
typedef int (*corels_keep_call)(void *handle, int32_t bound, const corels_children *,
                                int64_t incumbent, uint8_t *keep);

typedef struct corels_bound_choice {
    const char *native; /* name of a native bound, or NULL: ask `keep` */
    uint8_t before;     /* stage: 1 before the incumbent is improved ("support"), 0 after */
    uint8_t monotone;   /* what it rejects for a prefix it rejects for every extension */
} corels_bound_choice;

typedef struct corels_options {
    const char *policy; /* name of a native policy, or NULL: ask `priority` */
    const char *map;    /* "none", "permutation" or "captured" */
    const corels_bound_choice *bounds;
    int32_t bound_count;
    uint8_t equivalent_points; /* Theorem 20: every list pays `base` from the start */
    uint8_t rejection;         /* Theorem 12: monotone rejections hold for descendants */
    uint8_t hierarchical;      /* which bounds garbage collection may use (Theorem 1, Lemma 2) */
    uint8_t lookahead;
    uint8_t fine_events;
    uint8_t reads_sets; /* some bound reads corels_children.expansion */
    uint64_t seed;
    void *handle; /* handed to the calls */
    corels_priority_call priority;
    corels_keep_call keep;
} corels_options;

/* One record of the event stream (see corels/events.py). */
typedef struct corels_event {
    int32_t kind, part, antecedent, length;
    int64_t node, count, lower_bound, objective;
} corels_event;

typedef struct corels_progress {
    int64_t expanded, children, queued, cached, merged;
    int64_t objective, lower_bound; /* scaled; the bound is proven */
    int64_t memory, peak_memory;    /* bytes */
} corels_progress;

typedef struct corels_search corels_search;

/* CORELS_OK, CORELS_NO_MEMORY, or CORELS_BAD_ARGUMENT for a name that does not exist. */
int corels_search_new(corels_search **out, const corels_instance *, const corels_options *);
void corels_search_free(corels_search *);

/* A list of this cost is known: look only for better ones. To be called before the first step.
 * Returns whether it is below the incumbent's cost. `corels_search_best` then holds no rules until
 * a better list is found. */
int corels_search_offer(corels_search *, int64_t objective);
/* Expand at most `budget` prefixes. CORELS_OK: go on; CORELS_DONE: the incumbent is optimal;
 * CORELS_NO_MEMORY, CORELS_PART_FAILED: stopped, incumbent and lower bound remain valid. A step
 * also returns early when the event buffer is nearly full: drain it and go on. */
int corels_search_step(corels_search *, int64_t budget);

/* The events since the last call; valid until the next step. */
int64_t corels_search_events(corels_search *, const corels_event **events);
void corels_search_progress(const corels_search *, corels_progress *);
/* Children that each bound removed, in the order of the options. */
void corels_search_pruned(const corels_search *, int64_t *pruned);
/* The incumbent's antecedents; returns its length. `antecedents` holds at least that of the
 * instance. */
int32_t corels_search_best(const corels_search *, int32_t *antecedents);
/* Length and lower bound of every queued prefix; returns their number (at most `capacity`). */
int64_t corels_search_frontier(const corels_search *, int32_t *lengths, int64_t *bounds,
                               int64_t capacity);
/* The way of counting in use, such as "table/avx2". */
const char *corels_search_kernel(const corels_search *);

/* Whether a native part of this name exists. */
int corels_policy_known(const char *name);
int corels_bound_known(const char *name);
/* Run one native bound or policy on a table, for tests of equality with the Python twins. */
int corels_bound_apply(const char *name, const corels_children *, int64_t incumbent, uint8_t *keep);
int corels_policy_apply(const char *name, const corels_children *, uint64_t seed,
                        double *priorities);
/* cffi: end */

#endif

/* The search: the least cost of a rule list, and the proof that no list costs less.
 *
 *     corels_search *search;
 *     if (corels_search_new(&search, &instance, &options)) ...
 *     while (corels_search_step(search, 1000, 0.1) == CORELS_OK) ... look, drain events ...
 *     corels_search_free(search);
 *
 * One search walks in one of two ways. Best-first takes prefixes from a queue, the one of the
 * lowest priority first. Depth-first walks the sets of points that prefixes leave, on a stack, with
 * a memo of what was proved of each set. Instance, incumbent, bounds, policies, events and start
 * are the same.
 *
 * Costs are scaled integers: an error costs `unit`, a rule `rule_cost`, every list pays `base`. The
 * same arguments give the same run on every machine and for every step size, with one thread; with
 * more, the same cost and proof. The engine never prints, never aborts and has no global state.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/instance.h"
#include "corels/part.h"
#include "corels/status.h"
#include "corels/tables.h"

/* cffi: begin */
enum corels_frontier { CORELS_BEST_FIRST = 0, CORELS_DEPTH_FIRST = 1 };

/* One bound, native by its name in the engine's table, or a plugin's by its address: a function, or
 * tables. */
typedef struct corels_bound_choice {
    const char *native;               /* or NULL: */
    const corels_table_bound *tables; /* or NULL: */
    corels_keep_call keep;            /* called with `user` */
    void *user;
    uint8_t monotone; /* what it rejects for a prefix it rejects for every extension */
    /* Of a bound with tables: counts after which each stage is built, -2: as the bound says,
     * less than 0 otherwise: never, as all stages from `stage_count` on. NULL: as the bound says.
     */
    const int64_t *stages;
    int32_t stage_count;
} corels_bound_choice;

typedef struct corels_search_options {
    int32_t frontier;              /* enum corels_frontier */
    const char *policy;            /* name of a native policy, or NULL: */
    corels_priority_call priority; /* called with `priority_user` */
    void *priority_user;
    const char *map; /* best-first: none, permutation, captured; depth-first: none, memo */
    const corels_bound_choice *bounds; /* in the order in which they are asked */
    int32_t bound_count;
    uint8_t start; /* look for a good list first: a beam */
    uint8_t fine_events;
    uint8_t reads_sets; /* some part by address reads corels_children.expansion */
    int32_t threads;    /* depth-first; best-first has one */
    int32_t max_rules;  /* longer lists are not looked for; < 0: lists of any length are */
    uint64_t seed;
    size_t memory;      /* bytes that the search may hold; 0: no limit */
    const double *tune; /* [corels_tuning_count()] (tuning.h); NULL: the defaults */
} corels_search_options;

/* One record of the event stream (see corels/search/events.py). */
typedef struct corels_event {
    int32_t kind, part, antecedent, length;
    int64_t node, count, lower_bound, objective;
} corels_event;

/* Why a step has come back. */
enum corels_pause {
    CORELS_PAUSE_BUDGET = 0,
    CORELS_PAUSE_TIME = 1,
    CORELS_PAUSE_EVENTS = 2, /* the event buffer is full: drain it */
    CORELS_PAUSE_IMPROVED = 3,
    CORELS_PAUSE_INTERRUPTED = 4,
};

/* What the search is at. */
enum corels_phase {
    CORELS_PHASE_LOAD = 0,  /* laying the data out for counting */
    CORELS_PHASE_START = 1, /* looking for a good list */
    CORELS_PHASE_WALK = 2,
    CORELS_PHASE_TABLES = 3, /* building tables, between two walks */
};

typedef struct corels_report {
    int64_t objective, lower_bound; /* of the incumbent; of every list */
    int64_t expanded;               /* prefixes or sets whose children were listed */
    int64_t counts;                 /* sets counted, the start's among them */
    int64_t children;               /* antecedents considered as children */
    int64_t open;                   /* children that are still to be searched */
    int64_t cached;                 /* prefixes in the tree, or sets in the memo */
    int64_t merged;                 /* children that map or memo ruled out */
    int64_t forgotten;              /* sets that the memo had no room for any more */
    int64_t inserted;               /* children ever listed or queued */
    int64_t memory, peak_memory;    /* bytes */
    int32_t length;                 /* rules of the incumbent */
    int32_t longest;                /* rules of the longest prefix expanded */
    int32_t pause, phase;
    int32_t passes;    /* depth-first: thresholds that were tried, the present one included */
    int64_t threshold; /* of the present pass: no more than the objective */
    double settled;    /* depth-first: of the root's children, in the last pass; else < 0 */
    double building;   /* the share of the tables under way that is done; < 0: none are */
} corels_report;

typedef struct corels_search corels_search;

/* CORELS_OK; CORELS_NO_MEMORY; or CORELS_BAD_ARGUMENT for a name that does not exist, a number out
 * of range, or parts that this frontier does not take (see corels_bound_scope). */
int corels_search_new(corels_search **out, const corels_instance *, const corels_search_options *);
void corels_search_free(corels_search *);
/* A list of this cost is known: look only for better ones. To be called before the first step.
 * Returns whether it is below the incumbent's cost; the incumbent then has no rules until a better
 * list is found. */
int corels_search_offer(corels_search *, int64_t objective);
/* Search on, for at most `budget` expansions (times the threads) and, if `seconds` > 0, about so
 * long. CORELS_OK: go on, the report says why it came back; CORELS_DONE: the incumbent is optimal;
 * anything else: the search has ended, incumbent and lower bound remain valid. Where steps end
 * changes nothing of what is searched. */
int corels_search_step(corels_search *, int64_t budget, double seconds);
/* From any thread, or from a signal handler: the running step, or else the next one, returns at
 * once. */
void corels_search_interrupt(corels_search *);

/* The events since the last call; valid until the next step. */
int64_t corels_search_events(corels_search *, const corels_event **events);
/* How far it is; between two steps. */
void corels_search_look(corels_search *, corels_report *);
/* What each bound removed, in the order of the options. */
void corels_search_pruned(const corels_search *, int64_t *pruned);
/* How many stages of the tables of this bound were built; -1: it has none. */
int32_t corels_search_stages(const corels_search *, int32_t bound);
/* The incumbent's antecedents; returns its length. `rules` has room for the report's `length`. */
int32_t corels_search_best(const corels_search *, int32_t *rules);
/* Best-first: length and lower bound of every queued prefix; returns their number (at most
 * `capacity`). */
int64_t corels_search_frontier(const corels_search *, int32_t *lengths, int64_t *bounds,
                               int64_t capacity);
/* Children that are still open, by the length of their prefix: queued prefixes, or children on the
 * stack. Returns how many lengths there are, from 0 on (at most `capacity`). */
int32_t corels_search_levels(const corels_search *, int64_t *counts, int32_t capacity);
/* The kernel that counts, such as "avx2"; "none" if there is nothing to count. */
const char *corels_search_kernel(const corels_search *);

/* Writes a proof from now on; before the first step. What was proved waits as bytes, in the records
 * of docs/reference/proof-format.md; antecedents [antecedents] and points [points] are the numbers
 * by which the proof calls them. */
int corels_search_prove(corels_search *, const int32_t *antecedents, const int32_t *points);
/* If the search stops before it is done: claims what is known of the sets that are open. */
int corels_search_prove_open(corels_search *);
/* Takes at most `room` bytes of the proof; how many. With `out` NULL, how many wait. */
size_t corels_search_proof(corels_search *, uint8_t *out, size_t room);
/* Before the first step: the claim of an earlier proof enters the memo, or the symmetry map of
 * captured sets: no completion of what the rules leave by at most `left` rules (< 0: by any number)
 * costs less than `value`. CORELS_BAD_ARGUMENT if there is neither. A list that is known is
 * offered first: what best-first need not look at follows from what it costs. */
int corels_search_learn(corels_search *, const int32_t *rules, int32_t n, int32_t left,
                        int64_t value);
/* Before the first step: the first `stages` of each bound's tables are due at once, because an
 * earlier search had them: what they ruled out is not a claim. */
void corels_search_build_tables_now(corels_search *, int32_t stages);

/* Depth-first, after a step of budget 0 or more: does completing `set` by at least one rule cost at
 * least `need`? *bound >= need: that is proved, and so is *bound. 0: some completion costs less.
 * -1: so many `counts` were not enough, or it is interrupted. The search then has no incumbent of
 * its own any more, so it is good for further questions alone, and each goes by all that was proved
 * before. If lists may have so many rules at most, `before` of them came before the set; < 0:
 * nobody knows how many, and completions may have any number.
 *
 * CORELS_DONE: this is the answer. CORELS_OK: `seconds` are over (<= 0: no limit); the same
 * question has to be asked again, with its set in the same place, or given up
 * (corels_search_walk_no_further). Answers do not depend on such pieces. CORELS_BAD_ARGUMENT for
 * best-first.
 */
int corels_search_walk_from(corels_search *, const uint64_t *set, int32_t before, int64_t need,
                            int64_t counts, double seconds, int64_t *bound);
void corels_search_walk_no_further(corels_search *);
/* Builds tables that have become due by such questions, for about so many seconds (0: one stage).
 * CORELS_OK: more may be due; CORELS_DONE: none are. `need` is what is asked of all points. */
int corels_search_build_tables(corels_search *, int64_t need, double seconds);

/* For tests and measurements, before the first step: depth-first workers take turns on the caller's
 * thread, `sets` expansions each, so that runs with several threads repeat. 0: they are threads. */
void corels_search_take_turns(corels_search *, int32_t sets);

/* For tests. What the cost and one native bound (NULL: the cost alone) keep of the children of
 * `set`, which `length` rules leave, given what a completion must cost less than; `kept` has room
 * for every antecedent. A bound with tables is one of the options'. To be called before the first
 * step. */
int corels_search_ask_bound(corels_search *, const uint64_t *set, int32_t length, int64_t need,
                            const char *bound, int32_t *kept, int32_t *n);
/* Whether it is known without a count that each list of one rule for what rule r leaves of `set`
 * costs at least `need`; -1 if it cannot be asked, as after the first step. */
int corels_search_last_rule_fails(corels_search *, const uint64_t *set, int32_t r, int64_t need);
/* What the memo claims every completion of `set` by at most `left` rules (< 0: by any number) to
 * cost at least; -1: nothing. */
int64_t corels_search_claim(corels_search *, const uint64_t *set, int32_t left);

/* Whether a native part of this name exists. */
int corels_policy_known(const char *name);
int corels_bound_known(const char *name);
/* The i-th native bound in the order of the engine's table; NULL past the end. */
const char *corels_bound_name(int32_t i);
/* Whether it reads the columns in original weights (instance.captured, minority). */
int corels_bound_weighs(const char *name);
/* 1: the reason lies in the set and the need alone; 0: in the prefix (best-first only); -1: no such
 * bound. */
int corels_bound_scope(const char *name);
/* Run one native policy on a table, for tests of equality with the Python definitions. */
int corels_policy_apply(const char *name, const corels_children *, uint64_t seed,
                        double *priorities);
/* cffi: end */

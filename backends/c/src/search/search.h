/* Inside the search: what its files and both frontiers share. Read api.c for the steps of a search,
 * expand.c for what happens at a node, and best_first/ or depth_first/ for the way it walks.
 */
#pragma once

#include "bits.h"
#include "bounds.h"
#include "control.h"
#include "corels/counter.h"
#include "corels/memory.h"
#include "corels/part.h"
#include "corels/search.h"
#include "corels/store.h"
#include "effort.h"
#include "events.h"
#include "incumbent.h"
#include "team.h"

enum { MOST_STAGED = 4, ANY_NUMBER = INT32_MAX };
/* Of lists that are looked for before the walk (tune->beam_longest is no more) and beside it. */
enum { MOST_RULES = 48 };

/* policies.c: the native policy of a name; NULL for one that has no native twin. */
typedef void (*policy_call)(const corels_children *, uint64_t seed, double *priorities);
policy_call policy_named(const char *name);
/* The default, which a list can be sorted by without a table: by the cost of the list that ends
 * with the child. */
void policy_objective(const corels_children *, uint64_t seed, double *priorities);

/* What is searched; the arrays are ours, but for masks that are lent. Costs inside the engine leave
 * `base` out. */
typedef struct {
    store arrays;
    int32_t antecedents, points, classes, words;
    int32_t for_rules; /* of the classes, those that a rule may predict: the first ones */
    uint8_t *barred;   /* [antecedents][classes], of these those that it may not; or NULL */
    int32_t measures;  /* of the counter: the regret of each class, then: */
    int32_t support, minority,
        worst;              /* measures in original weights, and the worst regret; or -1 */
    const uint64_t *masks;  /* [antecedents][words] */
    size_t lent;            /* bytes of them that are not ours */
    int32_t *weights;       /* [measures][points] */
    int32_t *regrets;       /* the first rows of `weights`: [classes][points] */
    int32_t *worst_regrets; /* [points] */
    /* The counter's: of all measures, and of the regrets alone. Without a counter there are none.
     */
    digits digits, regret_digits;
    int64_t unit, rule_cost, base, total;
} instance;

/* A chosen bound: a row of the table of bounds, or a plugin's tables or function. */
typedef struct {
    const bound_row *row;
    const char *name; /* of one with tables */
    corels_keep_call keep;
    void *user;
    int monotone;
    int32_t staged; /* which of the search's tables it reads, or -1 */
} chosen_bound;

/* Children of so many sets asked about, and dropped, and what the look-ups have taken, in
 * nanoseconds by their sizes. Of the dropped, those that are searched all the same, those of them
 * whose search is over (or was left after too many counts), and the counts that this took. */
typedef struct {
    atomic_llong sets, asked, dropped, looked, searched, over, counts;
} tally;

/* A bound's tables in the hands of the scheduler: see scheduler.c. */
typedef struct {
    tables *tables;
    int stage, built, version;   /* the next one, how many; the version when the last was built */
    int64_t not_before;          /* counts before which no stage begins, since it waits */
    int64_t wished[MOST_STAGES]; /* counts before a stage as the options have it; or BY_DATA */
    atomic_int idle;             /* tables of no use, which are not asked */
    atomic_int trying;           /* some worker searches a child that they have dropped */
    atomic_int pays;             /* trials have shown that they pay: no more are needed */
    char apart[128];             /* what threads write from what they read */
    tally all;
} staged;

/* What one thread has done. */
typedef struct {
    int64_t counts; /* of them, sets that were closed without their counts: */
    int64_t uncounted;
    int64_t expanded, children, merged, inserted;
    int32_t longest; /* prefix expanded */
} figures;

/* Sets that a worker has met and tables could not close, for tables that are made again. Each
 * worker keeps its own, over the whole search: one that forgot them when tables were made of them
 * would know only those below the last few of the root's children, and tables made for these
 * serve the others badly. */
typedef struct {
    uint64_t *sets; /* [tune->sampled_kept][words]; NULL before the first one */
    int32_t n;      /* kept, */
    int64_t met;    /* of so many */
    uint64_t random;
} sampled_sets;

/* One thread's scratch: everything that one expansion needs and none after it. */
typedef struct worker {
    struct corels_search *search;
    store arrays;
    node_view node;                          /* what does not change from node to node */
    int32_t *totals;                         /* [measures] */
    int32_t *errors, *saved, *closing, *out; /* [stride], see node.h */
    int32_t *charged;                        /* [stride], if that is not `errors` */
    int32_t *list, *old;                     /* [stride] children that are left, and were */
    int32_t *lost;                           /* [stride] children that tables dropped */
    int32_t *tried;                          /* [stride] 1 + the tables that dropped a child which
                                                is tried all the same; else 0 */
    int any_tried;
    int32_t *rules;           /* a prefix on its way to the incumbent */
    uint64_t *order;          /* [stride] */
    uint64_t *left;           /* [words of the digits] */
    void *scratch;            /* of the counter, for so many sets: */
    int32_t together;         /* how many are best counted together */
    corels_children children; /* the table that a part reads */
    corels_expansion sets;    /* what the table's reader may see of sets */
    uint8_t *keep;            /* [stride] */
    double *priorities;       /* [stride] */
    void *places;             /* [stride][16 bytes] for sorting by them */
    int64_t *pruned, *before; /* [bounds]; before the expansion under way */
    event_buffer events;
    figures seen;
    sampled_sets sampled[MOST_STAGED]; /* sets that each bound's tables could not close */
    pace pace;
    int status;
    char apart[128]; /* no cache line holds figures of two threads */
} worker;

struct start;
struct improver;
struct record;
struct frontier_ops;

struct corels_search {
    instance in;
    const corels_kernel_table *kernel;
    corels_counter *counter; /* NULL until it is built, and if there is nothing to count */
    int32_t stride;
    /* The chosen parts. */
    chosen_bound *bounds;
    int32_t bound_count;
    int32_t part_of[ROLES]; /* which of them plays each role, or -1 */
    policy_call policy;     /* NULL: ask `priority` */
    corels_priority_call priority;
    void *priority_user;
    int fine, reads_sets, starts;
    int32_t max_rules; /* of a list; ANY_NUMBER if better lists cannot be longer, either */
    int32_t before;    /* rules before the root: 0, but for questions (depth_first/walk_from.c) */
    int learned;       /* of an earlier proof, claims about lists of so many rules */
    uint64_t seed;
    size_t memory_limit;
    tuning tune;
    /* Tables. */
    staged staged[MOST_STAGED];
    int32_t staged_count, version;
    int32_t building_of; /* which of them is being built, or -1 */
    size_t peak_building;
    /* The state. */
    incumbent incumbent;
    atomic_llong serials;      /* numbers given to nodes so far */
    struct start *start;       /* the search for a good list, while it is under way */
    struct improver *improver; /* of the incumbent, beside the walk; NULL before its first slice */
    worker *workers;
    int32_t worker_count;
    team *team;            /* of as many threads; they end with each step */
    struct record *record; /* of the proof; NULL if none is written */
    const struct frontier_ops *ops;
    void *frontier;
    control control;
    int64_t start_counts; /* before the walk */
    int64_t due;          /* the count at which the next tables or the next slice is due */
    technique improving;
    int64_t improve_due; /* the count at which the next slice of the improver is due */
    int64_t target;      /* lists that cost so much are not looked for */
    int64_t lower_bound; /* the greatest that was proved so far, `base` left out */
    size_t fixed_bytes;
    int phase, pause, status;
    int stocktaking; /* there was a step since `lower_bound` was reported */
};

typedef struct corels_search search;

/* What a frontier is to the search. All functions but `prepare` may be asked from `prepare` on. */
typedef struct frontier_ops {
    int sets_only; /* it takes bounds of scope "set" only, and needs those that are `always` */
    int threads;   /* whether it has more than one */
    /* Before the first step: remembers the options' map, CORELS_BAD_ARGUMENT if it has no such
     * one. Afterwards search->frontier is not NULL. */
    int (*prepare)(search *, const char *map);
    int (*begin)(search *); /* once counts can be taken, and the start is over; may be NULL */
    void (*free)(search *);
    /* Walks on for at most *budget expansions, times the threads, and takes off what it has used.
     * CORELS_DONE: everything is searched. CORELS_OK: it came back, search->pause says why;
     * CORELS_PAUSE_BUDGET also if tables are due or the incumbent has improved. */
    int (*walk)(search *, int64_t *budget);
    /* Whether workers can do a slice of the improver beside the walk; if one is under way, `walk`
     * does. NULL: no. */
    int (*beside)(const search *);
    /* A lower bound of every list that is not yet searched, `base` left out. */
    int64_t (*proven)(search *);
    /* Adds what it holds to a report. */
    void (*look)(const search *, corels_report *);
    size_t (*bytes)(const search *);
    /* After tables were built, or the memory otherwise divided. May be NULL. */
    void (*share_memory)(search *);
    /* How many counts the walk is expected to take until all is searched, by what repeats from run
     * to run; < 0: it is not known. May be NULL. */
    double (*to_come)(const search *);
    /* Claims of what is open, if a proof is written; and a claim of an earlier one, before the
     * first step. May be NULL. */
    int (*prove_open)(search *);
    int (*learn)(search *, const int32_t *rules, int32_t n, int32_t left, int64_t value);
    void (*levels)(const search *, int64_t *counts, int32_t capacity);
    int64_t (*list)(const search *, int32_t *lengths, int64_t *bounds, int64_t capacity);
} frontier_ops;

extern const frontier_ops best_first, depth_first;

/* Whether a bound of this role was chosen. */
static inline int plays(const search *s, bound_role role) {
    return s->part_of[role] >= 0;
}

/* Whether the step has to come back before the next piece of work: no room for its events, or time
 * is up, or the search is interrupted. Why is in *pause. */
static inline int step_over(const search *s, worker *w, int *pause) {
    int full = !events_room(&w->events);
    if (!full && !control_due(&s->control, &w->pace)) return 0;
    *pause = full ? CORELS_PAUSE_EVENTS : CORELS_PAUSE_TIME;
    return 1;
}

/* What a completion of a prefix of this cost must stay below, to be looked for. */
static inline int64_t need_of(const search *s, int64_t cost) {
    int64_t least = incumbent_cost(&s->incumbent);
    return (s->target < least ? s->target : least) - cost;
}

/* How many rules a completion may have, `length` rules below the root; ANY_NUMBER: as many as it
 * likes. */
static inline int32_t rules_left(const search *s, int32_t length) {
    if (s->max_rules == ANY_NUMBER || s->before == ANY_NUMBER) return ANY_NUMBER;
    return s->max_rules - s->before - length;
}

/* The sum of a measure over the words [from, to) of a set, of which `set` is the first one. */
static inline int64_t sum_of(const search *s, int32_t measure, const uint64_t *set, uint32_t from,
                             uint32_t to) {
    const digits *by = &s->in.digits;
    int64_t sum = 0;
    for (const digit *d = by->all; d < by->all + by->n; d++) {
        uint32_t low = d->low > from ? d->low : from, high = d->high < to ? d->high : to;
        if (d->measure != (uint32_t)measure || low >= high) continue;
        const uint64_t *words = by->words + d->start + (low - d->low);
        uint64_t ones = s->kernel->ops.popcount_and(set + (low - from), words, high - low);
        sum += (int64_t)(ones << d->shift);
    }
    return sum;
}

static inline const uint64_t *mask_of(const search *s, int32_t r) {
    return s->in.masks + (size_t)r * (size_t)s->in.words;
}

/* What the rules leave, in `set`. */
static inline void left_by(const search *s, const int32_t *rules, int32_t n, uint64_t *set) {
    corels_fill(set, s->in.points);
    for (int32_t i = 0; i < n; i++) take_bits(set, set, mask_of(s, rules[i]), s->in.words);
}

/* instance.c */
int instance_copy(instance *, const corels_instance *);
int32_t instance_sum(const instance *, int32_t measure); /* over all points */
int64_t instance_default_errors(const instance *);

/* choose.c: the parts that options name. */
int choose_parts(search *, const corels_search_options *);

/* worker.c */
int worker_new(worker *, search *);
/* The counter's scratch, once it is built, for at most so many sets together; 0 without memory. */
int worker_counts(worker *, int32_t most);
void worker_free(worker *);
size_t worker_bytes(const worker *);

/* scheduler.c: everything about when tables are built and whether they are asked. */
int scheduler_take(search *, tables_maker, const corels_bound_choice *);
void scheduler_begin(search *); /* when the walk begins */
/* Whether tables are due, or a slice; and build the first that are, piece by piece: CORELS_DONE
 * when they are there, or cannot be afforded. */
static inline int scheduler_due(const search *s, int64_t counts) {
    return counts >= s->due;
}
void scheduler_plan(search *); /* sets `due` */
int scheduler_build(search *);
/* What tables did at a set: of `asked` children so many dropped; what the look-ups took. */
void scheduler_judge(const search *, staged *, int32_t asked, int32_t dropped, int64_t looked);
/* Whether some of the children that the tables drop are to be searched all the same; and what that
 * took, for one of them, until it ended or was left. */
int scheduler_tries(const search *, const staged *);
void scheduler_tried(staged *, int64_t counts);
int64_t scheduler_deepens(const search *); /* the count from which thresholds rise */
/* Whether sets are to be kept for these tables, which retrain on them. */
int scheduler_collects(const staged *);
/* Of slow tables: counts before the first ones, < 1: there are none. */
int64_t scheduler_first_slow(const search *);
double scheduler_done(const search *); /* the share of what is being built; < 0: nothing is */
size_t scheduler_bytes(const search *);
void scheduler_free(search *);

/* Whether there is something to look up. */
static inline int tables_speak(const staged *of) {
    return of->tables->view_words && !atomic_load_explicit(&of->idle, memory_order_relaxed);
}

/* start.c: a good list before the walk, one count after another. CORELS_DONE at the end.
 */
int start_begin(search *);
int start_more(search *);
void start_free(search *);

/* improve.c: a better list beside the walk. CORELS_DONE: no slice is due any more. */
void improve_plan(search *); /* when the walk begins */
/* A slice if one is due. CORELS_DONE: the walk may go on; CORELS_OK: the step has to come back. */
int improve_more(search *);
/* The same in parts: whether a slice is under way, work on it (beside workers; until improve_stop),
 * and what it leaves to the search, CORELS_DONE if it is over. */
int improve_begin(search *);
int improve_under_way(const search *);
void improve_slice(void *search);
void improve_stop(search *);
int improve_end(search *);
void improve_free(search *);
size_t improve_bytes(const search *);

/* proof.c: keeps what a lower bound rests on that is about to be reported, if a proof is
 * written. When the search stops, less may be claimed of open sets than tables said of them, which
 * others have replaced by then, or which are not asked any more. */
int keep_open_claims(search *);

/* report.c */
/* The counts of all workers. */
int64_t all_counts(const search *);
int64_t spared_counts(const search *); /* how many fewer they would be by what they take */
int64_t walked_counts(const search *); /* of the walk, and none that last_rule.c made needless */
size_t search_bytes(const search *);   /* without the frontier's, and with them: */
size_t held_bytes(const search *);

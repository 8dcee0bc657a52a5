/* Bounds that look up rather than compare: `prices`, `leaves`, and whatever comes.
 *
 * Such a bound keeps *tables*. They cost milliseconds to minutes, which an easy search does not
 * need. So a search begins without any; after so many counts (`due`) it stops walking, builds the
 * next *stage*, in as many steps as that takes, and walks on with it. Stages go by counts, never by
 * time, so that runs repeat. All of this is decided in one place, search/scheduler.c, for all
 * bounds alike: when a stage is due, whether there is memory for it, whether the tables turned out
 * to be worth asking, and whether a stage can be put off. The scheduler knows no bound by name. It
 * goes by the numbers that each bound reports about itself in `struct tables`.
 *
 * The bound has six operations, and everything else is its own business:
 *
 *     build(stage, budget)   work on the stage: CORELS_OK, there is more to do; CORELS_DONE, what
 *                            was built is in use from now on; anything else, the stage is passed
 *                            over and what was there stays
 *     free()                 the tables, and a stage that is being built
 *     bytes()                of what is in use
 *     view(set)              what the tables need to know of a set of points, to be asked about it
 *     least(view, child)     what every completion of the set without a child's points costs
 *     keep(children)         the children of a set that the tables cannot rule out
 *
 * If it depends on the best list when a stage is due, there is `plan`, too: asked once, when the
 * walk begins. Until then such a stage is not due.
 *
 * A *view* is the set in the order of the tables, or any other state that follows from the set:
 * counts, sums. Depth-first keeps a view for each frame and makes it from the view of the frame
 * above; best-first walks down its prefix from the view of all points. A view is as old as the
 * tables that it was made with: after each stage, views are made anew.
 *
 * Why `keep` and `least` both: `keep` is asked once an expansion about all children and has the
 * node's counts; `least` is asked about one set, before anything of it is counted.
 *
 * A plugin's bound has its tables through the public header corels/tables.h (foreign_tables.c).
 */
#pragma once

#include <stddef.h>

#include "control.h"
#include "corels/instance.h"
#include "corels/status.h"
#include "corels/tables.h"
#include "node.h"
#include "record.h"
#include "tuning.h"

enum { MOST_STAGES = 9 };

/* What tables are built from; the arrays live as long as the search. */
typedef struct {
    const corels_kernel_table *kernel;
    const tuning *tune;
    corels_instance in; /* its masks and regrets, sizes and costs; `for_rules` is never 0 */
    const corels_table_bound *foreign; /* the plugin's bound whose tables these are, or NULL */
    uint64_t seed;
    int32_t threads; /* that may build, 1 or more */
} tables_data;

/* What a piece of building may use. */
typedef struct {
    const control *control; /* to come back when this says so, */
    pace *pace;             /* asked in this rhythm */
    size_t room;   /* when a stage begins: bytes that it may take at most, its scratch included; or
                      SIZE_MAX */
    size_t memory; /* bytes that it is asked to get along with; 0: any */
    int64_t incumbent;    /* the cost of the best list known */
    int32_t max_rules;    /* of a list; INT32_MAX: any number */
    corels_sample sample; /* sets that the search has met and tables could not close, when a stage
                             that retrains begins; a copy is to be made */
    record *proof;        /* takes down what finished tables are made from; or NULL */
} build_budget;

typedef struct tables tables;

typedef struct {
    int (*build)(tables *, int stage, const build_budget *);
    void (*free)(tables *);
    size_t (*bytes)(const tables *);
    void (*view)(const tables *, const corels_viewed *, uint64_t *view);
    /* Of the view's set without r; r < 0: of the set itself. At most `most`, if that is less. */
    int64_t (*least)(const tables *, const uint64_t *view, int32_t r, int64_t most);
    /* Keeps in place and in order; returns how many. Lowers node->floor as any bound does. */
    int32_t (*keep)(const tables *, const uint64_t *view, node_view *, int32_t *list, int32_t n);
    /* NULL, or: sets `due` for lists of at most max_rules rules that cost less than the incumbent,
     * `before` of them before the root (INT32_MAX: their number is not known). */
    void (*plan)(tables *, int64_t incumbent, int32_t max_rules, int32_t before);
} tables_ops;

/* The head of every bound's own struct: its operations, and what it reports about itself. */
struct tables {
    const tables_ops *ops;
    /* Always the same. */
    int stages;   /* how many there are: 0 .. stages - 1, at most MOST_STAGES */
    int first;    /* so many are built from the data; the others retrain on a sample of sets */
    int trial;    /* sets after which tables that rule out next to nothing are not asked any more;
                     0: they are asked without a trial */
    int provable; /* the proof can state what they are made from */
    int slow;     /* building takes so long that work on a better list comes first */
    int of_sets;  /* `least` of a set itself may say more than what was known of it as a child */
    /* As it is now. */
    int32_t view_words;       /* of a view; 0: nothing has been built that can be asked */
    int64_t due[MOST_STAGES]; /* counts of the walk after which each stage is due, by the data and
                                 by what is built; < 0: never. Unless the options say else. */
    int settles;     /* thresholds do not rise before so many would be there, idle or not; or 0 */
    size_t reserved; /* bytes that the stage under way takes, or may come to take */
    double done;     /* the share of it that is done, 0 to 1; < 0: not known */
    int unrecorded;  /* there was no memory to tell the proof */
};

/* A bound's tables before anything is built; NULL without memory. */
typedef tables *(*tables_maker)(const tables_data *);
/* Those of a plugin's bound. */
tables *foreign_tables_new(const tables_data *);

/* Microseconds of counting a set, roughly. */
static inline double counting_time(int32_t points, int32_t antecedents) {
    double words = (double)points / 64, m = antecedents;
    return 2 + m * words / 8000 + m / 40;
}

/* The short forms. */
static inline void view_set(const tables *t, const uint64_t *set, int32_t length, uint64_t *view) {
    t->ops->view(t, &(corels_viewed){.set = set, .length = length, .r = -1}, view);
}

static inline void view_child(const tables *t, const uint64_t *above, int32_t r, int lasts,
                              uint64_t *view) {
    t->ops->view(t, &(corels_viewed){.above = above, .r = r, .lasts = lasts}, view);
}

static inline int64_t tables_least(const tables *t, const uint64_t *view, int32_t r, int64_t most) {
    return t->ops->least(t, view, r, most);
}

/* Bounds that build tables while the search runs: `blocks`, and whatever else looks up rather than
 * compares.
 *
 * Tables cost milliseconds to minutes, which an easy search does not need. So the search begins
 * without any; after so many counts (`due`) it stops walking, builds the next stage piece by piece,
 * in as many steps as that takes, and walks on with it (search/stage.c). Stages go by counts, never
 * by time, so runs repeat.
 *
 * Looking a set up needs a *view* of it: the set in the order of the tables, or any other state
 * that follows from the set. Depth-first keeps a view for each frame and makes it from the view
 * above (`child`); best-first walks down its prefix from the view of all points (`root`).
 */
#ifndef BOUNDS_STAGED_H
#define BOUNDS_STAGED_H

#include "control.h"
#include "corels/prices.h"
#include "node.h"
#include "record.h"

/* What tables are built from; the arrays live as long as the search. */
typedef struct {
    const corels_kernel_table *kernel;
    const uint64_t *masks;
    const int32_t *regrets;
    int32_t antecedents, points, classes;
    int64_t rule_cost, unit;
    uint64_t seed;
    int32_t threads; /* that may build; 0 is one */
    size_t memory;   /* bytes that tables and their scratch may take; 0: no limit */
    const corels_prices_sample *visited; /* sets that the search has met; NULL: none */
    int32_t max_rules;                   /* of a list; INT32_MAX: any number */
    int64_t cost;                        /* of the best list known, which others must stay below */
    int64_t lacking; /* the cost of the best list known less what the tables that are there say of
                        all points; 0: there are no tables */
} tables_data;

typedef struct tables_face {
    int stages; /* how many there are: 0 .. stages - 1 */
    int first;  /* of them so many are built from the data; the others make the last one of these
                   again, on sets that the search has met */
    /* Counts after which a stage is due, unless the options say else. */
    int64_t (*due)(const tables_data *, int stage);
    /* The same by what the tables that are there tell beyond the data, with data.lacking; or NULL.
     */
    int64_t (*due_now)(const void *built, const tables_data *, int stage);
    /* Whether this stage can help at all; and the bytes that it takes at most, its scratch
     * included. */
    int (*worthwhile)(const tables_data *, int stage);
    size_t (*needed)(const tables_data *, int stage);
    /* Begin to build, with what the stage before has built at hand (or NULL), unless this stage is
     * better passed over (CORELS_BAD_ARGUMENT); build on until done
     * (CORELS_DONE), or due to come back (CORELS_OK), or without memory. `cancel` ends a building
     * at any time; `finish` takes what was built out of it, and of what there was before (or NULL)
     * what stays: the rest is then to be freed. */
    int (*begin)(void **building, const tables_data *, int stage, const void *built);
    int (*build)(void *building, const control *, pace *);
    double (*share)(const void *building); /* of it that is done, 0 to 1; or NULL: not known */
    void *(*finish)(void *building, void *before);
    void (*cancel)(void *building);
    void (*free)(void *built);
    size_t (*bytes)(const void *built);
    /* Views: words of one, the view of a set, and of a view without what r captures. */
    int32_t (*view_words)(const void *built);
    void (*root)(const void *built, const uint64_t *set, uint64_t *view);
    void (*child)(const void *built, const uint64_t *view, int32_t r, uint64_t *child);
    /* The same, where the view above outlives the child's, which may look into it; or NULL. */
    void (*below)(const void *built, const uint64_t *view, int32_t r, uint64_t *child);
    /* Whether the tables have turned out to be of no use: nobody need ask them. May be NULL. */
    int (*idle)(const void *built);
    /* What that goes by: of `asked` children of a set so many dropped; where `alone` holds, those
     * that all other tables keep. NULL where `idle` is. */
    void (*judge)(void *built, int32_t asked, int32_t dropped, int alone);
    /* Whether larger tables of the others may wait, since these drop much that the others keep. */
    int (*leads)(const void *built);
    /* Prepares to be asked about the children of a list, or NULL; a filter of children, as
     * set_filter; and a lower bound of f of the view without r, at most `most`. */
    void (*ask)(const void *built, const uint64_t *view, const int32_t *list, int32_t n);
    int32_t (*keep)(node_view *, const void *built, const uint64_t *view, int32_t *list, int32_t n);
    int64_t (*least)(const void *built, const uint64_t *view, int32_t r, int64_t rule_cost,
                     int64_t unit, int64_t most);
    /* A lower bound of f of the view's set itself, by all that is there; or NULL. */
    int64_t (*set)(const void *built, const uint64_t *view);
    /* What the tables are made from, as data of a proof; 0: no memory. NULL: no proof with these.
     */
    int (*record)(const void *built, record *);
} tables_face;

/* Whether there is something to look up. */
static inline int tables_speak(const tables_face *face, const void *built) {
    return built && !(face->idle && face->idle(built));
}

#endif

/* Bounds with tables, of plugins: what the engine asks of such a bound, and what it gives it.
 *
 * A plain bound compares (part.h). A bound with tables looks numbers up which take milliseconds to
 * minutes to compute. So a search begins without them. When the walk has counted `due` sets, it
 * stops, builds the tables in pieces, and walks on with them. The engine decides when a piece is
 * worked on, whether there is memory, and whether the tables are worth asking: tables that rule out
 * next to nothing are given up.
 *
 * A *view* is what the tables need to know of a set of points: the set in an order of their own, or
 * sums. The engine keeps one for each set on its path, and asks for that of a set behind one more
 * rule by the view above.
 *
 * Costs are whole numbers: an error costs `unit`, a rule `rule_cost` (instance.h); what no list
 * avoids is left out. All functions must be there. With more than one thread the functions that
 * take constant tables are called by all of them at once; no thread builds meanwhile.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/instance.h"
#include "corels/status.h"

/* cffi: begin */
/* What a piece of building may use. */
typedef struct corels_building {
    int64_t incumbent; /* what the best list known costs: the tables are for cheaper lists */
    int32_t max_rules; /* of a list; INT32_MAX: any number */
    size_t room;       /* bytes that the tables and all scratch may take; or SIZE_MAX */
    /* Called with `engine` after each piece of work, of a millisecond or less. Not 0: come back
     * with CORELS_OK, to go on with the next call. Results must not depend on it. */
    int (*over)(const struct corels_building *);
    double *done; /* the share of the work that is done, 0 to 1, for the display */
    /* NULL if no proof is written. Else, before CORELS_DONE: takes down what the tables are made
     * from, for the checker that the bound's plugin registers. A proof numbers points and
     * antecedents in its own way, as `point` and `antecedent` say. 0: no memory. */
    int (*record)(const struct corels_building *, const uint64_t *numbers, size_t n);
    uint64_t (*point)(const struct corels_building *, int32_t point);
    uint64_t (*antecedent)(const struct corels_building *, int32_t antecedent);
    void *engine;
} corels_building;

/* The set whose view is made: `set`, which `length` rules leave (INT32_MAX: their number is not
 * known); or, if `above` is not NULL, the view above without what antecedent r captures (the set
 * itself is then not given). */
typedef struct corels_viewed {
    const uint64_t *set, *above; /* set: [(points + 63) / 64] */
    int32_t length, r;
    int lasts; /* the view above outlives this one, which may look into it */
} corels_viewed;

typedef struct corels_table_bound {
    const char *name; /* of the bound: a proof tells its records apart by it */
    void *user;       /* is handed to `begin` */
    /* Of a search, before anything is built; NULL: no memory. The arrays of the instance live as
     * long as the tables. `for_rules` is never 0. */
    void *(*begin)(const corels_instance *, void *user);
    void (*end)(void *tables);
    /* Asked once, when the walk begins: how many sets it counts before tables for lists of at most
     * max_rules rules that cost less than `incumbent` pay; < 0: there are none for these. */
    int64_t (*due)(void *tables, int64_t incumbent, int32_t max_rules);
    /* A piece of the work. CORELS_OK: there is more to do; CORELS_DONE: the tables are complete;
     * anything else: there will be none. */
    int (*build)(void *tables, const corels_building *);
    size_t (*bytes)(const void *tables); /* that they hold now, or will need to go on */
    int32_t (*view_words)(const void *tables);
    void (*view)(const void *tables, const corels_viewed *, uint64_t *view);
    /* What every completion costs at least, of the view's set without what antecedent r captures
     * (r < 0: of the set itself), by `least_rules` rules or more: 0 or 1. An answer below `enough`
     * may as well be 0. */
    int64_t (*least)(const void *tables, const uint64_t *view, int32_t r, int32_t least_rules,
                     int64_t enough);
} corels_table_bound;
/* cffi: end */

/* Conjunctions of at most K conditions that gain more than a rule costs.
 *
 * A condition is an antecedent or its negation: number 2 * r or 2 * r + 1. A leaf of a rule list is
 * what its own antecedent captures and those of earlier rules do not; the default leaf is what none
 * captures. So at most one condition is not negated, and none if only the default leaf may have
 * the other class. Each point x gives `gives[x]` if a leaf predicts the other class, and takes
 * `takes[x]`. The gain of a conjunction is what its points give less what they take, and this lists
 * the conjunctions that gain more than `most`: the rows that weights are fitted to, and
 * afterwards their verification, which finds none.
 *
 * Nothing is counted but what antecedents capture together, by inclusion and exclusion: with |q r|
 * for the weight of what q and r capture both,
 *
 *     r and not q          |r| - |q r|
 *     r, not p, not q      |r| - |p r| - |q r| + |p q r|      and so on.
 *
 * So each set of K antecedents is counted once, for all K + 1 conjunctions that it makes, on the
 * points of its smallest ones, which are copied into a table of their own if many counts follow.
 * Pass n goes through the sets of n antecedents, as prefixes t[0] < ... < t[n - 2] and a row of all
 * later ones; rows are kept for the passes that follow. A prefix is left out if none of its
 * conjunctions gives more than `most`: all that follow from it have parts of these sets.
 */
#pragma once

#include <stddef.h>

#include "corels/tables.h"

enum { MOST_CONDITIONS = 6 };

typedef struct {
    int64_t takes, gain;
    int32_t conditions[MOST_CONDITIONS], n; /* rising */
} conjunction;

/* Those that gain most, `most` at least. Empty if it is all zeros, but for `most`. */
typedef struct {
    conjunction *kept;
    int32_t n, room, most;
    int64_t number; /* that were found: if it is more than n, some were not kept */
    double scale;   /* by what all that points give is to be scaled at most, so that none gains too
                       much; unless there is none */
} found;

/* Sorts them, the greatest gain first. */
void found_sort(found *);

typedef struct {
    const corels_instance *in;
    const int32_t *gives; /* [points], in units of 1/scale of an error */
    const int32_t *takes; /* [points], in errors */
    int32_t longest;      /* conditions, at most MOST_CONDITIONS */
    int of_rules;         /* leaves of rules count; if not, the default rule's alone */
    int32_t scale;
    int64_t most; /* in parts of an error */
    found *to;
} conjunction_task;

/* Sets of n of so many antecedents; and bytes that are kept of all sets of fewer than `longest`. */
double choices(int32_t antecedents, int64_t n);
double rows_bytes(int32_t antecedents, int64_t longest);

typedef struct conjunctions conjunctions;

/* NULL: no memory. The arrays of the task must live as long. */
conjunctions *conjunctions_new(const conjunction_task *);
void conjunctions_free(conjunctions *);
/* Goes on. CORELS_DONE: all are enumerated; CORELS_OK: it came back; or without memory. */
int conjunctions_work(conjunctions *, const corels_building *);
/* The share of the sets of antecedents that is done. */
double conjunctions_share(const conjunctions *);

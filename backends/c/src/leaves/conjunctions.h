/* Conjunctions of at most K conditions that gain more than a rule costs.
 *
 * A condition is an antecedent or its negation: number 2 * r or 2 * r + 1. A leaf of a rule list is
 * what its own antecedent captures and those of earlier rules do not; the default leaf is what none
 * captures. So at most one condition is not negated, and none where only the default leaf may have
 * the other class. Each point x gives `gives[x]` where a leaf predicts the other class, and takes
 * `takes[x]`. The gain of a conjunction is what its points give less what they take, and this lists
 * the conjunctions that gain more than `most`: the rows of the linear program, and afterwards its
 * verification, which finds none.
 *
 * Nothing is counted but what antecedents capture together, by inclusion and exclusion: with |q r|
 * for the weight of what q and r capture both,
 *
 *     r and not q          |r| - |q r|
 *     r, not p, not q      |r| - |p r| - |q r| + |p q r|      and so on.
 *
 * So each set of K antecedents is counted once, for all K + 1 conjunctions that it makes, on the
 * points of its smallest ones, which are copied into a table of their own where many counts follow.
 * Pass n goes through the sets of n antecedents, as prefixes t[0] < ... < t[n - 2] and a row of all
 * later ones; rows are kept for the passes that follow. A prefix is left out where none of its
 * conjunctions gives more than `most`: all that follow from it have parts of these sets. A
 * conjunction is passed over where one condition less makes the same set.
 *
 * Branches of a pass, one for each first antecedent, are independent of each other; threads take
 * one after another. What is found, and the work that it took, do not depend on the threads.
 */
#pragma once

#include <stddef.h>

#include "control.h"
#include "corels/status.h"
#include "found.h"
#include "team.h"
#include "tuning.h"

typedef struct {
    const tuning *tune;
    const uint64_t *masks; /* [antecedents][words] */
    const int32_t *gives;  /* [points], in parts of which `scale` make an error */
    const int32_t *takes;  /* [points], in errors */
    int32_t antecedents, points;
    int32_t longest; /* conditions, at most MOST_CONDITIONS */
    int of_rules;    /* leaves of rules count; if not, the default rule's alone */
    int32_t scale;
    int64_t most;   /* in parts of an error */
    int32_t room;   /* conjunctions that are kept, the ones that gain most */
    int64_t budget; /* of work; where it takes more, the enumeration is given up */
} conjunction_task;

/* So many times what is kept are there at most before they are brought together. */
enum { FOUND_TIMES = 16 };

typedef struct conjunctions conjunctions;

/* NULL: no memory. The arrays of the task must live as long; `threads` is at least 1. */
conjunctions *conjunctions_new(const conjunction_task *, int32_t threads);
void conjunctions_free(conjunctions *);
/* Goes on. CORELS_DONE: all are enumerated, or it was given up; CORELS_OK: it came back; or without
 * memory. */
int conjunctions_work(conjunctions *, team *, const control *);
/* Afterwards: whether the budget did not suffice, which does not depend on the threads either. */
int conjunctions_given_up(const conjunctions *);
/* Puts those that gained too much behind what is there. 0: no memory. */
int conjunctions_gather(const conjunctions *, found *to);
/* The work, in words that were counted for one antecedent. */
int64_t conjunctions_work_done(const conjunctions *);
/* Bytes of those that were found, also while they are brought together. */
size_t conjunctions_found_bytes(const conjunctions *);
/* The share of the sets of antecedents that is done. */
double conjunctions_share(const conjunctions *);

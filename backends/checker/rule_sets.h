/* The compiled checker of rule sets: the same searches as corels/proofcheck/rule_sets/clauses.py
 * and closing.py, in the same order and with the same counts of work, nothing shared with the
 * search. Why they show something: docs/internals/proof-families.md. */
#ifndef CORELS_CHECKER_RULE_SETS_H
#define CORELS_CHECKER_RULE_SETS_H

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
enum corels_sets_result {
    CORELS_SETS_DONE = 0,
    CORELS_SETS_RUNNING = 1,
    CORELS_SETS_TOO_LARGE = 2, /* more clauses, work or nodes than was allowed */
    CORELS_SETS_MEMORY = 3,
    CORELS_SETS_REFUTED = 4 /* some rule set costs less */
};

/* Which conjunctions of features cost less than `limit`:
 *     first + each * conditions - (duals of the positives that satisfy it)
 *         + scale * (weight of the negatives that satisfy it)
 * The caller makes sure that no sum reaches 2^62, and leaves out positives without duals. */
typedef struct {
    int32_t features, longest; /* longest: the most conditions */
    int32_t positives, negatives;
    const uint64_t *held_positives, *held_negatives; /* [features][(points + 63) / 64] */
    const int64_t *duals, *caught;                   /* [positives], [negatives]: weights, > 0 */
    int64_t scale, first, each, limit;
    int64_t spare;       /* a condition that keeps out no more is needless */
    int64_t most, cells; /* so many conjunctions, and so much work; -1: no limit */
} corels_clauses_problem;

typedef struct corels_clauses corels_clauses;

/* The arrays are not copied. NULL: no memory. */
corels_clauses *corels_clauses_open(const corels_clauses_problem *problem);
int corels_clauses_step(corels_clauses *search, size_t nodes);
/* Those that were found, one behind the other: their number, and the length of `features`. */
size_t corels_clauses_count(const corels_clauses *search, size_t *conditions);
void corels_clauses_read(const corels_clauses *search, int32_t *sizes, int32_t *features,
                         int64_t *costs);
void corels_clauses_close(corels_clauses *search);

/* Whether some set of these clauses costs no more than the slack allows. */
typedef struct {
    int32_t clauses, points;
    const uint64_t *cover;        /* [clauses][(points + 63) / 64] */
    const int64_t *reduced;       /* [clauses]: reduced costs, >= 0 */
    const int64_t *sizes;         /* [clauses]: complexity */
    const int64_t *duals, *leave; /* [points]; leave: what a point adds that is left */
    int64_t price, slack, room;   /* of complexity; of the sum; of complexity */
    int64_t nodes;                /* so many, or it is too large */
} corels_closing_problem;

typedef struct corels_closing corels_closing;

corels_closing *corels_closing_open(const corels_closing_problem *problem);
int corels_closing_step(corels_closing *search, size_t nodes);
void corels_closing_close(corels_closing *search);
/* cffi: end */

#endif

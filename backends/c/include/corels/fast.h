/* The fast search: depth first over sets of points, with a memo and the bounds of docs/internals.
 *
 * It finds the least cost of a rule list, rule_cost * rules + unit * errors, over an instance in
 * regret form (see counter.h: one measure a class, the regret of predicting that class), and proves
 * that no list costs less. All comparisons are of integers; the same arguments give the same run
 * on every machine, with one thread. With more, the cost and the proof are the same.
 */
#ifndef CORELS_FAST_H
#define CORELS_FAST_H

#include <stddef.h>
#include <stdint.h>

#include "corels/status.h"

/* cffi: begin */
typedef struct corels_fast corels_fast;

/* The parts that may be switched off, as bits of `parts`. */
enum corels_fast_part {
    CORELS_FAST_LOOKAHEAD = 1,
    CORELS_FAST_REDUCED_SUPPORT = 2,
    CORELS_FAST_ONE_RULE = 4,
    CORELS_FAST_SECOND_RULE = 8,
    CORELS_FAST_DOMINANCE = 16,
    CORELS_FAST_SIMILAR_SUPPORT = 32,
    CORELS_FAST_BLOCKS = 64,
    CORELS_FAST_MEMO = 128,
    CORELS_FAST_START = 256,
    CORELS_FAST_ALL = 511,
    CORELS_FAST_DEFAULT = 511 - 32,
};

typedef struct {
    int64_t rule_cost, unit;
    int32_t antecedents, points, classes;
    const uint64_t *masks;  /* [antecedents][(points + 63) / 64] */
    const int32_t *regrets; /* [classes][points] */
} corels_fast_instance;

typedef struct {
    uint32_t parts;
    int32_t threads;
    uint64_t seed;
    size_t memory;      /* bytes that the search may hold; 0: no limit */
    int64_t stages[2];  /* counts of the walk after which the blocks of 12 and of 16 points are
                           built; < 0: never */
    const char *family; /* of the counter; NULL: by shape */
} corels_fast_options;

enum corels_fast_state { CORELS_FAST_RUNNING = 0, CORELS_FAST_DONE = 1 };

typedef struct {
    int64_t cost;        /* of the incumbent */
    int64_t lower_bound; /* of every list; equals cost when done */
    int32_t length;      /* rules of the incumbent */
    int32_t state;
    uint64_t expansions; /* sets whose children were listed */
    uint64_t counts;     /* calls of the counter */
    uint64_t children;   /* antecedents considered as children */
    uint64_t open;       /* children that are still to be searched */
    uint64_t incumbents; /* improvements */
    uint64_t by_cost, by_reduced_support, by_one_rule, by_second_rule, by_dominance;
    uint64_t by_similar_support, by_blocks, by_memo; /* children ruled out */
    uint64_t memo_entries, memo_forgotten;
    size_t bytes, peak_bytes;
    int32_t stage, depth;
} corels_fast_report;

/* Reads the instance once; the arguments are not needed afterwards. */
int corels_fast_new(corels_fast **out, const corels_fast_instance *instance,
                    const corels_fast_options *options);
void corels_fast_free(corels_fast *fast);
/* A list of this cost is known: look only for better ones. To be called before the first step. The
 * incumbent then has no rules until a better list is found. CORELS_OK also if the cost is no news.
 */
int corels_fast_offer(corels_fast *fast, int64_t cost);
/* Searches on, for about `budget` expansions a thread; returns at once after an improvement of the
 * incumbent, so that none is missed, and when the search is done. */
int corels_fast_step(corels_fast *fast, int64_t budget);
void corels_fast_look(const corels_fast *fast, corels_fast_report *report);
/* The incumbent's antecedents; returns its length. `rules` has room for `length` of the report. */
int32_t corels_fast_list(const corels_fast *fast, int32_t *rules);
/* Before the first step: what one part alone keeps of the children of `set`, given what a
 * completion must cost less than. `kept` has room for every antecedent. 0 as part: the cost alone.
 */
int corels_fast_probe(corels_fast *fast, const uint64_t *set, int64_t need, uint32_t part,
                      int32_t *kept, int32_t *n);
/* What the memo claims every completion of `set` to cost at least; -1 where it claims nothing. Not
 * while a step runs. */
int64_t corels_fast_claim(corels_fast *fast, const uint64_t *set);
/* Writes a proof from now on; before the first step. What was proved waits as bytes, in the records
 * of docs/reference/proof-format.md; antecedents [antecedents] and points [points] are the numbers
 * by which the proof calls them. */
int corels_fast_prove(corels_fast *fast, const int32_t *antecedents, const int32_t *points);
/* Where the search stops before it is done: claims what is known of the sets that are open. */
int corels_fast_prove_open(corels_fast *fast);
/* Takes at most `room` bytes of the proof; how many. With `out` NULL, how many wait. */
size_t corels_fast_proof(corels_fast *fast, uint8_t *out, size_t room);
const char *corels_fast_kernel(const corels_fast *fast);
/* cffi: end */

#endif

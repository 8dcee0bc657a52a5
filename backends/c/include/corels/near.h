/* All good lists: every rule list whose cost is within a budget, counted, found and summed up.
 *
 *     corels_near *near;
 *     if (corels_near_new(&near, &instance, &options)) ...
 *     while ((status = corels_near_step(near, 1000)) == CORELS_OK) ... look at the progress ...
 *     if (status == CORELS_DONE) ... every list within the budget is in the tables now ...
 *     corels_near_free(near);
 *
 * A list here is a sequence of distinct antecedents, each of which captures some point that no
 * earlier one does; classes are majority classes (of equal ones the first). What can follow a
 * prefix depends on the set of points that it leaves, so the lists within a budget are the paths of
 * an acyclic graph of sets, and are counted without being listed. docs/internals/near.md.
 *
 * Numbers of lists have 128 bits (64 if the compiler knows no wider integers), handed over as
 * two halves; more is CORELS_NEAR_TOO_MANY.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/search.h"
#include "corels/status.h"

/* cffi: begin */
enum {
    CORELS_NEAR_TOO_MANY = 64, /* a number of lists of more than corels_near_bits() bits */
    CORELS_NEAR_LIMIT = 65,    /* the memory limit: nothing is known of this budget */
};

/* What is searched. Points with regret come first: `front` of them, in words of their own, so that
 * the points without regret begin at bit (front + 63) / 64 * 64. The bits between are 0, and
 * `points` counts them, too. */
typedef struct corels_near_instance {
    int32_t antecedents, points, front, classes;
    const uint64_t *masks;  /* [antecedents][(points + 63) / 64], every point weighs something */
    const int32_t *regrets; /* [classes][front] */
    int64_t unit, rule_cost;
    int32_t for_rules;     /* classes that rules may predict, as in corels_instance */
    const uint8_t *barred; /* as in corels_instance */
} corels_near_instance;

typedef struct corels_near_options {
    const int32_t *prefix; /* lists begin with these antecedents */
    int32_t prefix_length;
    const int32_t *required; /* lists contain these; at most 64 */
    int32_t required_count;
    const uint8_t *avoided; /* [antecedents], or NULL */
    int32_t max_rules;      /* lists have so many rules at most; < 0: any number */
    size_t memory;          /* bytes, 0: no limit */
    /* The depth-first search that is asked about sets: its parts, seed, threads and tuning values,
     * none of which changes a result. Its memory and limit of rules follow from those above. */
    const corels_search_options *asked;
} corels_near_options;

typedef struct corels_near_progress {
    int64_t sets, processed;    /* of the graph */
    int64_t counted;            /* sets with a table */
    int64_t expanded;           /* sets, by the search that is asked about those of the graph */
    double building;            /* of its tables under way, the share that is done; < 0: none are */
    size_t memory, peak_memory; /* bytes */
} corels_near_progress;

/* The lists of one cost and one number of rules. */
typedef struct corels_near_level {
    int64_t cost;
    int64_t rules;
    uint64_t high, low; /* how many lists cost at most that, the levels before included */
} corels_near_level;

typedef struct corels_near corels_near;

/* Of a number of lists: 128 or 64. */
int32_t corels_near_bits(void);
/* CORELS_OK, CORELS_NO_MEMORY or CORELS_BAD_ARGUMENT (a prefix whose rules do not all capture
 * something is one). Copies what it keeps. */
int corels_near_new(corels_near **out, const corels_near_instance *, const corels_near_options *);
void corels_near_free(corels_near *);
/* Begin anew with another budget: lists of cost at most `budget` (without base). */
int corels_near_begin(corels_near *, int64_t budget);
/* Work on `sets` sets at most, or pieces of what takes longer (on many rows, a set may take
 * seconds): CORELS_OK: go on; CORELS_DONE; or why it ended. */
int corels_near_step(corels_near *, int64_t sets);
void corels_near_look(const corels_near *, corels_near_progress *);
/* corels_search_stages of the search that is asked about sets. */
int32_t corels_near_stages(const corels_near *, int32_t bound);

/* What follows wants CORELS_DONE. */

/* The levels by rising cost, then rules; returns their number, writes at most `capacity`. */
int64_t corels_near_levels(const corels_near *, corels_near_level *levels, int64_t capacity);
/* Lists number high:low .. + n - 1 in order of cost, then rules, then antecedents, one behind the
 * other: lengths[n], antecedents[n * longest] where `longest` is the most rules of any level. */
int corels_near_lists(corels_near *, uint64_t high, uint64_t low, int64_t n, int32_t *lengths,
                      int32_t *antecedents);
/* Exact sums over all lists, each two words (high, low).
 * uses[antecedents][classes]: lists with this rule; first[antecedents]: lists that begin with it;
 * predicted[classes][points]: lists that predict this class at this point. */
int corels_near_shares(corels_near *, uint64_t *uses, uint64_t *first, uint64_t *predicted);
/* The least and the greatest score of any list: the sum over points x of scores[class that the
 * list predicts for x][x], scores [classes][points], none negative (CORELS_BAD_ARGUMENT), each
 * class's total within int32. bounds[2]; lists: two lists that attain them, lengths[2],
 * antecedents[2 * longest]. */
int corels_near_range(corels_near *, const int32_t *scores, int64_t *bounds, int32_t *lengths,
                      int32_t *antecedents);

/* The graph: the sets that some list passes, the first one that of the root, and their rules.
 * sizes[2]: how many of both; the rest is written unless `sets` is NULL. sets[sizes[0]][(points +
 * 63) / 64]; the rules of set i are begins[i] .. begins[i + 1] - 1 of antecedents[sizes[1]] and
 * behind[sizes[1]]: the set that a rule leaves, -1: the list ends there, -2: one more rule fits. */
int corels_near_graph(const corels_near *, int64_t *sizes, uint64_t *sets, int64_t *begins,
                      int32_t *antecedents, int32_t *behind);
/* cffi: end */

/* What the files of the checker of falling lists have in common. */
#ifndef CORELS_CHECKER_FALLING_INNER_H
#define CORELS_CHECKER_FALLING_INNER_H

#include "falling.h"

#ifdef __SIZEOF_INT128__

typedef unsigned __int128 wide;

enum { GROUPS = 4, COUNTS = 2 * GROUPS }; /* the points of each edge but the ones before; others */

typedef struct {
    uint32_t part, whole; /* positives, of so many rows */
} share;

static inline int share_less(share a, share b) {
    return (uint64_t)a.part * b.whole < (uint64_t)b.part * a.whole; /* counts are below 2^30 */
}

/* A cost is whole + violation * (the sum of some rises). `rises` is that sum as a double, good to
 * some 2^-44; what decides in the end are the rises themselves, which are fractions
 * (falling_exact.c). */
typedef struct {
    int64_t whole;
    double rises;
} amount;

/* What a prefix leaves. parent: its index, 0 is the empty one. */
typedef struct {
    uint64_t digest;
    amount paid;
    share least; /* the least proportion of its rules */
    share own;   /* that of its last rule */
    uint32_t parent, rule, length;
} state;

/* A prefix of the path with the counts of its children. counts[k][lanes]: of what antecedent a
 * captures; k = 2 g: positives of group g, 2 g + 1: its negatives. p, q: their sums. */
typedef struct {
    uint64_t *left;
    uint32_t *counts, *p, *q;
    uint32_t all[COUNTS], all_p, all_q;
    uint32_t number;
} frame;

/* A child of a frame: what its rule captures, what is left behind it, and the cost of its prefix.
 */
typedef struct {
    uint32_t rule;
    share own, least, rest;
    amount paid;
    uint32_t left[COUNTS];
} child;

/* Fractions with a sign: a cost less another one, in falling_exact.c. */
typedef struct {
    uint32_t part, whole;
    int32_t times;
} term;

struct corels_falling_checker {
    corels_falling_table t;
    corels_falling_prefixes given;
    /* The points in another order: one group behind the other, each from a whole word on. */
    uint32_t words, first_word[GROUPS + 1];
    uint64_t *masks, *everything; /* [antecedents][words], [words] */
    uint64_t *weight;             /* of a point: positives, and negatives from bit 32 on */
    uint32_t lanes;               /* antecedents, rounded up to whole vectors */
    int soft;
    double margin;
    amount total;
    uint32_t list_end; /* the state of the proof's list, behind those of the prefixes */
    share list_rest;   /* what its else gets */
    state *states;
    uint32_t count, built, at, next; /* prefixes; made; looked at; the antecedent to go on with */
    int again;                       /* something was wanted that had been passed */
    uint32_t *slots;                 /* of the table: numbers of states, 0 is empty */
    uint64_t slot_mask;
    uint32_t *path;   /* while the states are made: their numbers, by length */
    uint64_t **lefts; /* and what they leave */
    uint64_t *scratch;
    frame *frames;
    uint32_t frame_count;
    struct counting *counting;
    term *terms;
    size_t term_count, term_room;
};
typedef struct corels_falling_checker checker;

static inline const uint64_t *mask_of(const checker *c, uint32_t antecedent) {
    return c->masks + (size_t)antecedent * c->words;
}

static inline int64_t block(const checker *c, uint64_t p, uint64_t q) {
    int64_t zero = c->t.positive * (int64_t)p, one = c->t.unit * (int64_t)q;
    return zero < one ? zero : one;
}

static inline double ratio_of(share s) {
    return (double)s.part / s.whole;
}

/* What a rise from `least` to `own` adds to a sum of rises. */
static inline double rise(const checker *c, share own, share least) {
    if (!c->soft || !own.whole || !share_less(least, own)) return 0;
    return ratio_of(own) - ratio_of(least);
}

/* falling_states.c */
uint64_t digest_of(const uint64_t *set, uint32_t words);
void leave(const checker *c, uint32_t number, uint64_t *left);
int room_for_left(checker *c, uint32_t length);
int build(checker *c, size_t budget, corels_falling_report *report);
int build_list(checker *c);

/* falling_frames.c: makes frames[length of the prefix] its own, and those below the ones of its
 * path; 0 where memory lacks. */
int fill_frame(checker *c, uint32_t number);

/* falling_children.c: 1, 0, or MEMORY where that lacks. */
enum { MEMORY = -1 };
int closed_reaches(checker *c, const frame *f, const child *x);
int enough(checker *c, const frame *f, uint32_t rule, int32_t *exact);

/* falling_points.c: the points in groups; 0 where memory lacks. */
int lay_out(checker *c);

/* falling_counts.c: what every antecedent captures of a set: counts[k][lanes], and the sums p and
 * q. less_than: NULL, or counts from which these are to be taken away. */
struct counting *counting_new(const checker *c);
void counting_free(struct counting *n);
void count_set(struct counting *n, const uint64_t *set, const uint32_t *less_than, frame *f);

/* falling_bounds.c */
int rows_reach(const checker *c, const uint32_t *counts, share highest, int64_t need);
int soft_reaches(const checker *c, const child *x, double need);
int top_reaches(const checker *c, const frame *f);

/* falling_exact.c: the sign of a - b, which are near to each other. A cost is a state's, with the
 * rises of some blocks more. exact_begin(); exact_state(), exact_rise() of each; exact_sign(). 0
 * where memory lacks for the first three. */
void exact_begin(checker *c);
int exact_state(checker *c, uint32_t number, int sign);
int exact_rise(checker *c, share own, share least, int sign);
int exact_sign(checker *c, int64_t whole, int *sign);

#endif
#endif

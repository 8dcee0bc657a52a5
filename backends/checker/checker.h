/* The compiled checker of rule lists' proofs: the same reasons as the family's proofcheck/plain.py,
 * and nothing shared with the engine. What a proof is: docs/reference/proof-format.md; why the
 * reasons hold: docs/internals/proof.md. All memory is the caller's: zeros, if nothing else is
 * said. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
/* Points whose weight has a certain bit: some of one word of a set. */
typedef struct {
    uint64_t bits;
    uint32_t word, bit;
} corels_check_term;

/* The table, made from the raw data and not by the search: points with regret, and costs. A row of
 * weights is the regret for a class. If there are more than two classes, one row more has the
 * greatest regret of each point; of two classes it is the sum of both. */
typedef struct {
    int64_t unit, rule_cost;
    size_t antecedents, points, words, classes, rows,
        stride;                     /* a multiple of 8, more than antecedents */
    const uint64_t *masks;          /* [antecedents + 1][words]: the last is of all points */
    const uint64_t *columns;        /* [words][stride]: the same */
    const corels_check_term *terms; /* row by row of weights, at most 31 a word: */
    const size_t *first;            /* [rows + 1] */
    size_t for_rules;      /* of the classes, those that a rule may predict: the first ones */
    const int32_t *barred; /* [classes][stride]: INT32_MAX if a rule may not predict it, else 0 */
} corels_check_table;

/* Cells with prices. An item is a point and its weight for each class; what is paid, an
 * antecedent and its price for each class. */
typedef struct {
    int shift;                   /* of prices: costs << shift */
    size_t begin, cells;         /* the first, among those of all records */
    const int64_t *ends[2];      /* [1 + cells]: if the items and the prices of a cell end */
    const int64_t *items, *paid; /* [1 + classes] each */
    int64_t *points, *rules;     /* [points][classes], [antecedents][classes]: what is left to share
                                    of the points' regrets and of the rules' costs */
} corels_check_record;

/* What points keep of their regrets for the class `role`, in parts (`scale` parts are a mistake),
 * so that no leaf of at most `longest` conditions keeps more than `most` parts and what it errs as
 * any other class; and what the best other class of each point errs. */
typedef struct {
    int64_t longest, scale, most;
    size_t role, n_kept, n_others;
    const corels_check_term *kept, *others;
} corels_check_leaves;

/* A proof as it was read: rules are antecedents of the table, and no number but in `values` is
 * negative. Claim i has rules[starts[i]] to rules[starts[i + 1] - 1]. */
typedef struct {
    size_t claims, records, cells;
    const int64_t *rules, *starts, *values;
    int64_t most;       /* claims are about lists of at most so many rules; ANY_NUMBER: any */
    size_t levels;      /* how many rules may follow those of a claim at most: */
    const int64_t *may; /* [levels] all different numbers of them */
    const corels_check_record *given;
    size_t leaves;
    const corels_check_leaves *weights;
} corels_check_proof;

/* A rule in a cell: the items that it captures, and its class. */
typedef struct {
    size_t gone;
    int64_t price;
    const int64_t *sums; /* what each state errs as its class */
} corels_check_move;

/* The tables of all cells, and what it takes to fill them. */
typedef struct {
    size_t room, used;        /* states */
    int32_t *start;           /* [cells]: of its states */
    uint8_t *left;            /* [antecedents][cells]: the items that each one leaves */
    int32_t *values;          /* [room] */
    uint8_t *traces;          /* [antecedents]: the items of a cell that each one captures */
    int64_t *prices, *sums;   /* [256][classes]: of traces; [classes][256]: of states */
    corels_check_move *moves; /* [classes][antecedents + 1] */
} corels_check_tables;

/* What is counted of a set; [stride] each, for a rule with the antecedent r. */
typedef struct {
    int32_t *counts; /* [rows][stride]: of each row's weight, what r captures */
    int32_t *errors; /* of the rule; */
    int32_t *ending; /* of it as the last rule and the default rule behind it; */
    int32_t *worst;  /* of it if it predicts the worst class of each point: 0 captures nothing */
    int32_t stop;    /* of the default rule alone */
} corels_check_tally;

/* A reason: the number of a record, or of one of these behind all records. How often it held. */
enum { CHECK_CLAIM, CHECK_GAIN, CHECK_ANOTHER, CHECK_ONE_RULE, CHECK_LEAVES, CHECK_REASONS };
typedef struct {
    size_t number;
    int64_t asked, held;
} corels_check_reason;

/* A check, one claim at a time. */
typedef struct {
    const corels_check_table *in;
    const corels_check_proof *proof;
    corels_check_tables *tables;
    size_t slots;                   /* a power of two, at least twice the claims */
    uint32_t *slot;                 /* [slots]: a claim + 1, found by the digest of its set, or 0 */
    uint64_t *digests;              /* [claims] */
    uint64_t *set, *behind, *other; /* [words] */
    uint8_t *view;                  /* [cells]: the states that the set leaves */
    uint64_t *sums;                 /* [stride] */
    corels_check_tally here, next;  /* of the set, and of one behind it */
    corels_check_reason *reasons;   /* in the order in which they are asked */
    int32_t *saves, *open;          /* [stride] */
    uint64_t *kept;     /* [leaves][2][stride]: what each antecedent captures of the set's weights,
                           and of what other classes err; */
    int weighed;        /* if they were counted for this set */
    uint64_t *leaf;     /* [6][words]: what the antecedents that a leaf negates leave, */
    uint64_t *of_leaf;  /* [6][2][stride]: what each other one captures of its weights, */
    uint64_t *of_parts; /* [6][2][16][stride]: and of those of some parts of it */
    int32_t goals[10];  /* the errors that a list of so many rules makes if it costs the value */
    int64_t may;        /* rules that may follow those of the claim at most */
    int64_t claim, value, antecedent,
        stop; /* what failed, behind which, or -1: to stop costs less */
} corels_check_worker;

/* The stages, for cells of a record, the first antecedents of leaves, or claims from .. to - 1;
 * leaves and claims may be checked in several threads, each with a worker. Whether all is right. */
typedef struct {
    int (*fill)(corels_check_worker *, size_t record, size_t from, size_t to);
    int (*leaves)(corels_check_worker *, size_t weights, size_t from, size_t to);
    int (*find)(corels_check_worker *, size_t from, size_t to);
    int (*claims)(corels_check_worker *, size_t from, size_t to);
} corels_checker;
const corels_checker *corels_checker_here(void);
/* cffi: end */

/* The compiled checker of rule lists' proofs: the same reasons as corels/proofcheck/plain.py, and
 * nothing shared with the engine. What a proof is: docs/reference/proof-format.md; why the reasons
 * hold: docs/internals/proof.md. */
#ifndef CORELS_CHECKER_H
#define CORELS_CHECKER_H

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
/* The table, made from the raw data and not by the search: points with regret, and costs. A row of
 * weights is the regret for a class. Where there are more than two, one row more has the greatest
 * regret of each point; of two classes it is the sum of both. */
typedef struct {
    int64_t unit, rule_cost;
    size_t antecedents, points, classes, rows;
    const uint64_t *masks;  /* [antecedents][(points + 63) / 64] */
    const int32_t *weights; /* [rows][points] */
} corels_check_table;

/* Blocks, or cells with prices, of the proof. A row is a number and one more for each class: an
 * item of a cell, a point and its weights; or a cut, an antecedent and its prices. */
typedef struct {
    int32_t priced, shift; /* blocks: errors >> shift; prices: costs << shift */
    size_t cells;
    const int64_t *sizes;        /* [cells][2]: how many items and how many cuts a cell has */
    const int64_t *items, *cuts; /* of all cells */
} corels_check_record;

/* A proof as it was read: rules are antecedents of the table, and no number is negative. */
typedef struct {
    int64_t bound;
    size_t claims, records;
    const int64_t *rules, *starts, *values; /* claim i: rules[starts[i]] .. rules[starts[i + 1]] */
    const corels_check_record *given;
} corels_check_proof;

enum corels_check_result {
    CORELS_CHECK_HOLDS = 0,
    CORELS_CHECK_FAILS = 1, /* the report says where */
    CORELS_CHECK_DATA = 2,  /* cells are not what they must be */
    CORELS_CHECK_MEMORY = 3,
};

typedef struct {
    int64_t claim;      /* the first that fails; -1: none says what the end says */
    int64_t value;      /* what it says */
    int64_t stop;       /* where `antecedent` is -1: what it costs to stop there */
    int64_t antecedent; /* behind which; -1: to stop there is cheaper */
} corels_check_report;

/* A checker for one kind of processor. A check works on a table and a proof that stay where they
 * are; each stage is run for all cells, or claims, from .. to - 1 at a time, and then the next one.
 * Only CLAIMS may run in several threads. Memory: a constant times that of proof and table, and at
 * most 512 MB for tables. */
typedef struct corels_check corels_check;
enum corels_check_stage { CORELS_CHECK_FILL, CORELS_CHECK_FIND, CORELS_CHECK_CLAIMS };
typedef struct {
    int (*start)(const corels_check_table *, const corels_check_proof *, corels_check **);
    int (*run)(corels_check *, int stage, size_t from, size_t to, corels_check_report *);
    void (*end)(corels_check *);
} corels_checker;
const corels_checker *corels_checker_here(void);
/* cffi: end */

#endif

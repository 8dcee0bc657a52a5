/* The compiled checker of proofs: the same reasons as corels/proofcheck/plain.py, nothing shared
 * with the engine. What a proof is: docs/reference/proof-format.md; why the reasons hold:
 * docs/internals/proof.md. */
#ifndef CORELS_CHECKER_H
#define CORELS_CHECKER_H

#include <stddef.h>
#include <stdint.h>

/* cffi: begin */
/* The table, made from the raw data and not by the search: points with regret, and costs. */
typedef struct {
    int64_t unit, rule_cost;
    int32_t antecedents, points, classes, numbered;
    const uint64_t *masks;  /* [antecedents][(points + 63) / 64] */
    const int32_t *regrets; /* [classes][points] */
    const int32_t *kept;    /* [numbered]: the index of a point that the proof numbers, or -1 */
} corels_check_table;

enum corels_check_result {
    CORELS_CHECK_HOLDS = 0,
    CORELS_CHECK_FAILS = 1,     /* the report says where */
    CORELS_CHECK_MALFORMED = 2, /* not records, or cut off */
    CORELS_CHECK_DATA = 3,      /* a partition is not one */
    CORELS_CHECK_MEMORY = 4,
};

typedef struct {
    int64_t claim;      /* the first that fails; -1: none says what the end says */
    int64_t value;      /* what it says */
    int64_t stop;       /* where `antecedent` is -1: what it costs to stop there */
    int32_t antecedent; /* behind which; -1: to stop there is cheaper */
} corels_check_report;

/* Checks every claim of `records`, whole records without the header. Memory: a constant times
 * their size, the table's transposed, and at most 512 MB for the blocks' tables. */
int corels_check_proof(const corels_check_table *table, const uint8_t *records, size_t bytes,
                       corels_check_report *report);
/* cffi: end */

#endif

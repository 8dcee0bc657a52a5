/* The compiled checker of rule lists' proofs: the same reasons as corels/proofcheck/plain.py, and
 * nothing shared with the engine. What a proof is: docs/reference/proof-format.md; why the reasons
 * hold: docs/internals/proof.md. */
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

/* One proof. `new` reads whole records, without the header; then each stage is run in `parts`
 * parts, and the next stage when all of them have ended. Parts may run at the same time; those of
 * FIND run one after another. Memory: a constant times the bytes, the table's transposed, and at
 * most 512 MB for tables. */
typedef struct corels_check corels_check;
enum corels_check_stage { CORELS_CHECK_FILL, CORELS_CHECK_FIND, CORELS_CHECK_CLAIMS };
int corels_check_new(const corels_check_table *table, const uint8_t *records, size_t bytes,
                     corels_check **check);
int corels_check_run(corels_check *check, int stage, size_t part, size_t parts,
                     corels_check_report *report);
void corels_check_free(corels_check *check);
/* cffi: end */

#endif

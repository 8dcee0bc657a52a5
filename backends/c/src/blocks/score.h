/* The score of a block of items, and what it is made of. See score.c. */
#pragma once

#include "private.h"

/* The errors of any subset of a block as one cell: sums of its low and of its high half, two
 * classes in one number. `classes` are rounded up to pairs. */
typedef struct {
    uint64_t *low, *high; /* [pairs][256] */
    int32_t pairs, half;
} corels_cells;

void corels_cells_new(corels_cells *cells, int32_t classes, store *);
void corels_cells_fill(corels_cells *cells, const corels_partition *partition, int32_t block,
                       int32_t classes);

static inline uint32_t corels_errors_of(const corels_cells *cells, uint32_t x) {
    uint32_t least = UINT32_MAX, mask = (1u << cells->half) - 1;
    for (int32_t p = 0; p < cells->pairs; p++) {
        uint64_t sum = cells->low[256 * p + (x & mask)] + cells->high[256 * p + (x >> cells->half)];
        uint32_t a = (uint32_t)sum, b = (uint32_t)(sum >> 32), here = a < b ? a : b;
        if (here < least) least = here;
    }
    return least;
}

/* For k = 0 .. CORELS_SCORE_RULES: the least errors known of a list of at most k rules; its length,
 * 0 where the list itself is not known; and what each of its rules cuts off the block. */
typedef struct {
    uint32_t errors[CORELS_SCORE_RULES + 1];
    int32_t length[CORELS_SCORE_RULES + 1];
    uint16_t cuts[CORELS_SCORE_RULES + 1][CORELS_SCORE_RULES];
} corels_best;

/* The scratch of a score. */
typedef struct {
    const int32_t *weights;  /* [CORELS_SCORE_RULES + 1] */
    int32_t rules;           /* the most that have a weight */
    uint16_t *cuts, *traces; /* [CORELS_SCORE_RULES][room] */
    uint32_t *errors;        /* the same */
    size_t room;             /* antecedents */
    uint64_t *seen;          /* 65,536 bits, all zero between calls */
    struct corels_one *one;  /* [1 << bits] */
    uint32_t scored;         /* goes up before another block is scored, or other traces of it */
    uint16_t path[CORELS_SCORE_RULES];
} corels_score;

void corels_score_new(corels_score *score, const int32_t *weights, int32_t antecedents,
                      int32_t bits, store *);

/* The sum of weights[k] * best->errors[k]. */
int64_t corels_score_of(const corels_score *score, const corels_best *best);
/* Lowers best->errors to the least that lists with the given traces make of the items `full`, and
 * returns the score; or any number below `least`, where it is below that. */
int64_t corels_score_exact(corels_score *score, const corels_cells *cells, uint32_t full,
                           const uint16_t *traces, int32_t n, int64_t least, corels_best *best);

/* The distinct ones of n traces cut to the items t, without the empty one; returns how many. `cuts`
 * has room for n; `seen` is scratch of 65,536 bits, all zero, left so. */
int32_t corels_distinct_cuts(const uint16_t *traces, int32_t n, uint32_t t, uint16_t *cuts,
                             uint64_t *seen);

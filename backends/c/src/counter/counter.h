/* Inside the counter: planes. */
#pragma once

#include "corels/counter.h"
#include "corels/memory.h"
#include "corels/store.h"
#include "digits.h"
#include "kernel.h"

/* What the caller gave, for the builders. */
typedef struct {
    const uint64_t *masks;
    const int32_t *weights;
    int32_t antecedents, points, measures, words;
} corels_shape;

/* Rows that count neighbouring antecedents, for i < n: of row + i it is antecedent + i; or, if
 * they are pairs, antecedent + 2 i, and its complement stands behind it. */
typedef struct {
    int32_t row, antecedent, n;
    int pairs;
} corels_stretch;

/* The planes: see planes.c. */
typedef struct {
    uint64_t *blocks;          /* [rows / 8][words][8] */
    int32_t *first;            /* [antecedents]: of each row the antecedent that it counts, */
    int32_t *second;           /* and that one's complement, or itself if there is none */
    int32_t *row_of;           /* [antecedents]: the row that counts it or its complement */
    corels_stretch *stretches; /* of antecedents without a complement, or with it behind them */
    int32_t *apart;            /* the rows whose complement stands elsewhere */
    int32_t n_stretches, n_apart;
    int32_t rows; /* counted, and one of all points: a multiple of 8 */
    int32_t all;  /* the row of all points, behind the others: its counts are the totals */
    size_t bits_at, index_at, runs_at; /* in the scratch, behind the sums */
    digits digits;                     /* each of them is a plane; the table's are for others */
} corels_planes;

/* How far the layout has come: `work` numbers the loops of the builder, `at` counts within. */
typedef struct {
    corels_shape shape;
    int32_t work, at, measure;
    int32_t *table; /* of choose_rows */
    size_t size;
} corels_layout;

struct corels_counter {
    const corels_kernel_table *kernel;
    int32_t antecedents, measures, stride;
    int32_t words;
    int complete;
    /* If it counts within some points (within.c): how sets of all points become sets of its own. */
    corels_squeeze *within; /* [all_words], or NULL */
    int32_t all_words;
    store arrays; /* of these: */
    corels_planes planes;
    size_t scratch;
    corels_layout layout;
};

/* Memory for the builder, before corels_counter_build. */
int corels_planes_begin(corels_counter *counter);

/* How many units of `words` words each make a piece. */
static inline int32_t corels_piece(size_t words) {
    return (int32_t)(1 + ((size_t)1 << 16) / (words + 1));
}

static inline size_t corels_round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

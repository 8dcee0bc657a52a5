/* What the files of the checker share: numbers of a proof, read with their limits; the counts of a
 * set; and tables that a proof gives as data. */
#ifndef CORELS_CHECKER_INNER_H
#define CORELS_CHECKER_INNER_H

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <malloc.h>
#endif

#include "checker.h"

enum { MOST_ITEMS = 64 };
#define MOST_COST (INT64_C(1) << 62)
static const size_t most_table_bytes = (size_t)512 << 20;

typedef struct {
    const uint8_t *at, *end;
    int bad;
} reader;

/* A number of 1 .. 9 bytes that is below `limit`; 0 and `bad` where there is none. */
static inline int64_t next_below(reader *in, int64_t limit) {
    uint64_t number = 0;
    for (int shift = 0; shift < 63 && in->at < in->end; shift += 7) {
        uint8_t byte = *in->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128 && (int64_t)number < limit) return (int64_t)number;
        if (byte < 128) break;
    }
    in->bad = 1;
    return 0;
}

/* Zeros, and a few more than asked for. */
static inline void *array(size_t n, size_t size) {
    return n > SIZE_MAX / 2 / size ? NULL : calloc(n + 16, size);
}

/* Memory for vectors, which only its own function gives back: Windows keeps it apart. */
static inline void *aligned_new(size_t bytes) {
#ifdef _WIN32
    return _aligned_malloc(bytes, 64);
#else
    return aligned_alloc(64, bytes);
#endif
}

static inline void aligned_free(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

/* count.c: what each antecedent captures of a set in the regret of each class. Rows are `stride`
 * long; where there are more than two classes, a last row counts each point's greatest regret. */
typedef struct counter counter;
counter *counter_new(const corels_check_table *, size_t *stride);
void counter_free(counter *);
void counter_total(const counter *, const uint64_t *set, int64_t *totals);
void counter_count(const counter *, const uint64_t *set, int32_t *counts, int64_t *totals);

static inline int32_t greatest_regret(const corels_check_table *in, size_t point) {
    int32_t most = 0;
    for (size_t k = 0; k < (size_t)in->classes; k++) {
        int32_t regret = in->regrets[k * (size_t)in->points + point];
        most = regret > most ? regret : most;
    }
    return most;
}

/* Items of a block or a cell: points, their weights [n][classes], and what of them each antecedent
 * captures. The weights are taken off `left` [classes][points]. */
typedef struct {
    int32_t n;
    int64_t *left, *weights;
    uint64_t *traces;
} items;

int items_new(items *, const corels_check_table *);
void items_free(items *);
int items_read(items *, const corels_check_table *, reader *, int32_t most);

/* Tables of one record. A view says where a set stands in them. `shows`: whether stopping or any
 * list behind antecedent r, that is, without what r captures, costs `need` or more. */
typedef struct {
    size_t view_bytes, at; /* where the view stands in a level */
    int is_blocks;
    void (*begin)(const void *tables, void *view);            /* the view of all points */
    void (*enter)(const void *tables, int32_t r, void *view); /* of what r leaves */
    int (*shows)(const void *tables, const void *view, int32_t r, int64_t need);
    void (*free)(void *tables);
    void *tables;
} given;

/* blocks.c, cells.c: a corels_check_result; `room` bytes are left for tables. */
int blocks_read(given *, const corels_check_table *, reader *, size_t *room);
int cells_read(given *, const corels_check_table *, reader *, size_t *room);

#endif

/* How much work goes into better lists (improve.c): when the first slice comes, and how long slices
 * are. All of it follows from sizes and counts, so runs repeat. */
#pragma once

#include <stdint.h>

#include "tuning.h"

/* Sizes of the table, and how many threads walk beside a slice; 1 where the only worker does it. */
typedef struct {
    const tuning *tune;
    int32_t antecedents, words, workers;
} effort_sizes;

typedef struct {
    int64_t spent;  /* counts and evaluations so far */
    int64_t walked; /* counts of the walk at the last slice */
} effort;

/* Counts of the walk between two slices, and before the first: as many as before the first slow
 * tables are due, if those are fewer; `slow` < 1: none are due. */
int64_t effort_between(const effort_sizes *, int64_t slow);
/* The effort of a slice when the walk has taken so many counts. */
int64_t effort_slice(effort *, const effort_sizes *, int64_t walked);

/* How much work goes into better lists (improve.c): when the first slice comes, how long slices and
 * bursts are, and when they get shorter. All of it follows from sizes and counts, so runs repeat.
 */
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
    int64_t share;  /* one in so many */
    int64_t walked; /* counts of the walk at the last slice */
    int64_t found;  /* what was spent at the last improvement, or the last change of the share */
    int bursts;     /* for stages of slow tables so far */
} effort;

/* Before the first slice. */
effort effort_begin(const tuning *);
/* Counts of the walk between two slices, and before the first: as many as before the first slow
 * tables are due, if those are fewer; `slow` < 1: none are due. */
int64_t effort_between(const effort_sizes *, int64_t slow);
/* The effort of a slice when the walk has taken so many counts. */
int64_t effort_slice(effort *, const effort_sizes *, int64_t walked);
/* The same of the burst before a stage of slow tables, from 1 on; 0 where that has had its burst.
 */
int64_t effort_burst(effort *, const effort_sizes *, int stage, int64_t walked);
/* A better list was found. */
void effort_found(effort *, const tuning *);
/* At the end of a slice: halves the share where nothing better has been found for long. */
void effort_mind(effort *, const effort_sizes *);

/* The leaf bound: a bound with tables (corels/tables.h). */
#pragma once

#include "corels/tables.h"

/* cffi: begin */
/* Any values are sound: they change the time of a search, never its optimum. */
typedef struct corels_leaf_options {
    double patience; /* times of the enumeration that the walk takes before it */
    int64_t after;   /* counts before it at least */
    int32_t longest; /* rules of a list for which conjunctions are enumerated, at most 6 */
    int32_t rounds;  /* of enumeration and fitting before the weights are scaled down */
    double bytes;    /* that the enumeration may keep of what sets capture together */
} corels_leaf_options;

/* The bound; the options must live until a search with it is there, which copies them. */
void corels_leaf_bound(corels_table_bound *to, const corels_leaf_options *);
/* cffi: end */

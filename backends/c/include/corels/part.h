/* Parts of plugins: the signatures of a policy and of a bound, and the table that they read.
 *
 * The engine calls a part once an expansion. It hands over the children as a table, a row a child,
 * and an array to fill, a number a row. A function of such a signature can be written in C, or in
 * Python through cffi, ctypes or Numba's `cfunc`; the engine is given its address.
 *
 * A part answers 0, or anything else to stop the search. It may read the table until it returns.
 * With more than one thread it is called by all of them at once.
 */
#pragma once

#include <stdint.h>

/* cffi: begin */
/* The set of points that an expansion splits, and what every antecedent captures of it. */
typedef struct corels_expansion {
    const uint64_t *masks;     /* [antecedents][words] */
    const uint64_t *remaining; /* [words] what the prefix leaves */
    const int32_t *counts;     /* [classes][stride] regret of predicting a class there */
    const int32_t *totals;     /* [classes] */
    const int32_t *worst;      /* [points] worst regret of a point */
    const int32_t *regrets;    /* [classes][points] regret of predicting a class for a point */
    int32_t classes, points, words, stride;
    int64_t cost; /* of the prefix and of all unavoidable errors */
} corels_expansion;

/* The children of one expansion: a row per child, the columns of corels/search/children.py in their
 * order. */
typedef struct corels_children {
    int32_t *antecedent;
    int32_t *prediction;
    int32_t *length;
    int64_t *serial;
    int64_t *support;
    int64_t *correct;
    int64_t *captured;
    int64_t *errors;
    int64_t *worst;
    int64_t *default_errors;
    int64_t *lower_bound;
    int64_t *objective;
    int32_t count; /* rows */
    int32_t antecedents;
    int64_t unit, rule_cost, total;
    const corels_expansion *expansion; /* NULL if no chosen bound reads sets */
    int32_t rules_left;                /* that may follow the new rule at most; -1: any number */
} corels_children;

/* priorities[i] of child i, finite: the lowest is explored first. */
typedef int (*corels_priority_call)(const corels_children *, double *priorities, void *user);
/* keep[i] = 0 if child i need not be explored (see corels.Bound), else 1. */
typedef int (*corels_keep_call)(const corels_children *, int64_t incumbent, uint8_t *keep,
                                void *user);
/* cffi: end */

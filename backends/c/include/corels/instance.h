/* Points and antecedents as numbers: what a search, and each of its tables, is made from. */
#pragma once

#include <stdint.h>

/* cffi: begin */
/* What is searched. The engine copies it, but for masks that are lent. */
typedef struct corels_instance {
    int32_t antecedents, points, classes;
    const uint64_t *masks;  /* [antecedents][(points + 63) / 64], bit i = point i */
    const int32_t *regrets; /* [classes][points] regret of predicting a class, 0 for the best one */
    const int32_t *captured; /* [points] weight, or NULL if no part reads it */
    const int32_t *minority; /* [points] unavoidable errors, NULL exactly if captured is */
    int64_t unit, rule_cost, base, total;
    int32_t for_rules; /* rules predict one of so many classes, the first ones, and the default rule
                          any; 0: rules do, too; otherwise there are more than two classes */
    const uint8_t *barred; /* [antecedents][classes]: 1 if a rule may not predict the class, of
                              the first `for_rules` one at least may be; NULL: nothing is barred */
    int32_t lent; /* the masks stay as they are while the search lives, which reads them there */
} corels_instance;

/* Sets of points that some table is to be sharp on: sets that rules leave of all points. */
typedef struct {
    int32_t n;
    const uint64_t *sets; /* [n][(points + 63) / 64] */
} corels_sample;
/* cffi: end */

/* The tuning values of the search: numbers by which it decides when, how much and in which order,
 * and by which nothing is proved. The table itself is src/base/tuning.def. */
#pragma once

#include <stdint.h>

/* cffi: begin */
typedef struct {
    const char *name, *about;
    double value, low, high; /* the default; the range, both ends in it */
    int whole;               /* a whole number */
} corels_tuning_value;

int32_t corels_tuning_count(void);
/* The i-th value; NULL if there are not so many. */
const corels_tuning_value *corels_tuning_row(int32_t i);
/* cffi: end */

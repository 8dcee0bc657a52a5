/* The tuning values of a search, by name: `tune->beam_width`. See tuning.def. */
#pragma once

#include <stdint.h>

typedef struct tuning {
#define TUNE(name, type, value, low, high, about) type name;
#include "tuning.def"
#undef TUNE
} tuning;

extern const tuning tuning_defaults;

/* Sets what `values` says, in the order of the table (see corels/tuning.h). 0: some value lies
 * out of its range, or is not a whole number if it has to be. */
int tuning_set(tuning *, const double *values);

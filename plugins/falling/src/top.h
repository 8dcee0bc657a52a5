#ifndef FALLING_TOP_H
#define FALLING_TOP_H

#include "bounds.h"

/* Lower bound on every list that extends the frame's prefix by 1 .. `rules` rules, or something
 * below `limit` where it cannot reach `limit`. `gain` is scratch for one number per antecedent. */
int64_t bound_top(uint32_t enabled, const table *t, const frame *f, int64_t *gain, uint32_t rules,
                  int64_t limit);

#endif

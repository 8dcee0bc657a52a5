/* Conjunctions that gain too much, as an enumeration finds them: the ones that gain most are kept.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { MOST_CONDITIONS = 6 };

typedef struct {
    int64_t takes, gain;
    int32_t conditions[MOST_CONDITIONS], n; /* rising */
} conjunction;

/* Empty where it is all zeros. */
typedef struct {
    conjunction *kept;
    int32_t n, room;
    int64_t number; /* that were found: where it is more than n, some were not kept */
    double scale;   /* by what all that points give is to be scaled at most, so that none gains too
                       much; unless there is none */
} found;

/* Another one, which needs this scale; at least `most` are kept. 0: no memory. */
int found_add(found *, const conjunction *, double scale, int32_t most);
/* What several lists take. */
size_t found_bytes(const found *, int32_t lists);
/* Puts behind what is there what several lists have found: the `room` of them that gain most, the
 * greatest gain first. 0: no memory. */
int found_merge(found *to, const found *of, int32_t lists, int32_t room);

/* Which class costs least, of all or of those that a rule may predict. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Which classes a rule with antecedent r may not predict; NULL: none of the first ones. */
static inline const uint8_t *barred_of(const uint8_t *barred, int32_t classes, int32_t r) {
    return barred ? barred + (size_t)r * (size_t)classes : NULL;
}

/* The class with the least of n counts that lie `stride` apart; of equal classes the first. */
static inline int32_t least_class(const int32_t *counts, int32_t n, size_t stride) {
    int32_t least = 0;
    for (int32_t c = 1; c < n; c++)
        if (counts[(size_t)c * stride] < counts[(size_t)least * stride]) least = c;
    return least;
}

/* Of n classes that lie `stride` apart the one with the least count that is not barred; of equal
 * ones the first. */
static inline int32_t least_allowed(const int32_t *counts, int32_t n, size_t stride,
                                    const uint8_t *barred) {
    if (!barred) return least_class(counts, n, stride);
    int32_t least = -1;
    for (int32_t c = 0; c < n; c++) {
        if (barred[c]) continue;
        if (least < 0 || counts[(size_t)c * stride] < counts[(size_t)least * stride]) least = c;
    }
    return least;
}

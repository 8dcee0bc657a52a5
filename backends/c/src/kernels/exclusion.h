/* Inclusion and exclusion over rows (leaves/conjunctions.c), one lane an antecedent: plain C,
 * included by every kernel file, for the compiler to vectorise.
 */
#pragma once

#include <string.h>

#include "kernel.h"

typedef struct {
    uint32_t of[CORELS_LANES];
} exclusion_lanes;

static inline void exclude_one(exclusion_lanes *to, const exclusion_lanes *x,
                               const exclusion_lanes *y) {
    for (int k = 0; k < CORELS_LANES; k++) to->of[k] = x->of[k] - y->of[k];
}

/* parts[p][u] is of what no antecedent of the first j captures (p = 0), or number p - 1 alone of
 * them; u: which of those from j on. Goes from j to j + 1; `n` is mostly a constant where it is
 * inlined.
 */
static inline __attribute__((always_inline)) void
exclude_next(exclusion_lanes (*parts)[1 << CORELS_EXCLUDED], int j, int n) {
    for (int u = 0; u < 1 << (n - j - 1); u++) parts[j + 1][u] = parts[0][2 * u + 1];
    for (int p = 0; p <= j; p++)
        for (int u = 0; u < 1 << (n - j - 1); u++)
            exclude_one(parts[p] + u, parts[p] + 2 * u, parts[p] + 2 * u + 1);
}

static inline __attribute__((always_inline)) void exclude_by(const int32_t *const *rows, int n,
                                                             size_t later, const int32_t *alone,
                                                             int32_t most, int32_t *over) {
    exclusion_lanes parts[CORELS_EXCLUDED + 1][1 << CORELS_EXCLUDED];
    for (size_t d = 0; d < later; d += CORELS_LANES) {
        for (int s = 0; s < 1 << n; s++) memcpy(parts[0] + s, rows[s] + d, sizeof **parts);
        for (int j = 0; j < n; j++) exclude_next(parts, j, n);
        for (int k = 0; k < CORELS_LANES; k++) {
            int32_t found = ((int32_t)parts[0]->of[k] > most) << (n + 1);
            for (int p = 0; p <= n; p++)
                found |= ((int32_t)((uint32_t)alone[p] - parts[p]->of[k]) > most) << p;
            over[d + (size_t)k] = found;
        }
    }
}

/* Loops of a constant length take half the time. Lists of at most four and five rules spend nearly
 * all of theirs in the longest. */
static void exclude(const int32_t *const *rows, int n, size_t later, const int32_t *alone,
                    int32_t most, int32_t *over) {
    if (n == 4)
        exclude_by(rows, 4, later, alone, most, over);
    else if (n == 3)
        exclude_by(rows, 3, later, alone, most, over);
    else
        exclude_by(rows, n, later, alone, most, over);
}

/* Inclusion and exclusion over rows of counts, one lane an antecedent: plain C, for the compiler to
 * vectorise.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Earlier antecedents at most, and numbers that are worked on together. */
enum { MOST_EXCLUDED = 5, LANES = 16 };

typedef struct {
    uint32_t of[LANES];
} lanes;

static inline void take_lanes(lanes *to, const lanes *x, const lanes *y) {
    for (int k = 0; k < LANES; k++) to->of[k] = x->of[k] - y->of[k];
}

/* parts[p][u] is of what no antecedent of the first j captures (p = 0), or number p - 1 alone of
 * them; u: which of those from j on. Goes from j to j + 1. */
static inline __attribute__((always_inline)) void exclude_next(lanes (*parts)[1 << MOST_EXCLUDED],
                                                               int j, int n) {
    for (int u = 0; u < 1 << (n - j - 1); u++) parts[j + 1][u] = parts[0][2 * u + 1];
    for (int p = 0; p <= j; p++)
        for (int u = 0; u < 1 << (n - j - 1); u++)
            take_lanes(parts[p] + u, parts[p] + 2 * u, parts[p] + 2 * u + 1);
}

static inline __attribute__((always_inline)) void exclude_by(const int32_t *const *rows, int n,
                                                             size_t later, const int32_t *alone,
                                                             int32_t most, int32_t *over) {
    lanes parts[MOST_EXCLUDED + 1][1 << MOST_EXCLUDED];
    for (size_t d = 0; d < later; d += LANES) {
        for (int s = 0; s < 1 << n; s++) memcpy(parts[0] + s, rows[s] + d, sizeof **parts);
        for (int j = 0; j < n; j++) exclude_next(parts, j, n);
        for (int k = 0; k < LANES; k++) {
            int32_t bits = ((int32_t)parts[0]->of[k] > most) << (n + 1);
            for (int p = 0; p <= n; p++)
                bits |= ((int32_t)((uint32_t)alone[p] - parts[p]->of[k]) > most) << p;
            over[d + (size_t)k] = bits;
        }
    }
}

/* rows[s][d], s < 2^n, is the weight of what the later antecedent d captures together with the
 * antecedents in `s` of n earlier ones; alone[0] that of what none of these captures, and alone[i +
 * 1] that of what only number i captures. over[d], d < later, has a bit for
 * each part: bits 0 to n, whether more than `most` of it is left by d; bit n + 1, whether only d
 * captures more than `most`.
 * Reads and writes less than LANES numbers more. Loops of a constant length take half the time;
 * these are the longest of lists of at most four and five rules. */
static inline void exclude_rows(const int32_t *const *rows, int n, size_t later,
                                const int32_t *alone, int32_t most, int32_t *over) {
    if (n == 4)
        exclude_by(rows, 4, later, alone, most, over);
    else if (n == 3)
        exclude_by(rows, 3, later, alone, most, over);
    else
        exclude_by(rows, n, later, alone, most, over);
}

/* Exact costs and proportions.
 *
 * A hard problem's costs are integers. A soft one adds penalties violation_cost * (a/b - c/d),
 * which have no common small denominator; a cost is then kept as the interval [low, high] of
 * integers that is known to hold it, each penalty rounded outwards. The caller makes the scale fine
 * enough (2^-20 of a unit and less) for the interval to be narrow. Pruning compares a low with a
 * high end, so it is exact; if two lists look equal, incumbent.c compares them in
 * exact fractions.
 *
 * Real-valued bounds are computed in doubles from exact integers and then widened by far more than
 * the rounding of the few operations (relative 2^-44 against at most some 2^-49) before they are
 * turned into integers: round_down().
 */
#pragma once

#include <math.h>
#include <stdint.h>

#include "wide.h"

typedef struct {
    int64_t low, high;
} cost;

/* part positives of whole rows; whole > 0 */
typedef struct {
    uint32_t part, whole;
} proportion;

static inline int proportion_less(proportion a, proportion b) {
    return (uint64_t)a.part * b.whole < (uint64_t)b.part * a.whole;
}

static inline proportion proportion_min(proportion a, proportion b) {
    return proportion_less(b, a) ? b : a;
}

static inline cost cost_add(cost a, cost b) {
    return (cost){a.low + b.low, a.high + b.high};
}

static inline int64_t floor_of(double x) {
    const double limit = 4e18;
    return x >= limit ? (int64_t)limit : x <= -limit ? -(int64_t)limit : (int64_t)floor(x);
}

/* `scale` is at least the sum of the magnitudes that went into x. */
static inline int64_t round_down(double x, double scale) {
    return floor_of(x - scale * 0x1p-44);
}

/* ceil(a * b / c) for a * b < 2^126, result below 2^63 */
static inline int64_t multiply_divide_up(int64_t a, int64_t b, int64_t c) {
    wide product = wide_add(wide_product((uint64_t)a, (uint64_t)b), (uint64_t)(c - 1));
    return (int64_t)wide_divide(product, (uint64_t)c);
}

/* violation_cost * max(0, a - least) */
static inline cost cost_violation(int64_t violation_cost, proportion a, proportion least) {
    if (!proportion_less(least, a) || violation_cost == 0) return (cost){0, 0};
    int64_t rise = (int64_t)((uint64_t)a.part * least.whole - (uint64_t)least.part * a.whole);
    int64_t parts = (int64_t)((uint64_t)a.whole * least.whole);
    int64_t up = multiply_divide_up(violation_cost, rise, parts);
    int exact = wide_equal(wide_product((uint64_t)up, (uint64_t)parts),
                           wide_product((uint64_t)violation_cost, (uint64_t)rise));
    return (cost){up - !exact, up};
}

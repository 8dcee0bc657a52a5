/* Bounds of the soft problem: a block above the least proportion m pays violation_cost (b - m).
 *
 * All functions return lower bounds on what the rows left still cost, penalties included, if at
 * least one more rule follows. Real numbers are rounded downwards (cost.h). Proofs:
 * docs/internals/falling.md, "Soft".
 */
#include "bounds.h"

enum { GRID = 4096 }; /* proportions at which the convex cases are cut into cells */

/* What the bounds need to know about the rows left after a child, as real numbers. */
typedef struct {
    const table *t;
    const child *c;
    double unit, zero;       /* unit cost; cost of calling every positive left 0 */
    double violation;        /* cost of a rise of 1 */
    double least, threshold; /* m and tau */
    double lowest;           /* some block has at least this proportion */
    double scale;            /* sum of magnitudes, for rounding */
} rest;

static rest describe(const table *t, const child *c) {
    double rows = (double)c->positives + c->negatives;
    rest r = {t,
              c,
              (double)t->unit,
              (double)(t->positive_cost * (int64_t)c->positives),
              (double)t->violation_cost,
              (double)c->least.part / c->least.whole,
              (double)t->unit / ((double)t->unit + (double)t->positive_cost),
              (double)c->positives / rows,
              0};
    if (r.lowest < r.least) r.lowest = r.least;
    r.scale = 4 * (r.violation + r.zero + r.unit * rows);
    return r;
}

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* min over b in [lowest, 1] of violation (b - m) + min(zero, max(classes, unit P (1/b - 1))):
 * Theorem 5.2 with the class bound inside the minimum. */
static double prefix_and_classes(const rest *r, double positives, double classes) {
    double best =
        r->lowest <= r->threshold ? r->violation * (r->lowest - r->least) + r->zero : INFINITY;
    double from = r->lowest > r->threshold ? r->lowest : r->threshold;
    double worth = r->unit * positives;
    double crossing = worth > 0 ? worth / (classes + worth) : from;
    double at = r->violation > 0 ? sqrt(worth / r->violation) : 1;
    at = clamp(at, from, crossing > from ? crossing : from);
    double rows = worth > 0 ? worth * (1 / at - 1) : 0;
    double value = r->violation * (at - r->least) + (rows > classes ? rows : classes);
    return value < best ? value : best;
}

/* Is violation (b - m) + rows(b) >= need for all b from `lowest` to 1? Cells [low, high] / GRID are
 * halved until the penalty at their low end and the rows at their high end suffice. */
static int cells_reach(const rest *r, uint32_t enabled, uint32_t low, uint32_t high, double need) {
    int which;
    double from = (double)low / GRID;
    if (from < r->lowest) from = r->lowest;
    double penalty = r->violation * (from - r->least);
    int64_t rows = bound_rows(enabled, r->t, r->c->total, (proportion){high, GRID}, &which);
    if (round_down(penalty + (double)rows, r->scale) >= need) return 1;
    if (high - low <= 1) return 0;
    uint32_t middle = (low + high) / 2;
    return cells_reach(r, enabled, low, middle, need) &&
           cells_reach(r, enabled, middle, high, need);
}

static int lagrangian_reaches(const rest *r, uint32_t enabled, int64_t need) {
    int which;
    const proportion least = r->c->least;
    if (r->lowest <= r->least && bound_rows(enabled, r->t, r->c->total, least, &which) < need)
        return 0;
    uint32_t low = (uint32_t)(r->lowest * GRID);
    return low >= GRID || cells_reach(r, enabled, low, GRID, (double)need);
}

static int raise(bounds *b, child *c, int64_t bound, int64_t limit, int which) {
    if (bound > c->bound) c->bound = bound;
    if (c->bound < limit) return 0;
    b->pruned[which]++;
    return 1;
}

void bound_soft(bounds *b, const table *t, child *c, int64_t limit) {
    const rest r = describe(t, c);
    const int64_t base = c->bound;
    const int prefix = (b->enabled & CORELS_FALLING_PREFIX) != 0;
    const int classes = (b->enabled & CORELS_FALLING_CLASSES) != 0;
    if (prefix) {
        double value = prefix_and_classes(&r, c->positives, 0);
        if (raise(b, c, base + round_down(value, r.scale), limit, BY_PREFIX)) return;
    }
    if (classes) {
        double cost = (double)bound_classes(t, c->total);
        double value = prefix_and_classes(&r, prefix ? c->positives : 0, cost);
        if (raise(b, c, base + round_down(value, r.scale), limit, BY_CLASSES)) return;
    }
    if (b->enabled & CORELS_FALLING_LAGRANGIAN && lagrangian_reaches(&r, b->enabled, limit - base))
        raise(b, c, limit, limit, BY_LAGRANGIAN);
}

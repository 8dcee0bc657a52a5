/* Bounds of the soft problem: a block above the least proportion m pays violation_cost (b - m).
 *
 * All functions return lower bounds on what the rows left still cost, penalties included, if at
 * least one more rule follows. Real numbers are rounded downwards (cost.h). Proofs:
 * docs/internals/falling-bounds.md, "Soft".
 */
#include "bounds.h"

enum { GRID = 4096 }; /* proportions at which the convex cases are cut into cells */

/* What the bounds need to know about the rows left after a child, as real numbers. */
typedef struct {
    const table *t;
    const child *c;
    double unit, zero;      /* unit cost; cost of calling every positive left 0 */
    double violation;       /* cost of a rise of 1 */
    double least, threshold; /* m and tau */
    double lowest;          /* some block has at least this proportion */
    double scale;           /* sum of magnitudes, for rounding */
} rest;

static rest describe(const table *t, const child *c) {
    double rows = (double)c->positives + c->negatives;
    rest r = {t, c, (double)t->unit, (double)(t->positive_cost * (int64_t)c->positives),
              (double)t->violation_cost, (double)c->least.part / c->least.whole,
              (double)t->unit / ((double)t->unit + (double)t->positive_cost),
              (double)c->positives / rows, 0};
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
    double best = r->lowest <= r->threshold
                      ? r->violation * (r->lowest - r->least) + r->zero
                      : INFINITY;
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
    if (r->lowest <= r->least &&
        bound_rows(enabled, r->t, r->c->total, least, &which) < need)
        return 0;
    uint32_t low = (uint32_t)(r->lowest * GRID);
    return low >= GRID || cells_reach(r, enabled, low, GRID, (double)need);
}

/* The most that a block of at most z positives above `cap` can save, penalty paid, when a fraction
 * mu of its cost is counted by proportion: max over b >= cap of
 * mu unit z (1/cap - 1/b) - violation (b - m), or 0. */
static double saving(const rest *r, double cap, double mu, double z) {
    double worth = mu * r->unit * z;
    double at = clamp(r->violation > 0 ? sqrt(worth / r->violation) : 1, cap, 1);
    double value = worth * (1 / cap - 1 / at) - r->violation * (at - r->least);
    return value > 0 ? value : 0;
}

/* Rows cost at least this if no block is above `cap` (>= threshold and m), less what blocks of at
 * most `widest` positives save by being above it and paying for it one by one. */
static double split_rows(const rest *r, double cap, double widest) {
    const uint32_t *total = r->c->total;
    const double positive_cost = (double)r->t->positive_cost, ratio = r->unit * (1 / cap - 1);
    const double blocks = widest > 0 ? r->c->positives / widest : 0;
    double p = 0, q = 0, best = 0, above = r->c->positives;
    for (int bin = 0; bin < BINS - 1; bin++) {
        p += total[positives_of(bin)];
        q += total[negatives_of(bin)];
        above -= total[positives_of(bin)];
        double mu = 1, rows = ratio * r->c->positives;
        if (bin < BINS - 2) {
            double edge = (double)r->t->edge[bin];
            if (edge - ratio <= 0 || (bin && edge <= positive_cost)) continue;
            mu = bin ? (edge - positive_cost) / (edge - ratio) : 0;
            rows = (1 - mu) * r->unit * q + mu * ratio * p + positive_cost * above;
        }
        double value = rows - blocks * saving(r, cap, mu, widest);
        if (value > best) best = value;
    }
    return best;
}

/* The else may be called 1 after a rule called 0 (whose proportion is at most the threshold): it
 * then pays violation (b - min(m, tau)), whatever its size. */
static int else_cells_reach(const rest *r, double widest, double low, double high, double need) {
    double floor = r->least < r->threshold ? r->least : r->threshold;
    double value = r->violation * (low - floor) + split_rows(r, high, widest);
    if (round_down(value, r->scale) >= need) return 1;
    if (high - low < 1.0 / GRID) return 0;
    double middle = (low + high) / 2;
    return else_cells_reach(r, widest, low, middle, need) &&
           else_cells_reach(r, widest, middle, high, need);
}

static int split_reaches(const rest *r, double widest, int64_t need) {
    double cap = r->least > r->threshold ? r->least : r->threshold;
    if (round_down(split_rows(r, cap, widest), r->scale) < need) return 0;
    double all_one = r->unit * r->c->negatives + r->violation * (r->lowest - r->least);
    if (round_down(all_one, r->scale) < need) return 0;
    return else_cells_reach(r, widest, cap, 1, (double)need);
}

static double class_cost(const table *t, const child *c) {
    int64_t below = c->total[positives_of(0)];
    return (double)(t->unit * c->total[negatives_of(0)] +
                    t->positive_cost * ((int64_t)c->positives - below));
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
        double value = prefix_and_classes(&r, prefix ? c->positives : 0, class_cost(t, c));
        if (raise(b, c, base + round_down(value, r.scale), limit, BY_CLASSES)) return;
    }
    const int64_t need = limit - base;
    if (b->enabled & CORELS_FALLING_LAGRANGIAN && lagrangian_reaches(&r, b->enabled, need)) {
        raise(b, c, limit, limit, BY_LAGRANGIAN);
        return;
    }
    if (b->enabled & CORELS_FALLING_SPLIT && split_reaches(&r, b->widest, need))
        raise(b, c, limit, limit, BY_SPLIT);
}

/* Bounds of the soft problem: a block above the least proportion m pays violation_cost (b - m).
 *
 * All functions return lower bounds on what the rows left still cost, penalties included, if at
 * least one more rule follows. Real numbers are rounded downwards (cost.h). Proofs:
 * docs/internals/falling-bounds.md, "Soft".
 */
#include "bounds.h"
#include "strip.h"

#include <string.h>

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

/* The most that a block of at most z positives above `cap` can save, penalty paid, when a fraction
 * mu of its cost is counted by proportion: max over b >= cap of
 * mu unit z (1/cap - 1/b) - violation (b - m), or 0. */
static double saving(const rest *r, double cap, double mu, double z) {
    double worth = mu * r->unit * z;
    double at = clamp(r->violation > 0 ? sqrt(worth / r->violation) : 1, cap, 1);
    double value = worth * (1 / cap - 1 / at) - r->violation * (at - r->least);
    return value > 0 ? value : 0;
}

/* A block that rises: where it starts from, and how many rules come before it. */
typedef struct {
    double p, q;             /* rows of its antecedent in the parent; the else: all of them */
    double taken_p, taken_q; /* by the child's own rule */
    uint32_t before;         /* rules between the child and the block */
} rise;

/* Savings of several blocks of together at most `p` positives, none larger than `largest`. */
static double several(const rest *r, double cap, double p, double largest) {
    return largest > 0 ? p / largest * saving(r, cap, 1, largest) : 0;
}

/* The most positives of the block if its proportion is at least `low`. */
static double most_left(const rest *r, const strip_profile *s, const rise *x, double low) {
    double most = r->c->positives < x->p ? r->c->positives : x->p;
    double strip = x->q - most * (1 / low - 1) - x->taken_q;
    if (strip <= 0) return most;
    if (x->before == 0) return -1;
    double lost = strip_least_positives(s, strip / x->before * (1 - 0x1p-40));
    double left = r->c->positives + x->taken_p - (lost > x->taken_p ? lost : x->taken_p);
    return left < most ? left : most;
}

/* Do blocks whose largest starts at x, with a proportion in [low, high], save at most `allowed`? */
static int savings_stay(const rest *r, const strip_profile *s, const rise *x, double cap,
                        double low, double high, double allowed) {
    double z = most_left(r, s, x, low), all = r->c->positives;
    if (z <= 0) return 1;
    double own = r->unit * z * (1 / cap - 1 / high) - r->violation * (low - r->least);
    double half = z < all / 2 ? z : all / 2;
    double most = several(r, cap, all, half);
    if (z > all / 2) {
        double both = (own > 0 ? own : 0) + saving(r, cap, 1, all - z);
        most = both > most ? both : most;
    }
    if (most + r->scale * 0x1p-44 <= allowed) return 1;
    if (high - low < 1.0 / 256) return 0;
    double middle = (low + high) / 2;
    return savings_stay(r, s, x, cap, low, middle, allowed) &&
           savings_stay(r, s, x, cap, middle, high, allowed);
}

/* The same for every number of rules before the block; each beyond the first costs. */
static int rise_stays(const rest *r, const strip_profile *s, rise x, double cap, double allowed,
                      uint32_t rules) {
    const double rule_cost = (double)r->t->rule_cost;
    const double most = several(r, cap, r->c->positives, r->c->positives);
    for (x.before = !rules; allowed < most; x.before++, allowed += rule_cost) {
        if (x.before > r->t->antecedents) break;
        if (!savings_stay(r, s, &x, cap, cap, 1, allowed)) return 0;
        if (rule_cost * 64 < most) return 0; /* rules are nearly free: no use in counting them */
    }
    return 1;
}

/* Every list that goes on after the child reaches `need`: because none of its blocks rises above m
 * and the threshold (under the threshold that is no better than the child's own list), or because
 * what its rising blocks save is too little. */
static int strip_reaches(const rest *r, uint32_t enabled, const strip_profile *s, const frame *f,
                         int64_t need) {
    int which;
    if (r->least > r->threshold &&
        bound_rows(enabled, r->t, r->c->total, r->c->least, &which) < need)
        return 0;
    const double cap = r->least > r->threshold ? r->least : r->threshold;
    const double rows = r->unit * (1 / cap - 1) * r->c->positives;
    const double allowed = rows - (double)need - r->scale * 0x1p-44;
    if (allowed < 0) return 0;
    rise x = {f->positives, f->negatives, f->positives - r->c->positives,
              f->negatives - r->c->negatives, 0};
    if (!rise_stays(r, s, x, cap, allowed, 0)) return 0;
    for (uint32_t i = 0; i < s->front_count; i++) {
        x.p = s->front[i].p, x.q = s->front[i].q;
        if (x.p < r->c->positives / 2.0 && saving(r, cap, 1, x.p) <= 0) break;
        if (!rise_stays(r, s, x, cap, allowed, 1)) return 0;
    }
    return 1;
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
    if (b->enabled & CORELS_FALLING_STRIP &&
        strip_reaches(&r, b->enabled, &b->profile, b->parent, need))
        raise(b, c, limit, limit, BY_STRIP);
}

int bound_frame(bounds *b, const table *t, const frame *f, int64_t limit) {
    child self = {
        .paid = f->paid, .least = f->least, .positives = f->positives, .negatives = f->negatives};
    memcpy(self.total, f->total, sizeof self.total);
    const rest r = describe(t, &self);
    const int64_t need = limit - f->paid.low - t->rule_cost;
    if (!strip_reaches(&r, b->enabled, &b->profile, f, need)) return 0;
    b->pruned[BY_STRIP]++;
    return 1;
}

/* What must follow a prefix costs at least so much; docs/internals/falling-bounds.md has the
 * proofs. Of falling lists everything is in whole numbers. Of softly falling lists it is in
 * doubles, and a comparison counts only where it holds by `margin`, 2^-40 of the largest cost: far
 * more than a few operations can round away. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <math.h>
#include <stdlib.h>

enum { GRID = 4096 }; /* proportions at which the cases of a softly falling list are cut */

static uint32_t sum(const uint32_t *counts, uint32_t from) {
    return counts[from] + counts[from + 2] + counts[from + 4] + counts[from + 6];
}

static int64_t classes_cost(const checker *c, const uint32_t *counts) {
    return c->t.unit * (int64_t)counts[1] + c->t.positive * (int64_t)(sum(counts, 0) - counts[0]);
}

/* unit (1 / proportion - 1), times part */
static uint64_t ratio_times(const checker *c, share s) {
    return (uint64_t)c->t.unit * (s.whole - s.part);
}

/* --- falling lists ------------------------------------------------------------------------------
 */

/* Points up to one of the edges: what they cost at least is mixed / by, the others pay rest. */
typedef struct {
    wide mixed;
    uint64_t by;
    int64_t rest;
} mixture;

static mixture mix(const checker *c, const uint32_t *counts, share highest, int edge) {
    const corels_falling_table *t = &c->t;
    const uint64_t ratio = ratio_times(c, highest), P = sum(counts, 0);
    const uint64_t one = (uint64_t)t->positive * highest.part - ratio;
    uint64_t p = counts[0], q = counts[1];
    for (int g = 1; g <= edge; g++) {
        p += counts[2 * g];
        q += counts[2 * g + 1];
    }
    const uint64_t at = (uint64_t)t->edges[edge];
    return (mixture){(wide)one * ((uint64_t)t->unit * q) +
                         (wide)((at - (uint64_t)t->positive) * p) * ratio,
                     at * highest.part - ratio, t->positive * (int64_t)(P - p)};
}

/* ceil(product / by) >= need */
static int divided_reaches(wide product, uint64_t by, int64_t need) {
    return need <= 0 || product > (wide)(uint64_t)(need - 1) * by;
}

/* Do these points cost `need` where no block has a proportion above `highest`, which is above the
 * threshold? The maximum of prefix, classes and lagrangian. */
int rows_reach(const checker *c, const uint32_t *counts, share highest, int64_t need) {
    if (classes_cost(c, counts) >= need) return 1;
    const wide prefix = (wide)ratio_times(c, highest) * sum(counts, 0);
    if (divided_reaches(prefix, highest.part, need)) return 1;
    for (int edge = 1; edge < 3; edge++) {
        const mixture m = mix(c, counts, highest, edge);
        if (divided_reaches(m.mixed, m.by, need - m.rest)) return 1;
    }
    return 0;
}

static int64_t divided_up(wide product, uint64_t by) {
    return (int64_t)((product + by - 1) / by);
}

static int64_t rows_bound(const checker *c, const uint32_t *counts, share highest) {
    int64_t best = classes_cost(c, counts);
    int64_t bound = divided_up((wide)ratio_times(c, highest) * sum(counts, 0), highest.part);
    if (bound > best) best = bound;
    for (int edge = 1; edge < 3; edge++) {
        const mixture m = mix(c, counts, highest, edge);
        bound = divided_up(m.mixed, m.by) + m.rest;
        if (bound > best) best = bound;
    }
    return best;
}

static int falling(const void *a, const void *b) {
    const __int128 *x = a, *y = b;
    return *x > *y ? -1 : *x < *y;
}

/* What each antecedent gains at most over calling every row negative, times `part`, falling. */
static __int128 *gains_of(const checker *c, const frame *f, share least) {
    const corels_falling_table *t = &c->t;
    const uint64_t ratio = ratio_times(c, least);
    __int128 *gains = malloc(((size_t)t->antecedents + 1) * sizeof *gains);
    for (uint32_t a = 0; gains && a < (uint32_t)t->antecedents; a++) {
        const uint32_t *of = f->counts + a;
        __int128 ordered =
            (__int128)((uint64_t)t->positive * least.part) * f->p[a] - (__int128)ratio * f->p[a];
        __int128 together =
            (__int128)(t->positive * (int64_t)of[0] - t->unit * (int64_t)of[c->lanes]) * least.part;
        gains[a] = ordered < together ? ordered : together;
        if (gains[a] < 0) gains[a] = 0;
    }
    if (gains) qsort(gains, (size_t)t->antecedents, sizeof *gains, falling);
    return gains;
}

/* Each of the rules that follow gains at most so much: does every list that extends the frame cost
 * the conclusion? -1 where memory lacks. */
int top_reaches(const checker *c, const frame *f) {
    const corels_falling_table *t = &c->t;
    const state *s = &c->states[f->number];
    const share least = s->least;
    if (ratio_times(c, least) >= (uint64_t)t->positive * least.part) return 0;
    __int128 *gains = gains_of(c, f, least);
    if (!gains) return -1;
    const __int128 floor = (__int128)rows_bound(c, f->all, least) * least.part;
    __int128 zero = (__int128)(t->positive * (int64_t)f->all_p) * least.part;
    int64_t most = t->antecedents, reached = 1;
    if (t->max_length >= 0 && t->max_length - (int64_t)s->length < most)
        most = t->max_length - (int64_t)s->length;
    for (int64_t n = 1; n <= most && reached; n++) {
        if (n > 1 && gains[n - 1] <= (__int128)t->rule * least.part) break;
        zero -= gains[n - 1];
        const int64_t need = c->total.whole - s->paid.whole - t->rule * n;
        reached = (zero > floor ? zero : floor) >= (__int128)need * least.part;
    }
    free(gains);
    return (int)reached;
}

/* --- softly falling lists -----------------------------------------------------------------------
 */

/* A child's rest in doubles. */
typedef struct {
    double unit, positive, violation;
    double P, classes, worth, least, low; /* low: some block has at least this proportion */
    double p[3], q[3];                    /* of the points up to each edge */
    double edges[3];
} rest;

static rest describe(const checker *c, const child *x) {
    const corels_falling_table *t = &c->t;
    rest r = {.unit = (double)t->unit,
              .positive = (double)t->positive,
              .violation = (double)t->violation,
              .P = x->rest.part,
              .least = ratio_of(x->least),
              .low = ratio_of(x->rest)};
    if (r.low < r.least) r.low = r.least;
    double p = 0, q = 0;
    for (int g = 0; g < 3; g++) {
        r.p[g] = p += x->left[2 * g];
        r.q[g] = q += x->left[2 * g + 1];
        r.edges[g] = (double)t->edges[g];
    }
    r.classes = r.unit * r.q[0] + r.positive * (r.P - r.p[0]);
    r.worth = r.unit * r.P;
    return r;
}

/* The least cost of the points where no block has a higher proportion. */
static double rows(const rest *r, double highest) {
    const double ratio = highest > 0 ? r->unit * (1 / highest - 1) : INFINITY;
    if (ratio >= r->positive) return r->positive * r->P;
    double best = ratio * r->P;
    if (r->classes > best) best = r->classes;
    for (int e = 1; e < 3; e++) {
        double mixed = (r->positive - ratio) * r->unit * r->q[e];
        mixed += (r->edges[e] - r->positive) * ratio * r->p[e];
        mixed = mixed / (r->edges[e] - ratio) + r->positive * (r->P - r->p[e]);
        if (mixed > best) best = mixed;
    }
    return best;
}

static double clamped(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* The least over all highest proportions, of prefix and classes. */
static double solved(const rest *r, double threshold) {
    const double start = r->low > threshold ? r->low : threshold;
    double crossing = r->worth / (r->classes + r->worth);
    if (crossing < start) crossing = start;
    const double at =
        clamped(r->violation > 0 ? sqrt(r->worth / r->violation) : 1, start, crossing);
    const double prefix = r->worth * (1 / at - 1);
    const double some =
        r->violation * (at - r->least) + (r->classes > prefix ? r->classes : prefix);
    if (r->low > threshold) return some;
    const double none = r->violation * (r->low - r->least) + r->positive * r->P;
    return none < some ? none : some;
}

/* All bounds, for every cell of proportions from first to last: the penalty at its low end, the
 * rows at its high end. */
static int cells(const rest *r, int first, int last, double need) {
    if (first >= last) return 1;
    double low = (double)first / GRID;
    if (low < r->low) low = r->low;
    if (r->violation * (low - r->least) + rows(r, (double)last / GRID) >= need) return 1;
    if (last - first == 1) return 0;
    const int middle = (first + last) / 2;
    return cells(r, middle, last, need) && cells(r, first, middle, need);
}

/* Does whatever follows the child surely cost `need`, a rule of its own not counted? */
int soft_reaches(const checker *c, const child *x, double need) {
    const rest r = describe(c, x);
    const double threshold = r.unit / (r.unit + r.positive);
    need += c->margin;
    if (solved(&r, threshold) >= need) return 1;
    if (r.low <= r.least && rows(&r, r.least) < need) return 0;
    return cells(&r, (int)floor(r.low * GRID), GRID, need);
}

#endif

#include "bounds.h"

static uint32_t positives_from(const uint32_t *total, int bin) {
    uint32_t sum = 0;
    for (; bin < BINS - 1; bin++) sum += total[positives_of(bin)];
    return sum;
}

int64_t bound_classes(const table *t, const uint32_t *total) {
    return t->unit * total[negatives_of(0)] + t->positive_cost * positives_from(total, 1);
}

/* (1/cap - 1) P */
static int64_t prefix_bound(const table *t, const uint32_t *total, proportion cap) {
    return multiply_divide_up(t->unit * (int64_t)(cap.whole - cap.part), positives_from(total, 0),
                              cap.part);
}

/* sum over classes of min((1 - mu) unit q + mu unit r p, positive_cost p), r = 1/cap - 1, with the
 * mu at which exactly the bins 0..edge take the first side. */
static int64_t lagrangian_bound(const table *t, const uint32_t *total, proportion cap, int edge) {
    uint32_t p = 0, q = 0;
    for (int bin = 0; bin <= edge; bin++) {
        p += total[positives_of(bin)];
        q += total[negatives_of(bin)];
    }
    const double price = (double)t->unit * (cap.whole - cap.part); /* unit * r * cap.part */
    const double one =
        (double)(t->positive_cost * (int64_t)cap.part - t->unit * (int64_t)(cap.whole - cap.part));
    const double slack =
        (double)(t->edge[edge] * (int64_t)cap.part - t->unit * (int64_t)(cap.whole - cap.part));
    double mixed =
        (one * (double)(t->unit * q) + (double)(t->edge[edge] - t->positive_cost) * price * p) /
        slack;
    double sum = mixed + (double)(t->positive_cost * positives_from(total, edge + 1));
    return round_down(sum, sum);
}

int64_t bound_rows(uint32_t enabled, const table *t, const uint32_t *total, proportion cap,
                   int *which) {
    int64_t best = 0;
    *which = BY_PREFIX;
    int below = t->positive_cost * (int64_t)cap.part <= t->unit * (int64_t)(cap.whole - cap.part);
    if (enabled & CORELS_FALLING_PREFIX)
        best = below ? t->positive_cost * positives_from(total, 0) : prefix_bound(t, total, cap);
    if (enabled & CORELS_FALLING_CLASSES) {
        int64_t classes = bound_classes(t, total);
        if (classes > best) best = classes, *which = BY_CLASSES;
    }
    if (!(enabled & CORELS_FALLING_LAGRANGIAN) || below) return best;
    for (int edge = 1; edge < BINS - 2; edge++) {
        int64_t mixed = lagrangian_bound(t, total, cap, edge);
        if (mixed > best) best = mixed, *which = BY_LAGRANGIAN;
    }
    return best;
}

void bound_child(bounds *b, const table *t, child *c, int64_t limit) {
    c->bound = c->paid.low + t->rule_cost;
    if (t->soft) {
        bound_soft(b, t, c, limit);
        return;
    }
    int which = BY_PREFIX;
    int64_t rows = bound_rows(b->enabled, t, c->total, c->least, &which);
    c->bound += rows;
    if (c->bound >= limit) b->pruned[which]++;
}

#include "state.h"

#include <string.h>

int frame_create(frame *f, const table *t) {
    store *all = &f->arrays;
    memset(f, 0, sizeof *f);
    f->left = store_take(all, t->words, sizeof *f->left);
    f->counts = store_take(all, (size_t)t->measures * t->lanes, sizeof *f->counts);
    f->p = store_take(all, t->lanes, sizeof *f->p);
    f->q = store_take(all, t->lanes, sizeof *f->q);
    f->children = store_take(all, t->antecedents + 1u, sizeof *f->children);
    if (!all->failed) return 1;
    store_free(all);
    return 0;
}

static void add_bins(frame *f, const table *t) {
    memset(f->p, 0, t->lanes * sizeof *f->p);
    memset(f->q, 0, t->lanes * sizeof *f->q);
    const uint32_t *counts = f->counts;
    for (int32_t m = 0; m < t->measures; m++, counts += t->lanes) {
        uint32_t *sum = t->quantity[m] % 2 ? f->q : f->p;
        for (uint32_t a = 0; a < t->antecedents; a++) sum[a] += counts[a];
    }
}

/* What the antecedents capture of a set. */
static void count(const table *t, const uint64_t *set, void *scratch, uint32_t *counts) {
    int32_t totals[QUANTITIES];
    corels_counter_count(t->counter, set, scratch, (int32_t *)counts, totals);
}

void frame_root(frame *f, const table *t, void *scratch) {
    memcpy(f->left, t->everything, t->words * sizeof *f->left);
    memcpy(f->total, t->total, sizeof f->total);
    f->positives = f->negatives = 0;
    for (int bin = 0; bin < BINS; bin++) {
        f->positives += f->total[positives_of(bin)];
        f->negatives += f->total[negatives_of(bin)];
    }
    f->least = (proportion){1, 1};
    f->paid = (cost){0, 0};
    f->length = f->rule_p = f->rule_q = f->child_count = f->next = f->node = 0;
    count(t, f->left, scratch, f->counts);
    add_bins(f, t);
}

cost with_else(const table *t, cost paid, proportion least, uint32_t p, uint32_t q) {
    int64_t rows = block_cost(t, p, q);
    paid = cost_add(paid, (cost){rows, rows});
    if (!t->soft || p + q == 0) return paid;
    return cost_add(paid, cost_violation(t->violation_cost, (proportion){p, p + q}, least));
}

cost with_rule(const table *t, cost paid, proportion least, uint32_t p, uint32_t q) {
    return with_else(t, cost_add(paid, (cost){t->rule_cost, t->rule_cost}), least, p, q);
}

cost frame_closed(const table *t, const frame *f) {
    return with_else(t, f->paid, f->least, f->positives, f->negatives);
}

static int in_order(const frame *parent, const child *c) {
    proportion rule = {c->p, c->p + c->q}, rest = {c->positives, c->positives + c->negatives};
    return !proportion_less(parent->least, rule) && !proportion_less(rule, rest);
}

int child_evaluate(child *c, const table *t, const frame *parent, uint32_t antecedent) {
    const uint32_t p = parent->p[antecedent], q = parent->q[antecedent];
    if (!t->soft && t->positive_cost * p <= t->unit * q) return 0; /* most fail here */
    c->antecedent = antecedent;
    c->p = p;
    c->q = q;
    c->positives = parent->positives - c->p;
    c->negatives = parent->negatives - c->q;
    if (c->p + c->q == 0 || c->positives + c->negatives == 0) return 0;
    if (!t->soft && !in_order(parent, c)) return 0;
    c->least = proportion_min(parent->least, (proportion){c->p, c->p + c->q});
    c->paid = with_rule(t, parent->paid, parent->least, c->p, c->q);
    c->closed = with_else(t, c->paid, c->least, c->positives, c->negatives);
    memset(c->total, 0, sizeof c->total);
    for (int32_t m = 0; m < t->measures; m++) {
        const int i = t->quantity[m];
        c->total[i] = parent->total[i] - parent->counts[(size_t)m * t->lanes + antecedent];
    }
    return 1;
}

void child_left(const table *t, const frame *parent, const child *c, uint64_t *left) {
    const uint64_t *captures = table_captures(t, c->antecedent);
    for (uint32_t w = 0; w < t->words; w++) left[w] = parent->left[w] & ~captures[w];
}

void frame_extend(frame *f, const table *t, void *scratch, const frame *parent, const child *c,
                  uint64_t *set) {
    const size_t cells = (size_t)t->measures * t->lanes;
    for (uint32_t w = 0; w < t->words; w++) set[w] = parent->left[w] & ~f->left[w];
    if (t->kernel->popcount(set, t->words) <= t->kernel->popcount(f->left, t->words)) {
        count(t, set, scratch, f->counts);
        for (size_t i = 0; i < cells; i++) f->counts[i] = parent->counts[i] - f->counts[i];
    } else {
        count(t, f->left, scratch, f->counts);
    }
    add_bins(f, t);
    memcpy(f->total, c->total, sizeof f->total);
    f->positives = c->positives;
    f->negatives = c->negatives;
    f->least = c->least;
    f->paid = c->paid;
    f->length = parent->length + 1;
    f->rule_p = c->p;
    f->rule_q = c->q;
    f->child_count = f->next = 0;
}

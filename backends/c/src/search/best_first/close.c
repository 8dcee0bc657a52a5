/* Closing: a child with room for one rule more gets the best one at once and is not queued. */
#include "best_first.h"

/* The best last rule behind what the child leaves is offered. */
static void close_child(worker *w, expansion *x, int32_t r) {
    search *s = w->search;
    best_first_frontier *f = frontier_of(s);
    int32_t stride = s->stride, last = 0;
    int64_t cost = x->cost + s->in.rule_cost + s->in.unit * x->node.errors[r];
    int64_t need = incumbent_cost(&s->incumbent) - cost, none;
    counted_set of = {x->set, x->counts, w->totals};
    w->seen.counts++;
    if (s->in.classes == 2 && last_rule_fails(&x->node, &of, r, need, &none)) {
        w->seen.uncounted++;
        return;
    }
    take_bits(f->left, x->set, mask_of(s, r), s->in.words);
    corels_counter_count(s->counter, f->left, w->scratch, f->closing_counts, f->closing_totals);
    node_view node = node_of(w, f->left, f->closing_counts);
    node.totals = f->closing_totals;
    node.errors = f->closing_errors;
    node.saved = f->closing_errors + stride;
    node.closing = f->closing_errors + 2 * (size_t)stride;
    int64_t closed = cost + s->in.rule_cost + s->in.unit * (int64_t)node_scan(&node);
    if (closed >= incumbent_cost(&s->incumbent)) return;
    while (cost + s->in.rule_cost + s->in.unit * node.closing[last] != closed) last++;
    int32_t more[2] = {r, last};
    offer_list(w, x, closed, more, 2);
}

int32_t close_children(worker *w, expansion *x, int32_t *list, int32_t n) {
    const search *s = w->search;
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i];
        int64_t bound = x->paid + s->in.rule_cost + s->in.unit * x->node.charged[r];
        if (control_cut(&s->control)) {
            x->node.cut = 1;
            return kept;
        }
        int longer = bound + 2 * s->in.rule_cost < incumbent_cost(&s->incumbent) + s->in.base;
        if (longer && x->node.rules_left > 2)
            list[kept++] = r;
        else
            close_child(w, x, r);
    }
    return kept;
}

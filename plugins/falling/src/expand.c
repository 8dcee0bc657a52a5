/* One expansion: the children of a prefix, each evaluated once, the hopeless ones dropped. */
#include "search.h"

#include <stdlib.h>

static int by_bound(const void *a, const void *b) {
    const child *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    if (x->closed.low != y->closed.low) return x->closed.low < y->closed.low ? -1 : 1;
    return x->antecedent < y->antecedent ? -1 : 1;
}

/* The last two rules, a then c, in the other order on the frame below: feasible and no worse in
 * anything, better in something? Then the other order (or c alone, if it takes all of a) is kept.
 */
static int swap_is_better(const table *t, const frame *below, const frame *f, const child *c) {
    uint32_t p1 = below->p[c->antecedent];
    uint32_t q1 = below->q[c->antecedent];
    uint32_t p2 = f->rule_p + c->p - p1, q2 = f->rule_q + c->q - q1;
    proportion first = {p1, p1 + q1};
    proportion least = proportion_min(below->least, first);
    if (!t->soft && proportion_less(below->least, first)) return 0;
    cost paid = with_rule(t, below->paid, below->least, p1, q1);
    if (p2 + q2) {
        proportion second = {p2, p2 + q2};
        if (!t->soft && proportion_less(first, second)) return 0;
        paid = with_rule(t, paid, least, p2, q2);
        least = proportion_min(least, second);
    }
    if (paid.high > c->paid.low || proportion_less(least, c->least)) return 0;
    return p2 + q2 == 0 || paid.high < c->paid.low || proportion_less(c->least, least);
}

static int hopeless(corels_falling *s, const frame *f, const frame *below, child *c) {
    bound_child(&s->prune, &s->t, c, s->best.total.high);
    if (c->bound >= s->best.total.high) return 1;
    if (below && s->prune.enabled & CORELS_FALLING_SWAP && swap_is_better(&s->t, below, f, c)) {
        s->prune.pruned[BY_SWAP]++;
        return 1;
    }
    return 0;
}

int32_t expand(corels_falling *s, frame *f, const frame *below) {
    const table *t = &s->t;
    f->child_count = f->next = 0;
    if (f->length >= s->max_rules) return 0;
    for (uint32_t a = 0; a < t->antecedents; a++) {
        child *c = &f->children[f->child_count];
        if (!child_evaluate(c, t, f, a)) {
            s->statistics.infeasible++;
            continue;
        }
        s->statistics.children++;
        int32_t status = search_consider(s, f, c, c->closed);
        if (status) return status;
        if (f->length + 1 < s->max_rules && !hopeless(s, f, below, c)) f->child_count++;
    }
    qsort(f->children, f->child_count, sizeof *f->children, by_bound);
    return 0;
}

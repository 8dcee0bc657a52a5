/* Count and improve, the first half of an expansion; filter.c has the bounds. */
#include "expand.h"

#include <stdlib.h>

static const int32_t *row_of(const search *s, const int32_t *counts, int32_t measure) {
    return measure < 0 ? NULL : counts + (size_t)measure * (size_t)s->stride;
}

node_view node_of(const worker *w, const uint64_t *set, const int32_t *counts) {
    const search *s = w->search;
    node_view node = w->node;
    node.set = set;
    node.counts = counts;
    node.worst = row_of(s, counts, s->in.worst);
    node.support = row_of(s, counts, s->in.support);
    node.minority = row_of(s, counts, s->in.minority);
    return node;
}

void worker_count(worker *w, const uint64_t *set, int32_t *counts) {
    const search *s = w->search;
    if (s->counter) corels_counter_count(s->counter, set, w->scratch, counts, w->totals);
    /* Without antecedents or points there is no counter, and one set: all points. */
    for (int32_t k = 0; !s->counter && k < s->in.measures; k++)
        w->totals[k] = instance_sum(&s->in, k);
    w->seen.counts++;
}

/* What a child is charged if the prefix pays for unavoidable errors as it goes. */
static void charge(worker *w, node_view *node) {
    for (int32_t r = 0; r < node->antecedents; r++)
        w->charged[r] = w->errors[r] + node->minority[r];
    node->charged = w->charged;
}

void expansion_count(worker *w, expansion *x) {
    const search *s = w->search;
    x->before = w->seen;
    x->mark = w->events.count;
    memcpy(w->before, w->pruned, (size_t)s->bound_count * sizeof *w->before);
    if (x->counted)
        w->seen.counts++;
    else
        worker_count(w, x->set, x->counts);
    x->node = node_of(w, x->set, x->counts);
    x->least = node_scan(&x->node);
    x->node.length = x->length;
    x->node.rules_left = rules_left(s, x->length);
    x->node.uncaptured = s->in.total - x->captured;
    if (!plays(s, ROLE_EQUIVALENT_POINTS) && x->node.minority) charge(w, &x->node);
}

void expansion_need(const search *s, expansion *x) {
    x->node.need = need_of(s, x->cost);
    x->node.incumbent = x->node.need + x->cost + s->in.base;
    x->node.room = x->node.incumbent - x->paid;
}

void offer_list(worker *w, const expansion *x, int64_t cost, const int32_t *more, int32_t n) {
    search *s = w->search;
    int32_t length = x ? x->path(x->at, w->rules) : 0;
    for (int32_t i = 0; i < n; i++) w->rules[length++] = more[i];
    if (!incumbent_offer(&s->incumbent, cost, w->rules, length)) return;
    events_emit(&w->events, (corels_event){.kind = EVENT_INCUMBENT,
                                           .antecedent = length ? w->rules[length - 1] : -1,
                                           .length = length,
                                           .node = x ? x->serial : 0,
                                           .objective = cost + s->in.base});
}

/* The least closing among the viable antecedents; the first of equals in *r. */
static int32_t least_viable(const expansion *x, int32_t *r) {
    int32_t least = INT32_MAX;
    for (int32_t q = 0; q < x->node.antecedents; q++)
        if (x->node.closing[q] < least && (!x->viable || has_bit(x->viable, q)))
            least = x->node.closing[q], *r = q;
    return least;
}

void expansion_improve(worker *w, expansion *x) {
    const search *s = w->search;
    int64_t closed = x->cost + s->in.rule_cost;
    if (s->in.antecedents && x->node.rules_left &&
        closed + s->in.unit * x->least < incumbent_cost(&s->incumbent)) {
        int32_t r = 0;
        int64_t least = least_viable(x, &r);
        if (least < INT32_MAX) offer_list(w, x, closed + s->in.unit * least, &r, 1);
    }
    expansion_need(s, x);
}

int view_room(uint64_t **view, size_t *room, size_t words) {
    if (*room >= words) return 1;
    free(*view);
    *view = malloc(words * sizeof **view);
    *room = *view ? words : 0;
    return *view != NULL;
}

void expansion_withdraw(worker *w, const expansion *x) {
    events_withdraw(&w->events, x->mark);
    w->seen = x->before;
    memcpy(w->pruned, w->before, (size_t)w->search->bound_count * sizeof *w->before);
}

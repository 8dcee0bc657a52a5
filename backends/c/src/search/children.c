/* The table of children: what each new rule captures, what it costs, what it leaves. It is made
 * only if a part reads it: a policy other than the default, a part by address, or fine events.
 */
#include "expand.h"

static void fill_row(corels_children *c, const expansion *x, int32_t row, int64_t base) {
    const node_view *node = &x->node;
    int32_t r = c->antecedent[row], errors = node->errors[r], closing = node->closing[r];
    int64_t support = node->support ? node->support[r] : 0; /* zero if no part reads it */
    c->prediction[row] = class_of_rule(node, r);
    c->length[row] = x->length + 1;
    c->support[row] = support;
    c->correct[row] = node->support ? support - node->minority[r] - errors : 0;
    c->captured[row] = x->captured + support;
    c->errors[row] = errors;
    c->worst[row] = (int64_t)errors + node->saved[r];
    c->default_errors[row] = closing - errors;
    c->lower_bound[row] = x->paid + node->rule_cost + node->unit * node->charged[r];
    c->objective[row] = x->cost + node->rule_cost + base + node->unit * closing;
}

static void fill_sets(worker *w, const expansion *x) {
    const search *s = w->search;
    const node_view *node = &x->node;
    w->sets = (corels_expansion){.masks = node->masks,
                                 .remaining = node->set,
                                 .counts = node->counts,
                                 .totals = node->totals,
                                 .worst = node->weights,
                                 .regrets = w->search->in.regrets,
                                 .classes = node->classes,
                                 .points = node->points,
                                 .words = node->words,
                                 .stride = node->stride,
                                 .cost = x->cost + s->in.base};
    w->children.expansion = &w->sets;
}

void fill_table(worker *w, const expansion *x, const int32_t *list, int32_t n, int64_t first) {
    corels_children *c = &w->children;
    c->count = n;
    memcpy(c->antecedent, list, (size_t)n * sizeof *list);
    for (int32_t row = 0; row < n; row++) c->serial[row] = first ? first + row : 0;
    c->rules_left = x->node.rules_left < ANY_NUMBER ? x->node.rules_left - 1 : -1;
    for (int32_t row = 0; row < n; row++) fill_row(c, x, row, w->search->in.base);
    if (w->search->reads_sets) fill_sets(w, x);
}

void emit_child(worker *w, const expansion *x, int32_t kind, int32_t part, int32_t r) {
    const node_view *node = &x->node;
    events_emit(&w->events, (corels_event){.kind = kind,
                                           .part = part,
                                           .antecedent = r,
                                           .length = x->length + 1,
                                           .node = x->serial,
                                           .lower_bound = x->paid + node->rule_cost +
                                                          node->unit * node->charged[r]});
}

static void tell(worker *w, const expansion *x) {
    const corels_children *c = &w->children;
    for (int32_t row = 0; row < c->count; row++)
        events_emit(&w->events, (corels_event){.kind = EVENT_PUSH,
                                               .antecedent = c->antecedent[row],
                                               .length = c->length[row],
                                               .node = c->serial[row],
                                               .count = x->serial,
                                               .lower_bound = c->lower_bound[row],
                                               .objective = c->objective[row]});
}

void expansion_table(worker *w, expansion *x, int64_t first) {
    fill_table(w, x, w->list, x->n, first);
    if (w->search->fine) tell(w, x);
}

int expansion_ask_policy(worker *w) {
    const search *s = w->search;
    const corels_children *c = &w->children;
    if (s->policy) {
        s->policy(c, s->seed, w->priorities);
        return CORELS_OK;
    }
    return s->priority(c, w->priorities, s->priority_user) ? CORELS_PART_FAILED : CORELS_OK;
}

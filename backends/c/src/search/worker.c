/* A thread's scratch, made once for the whole search. */
#include "search.h"

#include <stdlib.h>

/* The int32 arrays of one stride, in one piece. */
static void lay_out(worker *w, size_t stride) {
    int32_t **arrays[] = {&w->errors, &w->saved, &w->closing, &w->out,  &w->charged,
                          &w->list,   &w->old,   &w->lost,    &w->tried};
    size_t n = sizeof arrays / sizeof *arrays;
    int32_t *lanes = store_take(&w->arrays, n * stride, sizeof *lanes);
    for (size_t i = 0; lanes && i < n; i++) *arrays[i] = lanes + i * stride;
}

/* The columns of the table of children. */
static void lay_out_children(worker *w, size_t rows) {
    corels_children *c = &w->children;
    int32_t **narrow[] = {&c->antecedent, &c->prediction, &c->length};
    int64_t **wide[] = {&c->serial, &c->support,        &c->correct,     &c->captured, &c->errors,
                        &c->worst,  &c->default_errors, &c->lower_bound, &c->objective};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        *narrow[i] = store_take(&w->arrays, rows, sizeof **narrow[i]);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        *wide[i] = store_take(&w->arrays, rows, sizeof **wide[i]);
}

static node_view template_of(const worker *w) {
    const search *s = w->search;
    return (node_view){
        .kernel = s->kernel,
        .control = &s->control,
        .tune = &s->tune,
        .masks = s->in.masks,
        .totals = w->totals,
        .weights = s->in.worst_regrets,
        .charged = w->errors,
        .errors = w->errors,
        .saved = w->saved,
        .closing = w->closing,
        .out = w->out,
        .order = w->order,
        .digits = &s->in.regret_digits,
        .left = w->left,
        .rule_cost = s->in.rule_cost,
        .unit = s->in.unit,
        .floor = INT64_MAX,
        .rules_left = ANY_NUMBER,
        .antecedents = s->in.antecedents,
        .points = s->in.points,
        .words = s->in.words,
        .classes = s->in.classes,
        .for_rules = s->in.for_rules,
        .barred = s->in.barred,
        .stride = s->stride,
    };
}

int worker_new(worker *w, search *s) {
    size_t stride = (size_t)s->stride, parts = (size_t)s->bound_count + 1;
    store *all = &w->arrays;
    *w = (worker){.search = s};
    lay_out(w, stride);
    lay_out_children(w, (size_t)s->in.antecedents);
    w->totals = store_take(all, (size_t)s->in.measures, sizeof *w->totals);
    w->rules = store_take(all, (size_t)s->incumbent.room, sizeof *w->rules);
    w->order = store_take(all, stride, sizeof *w->order);
    w->left = store_take(all, s->in.regret_digits.longest, sizeof *w->left);
    w->keep = store_take(all, stride, 1);
    w->priorities = store_take(all, stride, sizeof *w->priorities);
    w->places = store_take(all, stride, 16);
    w->pruned = store_take(all, parts, sizeof *w->pruned);
    w->before = store_take(all, parts, sizeof *w->before);
    if (all->failed || !events_init(&w->events, s->in.antecedents, s->fine))
        return CORELS_NO_MEMORY;
    w->node = template_of(w);
    corels_children *c = &w->children;
    c->antecedents = s->in.antecedents;
    c->unit = s->in.unit, c->rule_cost = s->in.rule_cost, c->total = s->in.total;
    return CORELS_OK;
}

int worker_counts(worker *w, int32_t most) {
    const corels_counter *counter = w->search->counter;
    size_t bytes = counter ? corels_counter_scratch(counter) : 1;
    int32_t together = counter ? corels_counter_together(counter) : 1;
    w->together = together < most ? together : most;
    w->scratch = store_take(&w->arrays, bytes, (size_t)w->together);
    return w->scratch != NULL;
}

void worker_free(worker *w) {
    store_free(&w->arrays);
    free(w->events.records);
}

size_t worker_bytes(const worker *w) {
    return w->arrays.bytes + (size_t)w->events.capacity * sizeof *w->events.records;
}

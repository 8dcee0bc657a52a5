/* A thread's scratch, made once for the whole search. */
#include "search.h"

#include <stdlib.h>

enum { LANES = 13 }; /* int32 arrays of one stride */

static int lay_out(worker *w, size_t stride) {
    int32_t *lanes = corels_memory_new(LANES * stride, sizeof *lanes);
    if (!lanes) return 0;
    int32_t **arrays[LANES] = {&w->errors,    &w->saved,      &w->closing,    &w->out,
                               &w->charged,   &w->list,       &w->old,        &w->lost,
                               &w->ones.wins, &w->ones.loses, &w->zeros.wins, &w->zeros.loses,
                               &w->tried};
    for (int i = 0; i < LANES; i++, lanes += stride) *arrays[i] = lanes;
    return 1;
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
        .ones = w->ones,
        .zeros = w->zeros,
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
        .stride = s->stride,
    };
}

int worker_new(worker *w, search *s) {
    size_t stride = (size_t)s->stride, parts = (size_t)s->bound_count + 1;
    *w = (worker){.search = s};
    w->totals = corels_memory_new((size_t)s->in.measures, sizeof *w->totals);
    w->rules = corels_memory_new((size_t)s->incumbent.room, sizeof *w->rules);
    w->order = corels_memory_new(stride, sizeof *w->order);
    w->left = corels_memory_new(s->in.regret_digits.longest, sizeof *w->left);
    w->keep = corels_memory_new(stride, 1);
    w->priorities = corels_memory_new(stride, sizeof *w->priorities);
    w->places = corels_memory_new(stride, 16);
    w->pruned = calloc(parts, sizeof *w->pruned);
    w->before = calloc(parts, sizeof *w->before);
    int all = lay_out(w, stride) && w->totals && w->rules && w->order && w->left && w->keep &&
              w->priorities && w->places && w->pruned && w->before;
    if (!all || !table_init(&w->table, s->in.antecedents) ||
        !events_init(&w->events, s->in.antecedents, s->fine))
        return CORELS_NO_MEMORY;
    memset(w->tried, 0, stride * sizeof *w->tried);
    w->node = template_of(w);
    corels_children *c = &w->table.children;
    c->antecedents = s->in.antecedents;
    c->unit = s->in.unit, c->rule_cost = s->in.rule_cost, c->total = s->in.total;
    return CORELS_OK;
}

int worker_counts(worker *w) {
    const corels_counter *counter = w->search->counter;
    size_t bytes = counter ? corels_counter_scratch(counter) : 1;
    w->together = counter ? corels_counter_together(counter) : 1;
    w->scratch = corels_memory_new(bytes, (size_t)w->together);
    return w->scratch != NULL;
}

void worker_free(worker *w) {
    corels_memory_free(w->errors); /* the first of the lanes */
    corels_memory_free(w->totals);
    corels_memory_free(w->rules);
    corels_memory_free(w->order);
    corels_memory_free(w->scratch);
    corels_memory_free(w->left);
    corels_memory_free(w->keep);
    corels_memory_free(w->priorities);
    corels_memory_free(w->places);
    free(w->pruned);
    free(w->before);
    table_free(&w->table);
    events_free(&w->events);
    for (int i = 0; i < MOST_STAGED; i++) visited_free(w->visited + i);
}

size_t worker_bytes(const worker *w) {
    const search *s = w->search;
    size_t stride = (size_t)s->stride;
    size_t scratch = s->counter ? corels_counter_scratch(s->counter) * (size_t)w->together : 0;
    size_t kept = 0;
    for (int i = 0; i < MOST_STAGED; i++) kept += visited_bytes(w->visited + i, s->in.words);
    return s->in.regret_digits.longest * sizeof(uint64_t) +
           stride * (LANES * sizeof(int32_t) + 4 * sizeof(int64_t) + 1) + scratch + w->table.bytes +
           events_bytes(&w->events) + kept;
}

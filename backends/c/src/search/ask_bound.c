/* Looking into the search: one bound at work on one set. For tests, which hold each bound against
 * brute force. */
#include <stdlib.h>

#include "expand.h"

/* Builds the first tables of a bound that has none yet. */
static int have_tables(search *s, staged *of) {
    if (of->tables->view_words) return CORELS_OK;
    of->wished[0] = 0;
    scheduler_plan(s);
    while (scheduler_due(s, all_counts(s)))
        if (scheduler_build(s) != CORELS_DONE) return CORELS_NO_MEMORY;
    return CORELS_OK;
}

/* The tables of a bound that was chosen, or NULL. */
static staged *tables_of(search *s, const char *bound) {
    for (int32_t part = 0; part < s->bound_count; part++)
        if (s->bounds[part].staged >= 0 && strcmp(s->bounds[part].name, bound) == 0)
            return s->staged + s->bounds[part].staged;
    return NULL;
}

static int look_up(search *s, staged *of, node_view *node, int32_t *list, int32_t *n) {
    int status = have_tables(s, of);
    if (status != CORELS_OK || !of->tables->view_words) return status;
    const tables *t = of->tables;
    uint64_t *view = calloc((size_t)t->view_words + 1, sizeof *view);
    if (!view) return CORELS_NO_MEMORY;
    view_set(t, node->set, node->length, view);
    *n = t->ops->keep(t, view, node, list, *n);
    free(view);
    return CORELS_OK;
}

static int keep_one(search *s, const char *bound, node_view *node, int32_t *list, int32_t *n) {
    const bound_row *row = bound ? bound_named(bound) : NULL;
    staged *of = bound ? tables_of(s, bound) : NULL;
    keep_capturing(node, -1);
    hierarchical_filter(node, 1);
    if (row && row->columns) row->columns(node, 2);
    *n = node_list(node, list);
    if (row && row->sets) *n = row->sets(node, list, *n);
    return of ? look_up(s, of, node, list, n) : CORELS_OK;
}

/* The counts of a set, also before the first step, taken from `arrays`; NULL without memory. */
static int32_t *counts_of(search *s, const uint64_t *set, store *arrays) {
    worker *w = s->workers;
    int status = CORELS_OK;
    while (status == CORELS_OK) status = corels_counter_build(s->counter);
    if (status != CORELS_DONE || (!w->scratch && !worker_counts(w, 1))) return NULL;
    size_t n = (size_t)s->in.measures * (size_t)s->stride;
    int32_t *counts = store_take(arrays, n, sizeof *counts);
    if (counts) corels_counter_count(s->counter, set, w->scratch, counts, w->totals);
    return counts;
}

int corels_search_ask_bound(corels_search *s, const uint64_t *set, int32_t length, int64_t need,
                            const char *bound, int32_t *kept, int32_t *n) {
    worker *w = s->workers;
    int known = !bound || bound_named(bound) || tables_of(s, bound);
    if (!known || !s->counter || s->phase != CORELS_PHASE_LOAD) return CORELS_BAD_ARGUMENT;
    store arrays = {0};
    int32_t *counts = counts_of(s, set, &arrays);
    if (!counts) return CORELS_NO_MEMORY;
    node_view node = node_of(w, set, counts);
    node.need = node.room = node.incumbent = need;
    node.length = length;
    node.rules_left = rules_left(s, length);
    node_scan(&node);
    memset(w->out, 0, (size_t)s->stride * sizeof *w->out);
    int status = keep_one(s, bound, &node, w->list, n);
    if (status == CORELS_OK) memcpy(kept, w->list, (size_t)*n * sizeof *kept);
    store_free(&arrays);
    return status;
}

int corels_search_last_rule_fails(corels_search *s, const uint64_t *set, int32_t r, int64_t need) {
    worker *w = s->workers;
    if (!s->counter || s->in.classes != 2 || s->phase != CORELS_PHASE_LOAD) return -1;
    store arrays = {0};
    counted_set of = {set, counts_of(s, set, &arrays), w->totals};
    int64_t none;
    int fails = of.counts ? last_rule_fails(&w->node, &of, r, need, &none) : -1;
    store_free(&arrays);
    return fails;
}

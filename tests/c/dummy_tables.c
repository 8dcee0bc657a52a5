/* A bound with tables, to be copied: a completion without a rule errs as often as the default, and
 * one with rules costs at least one of them.
 *
 * The view of a set is the set itself; the "table" is one stage, which takes no time to build.
 */
#include <stdlib.h>
#include <string.h>

#include "bounds.h"

typedef struct {
    tables head;
    tables_data data;
} dummy_tables;

static size_t words_of(const tables_data *data) {
    return ((size_t)data->in.points + 63) / 64;
}

static int build(tables *head, int stage, const build_budget *budget) {
    dummy_tables *t = (dummy_tables *)head;
    (void)stage, (void)budget;
    head->view_words = (int32_t)words_of(&t->data);
    return CORELS_DONE;
}

static void free_dummy(tables *head) {
    free(head);
}

static size_t bytes(const tables *head) {
    (void)head;
    return sizeof(dummy_tables);
}

static void view_of(const tables *head, const view_source *from, uint64_t *view) {
    const tables_data *data = &((const dummy_tables *)head)->data;
    size_t words = words_of(data);
    const uint64_t *mask = data->in.masks + (size_t)(from->above ? from->r : 0) * words;
    for (size_t w = 0; w < words; w++)
        view[w] = from->above ? from->above[w] & ~mask[w] : from->set[w];
}

/* The errors of the best default rule on the view's set without r. */
static int64_t default_errors(const tables_data *data, const uint64_t *view, int32_t r) {
    int64_t least = INT64_MAX;
    for (int32_t c = 0; c < data->in.classes; c++) {
        const int32_t *regrets = data->in.regrets + (size_t)c * (size_t)data->in.points;
        int64_t errors = 0;
        for (int32_t i = 0; i < data->in.points; i++) {
            size_t w = (size_t)i / 64, row = r < 0 ? 0 : (size_t)r * words_of(data);
            uint64_t left = view[w] & ~(r < 0 ? 0 : data->in.masks[row + w]);
            errors += left >> (i % 64) & 1 ? regrets[i] : 0;
        }
        if (errors < least) least = errors;
    }
    return least;
}

static int64_t least(const tables *head, const uint64_t *view, int32_t r, int64_t most) {
    const tables_data *data = &((const dummy_tables *)head)->data;
    int64_t found = data->in.unit * default_errors(data, view, r);
    if (found > data->in.rule_cost) found = data->in.rule_cost;
    return found < most ? found : most;
}

static int32_t keep(const tables *head, const uint64_t *view, node_view *node, int32_t *list,
                    int32_t n) {
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int64_t need = child_need(node, list[i]), found = least(head, view, list[i], INT64_MAX);
        if (found < need)
            list[kept++] = list[i];
        else
            lower(&node->floor, node->need - need + found);
    }
    return kept;
}

static const tables_ops ops = {build, free_dummy, bytes, view_of, least, keep, NULL};

tables *dummy_tables_new(const tables_data *data) {
    dummy_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->data = *data;
    t->head = (tables){
        .ops = &ops, .stages = 1, .first = 1, .settles = 1, .trial = 1, .done = -1};
    t->head.due[0] = data->tune->dummy_after;
    return &t->head;
}

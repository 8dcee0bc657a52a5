/* The best-first frontier, as the search sees it. */
#include <stdlib.h>

#include "best_first.h"

static int make_arrays(search *s) {
    best_first_frontier *f = frontier_of(s);
    size_t stride = (size_t)s->stride, measures = (size_t)s->in.measures;
    size_t m = (size_t)s->in.antecedents, words = (size_t)s->in.words;
    store *all = &f->arrays;
    f->counts = store_take(all, measures * stride, sizeof *f->counts);
    f->closing_counts = store_take(all, measures * stride, sizeof *f->closing_counts);
    f->closing_totals = store_take(all, measures, sizeof *f->closing_totals);
    f->closing_errors = store_take(all, 3 * stride, sizeof *f->closing_errors);
    f->left = store_take(all, words, sizeof *f->left);
    f->key = store_take(all, words > m + 1 ? words + 1 : m + 2, sizeof *f->key);
    f->rejected = store_take(all, (size_t)corels_words(s->in.antecedents), sizeof *f->rejected);
    return !all->failed;
}

static int plant_root(search *s) {
    best_first_frontier *f = frontier_of(s);
    cache_init(&f->cache, s->in.points, s->in.antecedents);
    int32_t root = cache_add(&f->cache, CACHE_NONE, -1);
    if (root == CACHE_NONE || !queue_reserve(&f->queue, 1)) return CORELS_NO_MEMORY;
    prefix_node *node = cache_node(&f->cache, root);
    corels_fill(node->sets, s->in.points);
    corels_fill(cache_viable(&f->cache, root), s->in.antecedents);
    node->lower_bound = plays(s, ROLE_EQUIVALENT_POINTS) ? s->in.base : 0;
    queue_push(&f->queue, 0.0, 0, root);
    f->pushed = 1;
    return CORELS_OK;
}

static int prepare(search *s, const char *map) {
    best_first_frontier *f = calloc(1, sizeof *f);
    if (!f) return CORELS_NO_MEMORY;
    s->frontier = f;
    f->open = CACHE_NONE;
    if (!symmetry_kind(map, &f->map.kind)) return CORELS_BAD_ARGUMENT;
    return make_arrays(s) ? plant_root(s) : CORELS_NO_MEMORY;
}

static void free_frontier(search *s) {
    best_first_frontier *f = frontier_of(s);
    symmetry_free(&f->map);
    free(f->queue.entries);
    cache_free(&f->cache);
    store_free(&f->arrays);
    for (int i = 0; i < MOST_STAGED; i++) free(f->view[i]);
    free(f);
    s->frontier = NULL;
}

/* The least that a list not yet seen can cost: a queued prefix and one more rule. */
static int64_t proven(search *s) {
    const best_first_frontier *f = frontier_of(s);
    int64_t least = incumbent_cost(&s->incumbent) + s->in.base, rule = s->in.rule_cost;
    if (f->open != CACHE_NONE) lower(&least, cache_node(&f->cache, f->open)->lower_bound + rule);
    for (int64_t i = 0; i < f->queue.count; i++)
        lower(&least, cache_node(&f->cache, f->queue.entries[i].slot)->lower_bound + rule);
    return least - s->in.base;
}

static size_t bytes(const search *s) {
    const best_first_frontier *f = frontier_of(s);
    size_t queue = (size_t)f->queue.capacity * sizeof *f->queue.entries;
    return queue + cache_bytes(&f->cache) + symmetry_bytes(&f->map) + sizeof *f;
}

static void look(const search *s, corels_report *report) {
    const best_first_frontier *f = frontier_of(s);
    size_t now = bytes(s);
    report->open = f->queue.count;
    report->cached = f->cache.living;
    report->memory += (int64_t)now;
    report->peak_memory += (int64_t)(f->peak > now ? f->peak : now);
}

static int64_t list(const search *s, int32_t *lengths, int64_t *bounds, int64_t capacity) {
    const best_first_frontier *f = frontier_of(s);
    int64_t count = f->queue.count < capacity ? f->queue.count : capacity;
    for (int64_t i = 0; i < count; i++) {
        const prefix_node *n = cache_node(&f->cache, f->queue.entries[i].slot);
        lengths[i] = n->length;
        bounds[i] = n->lower_bound;
    }
    return count;
}

static void levels(const search *s, int64_t *counts, int32_t capacity) {
    const best_first_frontier *f = frontier_of(s);
    for (int64_t i = 0; i < f->queue.count; i++) {
        int32_t length = cache_node(&f->cache, f->queue.entries[i].slot)->length;
        if (length < capacity) counts[length]++;
    }
}

const frontier_ops best_first = {
    .prepare = prepare,
    .free = free_frontier,
    .walk = best_first_walk,
    .proven = proven,
    .look = look,
    .bytes = bytes,
    .learn = best_first_learn,
    .levels = levels,
    .list = list,
};

/* Making, asking and freeing a search; the loop itself is in search.c. */
#include <stdlib.h>

#include "bits.h"
#include "search.h"

static void *copy_of(const void *from, size_t bytes) {
    void *to = malloc(bytes ? bytes : 1);
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

static void *zeros(size_t count, size_t size) {
    return calloc(count ? count : 1, size);
}

static int choose_parts(corels_search *s, const corels_options *o) {
    if (!symmetry_kind(o->map, &s->map.kind)) return CORELS_BAD_ARGUMENT;
    s->policy = o->policy ? policy_named(o->policy) : NULL;
    if (!s->policy && (o->policy || !o->priority)) return CORELS_BAD_ARGUMENT;
    s->bound_count = o->bound_count;
    s->bounds = zeros((size_t)o->bound_count, sizeof *s->bounds);
    if (!s->bounds) return CORELS_NO_MEMORY;
    for (int32_t i = 0; i < o->bound_count; i++) {
        const corels_bound_choice *choice = &o->bounds[i];
        s->bounds[i].before = choice->before;
        s->bounds[i].monotone = choice->monotone;
        s->bounds[i].closes = choice->native && strcmp(choice->native, "one_rule") == 0;
        s->bounds[i].call = choice->native ? bound_named(choice->native) : NULL;
        if (!s->bounds[i].call && (choice->native || !o->keep)) return CORELS_BAD_ARGUMENT;
    }
    return CORELS_OK;
}

/* Regrets of each class, then captured and minority, then the worst regret (see search_measure). */
static int make_counter(corels_search *s, const corels_instance *in) {
    int32_t measures = search_measures(s);
    size_t points = (size_t)in->points;
    int32_t *weights = zeros((size_t)measures * points, sizeof *weights);
    if (!weights) return CORELS_NO_MEMORY;
    if (points) memcpy(weights, in->regrets, (size_t)in->classes * points * sizeof *weights);
    if (s->counts_captured && points) {
        memcpy(weights + (size_t)search_measure(s, MEASURE_CAPTURED) * points, in->captured,
               points * 4);
        memcpy(weights + (size_t)search_measure(s, MEASURE_MINORITY) * points, in->minority,
               points * 4);
    }
    for (size_t i = 0; in->classes > 2 && i < points; i++) {
        int32_t *worst = &weights[(size_t)search_measure(s, MEASURE_WORST) * points + i];
        for (int32_t k = 0; k < in->classes; k++)
            if (in->regrets[(size_t)k * points + i] > *worst)
                *worst = in->regrets[(size_t)k * points + i];
    }
    int status = CORELS_OK;
    if (in->antecedents)
        status = corels_counter_new(&s->counter, in->masks, in->antecedents, in->points, weights,
                                    measures, NULL);
    free(weights);
    return status;
}

/* What does not change between the expansions that bounds on sets read. */
static int prepare_sets(corels_search *s, const corels_instance *in, int32_t stride) {
    size_t points = (size_t)in->points;
    s->worst = zeros(points, sizeof *s->worst);
    s->regrets = copy_of(in->regrets, (size_t)in->classes * points * sizeof *s->regrets);
    s->expansion = (corels_expansion){.masks = s->masks,
                                      .counts = s->counts,
                                      .totals = s->totals,
                                      .worst = s->worst,
                                      .regrets = s->regrets,
                                      .seed = s->options.seed,
                                      .classes = in->classes,
                                      .points = in->points,
                                      .words = s->point_words,
                                      .stride = stride,
                                      .scratch = set_bounds_scratch(stride)};
    for (size_t i = 0; s->worst && i < (size_t)in->classes * points; i++)
        if (in->regrets[i] > s->worst[i % points]) s->worst[i % points] = in->regrets[i];
    return s->worst && s->regrets && s->expansion.scratch;
}

static int allocate(corels_search *s, const corels_instance *in) {
    size_t m = (size_t)in->antecedents, measures = (size_t)search_measures(s);
    size_t stride = s->counter ? (size_t)corels_counter_stride(s->counter) : 16;
    size_t scratch = s->counter ? corels_counter_scratch(s->counter) : 64;
    size_t key_words = (size_t)s->point_words > m + 2 ? (size_t)s->point_words : m + 2;
    s->masks = copy_of(in->masks, m * (size_t)s->point_words * 8);
    s->best = zeros(m + 1, sizeof *s->best);
    s->counts = aligned_alloc(64, measures * stride * 4);
    s->totals = zeros(measures, sizeof *s->totals);
    s->scratch = aligned_alloc(64, (scratch + 63) / 64 * 64 + 64);
    s->rejected = zeros((size_t)s->antecedent_words, 8);
    s->key = zeros(key_words, 8);
    s->keep = zeros(m, 1);
    s->priorities = zeros(m, sizeof *s->priorities);
    s->closing_counts = aligned_alloc(64, measures * stride * 4);
    s->closing_totals = zeros(measures, sizeof *s->closing_totals);
    int all = s->closing_counts && s->closing_totals && s->masks && s->best && s->counts &&
              s->totals && s->scratch && s->rejected && s->key && s->keep && s->priorities;
    if (!all || !table_init(&s->table, in->antecedents) ||
        !events_init(&s->events, in->antecedents))
        return CORELS_NO_MEMORY;
    if (s->options.reads_sets && !prepare_sets(s, in, (int32_t)stride)) return CORELS_NO_MEMORY;
    corels_children *c = &s->table.children;
    c->antecedents = s->antecedents;
    c->unit = s->unit, c->rule_cost = s->rule_cost, c->total = s->total;
    return CORELS_OK;
}

static int64_t default_errors(const corels_instance *in) {
    int64_t least = INT64_MAX;
    for (int32_t k = 0; k < in->classes; k++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < in->points; i++)
            sum += in->regrets[(size_t)k * (size_t)in->points + (size_t)i];
        if (sum < least) least = sum;
    }
    return least;
}

static int plant_root(corels_search *s, const corels_instance *in) {
    cache_init(&s->cache, s->points, s->antecedents);
    int32_t root = cache_add(&s->cache, CACHE_NONE, -1);
    if (root == CACHE_NONE || !queue_reserve(&s->queue, 1)) return CORELS_NO_MEMORY;
    fill_bits(cache_remaining(&s->cache, root), s->points);
    fill_bits(cache_viable(&s->cache, root), s->antecedents);
    cache_node(&s->cache, root)->lower_bound = s->options.equivalent_points ? s->base : 0;
    queue_push(&s->queue, 0.0, 0, root);
    s->best_objective = s->unit * default_errors(in) + s->base;
    events_emit(&s->events, (corels_event){.kind = EVENT_START,
                                           .antecedent = -1,
                                           .count = s->antecedents,
                                           .objective = s->best_objective});
    return CORELS_OK;
}

static int build(corels_search *s, const corels_instance *in, const corels_options *o) {
    s->antecedents = in->antecedents, s->points = in->points, s->classes = in->classes;
    s->point_words = words_for(in->points);
    s->antecedent_words = words_for(in->antecedents);
    s->unit = in->unit, s->rule_cost = in->rule_cost, s->base = in->base, s->total = in->total;
    s->counts_captured = in->captured != NULL;
    s->options = *o;
    int status = choose_parts(s, o);
    if (!status) status = make_counter(s, in);
    if (!status) status = allocate(s, in);
    if (!status) status = plant_root(s, in);
    return status;
}

int corels_search_new(corels_search **out, const corels_instance *in, const corels_options *o) {
    corels_search *s = calloc(1, sizeof *s);
    if (!s) return CORELS_NO_MEMORY;
    int status = build(s, in, o);
    if (status) {
        corels_search_free(s);
        return status;
    }
    *out = s;
    return CORELS_OK;
}

void corels_search_free(corels_search *s) {
    if (!s) return;
    corels_counter_free(s->counter);
    symmetry_free(&s->map);
    queue_free(&s->queue);
    cache_free(&s->cache);
    events_free(&s->events);
    table_free(&s->table);
    free(s->masks), free(s->bounds), free(s->best), free(s->counts), free(s->totals);
    free(s->scratch), free(s->rejected), free(s->key), free(s->keep);
    free(s->priorities), free(s->closing_counts), free(s->closing_totals), free(s->worst),
        free(s->regrets);
    set_bounds_free(s->expansion.scratch);
    free(s);
}

int64_t corels_search_events(corels_search *s, const corels_event **events) {
    int64_t count = s->events.count;
    *events = s->events.records;
    s->events.count = 0;
    return count;
}

int64_t search_memory(const corels_search *s) {
    size_t counter = s->counter ? corels_counter_bytes(s->counter) : 0;
    size_t events = (size_t)s->events.capacity * sizeof *s->events.records;
    return (int64_t)(queue_bytes(&s->queue) + cache_bytes(&s->cache) + symmetry_bytes(&s->map) +
                     set_bounds_bytes(s->expansion.scratch) + counter + events + s->table.bytes +
                     sizeof *s);
}

/* The least that a list not yet seen can cost: a queued prefix and one more rule. */
static int64_t proven_bound(const corels_search *s) {
    int64_t least = s->best_objective;
    if (s->open && s->open_bound + s->rule_cost < least) least = s->open_bound + s->rule_cost;
    for (int64_t i = 0; i < s->queue.count; i++) {
        int64_t bound = cache_node(&s->cache, s->queue.entries[i].slot)->lower_bound + s->rule_cost;
        if (bound < least) least = bound;
    }
    return least;
}

void corels_search_progress(const corels_search *s, corels_progress *progress) {
    *progress = s->progress;
    progress->queued = s->queue.count;
    progress->cached = s->cache.living;
    progress->objective = s->best_objective;
    progress->lower_bound = proven_bound(s);
    progress->memory = search_memory(s);
}

void corels_search_pruned(const corels_search *s, int64_t *pruned) {
    for (int32_t i = 0; i < s->bound_count; i++) pruned[i] = s->bounds[i].pruned;
}

int corels_search_offer(corels_search *s, int64_t objective) {
    if (objective >= s->best_objective) return 0;
    s->best_objective = objective;
    return 1;
}

int32_t corels_search_best(const corels_search *s, int32_t *antecedents) {
    memcpy(antecedents, s->best, (size_t)s->best_length * sizeof *antecedents);
    return s->best_length;
}

int64_t corels_search_frontier(const corels_search *s, int32_t *lengths, int64_t *bounds,
                               int64_t capacity) {
    int64_t count = s->queue.count < capacity ? s->queue.count : capacity;
    for (int64_t i = 0; i < count; i++) {
        const node *n = cache_node(&s->cache, s->queue.entries[i].slot);
        lengths[i] = n->length;
        bounds[i] = n->lower_bound;
    }
    return count;
}

const char *corels_search_kernel(const corels_search *s) {
    return s->counter ? corels_counter_name(s->counter) : "none";
}

/* The public interface: make, start, step, read. The search itself is in search.c. */
#include "chains.h"
#include "search.h"

#include <stdlib.h>
#include <string.h>

static const int64_t LIMIT = INT64_C(1) << 61;

static int weights_fit(const int64_t *weights, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] < 1 || weights[i] > LIMIT / ((int64_t)count + 1)) return 0;
    return 1;
}

/* The columns of one class in our order of the features. */
static uint64_t *reordered(const corels_pricing *p, const uint64_t *columns, size_t words,
                           store *arrays) {
    uint64_t *out = store_take(arrays, p->features * words, sizeof *out);
    for (uint32_t i = 0; out && i < p->features; i++)
        memcpy(out + i * words, columns + (size_t)p->order[i] * words, words * sizeof *out);
    return out;
}

static int lay_out(corels_pricing *p, uint32_t negatives, const uint64_t *positive_columns,
                   const uint64_t *negative_columns, const int64_t *negative_weights) {
    size_t positive_words = ((size_t)p->positive_count + 63) / 64;
    size_t negative_words = ((size_t)negatives + 63) / 64;
    if (chains_build(p->order, p->chain, p->features, positive_columns, positive_words,
                     negative_columns, negative_words))
        return -1;
    store scratch = {0};
    p->positive_columns = reordered(p, positive_columns, positive_words, &p->arrays);
    uint64_t *columns = reordered(p, negative_columns, negative_words, &scratch);
    int failed =
        !p->positive_columns || !columns || !weights_fit(negative_weights, negatives) ||
        points_build(&p->negatives, p->features, negatives, columns, negative_weights, 0, NULL);
    store_free(&scratch);
    return failed ? -1 : 0;
}

corels_pricing *corels_pricing_new(uint32_t features, uint32_t positives, uint32_t negatives,
                                   const uint64_t *positive_columns,
                                   const uint64_t *negative_columns,
                                   const int64_t *negative_weights) {
    if (!corels_kernel_current()) return NULL;
    corels_pricing *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->features = features;
    p->positive_count = positives;
    p->depth = -1;
    p->order = store_take(&p->arrays, features, sizeof *p->order);
    p->chain = store_take(&p->arrays, features, sizeof *p->chain);
    if (p->arrays.failed ||
        lay_out(p, negatives, positive_columns, negative_columns, negative_weights)) {
        corels_pricing_free(p);
        return NULL;
    }
    return p;
}

void corels_pricing_free(corels_pricing *p) {
    if (!p) return;
    store_free(&p->of_search);
    store_free(&p->positives.arrays);
    store_free(&p->negatives.arrays);
    pool_clear(&p->pool);
    pool_clear(&p->levels[0]);
    pool_clear(&p->levels[1]);
    store_free(&p->arrays);
    free(p);
}

/* Every sum that the search can form is below the sum of all terms; that must fit. */
static int in_range(const corels_pricing *p, const corels_pricing_query *q, uint32_t longest) {
    if (q->scale < 1 || q->scale_by_size < 0 || q->clause_cost < 0 || q->condition_cost < 0 ||
        q->redundant < 0)
        return 0;
    if (q->max_conditions < 1 || q->capacity < 1) return 0;
    int64_t sum = q->clause_cost;
    if (sum > LIMIT || q->condition_cost > LIMIT / ((int64_t)longest + 2)) return 0;
    sum += q->condition_cost * ((int64_t)longest + 2);
    if (sum > LIMIT || q->scale_by_size > LIMIT / ((int64_t)longest + 2)) return 0;
    int64_t scale = q->scale + q->scale_by_size * ((int64_t)longest + 1);
    if (scale > LIMIT || p->negatives.total > LIMIT / scale) return 0;
    sum += p->negatives.total * scale;
    for (uint32_t i = 0; i < p->positive_count && sum <= LIMIT; i++) {
        if (q->duals[i] < 0 || q->duals[i] > LIMIT) return 0;
        sum += q->duals[i];
    }
    return sum <= LIMIT && q->cutoff <= LIMIT;
}

static int make_frames(corels_pricing *p, uint32_t longest) {
    store_free(&p->of_search);
    p->frames_made = 0;
    p->frames = store_take(&p->of_search, longest + (size_t)1, sizeof *p->frames);
    p->path = store_take(&p->of_search, longest + (size_t)1, sizeof *p->path);
    return p->of_search.failed ? CORELS_PRICING_NO_MEMORY : 0;
}

static int enter_root(corels_pricing *p) {
    int status = search_enter(p, 0, NULL);
    if (status) return status;
    child *all = malloc((p->features + 1) * sizeof *all);
    if (!all) return CORELS_PRICING_NO_MEMORY;
    for (uint32_t j = 0; j < p->features; j++)
        all[j] = (child){.feature = j, .duals = p->positives.total};
    status = search_expand(p, 0, all, p->features, 1);
    free(all);
    return status;
}

int corels_pricing_start(corels_pricing *p, const corels_pricing_query *query) {
    uint32_t longest = query->max_conditions < p->features ? query->max_conditions : p->features;
    if (!in_range(p, query, longest)) return CORELS_PRICING_RANGE;
    p->query = *query;
    p->query.max_conditions = longest;
    p->query.duals = NULL; /* the caller's arrays are not ours to keep */
    p->query.touched = NULL;
    p->best = query->cutoff;
    p->depth = -1;
    p->beam.going = 0;
    p->proving = 0;
    p->marking = query->keep_all && query->touched != NULL;
    store_free(&p->positives.arrays);
    if (points_build(&p->positives, p->features, p->positive_count, p->positive_columns,
                     query->duals, query->keep_all != 0, query->touched))
        return CORELS_PRICING_NO_MEMORY;
    pool_reset(&p->pool, query->capacity, longest ? longest : 1, query->keep_all != 0);
    int status = make_frames(p, longest);
    if (!status && longest) {
        status = enter_root(p);
        p->depth = status ? -1 : 0;
    }
    p->proving = !status;
    return status;
}

int corels_pricing_step(corels_pricing *p, uint64_t nodes) {
    if (p->beam.going) return beam_step(p, nodes);
    uint64_t end = p->nodes + nodes;
    while (p->depth >= 0) {
        frame *f = &p->frames[p->depth];
        int64_t cutoff = pool_cutoff(&p->pool, p->query.cutoff);
        if (f->next == f->explore_count || f->explore[f->next].bound >= cutoff) {
            p->depth--;
            continue;
        }
        if (p->nodes >= end) return CORELS_PRICING_MORE;
        const child *c = &f->explore[f->next];
        uint32_t depth = (uint32_t)p->depth + 1;
        int status = search_enter(p, depth, c);
        if (!status) status = search_expand(p, depth, f->allowed, f->allowed_count, c->rank);
        if (status) return status;
        f->next++;
        p->depth++;
    }
    return CORELS_PRICING_DONE;
}

/* What is still open lies below the next child of some frame on the path; the rest is accounted
 * for by the best clause found and by the cutoff. */
static int64_t lower_bound(const corels_pricing *p) {
    int64_t nothing_known = p->query.clause_cost + p->query.condition_cost - p->positives.total;
    if (!p->proving) return nothing_known < p->best ? nothing_known : p->best;
    int64_t bound = p->best;
    for (int32_t d = 0; d <= p->depth; d++) {
        const frame *f = &p->frames[d];
        if (f->next < f->explore_count && f->explore[f->next].bound < bound)
            bound = f->explore[f->next].bound;
    }
    return bound;
}

corels_pricing_stats corels_pricing_read(const corels_pricing *p) {
    return (corels_pricing_stats){p->nodes, p->children, p->pool.count, p->best, lower_bound(p)};
}

uint32_t corels_pricing_stride(const corels_pricing *p) {
    return p->pool.stride;
}

void corels_pricing_clauses(const corels_pricing *p, uint32_t *features, uint32_t *lengths,
                            int64_t *reduced_costs) {
    const pool *kept = &p->pool;
    for (uint32_t i = 0; i < kept->count; i++) {
        const entry *e = &kept->entries[i];
        const uint32_t *clause = kept->features + (size_t)e->slot * kept->stride;
        for (uint32_t k = 0; k < e->length; k++)
            features[(size_t)i * kept->stride + k] = p->order[clause[k]];
        lengths[i] = e->length;
        reduced_costs[i] = e->reduced_cost;
    }
}

/* The paper's heuristic pricing: clauses of one condition, then the best of each size extended by
 * every feature. For tables on which the branch and bound takes too long; it proves nothing. */
#include "search.h"

#include <string.h>

static int same_clause(const pool *level, const entry *e, const uint32_t *features,
                       uint32_t length) {
    const uint32_t *other = level->features + (size_t)e->slot * level->stride;
    if (e->length != length) return 0;
    for (uint32_t i = 0; i < length; i++) {
        uint32_t k = 0;
        while (k < length && other[k] != features[i]) k++;
        if (k == length) return 0;
    }
    return 1;
}

/* The same clause is met once for each order of its conditions. */
static int known(const pool *level, int64_t score, const uint32_t *features, uint32_t length) {
    for (uint32_t i = 0; i < level->count; i++)
        if (level->entries[i].reduced_cost == score &&
            same_clause(level, &level->entries[i], features, length))
            return 1;
    return 0;
}

static int in_path(const corels_pricing *p, uint32_t depth, uint32_t feature) {
    for (uint32_t i = 0; i < depth; i++)
        if (p->path[i] == feature) return 1;
    return 0;
}

/* Offer every extension of the clause at `depth` to the next level. */
static int extend(corels_pricing *p, uint32_t depth, pool *level) {
    const corels_pricing_query *q = &p->query;
    int64_t base = q->clause_cost + q->condition_cost * ((int64_t)depth + 1);
    p->nodes++;
    p->children += p->features;
    for (uint32_t j = 0; j < p->features; j++) {
        child c = {.feature = j, .duals = p->frames[depth].duals};
        if (in_path(p, depth, j) || !search_evaluate(p, depth, &c, base, q->cutoff)) continue;
        int64_t score = c.negative * search_scale(p, depth + 1) - c.duals + base;
        p->path[depth] = j;
        if (score >= pool_cutoff(level, INT64_MAX) || known(level, score, p->path, depth + 1))
            continue;
        if (pool_offer(level, score, p->path, depth + 1) < 0) return CORELS_PRICING_NO_MEMORY;
    }
    return 0;
}

/* Walk from the root to a clause of the level before. */
static int enter_clause(corels_pricing *p, const uint32_t *features, uint32_t length) {
    for (uint32_t d = 0; d < length; d++) {
        frame *f = &p->frames[d];
        const uint64_t *positive = points_column(&p->positives, features[d]);
        const uint64_t *negative = points_column(&p->negatives, features[d]);
        child c = {.feature = features[d]};
        c.duals = points_weight(&p->positives, f->positive_set, positive);
        c.negative = points_weight(&p->negatives, f->negative_set, negative);
        int status = search_enter(p, d + 1, &c);
        if (status) return status;
    }
    return 0;
}

static int keep_level(corels_pricing *p, const pool *level) {
    for (uint32_t i = 0; i < level->count; i++) {
        const entry *e = &level->entries[i];
        if (e->reduced_cost >= p->query.cutoff) continue;
        if (e->reduced_cost < p->best) p->best = e->reduced_cost;
        int kept = pool_offer(&p->pool, e->reduced_cost,
                              level->features + (size_t)e->slot * level->stride, e->length);
        if (kept < 0) return CORELS_PRICING_NO_MEMORY;
        if (kept) return CORELS_PRICING_FULL;
    }
    return 0;
}

int corels_pricing_beam(corels_pricing *p, uint32_t width) {
    uint32_t longest = p->query.max_conditions;
    if (!width) return CORELS_PRICING_RANGE;
    p->depth = -1; /* the frames are ours now */
    p->proving = 0;
    pool_reset(&p->pool, p->query.capacity, longest ? longest : 1, p->query.keep_all != 0);
    p->beam = (beam){.width = width, .going = longest > 0};
    pool_reset(&p->levels[0], width, longest ? longest : 1, 0);
    pool_reset(&p->levels[1], width, longest ? longest : 1, 0);
    return CORELS_PRICING_DONE;
}

/* Extend the next clause of the level before; its level ends with the last one. */
static int extend_next(corels_pricing *p) {
    beam *b = &p->beam;
    pool *from = &p->levels[(b->depth + 1) % 2], *to = &p->levels[b->depth % 2];
    if (b->depth) {
        const entry *e = &from->entries[b->at];
        int status = enter_clause(p, from->features + (size_t)e->slot * from->stride, b->depth);
        if (status) return status;
    }
    int status = extend(p, b->depth, to);
    if (status) return status;
    if (++b->at < (b->depth ? from->count : 1)) return 0;
    b->at = 0;
    b->depth++;
    b->going = to->count && b->depth < p->query.max_conditions;
    pool_reset(from, b->width, p->query.max_conditions, 0);
    return keep_level(p, to);
}

int beam_step(corels_pricing *p, uint64_t nodes) {
    for (uint64_t i = 0; p->beam.going; i++) {
        if (i == nodes) return CORELS_PRICING_MORE;
        int status = extend_next(p);
        if (status) return status;
    }
    return CORELS_PRICING_DONE;
}

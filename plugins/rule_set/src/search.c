#include "search.h"

#include <stdlib.h>
#include <string.h>

/* One block for the sets, one for the two lists. */
static int make_frame(corels_pricing *p, uint32_t depth) {
    frame *f = &p->frames[depth];
    size_t positive = p->positives.words, negative = p->negatives.words;
    size_t rows = (size_t)depth * (negative + positive) + negative + positive;
    f->positive_set = store_take(&p->of_search, rows, sizeof(uint64_t));
    f->allowed = store_take(&p->of_search, (size_t)p->features * 2, sizeof(child));
    if (p->of_search.failed) return CORELS_PRICING_NO_MEMORY;
    p->frames_made = depth + 1;
    f->negative_set = f->positive_set + positive;
    f->critical = f->negative_set + negative;
    f->private = f->critical + depth * negative;
    f->explore = f->allowed + p->features;
    return 0;
}

static void intersect(uint64_t *out, const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t i = 0; i < words; i++) out[i] = a[i] & b[i];
}

static void enter_all(corels_pricing *p, frame *f) {
    memcpy(f->positive_set, p->positives.all, p->positives.words * sizeof(uint64_t));
    memcpy(f->negative_set, p->negatives.all, p->negatives.words * sizeof(uint64_t));
    f->duals = p->positives.total;
    f->negative = p->negatives.total;
}

/* The touched positives that each condition alone keeps out. */
static void enter_private(const corels_pricing *p, uint32_t depth, const uint64_t *positive) {
    const frame *parent = &p->frames[depth - 1];
    size_t words = p->positives.words;
    uint64_t *rows = p->frames[depth].private, *own = rows + (depth - 1) * words;
    for (uint32_t i = 0; i + 1 < depth; i++)
        intersect(rows + i * words, parent->private + i * words, positive, words);
    for (size_t i = 0; i < words; i++)
        own[i] = parent->positive_set[i] & ~positive[i] & p->positives.marked[i];
}

int search_enter(corels_pricing *p, uint32_t depth, const child *c) {
    if (depth >= p->frames_made && make_frame(p, depth)) return CORELS_PRICING_NO_MEMORY;
    frame *f = &p->frames[depth];
    f->allowed_count = f->explore_count = f->next = 0;
    if (depth == 0) {
        enter_all(p, f);
        return 0;
    }
    const frame *parent = &p->frames[depth - 1];
    const uint64_t *positive = points_column(&p->positives, c->feature);
    const uint64_t *negative = points_column(&p->negatives, c->feature);
    size_t words = p->negatives.words;
    p->path[depth - 1] = c->feature;
    f->duals = c->duals;
    f->negative = c->negative;
    intersect(f->positive_set, parent->positive_set, positive, p->positives.words);
    intersect(f->negative_set, parent->negative_set, negative, words);
    for (uint32_t i = 0; i + 1 < depth; i++)
        intersect(f->critical + i * words, parent->critical + i * words, negative, words);
    uint64_t *own = f->critical + (depth - 1) * words;
    for (size_t i = 0; i < words; i++) own[i] = parent->negative_set[i] & ~negative[i];
    if (p->marking) enter_private(p, depth, positive);
    return 0;
}

static int meets(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t i = 0; i < words; i++)
        if (a[i] & b[i]) return 1;
    return 0;
}

/* Does every condition on the path still keep out enough negatives of its own, or a touched
 * positive? */
static int irredundant(const corels_pricing *p, const frame *f, uint32_t depth, uint32_t feature) {
    const uint64_t *negative = points_column(&p->negatives, feature);
    const uint64_t *positive = points_column(&p->positives, feature);
    size_t words = p->negatives.words, touched = p->positives.words;
    for (uint32_t i = 0; i < depth; i++) {
        const uint64_t *private_set = f->critical + i * words;
        if (p->marking && meets(f->private + i * touched, positive, touched)) continue;
        if (!meets(private_set, negative, words)) return 0;
        if (p->query.redundant > 0 &&
            points_weight(&p->negatives, private_set, negative) <= p->query.redundant)
            return 0;
    }
    return 1;
}

/* Do S + a and S + b differ in a touched positive? b NULL: do S + a and S? */
static int tells_apart(const corels_pricing *p, const frame *f, uint32_t a, const uint32_t *b) {
    if (!p->marking) return 0;
    const uint64_t *x = points_column(&p->positives, a);
    const uint64_t *y = b ? points_column(&p->positives, *b) : p->positives.all;
    for (size_t i = 0; i < p->positives.words; i++)
        if (f->positive_set[i] & p->positives.marked[i] & (x[i] ^ y[i])) return 1;
    return 0;
}

int search_evaluate(const corels_pricing *p, uint32_t depth, child *c, int64_t base,
                    int64_t cutoff) {
    const frame *f = &p->frames[depth];
    int64_t limit = c->duals < f->duals ? c->duals : f->duals; /* sets only shrink */
    if (base - limit >= cutoff) return 0;
    const uint64_t *negative = points_column(&p->negatives, c->feature);
    c->negative = points_weight(&p->negatives, f->negative_set, negative);
    if (depth > 0 && f->negative - c->negative <= p->query.redundant &&
        !tells_apart(p, f, c->feature, NULL))
        return 0;
    int leaf = depth + 1 == p->query.max_conditions;
    if (leaf && c->negative * search_scale(p, depth + 1) + base - limit >= cutoff) return 0;
    if (!irredundant(p, f, depth, c->feature)) return 0;
    c->duals =
        points_weight(&p->positives, f->positive_set, points_column(&p->positives, c->feature));
    return base - c->duals < cutoff;
}

static int by_duals(const void *x, const void *y) {
    const child *a = x, *b = y;
    if (a->duals != b->duals) return a->duals > b->duals ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

static int by_bound(const void *x, const void *y) {
    const child *a = x, *b = y;
    if (a->bound != b->bound) return a->bound < b->bound ? -1 : 1;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Keep S + c if it is below the cutoff. */
static int offer(corels_pricing *p, uint32_t depth, const child *c, int64_t base, int64_t cutoff) {
    int64_t reduced_cost = c->negative * search_scale(p, depth + 1) - c->duals + base;
    if (reduced_cost >= cutoff) return 0;
    if (reduced_cost < p->best) p->best = reduced_cost;
    p->path[depth] = c->feature;
    int kept = pool_offer(&p->pool, reduced_cost, p->path, depth + 1);
    if (kept < 0) return CORELS_PRICING_NO_MEMORY;
    return kept ? CORELS_PRICING_FULL : 0;
}

/* Sort a copy by falling duals, bound it, and keep in `explore` what is worth exploring. */
static void list_children(corels_pricing *p, frame *f, uint32_t depth, int64_t base) {
    for (uint32_t i = 0; i < f->allowed_count; i++) f->allowed[i].at = i;
    memcpy(f->explore, f->allowed, f->allowed_count * sizeof *f->explore);
    qsort(f->explore, f->allowed_count, sizeof *f->explore, by_duals);
    bound_context context = {search_scale(p, depth + 2), /* the least that they have below */
                             p->query.condition_cost,
                             base,
                             f->negative,
                             p->query.max_conditions - depth - 1,
                             p->chain};
    bound_children(f->explore, f->allowed_count, &context);
    int64_t cutoff = pool_cutoff(&p->pool, p->query.cutoff);
    for (uint32_t i = 0; i < f->allowed_count; i++) {
        child c = f->explore[i];
        f->allowed[c.at].rank = c.rank;
        if (c.bound < cutoff) f->explore[f->explore_count++] = c;
    }
    qsort(f->explore, f->explore_count, sizeof *f->explore, by_bound);
}

static int same_positives(const corels_pricing *p, const frame *f, const child *a, const child *b) {
    if (a->duals != b->duals) return 0;
    if (!p->query.keep_all) return 1; /* no point here weighs nothing, so one contains the other */
    const uint64_t *x = points_column(&p->positives, a->feature);
    const uint64_t *y = points_column(&p->positives, b->feature);
    for (size_t i = 0; i < p->positives.words; i++)
        if (f->positive_set[i] & (x[i] ^ y[i])) return 0;
    return 1;
}

/* List a child, unless the one before, of the same chain and contained in it, makes it needless: it
 * keeps the same positives and no more negatives. If it is the other way round (the same
 * negatives, fewer positives), the new child takes the place of the one before. */
static void allow(const corels_pricing *p, frame *f, const child *c) {
    uint32_t last = f->allowed_count - 1;
    if (f->allowed_count && p->chain[f->allowed[last].feature] == p->chain[c->feature]) {
        if (same_positives(p, f, &f->allowed[last], c)) return;
        if (f->allowed[last].negative == c->negative &&
            !tells_apart(p, f, c->feature, &f->allowed[last].feature))
            f->allowed_count--;
    }
    f->allowed[f->allowed_count++] = *c;
}

int search_expand(corels_pricing *p, uint32_t depth, const child *allowed, uint32_t count,
                  uint32_t rank) {
    frame *f = &p->frames[depth];
    int64_t base = p->query.clause_cost + p->query.condition_cost * ((int64_t)depth + 1);
    int leaf = depth + 1 == p->query.max_conditions;
    p->nodes++;
    for (uint32_t i = 0; i < count; i++) {
        if (allowed[i].rank >= rank) continue;
        p->children++;
        child c = allowed[i];
        int64_t cutoff = pool_cutoff(&p->pool, p->query.cutoff);
        if (!search_evaluate(p, depth, &c, base, cutoff)) continue;
        int status = offer(p, depth, &c, base, cutoff);
        if (status) return status;
        int useless = f->negative - c.negative <= p->query.redundant && /* only at the root */
                      !tells_apart(p, f, c.feature, NULL);
        if (!leaf && !useless) allow(p, f, &c);
    }
    if (!leaf) list_children(p, f, depth, base);
    return 0;
}

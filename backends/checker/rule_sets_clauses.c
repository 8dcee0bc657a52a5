/* Every conjunction whose reduced cost is below a limit. At a clause, conditions are sorted by
 * falling duals, and below the child with condition j only those before j are added, so that every
 * set of conditions comes up once. One frame for each condition of the clause: nothing is copied.
 */
#include "rule_sets.h"

#include <stdlib.h>
#include <string.h>

/* What a node costs besides its entries of the table, and a child, in entries: clauses.py. */
enum { NODE_CELLS = 20000, CHILD_CELLS = 5000 };

/* Points of one word that weigh so much each. */
typedef struct {
    uint64_t bits;
    int64_t weight;
    uint32_t word;
} part;

/* A condition that may be added. */
typedef struct {
    int64_t duals, caught, away; /* with it; away: negatives that it takes away */
    int32_t feature;
} option;

/* A clause. allowed: the conditions that may be added; sorted: of those the ones worth a child;
 * next: the child to come; taken: what the children before it take away, falling. */
typedef struct {
    int32_t feature, allowed_count, sorted_count, next;
    uint64_t *positives, *negatives, *private; /* private: [conditions][words] */
    int32_t *allowed;
    option *sorted;
    int64_t *taken;
} frame;

struct corels_clauses {
    corels_clauses_problem p;
    size_t positive_words, negative_words;
    int64_t (*tables)[256]; /* [positive words * 8]: sums of duals for each octet */
    part *parts;            /* of the negatives */
    size_t part_count;
    frame *frames;
    int32_t depth, frame_count; /* depth: of the clause on top, -1 in the end */
    int begun;                  /* the frame on top has its children */
    int64_t cells;
    int32_t *features; /* found */
    int32_t *sizes;
    int64_t *costs;
    size_t count, room, condition_count, condition_room;
    int (*expand)(struct corels_clauses *, frame *);
    int (*needless)(const struct corels_clauses *);
};

#define INLINE static inline __attribute__((always_inline))

INLINE int64_t duals_of(const corels_clauses *s, const uint64_t *a, const uint64_t *b) {
    int64_t sum = 0;
    for (size_t w = 0; w < s->positive_words; w++) {
        uint64_t bits = a[w] & b[w];
        for (size_t k = 0; bits; bits >>= 8, k++) sum += s->tables[w * 8 + k][bits & 255];
    }
    return sum;
}

INLINE int64_t weight_of(const corels_clauses *s, const uint64_t *a, const uint64_t *b) {
    int64_t sum = 0;
    for (const part *p = s->parts; p < s->parts + s->part_count; p++)
        sum += p->weight * __builtin_popcountll(a[p->word] & b[p->word] & p->bits);
    return sum;
}

static int by_duals(const void *a, const void *b) {
    const option *x = a, *y = b;
    if (x->duals != y->duals) return x->duals > y->duals ? -1 : 1;
    return x->feature < y->feature ? -1 : 1;
}

static uint32_t ones(const uint64_t *set, size_t words) {
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++) sum += (uint32_t)__builtin_popcountll(set[w]);
    return sum;
}

static int work(corels_clauses *s, int64_t cells) {
    s->cells += cells;
    return s->p.cells < 0 || s->cells <= s->p.cells;
}

/* The conditions that are worth a child, sorted. 0: too much work. */
INLINE int expand_here(corels_clauses *s, frame *f) {
    const corels_clauses_problem *p = &s->p;
    const int64_t points =
        (int64_t)ones(f->positives, s->positive_words) + ones(f->negatives, s->negative_words);
    const int64_t all = weight_of(s, f->negatives, f->negatives);
    const int64_t charged = p->first + p->each * (s->depth + 1);
    if (!work(s, NODE_CELLS + f->allowed_count * points)) return 0;
    f->sorted_count = f->next = 0;
    for (int32_t i = 0; i < f->allowed_count; i++) {
        const int32_t k = f->allowed[i];
        option o = {.feature = k};
        o.duals = duals_of(s, f->positives, p->held_positives + (size_t)k * s->positive_words);
        if (charged - o.duals >= p->limit) continue;
        o.caught = weight_of(s, f->negatives, p->held_negatives + (size_t)k * s->negative_words);
        o.away = all - o.caught;
        if (s->depth && o.away <= p->spare) continue;
        f->sorted[f->sorted_count++] = o;
    }
    qsort(f->sorted, (size_t)f->sorted_count, sizeof *f->sorted, by_duals);
    return 1;
}

/* Whether some condition but the last one of the clause above is needless. */
INLINE int needless_here(const corels_clauses *s) {
    const frame *above = &s->frames[s->depth + 1];
    for (size_t c = 0; c < (size_t)s->depth; c++) {
        const uint64_t *own = above->private + c * s->negative_words;
        if (weight_of(s, own, own) <= s->p.spare) return 1;
    }
    return 0;
}

#define COUNTING(name, target)                                                                     \
    target static int expand_##name(corels_clauses *s, frame *f) {                                 \
        return expand_here(s, f);                                                                  \
    }                                                                                              \
    target static int needless_##name(const corels_clauses *s) {                                   \
        return needless_here(s);                                                                   \
    }
COUNTING(anywhere, )
#if defined(__x86_64__) && defined(__GNUC__)
COUNTING(popcnt, __attribute__((target("popcnt"))))
#endif

static void choose(corels_clauses *s) {
    s->expand = expand_anywhere;
    s->needless = needless_anywhere;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("popcnt")) {
        s->expand = expand_popcnt;
        s->needless = needless_popcnt;
    }
#endif
}

/* A lower bound of every clause below a child: further conditions take away at most the largest
 * shares. size: its conditions. */
static int64_t least_below(const corels_clauses *s, const frame *f, const option *o, int32_t size) {
    const corels_clauses_problem *p = &s->p;
    const int64_t charged = p->first + p->each * size - o->duals;
    int64_t left = o->caught, best = INT64_MAX;
    for (int32_t n = 1; n <= p->longest - size && n <= f->next - 1; n++) {
        const int64_t share = f->taken[n - 1];
        left = left > share ? left - share : 0;
        const int64_t cost = charged + p->each * n + p->scale * left;
        if (cost < best) best = cost;
        if (!left || share * p->scale <= p->each) break;
    }
    return best;
}

static void take(frame *f, int64_t away) {
    int32_t at = f->next - 1; /* so many are there */
    for (; at > 0 && f->taken[at - 1] < away; at--) f->taken[at] = f->taken[at - 1];
    f->taken[at] = away;
}

/* --- frames -------------------------------------------------------------------------------------
 */

static int reach(corels_clauses *s, int32_t depth) {
    if (depth < s->frame_count) return 1;
    frame *frames = realloc(s->frames, ((size_t)depth + 1) * sizeof *frames);
    if (!frames) return 0;
    s->frames = frames;
    s->frame_count = depth + 1;
    frame *f = &frames[depth];
    const size_t features = (size_t)s->p.features + 1;
    memset(f, 0, sizeof *f);
    f->positives = calloc(s->positive_words + 1, sizeof *f->positives);
    f->negatives = calloc(s->negative_words + 1, sizeof *f->negatives);
    f->private = calloc(((size_t)depth + 1) * s->negative_words + 1, sizeof *f->private);
    f->allowed = calloc(features, sizeof *f->allowed);
    f->sorted = calloc(features, sizeof *f->sorted);
    f->taken = calloc(features, sizeof *f->taken);
    return f->positives && f->negatives && f->private && f->allowed && f->sorted && f->taken;
}

/* The points that satisfy the clause with one more condition, in the frame above; and for each
 * condition the negatives that satisfy all but that one. */
static void fill_above(corels_clauses *s, const option *o) {
    const frame *f = &s->frames[s->depth];
    frame *above = &s->frames[s->depth + 1];
    const size_t words = s->negative_words, conditions = (size_t)s->depth;
    const uint64_t *positives = s->p.held_positives + (size_t)o->feature * s->positive_words;
    const uint64_t *negatives = s->p.held_negatives + (size_t)o->feature * words;
    for (size_t w = 0; w < s->positive_words; w++)
        above->positives[w] = f->positives[w] & positives[w];
    for (size_t w = 0; w < words; w++) above->negatives[w] = f->negatives[w] & negatives[w];
    for (size_t c = 0; c < conditions; c++)
        for (size_t w = 0; w < words; w++)
            above->private[c * words + w] = f->private[c * words + w] & negatives[w];
    for (size_t w = 0; w < words; w++)
        above->private[conditions * words + w] = f->negatives[w] & ~negatives[w];
    above->feature = o->feature;
}

static int keep(corels_clauses *s, int64_t cost) {
    const size_t size = (size_t)s->depth + 1;
    if (s->count == s->room) {
        const size_t room = 2 * s->room + 64;
        int32_t *sizes = realloc(s->sizes, room * sizeof *sizes);
        if (sizes) s->sizes = sizes;
        int64_t *costs = sizes ? realloc(s->costs, room * sizeof *costs) : NULL;
        if (!costs) return CORELS_SETS_MEMORY;
        s->costs = costs;
        s->room = room;
    }
    if (s->condition_count + size > s->condition_room) {
        const size_t room = 2 * s->condition_room + size + 64;
        int32_t *features = realloc(s->features, room * sizeof *features);
        if (!features) return CORELS_SETS_MEMORY;
        s->features = features;
        s->condition_room = room;
    }
    for (size_t d = 1; d <= size; d++) s->features[s->condition_count++] = s->frames[d].feature;
    s->sizes[s->count] = (int32_t)size;
    s->costs[s->count++] = cost;
    const int many = s->p.most >= 0 && s->count > (size_t)s->p.most;
    return many ? CORELS_SETS_TOO_LARGE : CORELS_SETS_RUNNING;
}

/* The next child of the clause on top; where more may be added to it, it is the new top. */
static int next_child(corels_clauses *s) {
    frame *f = &s->frames[s->depth];
    const option *o = &f->sorted[f->next++];
    const corels_clauses_problem *p = &s->p;
    const int32_t size = s->depth + 1;
    const int64_t cost = p->first + p->each * size - o->duals + p->scale * o->caught;
    const int longer = size < p->longest && f->next > 1 && least_below(s, f, o, size) < p->limit;
    int result = CORELS_SETS_RUNNING;
    if (cost < p->limit || longer) {
        if (!reach(s, size)) return CORELS_SETS_MEMORY;
        f = &s->frames[s->depth];
        o = &f->sorted[f->next - 1];
        if (!work(s, CHILD_CELLS + (int64_t)size * p->negatives)) return CORELS_SETS_TOO_LARGE;
        fill_above(s, o);
        if (!s->needless(s)) {
            if (cost < p->limit) result = keep(s, cost);
            if (longer && result == CORELS_SETS_RUNNING) {
                frame *above = &s->frames[size];
                above->allowed_count = f->next - 1;
                for (int32_t i = 0; i < f->next - 1; i++) above->allowed[i] = f->sorted[i].feature;
                s->begun = 0;
            }
        }
    }
    take(f, o->away);
    if (!s->begun) s->depth++;
    return result;
}

int corels_clauses_step(corels_clauses *s, size_t nodes) {
    while (s->depth >= 0) {
        frame *f = &s->frames[s->depth];
        if (!s->begun) {
            if (!nodes--) return CORELS_SETS_RUNNING;
            if (!s->expand(s, f)) return CORELS_SETS_TOO_LARGE;
            s->begun = 1;
        } else if (f->next == f->sorted_count) {
            s->depth--;
        } else {
            const int result = next_child(s);
            if (result != CORELS_SETS_RUNNING) return result;
        }
    }
    return CORELS_SETS_DONE;
}

/* --- the beginning and the end ------------------------------------------------------------------
 */

/* The parts of one word: by weight or by the digits of the weights, whichever are fewer. */
static size_t parts_of(const int64_t *weights, uint32_t word, size_t points, part *parts) {
    size_t by_weight = 0, by_digit = 0;
    part digits[64];
    for (size_t i = 0; i < points; i++) {
        size_t k = 0;
        while (k < by_weight && parts[k].weight != weights[i]) k++;
        if (k == by_weight) parts[by_weight++] = (part){0, weights[i], word};
        parts[k].bits |= (uint64_t)1 << i;
    }
    for (int d = 0; d < 62; d++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < points; i++) bits |= (uint64_t)(weights[i] >> d & 1) << i;
        if (bits) digits[by_digit++] = (part){bits, (int64_t)1 << d, word};
    }
    if (by_weight <= by_digit) return by_weight;
    memcpy(parts, digits, by_digit * sizeof *parts);
    return by_digit;
}

static int lay_out(corels_clauses *s) {
    const corels_clauses_problem *p = &s->p;
    s->tables = calloc(s->positive_words * 8 + 1, sizeof *s->tables);
    s->parts = calloc((s->negative_words + 1) * 64, sizeof *s->parts);
    if (!s->tables || !s->parts || !reach(s, 0)) return 0;
    frame *root = s->frames;
    for (int32_t i = 0; i < p->positives; i++) {
        int64_t *table = s->tables[i / 8];
        const size_t bit = (size_t)1 << i % 8;
        for (size_t k = bit; k < 2 * bit; k++) table[k] = table[k - bit] + p->duals[i];
        root->positives[i / 64] |= (uint64_t)1 << i % 64;
    }
    for (int32_t i = 0; i < p->negatives; i++) root->negatives[i / 64] |= (uint64_t)1 << i % 64;
    for (size_t w = 0; w < s->negative_words; w++) {
        const size_t left = (size_t)p->negatives - w * 64;
        s->part_count += parts_of(p->caught + w * 64, (uint32_t)w, left < 64 ? left : 64,
                                  s->parts + s->part_count);
    }
    for (int32_t k = 0; k < p->features; k++) root->allowed[k] = k;
    root->allowed_count = p->features;
    return 1;
}

corels_clauses *corels_clauses_open(const corels_clauses_problem *problem) {
    corels_clauses *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->p = *problem;
    s->positive_words = ((size_t)problem->positives + 63) / 64;
    s->negative_words = ((size_t)problem->negatives + 63) / 64;
    choose(s);
    if (lay_out(s)) return s;
    corels_clauses_close(s);
    return NULL;
}

size_t corels_clauses_count(const corels_clauses *s, size_t *conditions) {
    *conditions = s->condition_count;
    return s->count;
}

void corels_clauses_read(const corels_clauses *s, int32_t *sizes, int32_t *features,
                         int64_t *costs) {
    for (size_t i = 0; i < s->count; i++) sizes[i] = s->sizes[i], costs[i] = s->costs[i];
    for (size_t i = 0; i < s->condition_count; i++) features[i] = s->features[i];
}

void corels_clauses_close(corels_clauses *s) {
    if (!s) return;
    for (int32_t i = 0; i < s->frame_count; i++) {
        free(s->frames[i].positives);
        free(s->frames[i].negatives);
        free(s->frames[i].private);
        free(s->frames[i].allowed);
        free(s->frames[i].sorted);
        free(s->frames[i].taken);
    }
    free(s->frames);
    free(s->tables);
    free(s->parts);
    free(s->features);
    free(s->sizes);
    free(s->costs);
    free(s);
}

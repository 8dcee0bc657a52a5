/* Two passes over the prefixes. The first one finds what each leaves and costs, and puts it into a
 * table by the set of points that is left. The second one goes along the prefixes again with the
 * counts of every antecedent, and looks at all children. Sets are compared whole where a digest has
 * found them, so a collision costs a comparison and no more. */
#include "falling.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

typedef unsigned __int128 wide;

enum { GROUPS = 4, COUNTS = 2 * GROUPS }; /* the points of each edge but the ones before; others */

/* What a prefix leaves. parent: its index, 0 is the empty one. */
typedef struct {
    uint64_t digest;
    int64_t paid;
    uint32_t part, whole; /* the least proportion: that of the last rule */
    uint32_t parent, rule, length;
} state;

/* A prefix of the path with the counts of its children. counts[8 a + 2 g]: positives of group g
 * that antecedent a captures, behind it the negatives. */
typedef struct {
    uint64_t *left;
    uint32_t *counts;
    uint32_t all[COUNTS];
    uint32_t rule_p, rule_q; /* what the last rule captures */
    uint32_t number;
} frame;

typedef struct {
    const corels_falling_table *t;
    uint32_t words;
    uint8_t *group; /* of a point */
    uint32_t *first,
        *capturing; /* point i is captured by capturing[first[i] .. first[i + 1] - 1] */
    state *states;
    uint32_t count;
    uint32_t *slots; /* of the table: numbers of states, 0 is empty */
    uint64_t slot_mask;
    uint64_t *scratch;
    int64_t *gains;
    frame *frames;
    uint32_t frame_count;
} checker;

static const uint64_t *mask_of(const checker *c, uint32_t antecedent) {
    return c->t->masks + (size_t)antecedent * c->words;
}

static int64_t block(const checker *c, uint64_t p, uint64_t q) {
    int64_t zero = c->t->positive * (int64_t)p, one = c->t->unit * (int64_t)q;
    return zero < one ? zero : one;
}

static int share_less(uint64_t p1, uint64_t n1, uint64_t p2, uint64_t n2) {
    return p1 * n2 < p2 * n1; /* counts are below 2^30 */
}

/* ceil(a b / c) */
static int64_t divided_up(wide product, uint64_t by) {
    return (int64_t)((product + by - 1) / by);
}

static uint64_t digest_of(const uint64_t *set, uint32_t words) {
    uint64_t hash = 0;
    for (uint32_t w = 0; w < words; w++) {
        hash = (hash ^ set[w]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

/* The points that a prefix leaves, from its rules. */
static void leave(const checker *c, uint32_t number, uint64_t *left) {
    memset(left, 0xff, c->words * sizeof *left);
    if (c->t->points % 64) left[c->words - 1] = ((uint64_t)1 << c->t->points % 64) - 1;
    for (; number; number = c->states[number].parent) {
        const uint64_t *mask = mask_of(c, c->states[number].rule);
        for (uint32_t w = 0; w < c->words; w++) left[w] &= ~mask[w];
    }
}

/* --- first pass --------------------------------------------------------------------------------
 */

static void sum_set(const checker *c, const uint64_t *set, const uint64_t *mask, uint64_t *p,
                    uint64_t *q) {
    *p = *q = 0;
    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t some = set[w] & mask[w]; some; some &= some - 1) {
            uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(some);
            *p += c->t->positives[i];
            *q += c->t->negatives[i];
        }
}

/* The state of parent with one more rule; 0 where that cannot be a prefix. `left`: what the parent
 * leaves, and then what the new one leaves. */
static int extend(const checker *c, uint32_t parent, uint32_t rule, uint64_t *left, state *found) {
    const state *before = &c->states[parent];
    uint64_t p, q, rest = 0;
    const uint64_t *mask = mask_of(c, rule);
    sum_set(c, left, mask, &p, &q);
    for (uint32_t w = 0; w < c->words; w++) rest |= left[w] &= ~mask[w];
    if (p + q == 0 || !rest || share_less(before->part, before->whole, p, p + q)) return 0;
    *found = (state){digest_of(left, c->words),
                     before->paid + c->t->rule + block(c, p, q),
                     (uint32_t)p,
                     (uint32_t)(p + q),
                     parent,
                     rule,
                     before->length + 1};
    return 1;
}

static void insert(checker *c, uint32_t number) {
    uint64_t i = c->states[number].digest & c->slot_mask;
    while (c->slots[i]) i = (i + 1) & c->slot_mask;
    c->slots[i] = number;
}

/* `path[k]` is the number of the prefix with k rules on the path to the last one. */
static int build(checker *c, const corels_falling_prefixes *given, uint32_t *path,
                 corels_falling_report *report) {
    for (size_t n = 0; n < given->count; n++) {
        uint32_t parent = path[given->shared[n]], number = (uint32_t)n + 1;
        leave(c, parent, c->scratch);
        if (!extend(c, parent, given->rules[n], c->scratch, &c->states[number])) {
            *report = (corels_falling_report){(int64_t)number, -2};
            return 0;
        }
        path[c->states[number].length] = number;
        insert(c, number);
    }
    return 1;
}

/* --- counts ------------------------------------------------------------------------------------
 */

static void add_point(const checker *c, uint32_t i, uint32_t *counts, uint32_t sign) {
    const uint32_t at = 2u * c->group[i];
    const uint32_t p = sign * c->t->positives[i], q = sign * c->t->negatives[i];
    for (uint32_t k = c->first[i]; k < c->first[i + 1]; k++) {
        uint32_t *of = counts + (size_t)c->capturing[k] * COUNTS + at;
        of[0] += p;
        of[1] += q;
    }
}

static void add_points(const checker *c, const uint64_t *set, uint32_t *counts, uint32_t sign) {
    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t some = set[w]; some; some &= some - 1)
            add_point(c, w * 64 + (uint32_t)__builtin_ctzll(some), counts, sign);
}

static void count_all(const checker *c, frame *f) {
    memset(f->all, 0, sizeof f->all);
    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t some = f->left[w]; some; some &= some - 1) {
            uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(some);
            f->all[2 * c->group[i]] += c->t->positives[i];
            f->all[2 * c->group[i] + 1] += c->t->negatives[i];
        }
}

static uint32_t sum(const uint32_t *counts, uint32_t from) {
    return counts[from] + counts[from + 2] + counts[from + 4] + counts[from + 6];
}

static int reach_frame(checker *c, uint32_t depth) {
    if (depth < c->frame_count) return 1;
    frame *frames = realloc(c->frames, (depth + 1u) * sizeof *frames);
    if (!frames) return 0;
    c->frames = frames;
    frame *f = &frames[depth];
    memset(f, 0, sizeof *f);
    c->frame_count = depth + 1;
    f->left = malloc((c->words + 1u) * sizeof *f->left);
    f->counts = malloc(((size_t)c->t->antecedents + 1) * COUNTS * sizeof *f->counts);
    return f->left && f->counts;
}

/* Counts of the state `number`, whose parent is the frame below. */
static void fill_frame(checker *c, uint32_t depth, uint32_t number) {
    frame *f = &c->frames[depth];
    const size_t size = (size_t)c->t->antecedents * COUNTS * sizeof *f->counts;
    leave(c, number, f->left);
    f->number = number;
    uint32_t more = 0;
    const frame *below = depth ? f - 1 : NULL;
    if (below) {
        const uint32_t *taken = below->counts + (size_t)c->states[number].rule * COUNTS;
        f->rule_p = sum(taken, 0);
        f->rule_q = sum(taken, 1);
        for (uint32_t w = 0; w < c->words; w++) {
            c->scratch[w] = below->left[w] & ~f->left[w];
            more += (uint32_t)__builtin_popcountll(f->left[w]);
            more -= (uint32_t)__builtin_popcountll(c->scratch[w]);
        }
    }
    if (below && more < UINT32_MAX / 2) { /* less was taken than is left */
        memcpy(f->counts, below->counts, size);
        add_points(c, c->scratch, f->counts, UINT32_MAX);
    } else {
        memset(f->counts, 0, size);
        add_points(c, f->left, f->counts, 1);
    }
    count_all(c, f);
}

/* --- bounds ------------------------------------------------------------------------------------
 */

/* The least cost of these points where no block has a proportion above part / whole, which is above
 * the threshold: the maximum of prefix, classes and lagrangian, or what reaches `need`. */
static int64_t rows_bound(const checker *c, const uint32_t *counts, uint64_t part, uint64_t whole,
                          int64_t need) {
    const corels_falling_table *t = c->t;
    const uint64_t P = sum(counts, 0), ratio = (uint64_t)t->unit * (whole - part); /* times part */
    int64_t best = t->unit * (int64_t)counts[1] + t->positive * (int64_t)(P - counts[0]);
    if (best >= need) return best;
    int64_t prefix = divided_up((wide)ratio * P, part);
    if (prefix > best) best = prefix;
    uint64_t p = counts[0], q = counts[1];
    const uint64_t one = (uint64_t)t->positive * part - ratio;
    for (int g = 1; g < 3 && best < need; g++) {
        p += counts[2 * g];
        q += counts[2 * g + 1];
        uint64_t edge = (uint64_t)t->edges[g];
        wide mixed = (wide)one * ((uint64_t)t->unit * q) +
                     (wide)((edge - (uint64_t)t->positive) * p) * ratio;
        int64_t bound = divided_up(mixed, edge * part - ratio) + t->positive * (int64_t)(P - p);
        if (bound > best) best = bound;
    }
    return best;
}

static int falling(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return *x > *y ? -1 : *x < *y;
}

/* Each of the rules that follow gains at most so much over calling every row negative. */
static int top_reaches(const checker *c, const frame *f) {
    const corels_falling_table *t = c->t;
    const state *s = &c->states[f->number];
    const uint64_t ratio = (uint64_t)t->unit * (s->whole - s->part);
    if (ratio >= (uint64_t)t->positive * s->part) return 0; /* at the threshold or below */
    for (uint32_t a = 0; a < (uint32_t)t->antecedents; a++) {
        const uint32_t *of = f->counts + (size_t)a * COUNTS;
        uint64_t p = sum(of, 0);
        int64_t ordered = t->positive * (int64_t)p - (int64_t)((wide)ratio * p / s->part);
        int64_t together = t->positive * (int64_t)of[0] - t->unit * (int64_t)of[1];
        int64_t least = ordered < together ? ordered : together;
        c->gains[a] = least > 0 ? least : 0;
    }
    qsort(c->gains, (size_t)t->antecedents, sizeof *c->gains, falling);
    const int64_t floor = rows_bound(c, f->all, s->part, s->whole, INT64_MAX);
    int64_t zero = t->positive * (int64_t)sum(f->all, 0);
    uint32_t most = (uint32_t)t->antecedents;
    if (t->max_length >= 0 && (uint32_t)t->max_length - s->length < most)
        most = (uint32_t)t->max_length - s->length;
    for (uint32_t n = 1; n <= most; n++) {
        if (n > 1 && c->gains[n - 1] <= t->rule) break;
        zero -= c->gains[n - 1];
        if (s->paid + t->rule * (int64_t)n + (zero > floor ? zero : floor) < t->total) return 0;
    }
    return 1;
}

/* --- children ----------------------------------------------------------------------------------
 */

/* A child of a frame: what its rule captures and leaves, and the cost of its prefix. */
typedef struct {
    uint32_t rule, p, q;
    int64_t paid;
} child;

static int listed(const checker *c, const frame *f, const child *x) {
    const uint64_t *mask = mask_of(c, x->rule);
    uint64_t *left = c->scratch, *other = c->scratch + c->words;
    for (uint32_t w = 0; w < c->words; w++) left[w] = f->left[w] & ~mask[w];
    const uint64_t digest = digest_of(left, c->words);
    for (uint64_t i = digest & c->slot_mask; c->slots[i]; i = (i + 1) & c->slot_mask) {
        const state *s = &c->states[c->slots[i]];
        if (s->digest != digest || s->paid > x->paid || s->length > c->states[f->number].length + 1)
            continue;
        if (share_less(s->part, s->whole, x->p, (uint64_t)x->p + x->q)) continue;
        leave(c, c->slots[i], other);
        if (memcmp(left, other, c->words * sizeof *left) == 0) return 1;
    }
    return 0;
}

/* The last two rules in the other order, or the last one alone if it captures what both do. */
static int swapped(const checker *c, const frame *f, const child *x) {
    if (!c->states[f->number].length) return 0;
    const frame *below = f - 1;
    const state *base = &c->states[below->number];
    const uint32_t *of = below->counts + (size_t)x->rule * COUNTS;
    const uint64_t p1 = sum(of, 0), n1 = p1 + sum(of, 1), n = (uint64_t)x->p + x->q;
    if (!n1 || share_less(base->part, base->whole, p1, n1)) return 0;
    int64_t paid = base->paid + c->t->rule + block(c, p1, n1 - p1);
    const uint64_t p2 = (uint64_t)f->rule_p + x->p - p1;
    const uint64_t n2 = (uint64_t)f->rule_p + f->rule_q + n - n1;
    if (n2 == 0) return paid <= x->paid && !share_less(p1, n1, x->p, n);
    if (share_less(p1, n1, p2, n2)) return 0;
    paid += c->t->rule + block(c, p2, n2 - p2);
    if (paid > x->paid || share_less(p2, n2, x->p, n)) return 0;
    return paid < x->paid || share_less(x->p, n, p2, n2);
}

/* Every list that begins with the frame's prefix and this rule costs the conclusion. */
static int enough(const checker *c, const frame *f, uint32_t rule) {
    const corels_falling_table *t = c->t;
    const state *s = &c->states[f->number];
    const uint32_t *of = f->counts + (size_t)rule * COUNTS;
    const uint64_t p = sum(of, 0), q = sum(of, 1);
    const uint64_t P = sum(f->all, 0) - p, Q = sum(f->all, 1) - q;
    if (p + q == 0 || P + Q == 0) return 1;
    if (t->positive * (int64_t)p <= t->unit * (int64_t)q) return 1;
    if (share_less(s->part, s->whole, p, p + q) || share_less(p, p + q, P, P + Q)) return 1;
    const child x = {rule, (uint32_t)p, (uint32_t)q, s->paid + t->rule + block(c, p, q)};
    if (x.paid + block(c, P, Q) < t->total) return 0;
    if (P == 0 || Q == 0) return 1;
    if (t->max_length >= 0 && s->length + 1 == (uint32_t)t->max_length) return 1;
    uint32_t left[COUNTS];
    for (int i = 0; i < COUNTS; i++) left[i] = f->all[i] - of[i];
    const int64_t need = t->total - x.paid - t->rule;
    if (rows_bound(c, left, p, p + q, need) >= need) return 1;
    return listed(c, f, &x) || swapped(c, f, &x);
}

/* -1: the prefix holds; otherwise the antecedent of the report, shifted by one. */
static int32_t check_frame(const checker *c, const frame *f) {
    const state *s = &c->states[f->number];
    if (s->paid + block(c, sum(f->all, 0), sum(f->all, 1)) < c->t->total) return 0;
    if (c->t->max_length >= 0 && s->length == (uint32_t)c->t->max_length) return -1;
    for (uint32_t a = 0; a < (uint32_t)c->t->antecedents; a++)
        if (!enough(c, f, a)) return top_reaches(c, f) ? -1 : (int32_t)a + 1;
    return -1;
}

static int check_all(checker *c, corels_falling_report *report) {
    for (uint32_t number = 0; number < c->count; number++) {
        const uint32_t depth = c->states[number].length;
        if (!reach_frame(c, depth)) return CORELS_FALLING_MEMORY;
        fill_frame(c, depth, number);
        int32_t failed = check_frame(c, &c->frames[depth]);
        if (failed >= 0) {
            *report = (corels_falling_report){number, failed - 1};
            return CORELS_FALLING_FAILS;
        }
    }
    return CORELS_FALLING_HOLDS;
}

/* --- the table, laid out -----------------------------------------------------------------------
 */

static int lay_out(checker *c) {
    const corels_falling_table *t = c->t;
    size_t captures = 0;
    for (size_t w = 0; w < (size_t)t->antecedents * c->words; w++)
        captures += (size_t)__builtin_popcountll(t->masks[w]);
    if (captures >= UINT32_MAX) return 0;
    c->group = malloc((size_t)t->points + 1);
    c->first = malloc(((size_t)t->points + 2) * sizeof *c->first);
    c->capturing = malloc((captures + 1) * sizeof *c->capturing);
    if (!c->group || !c->first || !c->capturing) return 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < (uint32_t)t->points; i++) {
        wide q = (wide)(uint64_t)t->unit * t->negatives[i];
        uint8_t g = 0;
        while (g < 3 && (!t->positives[i] || q > (wide)(uint64_t)t->edges[g] * t->positives[i]))
            g++;
        c->group[i] = g;
        c->first[i] = at;
        for (uint32_t a = 0; a < (uint32_t)t->antecedents; a++)
            if (mask_of(c, a)[i / 64] >> (i % 64) & 1) c->capturing[at++] = a;
    }
    c->first[t->points] = at;
    return 1;
}

static int make_room(checker *c, size_t prefixes) {
    uint64_t slots = 16;
    while (slots < 2 * (prefixes + 1)) slots *= 2;
    c->slot_mask = slots - 1;
    c->slots = calloc(slots, sizeof *c->slots);
    c->states = calloc(prefixes + 1, sizeof *c->states);
    c->scratch = malloc((2 * (size_t)c->words + 2) * sizeof *c->scratch);
    c->gains = malloc(((size_t)c->t->antecedents + 1) * sizeof *c->gains);
    return c->slots && c->states && c->scratch && c->gains;
}

static void clean_up(checker *c) {
    for (uint32_t i = 0; i < c->frame_count; i++) {
        free(c->frames[i].left);
        free(c->frames[i].counts);
    }
    free(c->frames);
    free(c->group);
    free(c->first);
    free(c->capturing);
    free(c->slots);
    free(c->states);
    free(c->scratch);
    free(c->gains);
}

int corels_check_falling(const corels_falling_table *table, const corels_falling_prefixes *prefixes,
                         corels_falling_report *report) {
    checker c = {.t = table, .words = ((uint32_t)table->points + 63) / 64};
    int result = CORELS_FALLING_MEMORY;
    uint32_t *path = calloc(prefixes->count + 2, sizeof *path);
    if (path && prefixes->count < UINT32_MAX / 2 && lay_out(&c) && make_room(&c, prefixes->count)) {
        c.count = (uint32_t)prefixes->count + 1;
        c.states[0] = (state){.part = 1, .whole = 1};
        result = CORELS_FALLING_FAILS;
        if (build(&c, prefixes, path, report)) result = check_all(&c, report);
    }
    free(path);
    clean_up(&c);
    return result;
}

#else

int corels_check_falling(const corels_falling_table *table, const corels_falling_prefixes *prefixes,
                         corels_falling_report *report) {
    (void)table, (void)prefixes, (void)report;
    return CORELS_FALLING_UNSUPPORTED;
}

#endif

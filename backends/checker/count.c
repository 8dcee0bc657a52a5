/* Counting: points of equal weight, or those whose weight has a certain bit, are one set, and what
 * an antecedent captures of it is a count of ones, times a weight. Eight antecedents are counted at
 * once: their masks stand word by word side by side. */
#include "inner.h"

enum { LANES = 8, BITS = 31 };

/* Some points of one word, of which each weighs so much. */
typedef struct {
    uint64_t bits;
    uint32_t word, weight;
} term;

struct counter {
    size_t words, groups;
    int32_t rows;
    uint64_t *masks; /* [groups][words][LANES] */
    term *terms;     /* of all points, row after row, those that are not empty */
    size_t *first;   /* [rows + 1]: of a row's terms */
    term *present;   /* those of a set and a row */
    void (*add)(const struct counter *, size_t n, int32_t *counts);
};

static inline __attribute__((always_inline)) void add_here(const counter *c, size_t n,
                                                           int32_t *counts) {
    for (size_t g = 0; g < c->groups; g++) {
        const uint64_t *masks = c->masks + g * c->words * LANES;
        uint64_t sums[LANES] = {0};
        for (const term *t = c->present; t < c->present + n; t++)
            for (size_t k = 0; k < LANES; k++)
                sums[k] +=
                    (uint64_t)(uint32_t)__builtin_popcountll(masks[t->word * LANES + k] & t->bits) *
                    t->weight;
        for (size_t k = 0; k < LANES; k++) counts[g * LANES + k] = (int32_t)sums[k];
    }
}

#define ADD(name, target)                                                                          \
    target static void name(const counter *c, size_t n, int32_t *counts) {                         \
        add_here(c, n, counts);                                                                    \
    }
ADD(add_anywhere, )
#if defined(__x86_64__) && defined(__GNUC__)
ADD(add_popcnt, __attribute__((target("popcnt"))))
ADD(add_wide, __attribute__((target("avx512f,avx512vl,avx512vpopcntdq,prefer-vector-width=512"))))
#endif

static void choose(counter *c) {
    c->add = add_anywhere;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("popcnt")) c->add = add_popcnt;
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl"))
        c->add = add_wide;
#endif
}

static void fill_masks(counter *c, const corels_check_table *in) {
    for (size_t r = 0; r < (size_t)in->antecedents; r++)
        for (size_t w = 0; w < c->words; w++)
            c->masks[(r / LANES * c->words + w) * LANES + r % LANES] = in->masks[r * c->words + w];
}

/* The terms of one word and row: points of equal weight, or, where that makes fewer, those whose
 * weight has a certain bit. */
static size_t add_terms(term *out, const int32_t *weights, int n, uint32_t word) {
    size_t equal = 0, bits = 0;
    for (int i = 0; i < n; i++) {
        size_t t = 0;
        while (t < equal && out[t].weight != (uint32_t)weights[i]) t++;
        if (!weights[i]) continue;
        if (t == equal) out[equal++] = (term){0, word, (uint32_t)weights[i]};
        out[t].bits |= UINT64_C(1) << i;
    }
    term planes[BITS];
    for (uint32_t bit = 0; bit < BITS; bit++) {
        term one = {0, word, UINT32_C(1) << bit};
        for (int i = 0; i < n; i++) one.bits |= (uint64_t)(weights[i] >> bit & 1) << i;
        if (one.bits) planes[bits++] = one;
    }
    if (equal <= bits) return equal;
    memcpy(out, planes, bits * sizeof *planes);
    return bits;
}

static void fill_terms(counter *c, const corels_check_table *in) {
    size_t points = (size_t)in->points, n = 0;
    for (int32_t row = 0; row < c->rows; row++, c->first[row] = n)
        for (uint32_t w = 0; w < c->words; w++) {
            int32_t weights[64], i = 0;
            for (size_t at = 64 * (size_t)w; i < 64 && at < points; i++, at++)
                weights[i] = row < in->classes ? in->regrets[(size_t)row * points + at]
                                               : greatest_regret(in, at);
            n += add_terms(c->terms + n, weights, i, w);
        }
}

counter *counter_new(const corels_check_table *in, size_t *stride) {
    counter *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->words = ((size_t)in->points + 63) / 64;
    c->groups = ((size_t)in->antecedents + LANES - 1) / LANES;
    c->rows = in->classes == 2 ? 2 : in->classes + 1;
    *stride = c->groups * LANES;
    c->masks = array(c->groups * c->words, LANES * sizeof *c->masks);
    c->terms = array((size_t)c->rows * c->words * BITS + 64, sizeof *c->terms);
    c->first = array((size_t)c->rows + 1, sizeof *c->first);
    c->present = array(c->words, BITS * sizeof *c->present);
    choose(c);
    if (c->masks && c->terms && c->first && c->present) {
        fill_masks(c, in), fill_terms(c, in);
        return c;
    }
    counter_free(c);
    return NULL;
}

void counter_free(counter *c) {
    if (!c) return;
    free(c->masks), free(c->terms), free(c->first), free(c->present), free(c);
}

/* The terms of a row that meet the set: how many, in `present`, and what they weigh. */
static size_t meet(const counter *c, size_t row, const uint64_t *set, int64_t *total) {
    size_t n = 0;
    *total = 0;
    for (size_t i = c->first[row]; i < c->first[row + 1]; i++) {
        term one = c->terms[i];
        one.bits &= set[one.word];
        *total += (int64_t)__builtin_popcountll(one.bits) * one.weight;
        c->present[n] = one;
        n += one.bits != 0;
    }
    return n;
}

void counter_total(const counter *c, const uint64_t *set, int64_t *totals) {
    for (size_t row = 0; row < (size_t)c->rows; row++) meet(c, row, set, totals + row);
}

void counter_count(const counter *c, const uint64_t *set, int32_t *counts, int64_t *totals) {
    for (size_t row = 0; row < (size_t)c->rows; row++)
        c->add(c, meet(c, row, set, totals + row), counts + row * c->groups * LANES);
}

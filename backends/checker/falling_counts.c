/* How many positives and negatives of each group every antecedent captures of a set.
 *
 * A point's antecedents are a row of bits, one bit for each antecedent. Rows are added as numbers
 * are on paper, in columns: plane d holds digit d of all the sums, so one operation adds a bit to
 * 512 sums at once. Eight rows at a time go through full adders into one carry of weight eight. A
 * point that weighs 5 is added at the digits 1 and 4. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <stdlib.h>
#include <string.h>

enum { PLANES = 32, LANES = 512 };

typedef uint64_t row __attribute__((vector_size(64), aligned(8)));

struct counting {
    uint32_t words, rows, lanes, size; /* words of a set; rows of 512 antecedents for each point */
    uint8_t *group;                    /* of a point */
    const uint32_t *weights[2];        /* positives, negatives */
    row *across;                       /* [points][rows] */
    uint32_t *points[GROUPS], *some;
    row *planes; /* [PLANES][rows] */
    void (*count)(struct counting *, const uint64_t *, uint32_t *);
};

#define INLINE static inline __attribute__((always_inline))

/* planes += added << digit */
INLINE void ripple(row *planes, size_t stride, int digit, const row *added) {
    row carry = *added;
    for (int d = digit; d < PLANES; d++) {
        row *plane = planes + (size_t)d * stride, both = *plane & carry;
        *plane ^= carry;
        carry = both;
        uint64_t any = 0;
        for (int k = 0; k < 8; k++) any |= carry[k];
        if (!any) return;
    }
}

/* low + a + b: the sum in low, the carry beside it. */
INLINE void full_add(row *low, const row *a, const row *b, row *carry) {
    const row x = *a, y = *b, either = x ^ y;
    *carry = (x & y) | (either & *low);
    *low ^= either;
}

/* Add the rows of some points, each weighing 2^digit. */
INLINE void add_rows(struct counting *n, size_t r, const uint32_t *points, uint32_t count,
                     int digit) {
    const size_t stride = n->rows;
    const row *across = n->across + r;
    row *planes = n->planes + r, one = {0}, two = {0}, four = {0}, a, b, e, f;
    uint32_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const uint32_t *p = points + i;
        full_add(&one, across + p[0] * stride, across + p[1] * stride, &a);
        full_add(&one, across + p[2] * stride, across + p[3] * stride, &b);
        full_add(&two, &a, &b, &e);
        full_add(&one, across + p[4] * stride, across + p[5] * stride, &a);
        full_add(&one, across + p[6] * stride, across + p[7] * stride, &b);
        full_add(&two, &a, &b, &f);
        full_add(&four, &e, &f, &a);
        ripple(planes, stride, digit + 3, &a);
    }
    for (; i < count; i++) ripple(planes, stride, digit, across + points[i] * stride);
    ripple(planes, stride, digit, &one);
    ripple(planes, stride, digit + 1, &two);
    ripple(planes, stride, digit + 2, &four);
}

/* The sums, out of their planes. */
INLINE void unpack(const struct counting *n, int top, uint32_t *counts) {
    const uint64_t *planes = (const uint64_t *)n->planes;
    const size_t words = (size_t)n->rows * 8;
    for (size_t w = 0; w < words; w++) {
        uint32_t sums[64] = {0};
        for (int d = 0; d < top; d++) {
            const uint64_t bits = planes[(size_t)d * words + w];
            const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
            for (int k = 0; k < 32; k++) sums[k] |= (low >> k & 1) << d;
            for (int k = 0; k < 32; k++) sums[32 + k] |= (high >> k & 1) << d;
        }
        memcpy(counts + w * 64, sums, sizeof sums);
    }
}

/* How many digits a number has. */
INLINE int digits_of(uint64_t number) {
    return number ? 64 - __builtin_clzll(number) : 0;
}

INLINE void count_group(struct counting *n, const uint32_t *points, uint32_t count,
                        const uint32_t *weights, uint32_t *counts) {
    uint32_t any = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        any |= weights[points[i]];
        sum += weights[points[i]];
    }
    const int top = digits_of(sum);
    if (!top) {
        memset(counts, 0, n->lanes * sizeof *counts);
        return;
    }
    memset(n->planes, 0, (size_t)PLANES * n->rows * sizeof *n->planes);
    for (int d = 0; any >> d; d++) {
        uint32_t here = 0;
        for (uint32_t i = 0; i < count; i++) {
            n->some[here] = points[i];
            here += weights[points[i]] >> d & 1;
        }
        for (size_t r = 0; here && r < n->rows; r++) add_rows(n, r, n->some, here, d);
    }
    unpack(n, top, counts);
}

INLINE void count_here(struct counting *n, const uint64_t *set, uint32_t *counts) {
    uint32_t sizes[GROUPS] = {0};
    for (uint32_t w = 0; w < n->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
            uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits), g = n->group[i];
            n->points[g][sizes[g]++] = i;
        }
    for (int g = 0; g < GROUPS; g++)
        for (int side = 0; side < 2; side++)
            count_group(n, n->points[g], sizes[g], n->weights[side],
                        counts + (size_t)(2 * g + side) * n->lanes);
}

#define COUNT(name, target)                                                                        \
    target static void name(struct counting *n, const uint64_t *set, uint32_t *counts) {           \
        count_here(n, set, counts);                                                                \
    }
COUNT(count_anywhere, )
#if defined(__x86_64__) && defined(__GNUC__)
COUNT(count_avx2, __attribute__((target("avx2,bmi,bmi2,lzcnt"))))
COUNT(count_avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,"
                                          "prefer-vector-width=512"))))
#endif

static void choose(struct counting *n) {
    n->count = count_anywhere;
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) n->count = count_avx2;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        n->count = count_avx512;
#endif
}

void count_set(struct counting *n, const uint64_t *set, uint32_t *counts) {
    n->count(n, set, counts);
}

void count_all(const struct counting *n, uint32_t *all) {
    memset(all, 0, COUNTS * sizeof *all);
    for (uint32_t i = 0; i < n->size; i++)
        for (int side = 0; side < 2; side++) all[2 * n->group[i] + side] += n->weights[side][i];
}

static void fill(struct counting *n, const checker *c) {
    const corels_falling_table *t = &c->t;
    uint64_t *across = (uint64_t *)n->across;
    for (uint32_t i = 0; i < (uint32_t)t->points; i++) {
        wide q = (wide)(uint64_t)t->unit * t->negatives[i];
        uint8_t g = 0;
        while (g < 3 && (!t->positives[i] || q > (wide)(uint64_t)t->edges[g] * t->positives[i]))
            g++;
        n->group[i] = g;
        for (uint32_t a = 0; a < (uint32_t)t->antecedents; a++)
            if (mask_of(c, a)[i / 64] >> (i % 64) & 1)
                across[(size_t)i * n->rows * 8 + a / 64] |= (uint64_t)1 << (a % 64);
    }
}

struct counting *counting_new(const checker *c) {
    struct counting *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    const size_t points = (size_t)c->t.points + 1;
    n->words = c->words;
    n->size = (uint32_t)c->t.points;
    n->lanes = c->lanes;
    n->rows = c->lanes / LANES;
    n->weights[0] = c->t.positives;
    n->weights[1] = c->t.negatives;
    n->group = calloc(points, 1);
    n->across = calloc(points * n->rows, sizeof *n->across);
    n->planes = calloc((size_t)PLANES * n->rows, sizeof *n->planes);
    n->some = calloc(points, sizeof *n->some);
    int enough = n->group && n->across && n->planes && n->some;
    for (int g = 0; g < GROUPS; g++) {
        n->points[g] = calloc(points, sizeof **n->points);
        enough = enough && n->points[g];
    }
    if (!enough) {
        counting_free(n);
        return NULL;
    }
    fill(n, c);
    choose(n);
    return n;
}

void counting_free(struct counting *n) {
    if (!n) return;
    for (int g = 0; g < GROUPS; g++) free(n->points[g]);
    free(n->group);
    free(n->across);
    free(n->planes);
    free(n->some);
    free(n);
}

#endif

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

enum { PLANES = 32, LANES = 512, DIGITS = 30 };

typedef uint64_t row __attribute__((vector_size(64), aligned(8)));

/* The points of one word whose weight has a certain digit. */
typedef struct {
    uint64_t bits;
    uint32_t word;
} some;

struct counting {
    uint32_t rows, lanes; /* rows of 512 antecedents for each point; 512 times that */
    uint32_t used;        /* words of the rows in which there are antecedents */
    row *across;          /* [points + 1][rows]; the last one is of no point */
    uint32_t nothing;     /* its number */
    some *parts;          /* one part behind the other */
    size_t *first;        /* [COUNTS * DIGITS + 1]: of side, group and digit */
    uint32_t *list;       /* points */
    row *planes;          /* [PLANES][rows] */
    void (*count)(struct counting *, const uint64_t *, const uint32_t *, frame *);
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

/* Eight rows: their carry of weight eight. */
INLINE void add_eight(const row *across, size_t stride, const uint32_t *p, row low[3], row *carry) {
    row a, b, e, f;
    full_add(&low[0], across + p[0] * stride, across + p[1] * stride, &a);
    full_add(&low[0], across + p[2] * stride, across + p[3] * stride, &b);
    full_add(&low[1], &a, &b, &e);
    full_add(&low[0], across + p[4] * stride, across + p[5] * stride, &a);
    full_add(&low[0], across + p[6] * stride, across + p[7] * stride, &b);
    full_add(&low[1], &a, &b, &f);
    full_add(&low[2], &e, &f, carry);
}

/* Add the rows of points 16 at a time, each weighing 2^digit. count: a multiple of 16. */
INLINE void add_rows(struct counting *n, size_t r, uint32_t count, int digit) {
    const size_t stride = n->rows;
    const row *across = n->across + r;
    row *planes = n->planes + r, low[3] = {{0}}, eight = {0}, a, b, carry;
    for (const uint32_t *p = n->list; p < n->list + count; p += 16) {
        add_eight(across, stride, p, low, &a);
        add_eight(across, stride, p + 8, low, &b);
        full_add(&eight, &a, &b, &carry);
        ripple(planes, stride, digit + 4, &carry);
    }
    for (int k = 0; k < 3; k++) ripple(planes, stride, digit + k, &low[k]);
    ripple(planes, stride, digit + 3, &eight);
}

/* The sums, out of their planes. */
INLINE void unpack(const struct counting *n, int top, uint32_t *counts) {
    const uint64_t *planes = (const uint64_t *)n->planes;
    const size_t words = (size_t)n->rows * 8;
    for (size_t w = 0; w < n->used; w++) {
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

/* The points of a set in one part, filled up to a multiple of 16. */
INLINE uint32_t list_points(struct counting *n, const uint64_t *set, size_t part) {
    uint32_t count = 0;
    for (const some *s = n->parts + n->first[part]; s < n->parts + n->first[part + 1]; s++)
        for (uint64_t bits = set[s->word] & s->bits; bits; bits &= bits - 1)
            n->list[count++] = s->word * 64 + (uint32_t)__builtin_ctzll(bits);
    while (count % 16) n->list[count++] = n->nothing;
    return count;
}

/* One of the eight counts, of all antecedents. */
INLINE void count_one(struct counting *n, const uint64_t *set, size_t k, uint32_t *counts) {
    uint64_t most = 0;
    memset(n->planes, 0, (size_t)PLANES * n->rows * sizeof *n->planes);
    for (int d = 0; d < DIGITS; d++) {
        const uint32_t count = list_points(n, set, k * DIGITS + (size_t)d);
        most += (uint64_t)count << d;
        for (size_t r = 0; count && r < n->rows; r++) add_rows(n, r, count, d);
    }
    const int top = digits_of(most);
    unpack(n, top < PLANES ? top : PLANES, counts);
}

INLINE void count_here(struct counting *n, const uint64_t *set, const uint32_t *less_than,
                       frame *f) {
    const size_t lanes = n->lanes, used = (size_t)n->used * 64;
    memset(f->p, 0, lanes * sizeof *f->p);
    memset(f->q, 0, lanes * sizeof *f->q);
    for (size_t k = 0; k < COUNTS; k++) {
        uint32_t *counts = f->counts + k * lanes, *sums = k % 2 ? f->q : f->p;
        count_one(n, set, k, counts);
        for (size_t a = 0; less_than && a < used; a++)
            counts[a] = less_than[k * lanes + a] - counts[a];
        for (size_t a = 0; a < used; a++) sums[a] += counts[a];
    }
}

#define COUNT(name, target)                                                                        \
    target static void name(struct counting *n, const uint64_t *set, const uint32_t *less_than,    \
                            frame *f) {                                                            \
        count_here(n, set, less_than, f);                                                          \
    }
COUNT(count_anywhere, )
/* Not with GCC on Windows, which does not align the stack for wide vectors. */
#if defined(__x86_64__) && defined(__GNUC__) && !(defined(_WIN32) && !defined(__clang__))
COUNT(count_avx2, __attribute__((target("avx2,bmi,bmi2,lzcnt"))))
COUNT(count_avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,lzcnt,"
                                          "prefer-vector-width=512"))))
#endif

static void choose(struct counting *n) {
    n->count = count_anywhere;
#if defined(__x86_64__) && defined(__GNUC__) && !(defined(_WIN32) && !defined(__clang__))
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) n->count = count_avx2;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        n->count = count_avx512;
#endif
}

void count_set(struct counting *n, const uint64_t *set, const uint32_t *less_than, frame *f) {
    n->count(n, set, less_than, f);
}

/* The parts of all words; with parts NULL only their number. */
static size_t divide(const checker *c, some *parts, size_t *first) {
    size_t count = 0;
    for (int k = 0; k < COUNTS; k++)
        for (int d = 0; d < DIGITS; d++) {
            first[k * DIGITS + d] = count;
            for (uint32_t w = c->first_word[k / 2]; w < c->first_word[k / 2 + 1]; w++) {
                uint64_t bits = 0;
                for (uint32_t i = 0; i < 64; i++)
                    bits |= (c->weight[w * 64 + i] >> (k % 2 * 32 + d) & 1) << i;
                if (bits && parts) parts[count] = (some){bits, w};
                count += bits != 0;
            }
        }
    first[COUNTS * DIGITS] = count;
    return count;
}

static void fill(struct counting *n, const checker *c) {
    uint64_t *across = (uint64_t *)n->across;
    for (uint32_t a = 0; a < (uint32_t)c->t.antecedents; a++)
        for (uint32_t w = 0; w < c->words; w++)
            for (uint64_t bits = mask_of(c, a)[w]; bits; bits &= bits - 1) {
                const size_t point = w * 64 + (size_t)__builtin_ctzll(bits);
                across[point * n->rows * 8 + a / 64] |= (uint64_t)1 << (a % 64);
            }
}

struct counting *counting_new(const checker *c) {
    struct counting *n = calloc(1, sizeof *n);
    if (!n) return NULL;
    const size_t points = (size_t)c->words * 64;
    n->nothing = (uint32_t)points;
    n->lanes = c->lanes;
    n->rows = c->lanes / LANES;
    n->used = ((uint32_t)c->t.antecedents + 63) / 64;
    n->across = calloc((points + 1) * n->rows, sizeof *n->across);
    n->planes = calloc((size_t)PLANES * n->rows, sizeof *n->planes);
    n->list = calloc(points + 16, sizeof *n->list);
    n->first = calloc(COUNTS * DIGITS + 1, sizeof *n->first);
    if (n->first) n->parts = calloc(divide(c, NULL, n->first) + 1, sizeof *n->parts);
    if (!n->across || !n->planes || !n->list || !n->parts) {
        counting_free(n);
        return NULL;
    }
    divide(c, n->parts, n->first);
    fill(n, c);
    choose(n);
    return n;
}

void counting_free(struct counting *n) {
    if (!n) return;
    free(n->across);
    free(n->planes);
    free(n->list);
    free(n->parts);
    free(n->first);
    free(n);
}

#endif

/* Counting by bit-planes: the points whose regret for a class has a certain bit are one set. What
 * an antecedent captures of such a plane is a count of ones, and weighs 2^bit. Points stand in the
 * order of class and weight, so that most planes are a few words.
 */
#include "planes.h"

#include <stdlib.h>
#include <string.h>

static inline __attribute__((always_inline)) int32_t ones(const uint64_t *a, const uint64_t *b,
                                                          size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += __builtin_popcountll(a[i] & b[i]);
    return (int32_t)sum;
}

static inline __attribute__((always_inline)) void count_here(const planes *all, const uint64_t *set,
                                                             int32_t *counts, int32_t *totals) {
    for (size_t i = 0; i < all->n; i++) {
        const plane *p = all->each + i;
        size_t n = p->to - p->from;
        for (size_t w = 0; w < n; w++) all->cut[w] = p->bits[p->from + w] & set[p->from + w];
        totals[p->class] += ones(all->cut, all->cut, n) << p->shift;
        int32_t *row = counts + (size_t)p->class * all->stride;
        const uint64_t *mask = all->in->masks + p->from;
        for (int32_t r = 0; r < all->in->antecedents; r++, mask += all->words)
            row[r] += ones(mask, all->cut, n) << p->shift;
    }
}

static inline __attribute__((always_inline)) void add_here(const planes *all, const uint64_t *set,
                                                           int32_t *counts, int32_t *totals) {
    size_t points = (size_t)all->in->points;
    for (size_t w = 0; w < all->words; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) {
            size_t point = 64 * w + (size_t)__builtin_ctzll(left);
            for (size_t k = 0; k < (size_t)all->in->classes; k++) {
                int32_t regret = all->in->regrets[k * points + point];
                const int32_t *row =
                    all->rows + (point * (size_t)all->in->classes + k) * all->stride;
                totals[k] += regret;
                for (size_t r = 0; regret && r < all->stride; r++)
                    counts[k * all->stride + r] += row[r];
            }
        }
}

/* Each way for several sets of instructions. */
#define COUNT(name, way, target)                                                                   \
    target static void name(const planes *all, const uint64_t *set, int32_t *counts,               \
                            int32_t *totals) {                                                     \
        way(all, set, counts, totals);                                                             \
    }
COUNT(count_anywhere, count_here, )
COUNT(add_anywhere, add_here, )
#if defined(__x86_64__) && defined(__GNUC__)
COUNT(count_popcnt, count_here, __attribute__((target("popcnt"))))
COUNT(count_wide, count_here, __attribute__((target("avx512f,avx512vl,avx512vpopcntdq,popcnt"))))
COUNT(add_avx2, add_here, __attribute__((target("avx2"))))
#endif

static void choose(planes *all) {
    all->count = all->rows ? add_anywhere : count_anywhere;
#if defined(__x86_64__) && defined(__GNUC__)
    if (all->rows) {
        if (__builtin_cpu_supports("avx2")) all->count = add_avx2;
        return;
    }
    if (__builtin_cpu_supports("popcnt")) all->count = count_popcnt;
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl"))
        all->count = count_wide;
#endif
}

/* Rows take points / 2 times antecedents / 8 steps, planes their words, and some for each. */
static int rows_are_better(const planes *all) {
    size_t m = (size_t)all->in->antecedents, points = (size_t)all->in->points, words = 0;
    for (size_t i = 0; i < all->n; i++) words += all->each[i].to - all->each[i].from + 4;
    return points * (size_t)all->in->classes * all->stride < (size_t)1 << 24 &&
           points * m / 16 < words * m;
}

static int fill_rows_of_points(planes *all) {
    size_t points = (size_t)all->in->points, classes = (size_t)all->in->classes;
    all->rows = calloc(points * classes * all->stride + 16, sizeof *all->rows);
    if (!all->rows) return 0;
    for (size_t i = 0; i < points; i++)
        for (size_t r = 0; r < (size_t)all->in->antecedents; r++)
            if (all->in->masks[r * all->words + i / 64] >> (i % 64) & 1)
                for (size_t k = 0; k < classes; k++)
                    all->rows[(i * classes + k) * all->stride + r] =
                        all->in->regrets[k * points + i];
    return 1;
}

static int add_plane(planes *all, int32_t class, int32_t bit) {
    const int32_t *regrets = all->in->regrets + (size_t)class * (size_t)all->in->points;
    plane *p = all->each + all->n;
    *p = (plane){calloc(all->words + 1, sizeof *p->bits), all->words, 0, class, bit};
    if (!p->bits) return 0;
    for (size_t i = 0; i < (size_t)all->in->points; i++) {
        if (!(regrets[i] >> bit & 1)) continue;
        p->bits[i / 64] |= UINT64_C(1) << (i % 64);
        if (i / 64 < p->from) p->from = i / 64;
        p->to = i / 64 + 1;
    }
    if (p->to)
        all->n++;
    else
        free(p->bits); /* no points: no plane */
    return 1;
}

int planes_new(planes *all, const corels_check_table *in, size_t stride) {
    *all = (planes){.in = in, .words = ((size_t)in->points + 63) / 64, .stride = stride};
    all->each = calloc((size_t)in->classes * 31 + 1, sizeof *all->each);
    all->cut = calloc(all->words + 1, sizeof *all->cut);
    int ok = all->each && all->cut;
    for (int32_t k = 0; k < in->classes && ok; k++)
        for (int32_t bit = 0; bit < 31 && ok; bit++) ok = add_plane(all, k, bit);
    if (ok && rows_are_better(all)) ok = fill_rows_of_points(all);
    choose(all);
    return ok;
}

void planes_free(planes *all) {
    for (size_t i = 0; i < all->n; i++) free(all->each[i].bits);
    free(all->each);
    free(all->cut);
    free(all->rows);
}

void planes_count(const planes *all, const uint64_t *set, int32_t *counts, int32_t *totals) {
    memset(counts, 0, (size_t)all->in->classes * all->stride * sizeof *counts);
    memset(totals, 0, (size_t)all->in->classes * sizeof *totals);
    all->count(all, set, counts, totals);
}

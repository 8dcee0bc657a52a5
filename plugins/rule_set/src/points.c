#include "points.h"

#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"

/* Fewer equal weights than this are cheaper to add one by one than to count in a word of their own.
 */
enum { MIN_RUN = 24 };

typedef struct {
    int64_t weight;
    uint32_t point;
} weighted;

static int by_weight(const void *x, const void *y) {
    const weighted *a = x, *b = y;
    if (a->weight != b->weight) return a->weight > b->weight ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

static uint32_t sort_points(weighted *order, uint32_t count, const int64_t *weights,
                            int keep_zero) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] > 0 || keep_zero) order[kept++] = (weighted){weights[i], i};
    qsort(order, kept, sizeof *order, by_weight);
    return kept;
}

static uint32_t group_end(const weighted *order, uint32_t from, uint32_t count) {
    uint32_t to = from;
    while (to < count && order[to].weight == order[from].weight) to++;
    return to;
}

/* Give each point its place: place[i] = bit number of order[i]. Runs first, then the loose. */
static void place_points(points *out, const weighted *order, uint32_t count, size_t *place) {
    size_t word = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = group_end(order, i, count);
        if (end - i < MIN_RUN) continue;
        size_t words = (end - i + 63) / 64;
        out->runs[out->runs_count++] = (run){word, words, order[i].weight};
        for (uint32_t k = i; k < end; k++) place[k] = word * 64 + (k - i);
        word += words;
    }
    out->loose_first = word;
    size_t bit = word * 64;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = group_end(order, i, count);
        if (end - i >= MIN_RUN) continue;
        for (uint32_t k = i; k < end; k++) place[k] = bit++;
    }
    out->words = (bit + 63) / 64;
}

static void fill_set(uint64_t *to, const uint64_t *from, const weighted *order, const size_t *place,
                     uint32_t kept) {
    for (uint32_t i = 0; i < kept; i++) {
        uint64_t bit = from[order[i].point / 64] >> (order[i].point % 64) & 1;
        to[place[i] / 64] |= bit << (place[i] % 64);
    }
}

static int fill(points *out, const uint64_t *columns, const weighted *order, const size_t *place,
                uint32_t kept, size_t old_words, const uint64_t *marked) {
    store *arrays = &out->arrays;
    out->loose = store_take(arrays, (out->words - out->loose_first) * 64, sizeof *out->loose);
    out->all = store_take(arrays, out->words, sizeof *out->all);
    out->columns = store_take(arrays, out->features * out->words, sizeof *out->columns);
    out->marked = store_take(arrays, out->words, sizeof *out->marked);
    if (arrays->failed) return -1;
    for (uint32_t i = 0; i < kept; i++) {
        out->all[place[i] / 64] |= (uint64_t)1 << (place[i] % 64);
        out->total += order[i].weight;
        if (place[i] >= out->loose_first * 64)
            out->loose[place[i] - out->loose_first * 64] = order[i].weight;
    }
    for (uint32_t j = 0; j < out->features; j++)
        fill_set(out->columns + (size_t)j * out->words, columns + (size_t)j * old_words, order,
                 place, kept);
    if (marked) fill_set(out->marked, marked, order, place, kept);
    return 0;
}

int points_build(points *out, uint32_t features, uint32_t count, const uint64_t *columns,
                 const int64_t *weights, int keep_zero, const uint64_t *marked) {
    *out = (points){.kernel = corels_kernel_current(), .features = features};
    weighted *order = malloc((count + 1) * sizeof *order);
    size_t *place = malloc((count + 1) * sizeof *place);
    out->runs = store_take(&out->arrays, count / MIN_RUN, sizeof *out->runs);
    int status = -1;
    if (order && place && out->runs) {
        uint32_t kept = sort_points(order, count, weights, keep_zero);
        place_points(out, order, kept, place);
        status = fill(out, columns, order, place, kept, ((size_t)count + 63) / 64, marked);
    }
    free(order);
    free(place);
    if (status) store_free(&out->arrays);
    return status;
}

static int64_t loose_weight(const points *pts, const uint64_t *a, const uint64_t *b) {
    int64_t sum = 0;
    const int64_t *weights = pts->loose;
    for (size_t w = pts->loose_first; w < pts->words; w++, weights += 64)
        for (uint64_t bits = a[w] & b[w]; bits; bits &= bits - 1)
            sum += weights[corels_lowest(bits)];
    return sum;
}

int64_t points_weight(const points *pts, const uint64_t *a, const uint64_t *b) {
    int64_t sum = pts->loose_first < pts->words ? loose_weight(pts, a, b) : 0;
    for (size_t i = 0; i < pts->runs_count; i++) {
        const run *r = &pts->runs[i];
        sum += r->weight * (int64_t)pts->kernel->popcount_and(a + r->first, b + r->first, r->words);
    }
    return sum;
}

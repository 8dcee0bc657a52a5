/* Making and cutting tables of columns. */
#include "planes.h"

#include "corels/kernels.h"
#include "corels/memory.h"
#include "sets.h"

static size_t columns_of(const table *t) {
    return (size_t)(t->antecedents - t->first + t->n_planes);
}

static int make_room(table *t) {
    t->columns = corels_memory_new(columns_of(t) * (size_t)t->words + 1, sizeof *t->columns);
    return t->columns != NULL;
}

void table_free(table *t) {
    corels_memory_free(t->columns);
    *t = (table){0};
}

size_t table_bytes(const table *t) {
    return columns_of(t) * (size_t)t->words * sizeof *t->columns;
}

/* If planes are not zero; those that are zero everywhere go. */
static void find_ends(table *t) {
    int32_t kept = 0;
    for (int32_t k = 0; k < t->n_planes; k++) {
        uint64_t *words = words_of(t, k), *to = words_of(t, kept);
        int32_t low = 0, high = t->words;
        while (high && !words[high - 1]) high--;
        while (low < high && !words[low]) low++;
        if (!high) continue;
        if (to != words) memcpy(to, words, (size_t)t->words * sizeof *to);
        t->planes[kept++] = (plane){t->planes[k].measure, t->planes[k].shift, low, high};
    }
    t->n_planes = kept;
}

static int digits_of(const int32_t *weights, int32_t points) {
    int32_t any = 0;
    int n = 0;
    for (int32_t i = 0; i < points; i++) any |= weights[i];
    while (any >> n) n++;
    return n;
}

int table_new(table *t, const uint64_t *masks, const int32_t *order, int32_t antecedents,
              int32_t points, const int32_t *const *weights, int32_t measures) {
    *t = (table){.antecedents = antecedents, .points = points, .words = corels_words(points)};
    size_t words = (size_t)t->words;
    for (int32_t k = 0; k < measures; k++)
        for (int b = 0, n = digits_of(weights[k], points); b < n; b++)
            t->planes[t->n_planes++] = (plane){.measure = k, .shift = b};
    if (!make_room(t)) return 0;
    for (int32_t r = 0; r < antecedents; r++)
        memcpy(column_of(t, r), masks + (size_t)(order ? order[r] : r) * words, words * 8);
    for (int32_t k = 0; k < t->n_planes; k++) {
        const int32_t *of = weights[t->planes[k].measure];
        uint64_t *to = words_of(t, k);
        for (int32_t x = 0; x < points; x++)
            to[x / 64] |= (uint64_t)(of[x] >> t->planes[k].shift & 1) << (x % 64);
    }
    find_ends(t);
    return 1;
}

int table_cut(table *to, const table *from, const uint64_t *set, int32_t points, int32_t first) {
    *to = *from;
    to->first = first;
    to->points = points;
    to->words = corels_words(points);
    if (!make_room(to) ||
        !corels_cut_columns(to->columns, (size_t)to->words, column_of(from, first),
                            (size_t)from->words, set, columns_of(to)))
        return 0;
    find_ends(to);
    return 1;
}

/* The planes: population counts, one for every binary digit of the weights.
 *
 * Write each weight in binary. Digit b of measure k is a set of points, its plane; the weight that
 * an antecedent captures of a set is the sum over the planes of 2^b times a population count of
 * (antecedent and set and plane). Unit weights have a single plane: then this is the plain
 * population count.
 *
 * Antecedents stand in blocks of eight, word-major: word w of eight antecedents is one cache line,
 * so that one vector instruction works on eight antecedents and their sums never have to be added
 * across lanes. The set is intersected with every plane once a call, keeping only the words that
 * are not empty; the blocks then walk these lists. With points sorted by falling weight, the plane
 * of a high digit is a short run of words, so the work is close to that of unit weights.
 *
 * Of two antecedents that are each other's complement (x <= 3 and x > 3, male and female) one is
 * counted: what the other one captures is the rest of the set. So tables of thresholds and of
 * yes-no questions cost half. One more row, of all points, counts the whole set.
 */
#include "bits.h"
#include "counter.h"

#include <string.h>

static int complements(const corels_shape *shape, int32_t r, int32_t q) {
    const uint64_t *of_r = shape->masks + (size_t)r * shape->words;
    const uint64_t *of_q = shape->masks + (size_t)q * shape->words;
    for (int32_t w = 0; w < shape->words; w++)
        if ((of_r[w] ^ of_q[w]) != all_of_word(shape->points, w)) return 0;
    return shape->words > 0;
}

/* A hash of the points that r captures, or of those that it does not. */
static uint64_t hash_of(const corels_shape *shape, int32_t r, int flip) {
    const uint64_t *mask = shape->masks + (size_t)r * shape->words;
    uint64_t h = 0;
    for (int32_t w = 0; w < shape->words; w++) {
        h = (h ^ mask[w] ^ (flip ? all_of_word(shape->points, w) : 0)) *
            UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return h;
}

/* The row of r's complement if it is still without a partner, or -1. `table` is open addressing
 * over the rows, by the hash of what they capture. */
static int32_t partner_of(const corels_planes *planes, const corels_shape *shape, int32_t r,
                          const int32_t *table, size_t size) {
    size_t at = (size_t)hash_of(shape, r, 1) & (size - 1);
    for (; table[at] >= 0; at = (at + 1) & (size - 1)) {
        int32_t row = table[at];
        if (planes->second[row] == planes->first[row] && complements(shape, planes->first[row], r))
            return row;
    }
    return -1;
}

/* Gives antecedent r a row of its own, unless an earlier one is its complement. */
static void choose_row(corels_planes *planes, const corels_layout *layout, int32_t r) {
    const corels_shape *shape = &layout->shape;
    int32_t row = partner_of(planes, shape, r, layout->table, layout->size);
    planes->row_of[r] = row >= 0 ? row : planes->all;
    if (row >= 0) {
        planes->second[row] = r;
        return;
    }
    size_t at = (size_t)hash_of(shape, r, 0) & (layout->size - 1);
    while (layout->table[at] >= 0) at = (at + 1) & (layout->size - 1);
    layout->table[at] = planes->all;
    planes->first[planes->all] = planes->second[planes->all] = r;
    planes->all++;
}

static void fill_row(const corels_planes *planes, const corels_shape *shape, size_t row) {
    size_t words = (size_t)shape->words;
    for (size_t w = 0; w < words; w++)
        planes->blocks[(row / 8 * words + w) * 8 + row % 8] =
            row < (size_t)planes->all ? shape->masks[(size_t)planes->first[row] * words + w]
                                      : all_of_word(shape->points, (int32_t)w);
}

/* Also of counters within points: a digit's run of bits may stretch over one word more there. */
static void plan_scratch(corels_counter *counter) {
    corels_planes *planes = &counter->planes;
    size_t sums = (size_t)counter->measures * (size_t)planes->rows;
    size_t longest = planes->digits.longest + planes->digits.n;
    planes->bits_at = corels_round_up(sums * sizeof(int32_t), 64);
    planes->index_at = planes->bits_at + corels_round_up(longest * sizeof(uint64_t), 64);
    planes->runs_at = planes->index_at + corels_round_up(longest * sizeof(uint32_t), 64);
    counter->scratch =
        planes->runs_at + corels_round_up((planes->digits.n + 1) * sizeof(corels_plane_run), 64);
}

int corels_planes_begin(corels_counter *counter) {
    corels_planes *planes = &counter->planes;
    corels_layout *layout = &counter->layout;
    const corels_shape *shape = &layout->shape;
    size_t antecedents = (size_t)counter->antecedents;
    if (!digits_new(&planes->digits, shape->weights, shape->points, shape->measures))
        return CORELS_NO_MEMORY;
    planes->first = store_take(&counter->arrays, antecedents, sizeof *planes->first);
    planes->second = store_take(&counter->arrays, antecedents, sizeof *planes->second);
    planes->row_of = store_take(&counter->arrays, antecedents, sizeof *planes->row_of);
    layout->size = 16;
    while (layout->size < 2 * antecedents) layout->size *= 2;
    layout->table = store_take(&counter->arrays, layout->size, sizeof *layout->table);
    if (counter->arrays.failed) return CORELS_NO_MEMORY;
    memset(layout->table, 255, layout->size * sizeof *layout->table);
    return CORELS_OK;
}

/* How counts are handed out: by stretches, where neighbouring rows count neighbouring antecedents.
 */
static void plan_handing_out(corels_planes *planes) {
    corels_stretch *last = NULL;
    for (int32_t row = 0; row < planes->all; row++) {
        int32_t r = planes->first[row], behind = planes->second[row] - r;
        if (behind != 0 && behind != 1) {
            planes->apart[planes->n_apart++] = row;
        } else if (last && last->pairs == behind && last->row + last->n == row &&
                   last->antecedent + (1 + behind) * last->n == r) {
            last->n++;
        } else {
            last = planes->stretches + planes->n_stretches++;
            *last = (corels_stretch){row, r, 1, behind};
        }
    }
}

/* Once the rows are known, what they need. */
static int take_rows(corels_counter *counter) {
    corels_planes *planes = &counter->planes;
    size_t words = (size_t)counter->words;
    planes->stretches =
        store_take(&counter->arrays, (size_t)planes->all, sizeof *planes->stretches);
    planes->apart = store_take(&counter->arrays, (size_t)planes->all, sizeof *planes->apart);
    if (counter->arrays.failed) return CORELS_NO_MEMORY;
    plan_handing_out(planes);
    planes->rows = (int32_t)corels_round_up((size_t)planes->all + 1, 8);
    planes->blocks = store_take(&counter->arrays, (size_t)planes->rows / 8 * (words + 1), 64);
    return planes->blocks ? CORELS_OK : CORELS_NO_MEMORY;
}

int corels_counter_build(corels_counter *counter) {
    if (counter->complete) return CORELS_DONE;
    corels_planes *planes = &counter->planes;
    corels_layout *layout = &counter->layout;
    int32_t last = layout->work == 0 ? counter->antecedents : planes->all + 1;
    for (int32_t i = corels_piece((size_t)counter->words); i > 0 && layout->at < last; i--)
        if (layout->work == 0)
            choose_row(planes, layout, layout->at++);
        else
            fill_row(planes, &layout->shape, (size_t)layout->at++);
    if (layout->at < last) return CORELS_OK;
    layout->at = 0;
    if (layout->work++ == 0) return take_rows(counter);
    plan_scratch(counter);
    counter->complete = 1;
    return CORELS_DONE;
}

/* The lists that the blocks walk: the words of (set and plane) that are not empty, as runs. */
typedef struct {
    int32_t *sums; /* [measures][rows] */
    uint64_t *bits;
    uint32_t *index;
    corels_plane_run *runs;
    uint32_t n_runs, n_words;
} lists;

static lists lay_out(const corels_counter *counter, void *scratch) {
    const corels_planes *planes = &counter->planes;
    char *at = scratch;
    return (lists){.sums = (int32_t *)at,
                   .bits = (uint64_t *)(at + planes->bits_at),
                   .index = (uint32_t *)(at + planes->index_at),
                   .runs = (corels_plane_run *)(at + planes->runs_at)};
}

static void list_plane(const corels_counter *counter, const digit *plane, const uint64_t *set,
                       lists *list) {
    const uint64_t *words = counter->planes.digits.words + plane->start - plane->low;
    uint32_t n = list->n_words;
    for (uint32_t w = plane->low; w < plane->high; w++) {
        list->bits[n] = set[w] & words[w];
        list->index[n] = w;
        n += list->bits[n] != 0;
    }
    if (n == list->n_words) return;
    list->runs[list->n_runs++] =
        (corels_plane_run){list->n_words, n - list->n_words, plane->shift,
                           plane->measure * (uint32_t)counter->planes.rows};
    list->n_words = n;
}

static void hand_out_pairs(const int32_t *restrict sums, int32_t total, int32_t n,
                           int32_t *restrict counts) {
    for (int32_t i = 0; i < n; i++) {
        counts[2 * i] = sums[i];
        counts[2 * i + 1] = total - sums[i];
    }
}

/* The sums of the rows as counts of the antecedents. */
static void hand_out(const corels_counter *counter, const int32_t *restrict sums, int32_t total,
                     int32_t *restrict counts) {
    const corels_planes *planes = &counter->planes;
    for (int32_t i = 0; i < planes->n_stretches; i++) {
        const corels_stretch *to = planes->stretches + i;
        if (to->pairs)
            hand_out_pairs(sums + to->row, total, to->n, counts + to->antecedent);
        else
            memcpy(counts + to->antecedent, sums + to->row, (size_t)to->n * sizeof *counts);
    }
    for (int32_t i = 0; i < planes->n_apart; i++) {
        int32_t row = planes->apart[i];
        counts[planes->first[row]] = sums[row];
        counts[planes->second[row]] = total - sums[row];
    }
    for (int32_t r = counter->antecedents; r < counter->stride; r++) counts[r] = 0;
}

static lists list_words(const corels_counter *counter, const uint64_t *set, void *scratch) {
    const corels_planes *planes = &counter->planes;
    lists list = lay_out(counter, scratch);
    memset(list.sums, 0, (size_t)counter->measures * planes->rows * sizeof *list.sums);
    for (uint32_t p = 0; p < planes->digits.n; p++)
        list_plane(counter, planes->digits.all + p, set, &list);
    return list;
}

/* The sums of the rows: [measures][rows], in the list. */
static void count_rows(const corels_counter *counter, int32_t n, const lists *list) {
    const corels_planes *planes = &counter->planes;
    for (int32_t row = 0; row < planes->rows; row += 8)
        for (int32_t j = 0; j < n; j++)
            counter->kernel->count_block(planes->blocks + (size_t)row * counter->words,
                                         list[j].index, list[j].bits, list[j].runs, list[j].n_runs,
                                         list[j].sums + row);
}

const int32_t *corels_counter_sums(const corels_counter *counter, const uint64_t *set,
                                   void *scratch) {
    lists list = list_words(counter, set, scratch);
    count_rows(counter, 1, &list);
    return list.sums;
}

void corels_counter_hand_out(const corels_counter *counter, const int32_t *sums, int32_t *counts,
                             int32_t *totals) {
    const corels_planes *planes = &counter->planes;
    for (int32_t k = 0; k < counter->measures; k++) {
        totals[k] = sums[planes->all];
        hand_out(counter, sums, totals[k], counts + (size_t)k * counter->stride);
        sums += planes->rows;
    }
}

void corels_counter_count_some(const corels_counter *counter, int32_t n, const uint64_t *sets,
                               void *scratch, int32_t *counts, int32_t *totals) {
    size_t words = (size_t)counter->words, measures = (size_t)counter->measures;
    lists list[CORELS_COUNTED_TOGETHER];
    for (size_t j = 0; j < (size_t)n; j++)
        list[j] = list_words(counter, sets + j * words, (char *)scratch + j * counter->scratch);
    count_rows(counter, n, list);
    for (size_t j = 0; j < (size_t)n; j++) {
        int32_t *to = counts + j * measures * (size_t)counter->stride;
        corels_counter_hand_out(counter, list[j].sums, to, totals + j * measures);
    }
}

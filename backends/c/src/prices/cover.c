/* Putting the points in order, cover by cover, for cutting them into groups (group.c).
 *
 * If there are many points, those that are nearest to the same one of some randomly drawn points
 * are a bucket. Within its bucket a point stands by its weight in the first cover, the heaviest
 * first, and in random order in the others. So a cover takes time near linear in the points.
 *
 * Points find their buckets on several threads, some in a step; a cover's order comes at last.
 */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "numbers.h"
#include "team.h"

enum { MOST_BUCKETS = 512 };
/* Points whose distances are taken together; distances of a cover in one step. */
enum { NEAR = 1024, DISTANCES = 1 << 22 };
/* Which antecedents capture each point: 64 points at a time, whose patterns stay in the processor's
 * caches. */
static void list_patterns(const corels_instance *in, size_t length, uint64_t *patterns) {
    size_t words = ((size_t)in->points + 63) / 64, m = (size_t)in->antecedents;
    for (size_t w = 0; w < words; w++, patterns += 64 * length)
        for (size_t r = 0; r < m; r++)
            for (uint64_t left = in->masks[r * words + w]; left; left &= left - 1)
                patterns[(size_t)corels_lowest(left) * length + r / 64] |= UINT64_C(1) << r % 64;
}

static void describe_points(price_cover *cover) {
    const corels_instance *in = &cover->prices->in;
    list_patterns(in, cover->words, cover->patterns);
    for (int32_t x = 0; x < in->points; x++) {
        int32_t least = INT32_MAX;
        for (int32_t c = 0; c < in->classes; c++) {
            int32_t regret = in->regrets[(size_t)c * in->points + x];
            if (regret < least) least = regret, cover->best[x] = c;
            if (regret > cover->worst[x]) cover->worst[x] = regret;
        }
        cover->total[cover->best[x]] += cover->worst[x];
    }
}

price_cover *price_cover_new(const corels_prices *prices, const corels_prices_options *options,
                             store *all) {
    price_cover *cover = store_take(all, 1, sizeof *cover);
    if (!cover) return NULL;
    size_t n = (size_t)prices->in.points + 1, covers = (size_t)options->covers;
    cover->prices = prices;
    cover->options = *options;
    cover->n = prices->in.points;
    cover->words = ((size_t)prices->in.antecedents + 63) / 64;
    int64_t bucket = prices->tune->prices_bucket;
    cover->buckets = cover->n > 3 * bucket ? (int32_t)(cover->n / bucket) : 1;
    if (cover->buckets > MOST_BUCKETS) cover->buckets = MOST_BUCKETS;
    cover->random = cover->options.seed * 2 + 1;
    for (int i = 0; i < 8; i++) next_random(&cover->random);
    cover->patterns = store_take(all, n * cover->words, sizeof *cover->patterns);
    cover->best = store_take(all, n, sizeof *cover->best);
    cover->worst = store_take(all, n, sizeof *cover->worst);
    cover->total = store_take(all, (size_t)prices->in.classes, sizeof *cover->total);
    cover->order = store_take(all, n * covers, sizeof *cover->order);
    cover->size = store_take(all, n * covers, 1);
    cover->first = store_take(all, covers * ((size_t)cover->buckets + 1), sizeof *cover->first);
    cover->seeds = store_take(all, (size_t)cover->buckets, sizeof *cover->seeds);
    cover->none = store_take(all, cover->words, sizeof *cover->none);
    cover->bucket = store_take(all, n, sizeof *cover->bucket);
    cover->sorted = store_take(all, n, sizeof *cover->sorted);
    if (!all->failed) describe_points(cover);
    return cover;
}

void price_distances(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                     const uint64_t *known, int32_t *found) {
    cover->prices->kernel->distances(cover->patterns, which, (size_t)n, cover->words,
                                     cover->patterns + (size_t)seed * cover->words, known, found);
}

/* The nearest of the drawn points, for n points: few enough to stay in the processor's cache. */
static void fill_buckets(const price_cover *cover, int32_t first, int32_t n) {
    int32_t which[NEAR], distance[NEAR], least[NEAR], *bucket = cover->bucket + first;
    for (int32_t x = 0; x < n; x++) which[x] = first + x, least[x] = INT32_MAX, bucket[x] = 0;
    for (int32_t b = 0; b < cover->buckets; b++) {
        price_distances(cover, which, n, cover->seeds[b], cover->none, distance);
        for (int32_t x = 0; x < n; x++) {
            int nearer = distance[x] < least[x];
            least[x] = nearer ? distance[x] : least[x];
            bucket[x] = nearer ? b : bucket[x];
        }
    }
}

static void bucket_range(void *cover_, int32_t part, int32_t from, int32_t to) {
    const price_cover *cover = cover_;
    (void)part;
    for (int32_t x = from; x < to; x += NEAR)
        fill_buckets(cover, cover->next + x, to - x < NEAR ? to - x : NEAR);
}

/* The points in their order, bucket by bucket. */
static void list_buckets(const price_cover *cover) {
    int32_t *order = cover->order + (size_t)cover->ordered * (size_t)cover->n;
    int32_t *first = cover->first + (size_t)cover->ordered * ((size_t)cover->buckets + 1);
    int32_t at[MOST_BUCKETS];
    for (int32_t x = 0; x < cover->n; x++) first[cover->bucket[x] + 1]++;
    for (int32_t b = 0; b < cover->buckets; b++) first[b + 1] += first[b];
    memcpy(at, first, (size_t)cover->buckets * sizeof *at);
    for (int32_t i = 0; i < cover->n; i++) {
        int32_t x = cover->sorted[i].at;
        order[at[cover->bucket[x]]++] = x;
    }
}

int price_rising(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static void sort_cover(price_cover *cover) {
    for (int32_t x = 0; x < cover->n; x++) {
        uint32_t tie = (uint32_t)(next_random(&cover->random) >> 40);
        cover->sorted[x] = (ranked){cover->ordered ? tie : INT32_MAX - cover->worst[x], x};
    }
    qsort(cover->sorted, (size_t)cover->n, sizeof *cover->sorted, price_rising);
    list_buckets(cover);
}

static void draw_seeds(price_cover *cover) {
    for (int32_t b = 0; cover->buckets > 1 && b < cover->buckets; b++)
        cover->seeds[b] = (int32_t)(next_random(&cover->random) % (uint64_t)cover->n);
}

void price_cover_order(price_cover *cover) {
    int32_t left = cover->n - cover->next, n = DISTANCES / cover->buckets;
    if (n > left) n = left;
    if (!cover->next) draw_seeds(cover);
    team_ranges(cover->prices->team, PRICE_THREADS, n, NEAR, bucket_range, cover);
    cover->next += n;
    if (n < left) return;
    sort_cover(cover);
    cover->next = 0;
    cover->ordered++;
}

double price_cover_share(const price_cover *cover) {
    return (cover->ordered + (double)cover->next / cover->n) / cover->options.covers;
}

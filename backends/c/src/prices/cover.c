/* Putting the points in order, cover by cover, for cutting them into groups (group.c).
 *
 * Where there are many points, those that are nearest to the same one of some randomly drawn points
 * are a bucket. Within its bucket a point stands by its weight in the first cover, the heaviest
 * first, and in random order in the others. So a cover takes time near linear in the points.
 *
 * Points find their buckets on several threads, some in a step; a cover's order comes at last.
 *
 * How near two points are is asked millions of times where there are many points. Where cells may
 * have points that lie far apart, a sample of the antecedents names nearly the same neighbours, in
 * a third of the time.
 */
#include "cover.h"

#include <string.h>

#include "corels/bits.h"
#include "numbers.h"
#include "team.h"

enum { MOST_BUCKETS = 512 };
/* Points whose distances are taken together; distances of a cover in one step. */
enum { NEAR = 1024, DISTANCES = 1 << 22 };
/* Antecedents by which points are near each other; of more, some are drawn for points far apart, if
 * there are more points than so many. */
enum { SAMPLE = 512, SAMPLED_POINTS = 4096 };

/* Turns 64 x 64 bits over: bit j of row i becomes bit i of row j. */
static void turn_over(uint64_t *rows) {
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (int width = 32; width; width >>= 1, mask ^= mask << width)
        for (int i = 0; i < 64; i = ((i | width) + 1) & ~width) {
            uint64_t swap = ((rows[i] >> width) ^ rows[i | width]) & mask;
            rows[i | width] ^= swap;
            rows[i] ^= swap << width;
        }
}

/* How many of the antecedents 0, step, 2 * step, ... there are. */
static int32_t in_steps(int32_t antecedents, int32_t step) {
    return (antecedents + step - 1) / step;
}

static size_t words_of(int32_t antecedents) {
    return ((size_t)antecedents + 63) / 64;
}

/* Which of the antecedents 0, step, 2 * step, ... capture each point. */
static void list_patterns(const corels_instance *in, int32_t step, uint64_t *patterns) {
    int32_t words = (in->points + 63) / 64, all = in_steps(in->antecedents, step);
    size_t length = words_of(all);
    uint64_t rows[64];
    for (int32_t w = 0; w < words; w++)
        for (int32_t first = 0; first < all; first += 64) {
            int32_t n = all - first < 64 ? all - first : 64;
            int32_t points = in->points - 64 * w < 64 ? in->points - 64 * w : 64;
            memset(rows, 0, sizeof rows);
            for (int32_t j = 0; j < n; j++) {
                size_t r = (size_t)(first + j) * (size_t)step;
                rows[j] = in->masks[r * (size_t)words + (size_t)w];
            }
            turn_over(rows);
            for (int32_t i = 0; i < points; i++)
                patterns[((size_t)w * 64 + (size_t)i) * length + (size_t)first / 64] = rows[i];
        }
}

/* The sample has the antecedents 0, step, 2 * step, ...; a step of 1 means all of them. Where the
 * points of a cell must be near each other, their distance has to be exact. */
static int32_t sample_step(const price_cover *cover) {
    int32_t n = cover->prices->in.antecedents;
    int sampled =
        cover->options.most_splits == INT32_MAX && cover->n > SAMPLED_POINTS && n > SAMPLE;
    return sampled ? in_steps(n, SAMPLE) : 1;
}

static void describe_points(price_cover *cover) {
    const corels_instance *in = &cover->prices->in;
    int32_t step = sample_step(cover);
    list_patterns(in, 1, cover->patterns);
    if (cover->sample) list_patterns(in, step, cover->sample);
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
    cover->words = words_of(prices->in.antecedents);
    int32_t step = sample_step(cover);
    cover->sample_words = words_of(in_steps(prices->in.antecedents, step));
    int64_t bucket = prices->tune->prices_bucket;
    cover->buckets = cover->n > 3 * bucket ? (int32_t)(cover->n / bucket) : 1;
    if (cover->buckets > MOST_BUCKETS) cover->buckets = MOST_BUCKETS;
    cover->random = cover->options.seed * 2 + 1;
    for (int i = 0; i < 8; i++) next_random(&cover->random);
    cover->patterns = store_take(all, n * cover->words, sizeof *cover->patterns);
    if (step > 1) cover->sample = store_take(all, n * cover->sample_words, sizeof *cover->sample);
    cover->best = store_take(all, n, sizeof *cover->best);
    cover->worst = store_take(all, n, sizeof *cover->worst);
    cover->total = store_take(all, (size_t)prices->in.classes, sizeof *cover->total);
    cover->order = store_take(all, n * covers, sizeof *cover->order);
    cover->first = store_take(all, covers * ((size_t)cover->buckets + 1), sizeof *cover->first);
    cover->seeds = store_take(all, (size_t)cover->buckets, sizeof *cover->seeds);
    cover->none = store_take(all, cover->words + cover->sample_words, sizeof *cover->none);
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

void price_distances_from(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                          int32_t *found) {
    size_t words = cover->sample_words;
    if (cover->sample)
        cover->prices->kernel->distances(cover->sample, which, (size_t)n, words,
                                         cover->sample + (size_t)seed * words, cover->none, found);
    else
        price_distances(cover, which, n, seed, cover->none, found);
}

/* The nearest of the drawn points, for n points: few enough to stay in the processor's cache. */
static void fill_buckets(const price_cover *cover, int32_t first, int32_t n) {
    int32_t which[NEAR], distance[NEAR], least[NEAR], *bucket = cover->bucket + first;
    for (int32_t x = 0; x < n; x++) which[x] = first + x, least[x] = INT32_MAX, bucket[x] = 0;
    for (int32_t b = 0; b < cover->buckets; b++) {
        price_distances_from(cover, which, n, cover->seeds[b], distance);
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

static void sort_cover(price_cover *cover) {
    for (int32_t x = 0; x < cover->n; x++) {
        uint32_t tie = (uint32_t)(next_random(&cover->random) >> 40);
        cover->sorted[x] = (ranked){cover->ordered ? tie : INT32_MAX - cover->worst[x], x};
    }
    sort_ranked(cover->sorted, (size_t)cover->n);
    list_buckets(cover);
}

static void draw_seeds(price_cover *cover) {
    for (int32_t b = 0; cover->buckets > 1 && b < cover->buckets; b++)
        cover->seeds[b] = (int32_t)(next_random(&cover->random) % (uint64_t)cover->n);
}

void price_cover_order(price_cover *cover, team *t) {
    int32_t left = cover->n - cover->next, n = DISTANCES / cover->buckets;
    if (n > left) n = left;
    if (!cover->next) draw_seeds(cover);
    team_ranges(t, cover->options.threads, n, NEAR, bucket_range, cover);
    cover->next += n;
    if (n < left) return;
    sort_cover(cover);
    cover->next = 0;
    cover->ordered++;
}

double price_cover_share(const price_cover *cover) {
    return (cover->ordered + (double)cover->next / cover->n) / cover->options.covers;
}

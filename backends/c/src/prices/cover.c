/* Putting the points in order, cover by cover, for cutting them into groups (group.c).
 *
 * Where there are many points, those that are nearest to the same one of some randomly drawn points
 * are a bucket. Within its bucket a point stands by its weight in the first cover, the heaviest
 * first, and in random order in the others. So a cover takes time near linear in the points.
 *
 * Which numbers are drawn for a cover follows from its index alone, so covers are put in order side
 * by side, as many as there are threads: some points of each in a step, and at last their order.
 *
 * How near two points are is asked millions of times where there are many points. Where cells may
 * have points that lie far apart, a sample of the antecedents names nearly the same neighbours, in
 * a third of the time.
 */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "numbers.h"
#include "team.h"

enum { BUCKET = 2048, MOST_IN_ONE = 3 * BUCKET, MOST_BUCKETS = 512, DIGITS = 1 << 11 };
/* A sample has at most so many antecedents, and is drawn where there are more than so many points.
 */
enum { SAMPLE = 512, MANY_POINTS = 4096 };
/* Points whose distances are taken together; distances of a cover in one step. */
enum { NEAR = 1024, DISTANCES = 1 << 22 };

/* A thread's scratch while it puts a cover in order. */
static size_t scratch_words(size_t points) {
    return 2 * points + points / 2 + 1;
}

/* At most: where there are chains, their ranks take less than the bits of their members. */
size_t price_cover_bytes(const corels_prices *prices, const corels_prices_options *o) {
    size_t points = (size_t)prices->in.points, words = ((size_t)prices->in.antecedents + 63) / 64;
    size_t covers = (size_t)o->covers;
    size_t sample = SAMPLE / 64 < words ? SAMPLE / 64 : words;
    return sizeof(price_cover) + chains_bytes(prices->in.antecedents) +
           (points + 1) * (8 * (words + 1 + sample) + 8 + 4 * covers) +
           (size_t)prices->in.classes * sizeof(double) + covers * (points / BUCKET + 2) * 4;
}

size_t price_order_bytes(const corels_prices *prices) {
    return scratch_words((size_t)prices->in.points) * sizeof(uint64_t) +
           MOST_BUCKETS * sizeof(int32_t);
}

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

/* Which of `all` antecedents capture each point: of these, or where they are NULL of every step-th
 * one. */
static void list_patterns(const corels_prices_instance *in, const int32_t *these, int32_t step,
                          int32_t all, uint64_t *patterns) {
    int32_t words = (in->points + 63) / 64;
    size_t length = words_of(all);
    uint64_t rows[64];
    for (int32_t w = 0; w < words; w++)
        for (int32_t first = 0; first < all; first += 64) {
            int32_t n = all - first < 64 ? all - first : 64;
            int32_t points = in->points - 64 * w < 64 ? in->points - 64 * w : 64;
            memset(rows, 0, sizeof rows);
            for (int32_t j = 0; j < n; j++) {
                size_t r = these ? (size_t)these[first + j] : (size_t)(first + j) * (size_t)step;
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
    int sampled = cover->options.most_splits == INT32_MAX && cover->n > MANY_POINTS && n > SAMPLE;
    return sampled ? in_steps(n, SAMPLE) : 1;
}

static void skip(uint64_t *random, int64_t numbers) {
    for (int64_t i = 0; i < numbers; i++) next_random(random);
}

static void describe_points(price_cover *cover) {
    const corels_prices_instance *in = &cover->prices->in;
    int32_t step = sample_step(cover);
    list_patterns(in, cover->chains.rest, 0, cover->chains.rest_n, cover->patterns);
    if (cover->sample)
        list_patterns(in, NULL, step, in_steps(in->antecedents, step), cover->sample);
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

static int find_chains(price_cover *cover) {
    const corels_prices_instance *in = &cover->prices->in;
    int status = CORELS_OK;
    if (!chains_begin(&cover->chains, in->masks, in->antecedents, in->points)) return 0;
    while (status == CORELS_OK) status = chains_more(&cover->chains);
    cover->words = words_of(cover->chains.rest_n);
    return status == CORELS_DONE;
}

price_cover *price_cover_new(const corels_prices *prices, const corels_prices_options *options) {
    price_cover *cover = calloc(1, sizeof *cover);
    if (!cover) return NULL;
    size_t n = (size_t)prices->in.points + 1, covers = (size_t)options->covers;
    cover->prices = prices;
    cover->options = *options;
    cover->n = prices->in.points;
    if (!find_chains(cover)) {
        price_cover_free(cover);
        return NULL;
    }
    int32_t step = sample_step(cover);
    cover->sample_words = words_of(in_steps(prices->in.antecedents, step));
    cover->buckets = cover->n > MOST_IN_ONE ? cover->n / BUCKET : 1;
    if (cover->buckets > MOST_BUCKETS) cover->buckets = MOST_BUCKETS;
    cover->random = cover->options.seed * 2 + 1;
    skip(&cover->random, 8);
    store *all = &cover->arrays;
    cover->patterns = store_take(all, n * cover->words, sizeof *cover->patterns);
    if (step > 1) cover->sample = store_take(all, n * cover->sample_words, sizeof *cover->sample);
    cover->best = store_take(all, n, sizeof *cover->best);
    cover->worst = store_take(all, n, sizeof *cover->worst);
    cover->total = store_take(all, (size_t)prices->in.classes, sizeof *cover->total);
    cover->order = store_take(all, n * covers, sizeof *cover->order);
    cover->first = store_take(all, covers * ((size_t)cover->buckets + 1), sizeof *cover->first);
    if (all->failed) {
        price_cover_free(cover);
        return NULL;
    }
    describe_points(cover);
    return cover;
}

/* Covers that are being put in order side by side, a thread each: points first to `next` of each
 * have a bucket. seeds: [covers][buckets], the points that buckets are around. */
typedef struct price_ordering {
    store arrays;
    int32_t covers, next;
    uint64_t *scratch; /* [covers][scratch_words] */
    uint64_t *none;    /* [price_most_words] of zeros */
    int32_t *seeds;
} price_ordering;

static void free_ordering(price_ordering *now) {
    if (now) store_free(&now->arrays);
    free(now);
}

void price_cover_free(price_cover *cover) {
    if (!cover) return;
    free_ordering(cover->now);
    chains_free(&cover->chains);
    store_free(&cover->arrays);
    free(cover);
}

/* What one thread needs to put a cover in order: [points] each. */
typedef struct {
    uint64_t *keys, *sorted;
    int32_t *bucket;
} ordering;

static ordering ordering_of(const price_cover *cover, int32_t at) {
    size_t n = (size_t)cover->n;
    ordering o = {.keys = cover->now->scratch + (size_t)at * scratch_words(n)};
    o.sorted = o.keys + n;
    o.bucket = (int32_t *)(void *)(o.sorted + n);
    return o;
}

void price_distances(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                     const price_spread *spread, int32_t *found) {
    const corels_kernel_table *kernel = cover->prices->kernel;
    const chains *by = &cover->chains;
    if (cover->words)
        kernel->distances(cover->patterns, which, (size_t)n, cover->words,
                          cover->patterns + (size_t)seed * cover->words, spread->rest, found);
    else
        memset(found, 0, (size_t)n * sizeof *found);
    if (by->n)
        kernel->add_spans(by->rank, which, (size_t)n, (size_t)by->n, spread->low, spread->high,
                          found);
}

void price_distances_from(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                          uint64_t *none, int32_t *found) {
    size_t words = cover->sample_words, n_chains = (size_t)cover->chains.n;
    int32_t *rank = cover->chains.rank + (size_t)seed * n_chains;
    if (cover->sample)
        cover->prices->kernel->distances(cover->sample, which, (size_t)n, words,
                                         cover->sample + (size_t)seed * words, none, found);
    else
        price_distances(cover, which, n, seed, &(price_spread){none, rank, rank}, found);
}

/* The nearest of the drawn points, for some points: few enough to stay in the processor's cache. */
static void fill_buckets(const price_cover *cover, const int32_t *seeds, int32_t first, int32_t n,
                         int32_t *bucket) {
    int32_t which[NEAR], distance[NEAR], least[NEAR];
    for (int32_t x = 0; x < n; x++) which[x] = first + x, least[x] = INT32_MAX, bucket[x] = 0;
    for (int32_t b = 0; b < cover->buckets; b++) {
        price_distances_from(cover, which, n, seeds[b], cover->now->none, distance);
        for (int32_t x = 0; x < n; x++) {
            int nearer = distance[x] < least[x];
            least[x] = nearer ? distance[x] : least[x];
            bucket[x] = nearer ? b : bucket[x];
        }
    }
}

/* Sorts by eleven bits of the keys; equal ones stay in their order. */
static void sort_by(const uint64_t *from, uint64_t *to, size_t n, int shift) {
    uint32_t at[DIGITS + 1] = {0};
    for (size_t i = 0; i < n; i++) at[(from[i] >> shift) % DIGITS + 1]++;
    for (size_t d = 0; d < DIGITS; d++) at[d + 1] += at[d];
    for (size_t i = 0; i < n; i++) to[at[(from[i] >> shift) % DIGITS]++] = from[i];
}

/* The points in their order, bucket by bucket. */
static void list_buckets(const price_cover *cover, const ordering *o, const uint64_t *sorted,
                         int32_t index) {
    int32_t *order = cover->order + (size_t)index * (size_t)cover->n;
    int32_t *first = cover->first + (size_t)index * ((size_t)cover->buckets + 1);
    int32_t at[MOST_BUCKETS];
    for (int32_t x = 0; x < cover->n; x++) first[o->bucket[x] + 1]++;
    for (int32_t b = 0; b < cover->buckets; b++) first[b + 1] += first[b];
    memcpy(at, first, (size_t)cover->buckets * sizeof *at);
    for (int32_t i = 0; i < cover->n; i++) {
        int32_t x = (int32_t)(uint32_t)sorted[i];
        order[at[o->bucket[x]]++] = x;
    }
}

/* Random numbers that a cover takes: first those that draw its seeds, if it has some. */
static int32_t seeds_drawn(const price_cover *cover) {
    return cover->buckets > 1 ? cover->buckets : 0;
}

static int64_t drawn(const price_cover *cover) {
    return (int64_t)cover->n + seeds_drawn(cover);
}

static void sort_cover(const price_cover *cover, const ordering *o, int32_t index) {
    uint64_t random = cover->random;
    skip(&random, (index - cover->ordered) * drawn(cover) + seeds_drawn(cover));
    for (int32_t x = 0; x < cover->n; x++) {
        uint32_t tie = (uint32_t)(next_random(&random) >> 40);
        uint32_t place = index ? tie : (uint32_t)(INT32_MAX - cover->worst[x]);
        o->keys[x] = (uint64_t)place << 32 | (uint32_t)x;
    }
    sort_by(o->keys, o->sorted, (size_t)cover->n, 32);
    sort_by(o->sorted, o->keys, (size_t)cover->n, 43);
    sort_by(o->keys, o->sorted, (size_t)cover->n, 54);
    list_buckets(cover, o, o->sorted, index);
}

/* Goes on with some covers: buckets for some more points, or, where all have one, their order. */
static void order_range(void *cover_, int32_t part, int32_t from, int32_t to) {
    const price_cover *cover = cover_;
    int32_t first = cover->now->next, end = first + DISTANCES / cover->buckets;
    (void)part;
    if (end > cover->n) end = cover->n;
    for (int32_t i = from; i < to; i++) {
        ordering o = ordering_of(cover, i);
        if (first == cover->n) sort_cover(cover, &o, cover->ordered + i);
        for (int32_t x = first; x < end; x += NEAR)
            fill_buckets(cover, cover->now->seeds + (size_t)i * (size_t)cover->buckets, x,
                         end - x < NEAR ? end - x : NEAR, o.bucket + x);
    }
}

/* The next covers, one a thread. */
static int begin_ordering(price_cover *cover) {
    int32_t left = cover->options.covers - cover->ordered, threads = cover->options.threads;
    price_ordering *now = cover->now = calloc(1, sizeof *now);
    if (!now) return CORELS_NO_MEMORY;
    now->covers = threads < left ? threads : left;
    size_t covers = (size_t)now->covers;
    now->scratch = store_take(&now->arrays, covers * scratch_words((size_t)cover->n), 8);
    now->none = store_take(&now->arrays, price_most_words(cover), sizeof *now->none);
    now->seeds = store_take(&now->arrays, covers * (size_t)cover->buckets, sizeof *now->seeds);
    if (now->arrays.failed) return CORELS_NO_MEMORY;
    for (int32_t i = 0; i < now->covers; i++) {
        uint64_t random = cover->random;
        skip(&random, i * drawn(cover));
        for (int32_t b = 0; b < seeds_drawn(cover); b++)
            now->seeds[i * cover->buckets + b] =
                (int32_t)(next_random(&random) % (uint64_t)cover->n);
    }
    return CORELS_OK;
}

int price_cover_order(price_cover *cover, team *t) {
    if (!cover->now && begin_ordering(cover) != CORELS_OK) return CORELS_NO_MEMORY;
    price_ordering *now = cover->now;
    int sorted = now->next == cover->n;
    team_ranges(t, now->covers, now->covers, 1, order_range, cover);
    if (!sorted) {
        int32_t more = DISTANCES / cover->buckets;
        now->next = cover->n - now->next < more ? cover->n : now->next + more;
        return CORELS_OK;
    }
    skip(&cover->random, now->covers * drawn(cover));
    cover->ordered += now->covers;
    free_ordering(now);
    cover->now = NULL;
    return CORELS_OK;
}

double price_cover_share(const price_cover *cover) {
    double under_way = cover->now ? (double)cover->now->next / cover->n * cover->now->covers : 0;
    return (cover->ordered + under_way) / cover->options.covers;
}

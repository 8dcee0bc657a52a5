/* Putting the points in order, cover by cover, for cutting them into groups (group.c).
 *
 * Where there are many points, those that are nearest to the same one of some randomly drawn points
 * are a bucket. Within its bucket a point stands by its weight in the first cover, the heaviest
 * first, and in random order in the others. So a cover takes time near linear in the points.
 *
 * Which numbers are drawn for a cover follows from its index alone, so the covers can be put in
 * order side by side: in one step as many as there are threads. Buckets are few enough that the
 * step of a very large table ends within seconds.
 *
 * How near two points are is asked millions of times where there are many points. Where cells may
 * have points that lie far apart, a sample of the antecedents names nearly the same neighbours, in
 * a third of the time.
 */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "team.h"

enum { BUCKET = 2048, MOST_IN_ONE = 3 * BUCKET, MOST_BUCKETS = 512, DIGITS = 1 << 11 };
/* A sample has at most so many antecedents, and is drawn where there are more than so many points.
 */
enum { SAMPLE = 512, MANY_POINTS = 4096 };

static uint64_t draw(uint64_t *random) {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

/* A thread's scratch while it puts a cover in order, in bytes a point. */
enum { SCRATCH = 2 * sizeof(uint64_t) + 4 * sizeof(int32_t) };

size_t price_cover_bytes(const corels_prices *prices, const corels_prices_options *o) {
    size_t points = (size_t)prices->in.points, words = ((size_t)prices->in.antecedents + 63) / 64;
    size_t covers = (size_t)o->covers;
    size_t sample = SAMPLE / 64 < words ? SAMPLE / 64 : words;
    return sizeof(price_cover) + (points + 1) * (8 * (words + sample) + 8 + 4 * covers) +
           (size_t)prices->in.classes * sizeof(double) + covers * (points / BUCKET + 2) * 4;
}

size_t price_order_bytes(const corels_prices *prices) {
    return ((size_t)prices->in.points + (size_t)prices->in.antecedents / 64 + 2) * SCRATCH;
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

/* Which of every step-th antecedent capture each point. */
static void list_patterns(const corels_prices_instance *in, int32_t step, uint64_t *patterns) {
    int32_t words = (in->points + 63) / 64, all = in_steps(in->antecedents, step);
    size_t length = words_of(all);
    uint64_t rows[64];
    for (int32_t w = 0; w < words; w++)
        for (int32_t first = 0; first < all; first += 64) {
            int32_t n = all - first < 64 ? all - first : 64;
            int32_t points = in->points - 64 * w < 64 ? in->points - 64 * w : 64;
            memset(rows, 0, sizeof rows);
            for (int32_t j = 0; j < n; j++)
                rows[j] = in->masks[(size_t)(first + j) * (size_t)step * (size_t)words + (size_t)w];
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
    for (int64_t i = 0; i < numbers; i++) draw(random);
}

static void describe_points(price_cover *cover) {
    const corels_prices_instance *in = &cover->prices->in;
    list_patterns(in, 1, cover->patterns);
    if (cover->sample != cover->patterns) list_patterns(in, sample_step(cover), cover->sample);
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

price_cover *price_cover_new(const corels_prices *prices, const corels_prices_options *options) {
    price_cover *cover = calloc(1, sizeof *cover);
    if (!cover) return NULL;
    size_t n = (size_t)prices->in.points + 1, covers = (size_t)options->covers;
    cover->prices = prices;
    cover->options = *options;
    cover->words = words_of(prices->in.antecedents);
    cover->n = prices->in.points;
    int32_t step = sample_step(cover);
    cover->sample_words = words_of(in_steps(prices->in.antecedents, step));
    cover->buckets = cover->n > MOST_IN_ONE ? cover->n / BUCKET : 1;
    if (cover->buckets > MOST_BUCKETS) cover->buckets = MOST_BUCKETS;
    cover->random = cover->options.seed * 2 + 1;
    skip(&cover->random, 8);
    cover->patterns = malloc(n * cover->words * sizeof(uint64_t));
    cover->sample = step > 1 ? malloc(n * cover->sample_words * sizeof(uint64_t)) : cover->patterns;
    cover->best = calloc(2 * n, sizeof(int32_t));
    cover->total = calloc((size_t)prices->in.classes, sizeof(double));
    cover->order = malloc(n * covers * sizeof(int32_t));
    cover->first = calloc(covers * ((size_t)cover->buckets + 1), sizeof(int32_t));
    if (!cover->patterns || !cover->sample || !cover->best || !cover->total || !cover->order ||
        !cover->first) {
        price_cover_free(cover);
        return NULL;
    }
    cover->worst = cover->best + n;
    describe_points(cover);
    return cover;
}

void price_cover_free(price_cover *cover) {
    if (!cover) return;
    if (cover->sample != cover->patterns) free(cover->sample);
    free(cover->patterns);
    free(cover->best);
    free(cover->total);
    free(cover->order);
    free(cover->first);
    free(cover);
}

/* What one thread needs to put a cover in order, [points] each. */
typedef struct {
    uint64_t *keys, *sorted;
    int32_t *bucket, *least, *distance, *all;
} ordering;

/* The nearest of some drawn points, for each point. */
static void fill_buckets(const price_cover *cover, const ordering *o, uint64_t *random) {
    size_t n = (size_t)cover->n;
    uint64_t *none = o->sorted; /* not needed yet */
    memset(o->bucket, 0, n * sizeof *o->bucket);
    if (cover->buckets == 1) return;
    memset(none, 0, cover->sample_words * sizeof *none);
    for (size_t x = 0; x < n; x++) o->least[x] = INT32_MAX, o->all[x] = (int32_t)x;
    for (int32_t b = 0; b < cover->buckets; b++) {
        uint64_t seed = draw(random) % (uint64_t)cover->n;
        cover->prices->kernel->distances(cover->sample, o->all, n, cover->sample_words,
                                         cover->sample + seed * cover->sample_words, none,
                                         o->distance);
        for (size_t x = 0; x < n; x++) {
            int nearer = o->distance[x] < o->least[x];
            o->least[x] = nearer ? o->distance[x] : o->least[x];
            o->bucket[x] = nearer ? b : o->bucket[x];
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
    int32_t *at = o->least; /* not needed any more, and longer than there are buckets */
    for (int32_t x = 0; x < cover->n; x++) first[o->bucket[x] + 1]++;
    for (int32_t b = 0; b < cover->buckets; b++) first[b + 1] += first[b];
    memcpy(at, first, (size_t)cover->buckets * sizeof *at);
    for (int32_t i = 0; i < cover->n; i++) {
        int32_t x = (int32_t)(uint32_t)sorted[i];
        order[at[o->bucket[x]]++] = x;
    }
}

/* Random numbers that a cover takes. */
static int64_t drawn(const price_cover *cover) {
    return (int64_t)cover->n + (cover->buckets > 1 ? cover->buckets : 0);
}

static void put_in_order(const price_cover *cover, const ordering *o, int32_t index) {
    uint64_t random = cover->random;
    skip(&random, (index - cover->ordered) * drawn(cover));
    fill_buckets(cover, o, &random);
    for (int32_t x = 0; x < cover->n; x++) {
        uint32_t tie = (uint32_t)(draw(&random) >> 40);
        uint32_t place = index ? tie : (uint32_t)(INT32_MAX - cover->worst[x]);
        o->keys[x] = (uint64_t)place << 32 | (uint32_t)x;
    }
    sort_by(o->keys, o->sorted, (size_t)cover->n, 32);
    sort_by(o->sorted, o->keys, (size_t)cover->n, 43);
    sort_by(o->keys, o->sorted, (size_t)cover->n, 54);
    list_buckets(cover, o, o->sorted, index);
}

typedef struct {
    const price_cover *cover;
    char *scratch; /* [threads][SCRATCH * points] */
} orders;

static void order_range(void *orders_, int32_t part, int32_t from, int32_t to) {
    const orders *of = orders_;
    size_t n = (size_t)of->cover->n + of->cover->words;
    ordering o = {.keys = (uint64_t *)(void *)(of->scratch + (size_t)part * SCRATCH * n)};
    o.sorted = o.keys + n;
    o.bucket = (int32_t *)(void *)(o.sorted + n);
    o.least = o.bucket + n, o.distance = o.least + n, o.all = o.distance + n;
    for (int32_t i = from; i < to; i++) put_in_order(of->cover, &o, of->cover->ordered + i);
}

int price_cover_order(price_cover *cover, team *t) {
    int32_t left = cover->options.covers - cover->ordered, threads = cover->options.threads;
    int32_t now = threads < left ? threads : left;
    orders of = {cover, malloc((size_t)now * SCRATCH * ((size_t)cover->n + cover->words))};
    if (!of.scratch) return CORELS_NO_MEMORY;
    team_ranges(t, now, now, 1, order_range, &of);
    free(of.scratch);
    skip(&cover->random, now * drawn(cover));
    cover->ordered += now;
    return CORELS_OK;
}

/* Cutting the points into groups that few antecedents tell apart, greedily.
 *
 * A group begins with the first point that is left (in the first cover the heaviest, in the others
 * a random one). Then comes, again and again, a point of the class that the group has least of, by
 * the classes' weights in the table: of several the one that adds the fewest antecedents to those
 * that tell points of the group apart; then the heaviest. A group of one class is worth nothing, so
 * the class comes first.
 *
 * Only the nearest points to the first one are looked at, and where there are many points only
 * those of its bucket: the points that are nearest to the same one of some randomly drawn points.
 * So a cover takes time near linear in the points.
 */
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "corels/bits.h"

enum { NEAR = 160, BUCKET = 2048, MOST_IN_ONE = 3 * BUCKET };

struct price_cover {
    const corels_prices *prices;
    corels_prices_options options;
    size_t words;
    uint64_t *patterns;    /* [points][words]: the antecedents that capture a point */
    uint64_t *known;       /* [words]: those that tell points of the group apart */
    uint64_t *keys;        /* [points]: for sorting */
    int32_t *order;        /* [points]: bucket by bucket */
    int32_t *bucket;       /* [points] */
    int32_t *best;         /* [points]: the class without regret */
    int32_t *worst;        /* [points]: the greatest regret */
    int32_t *distance;     /* [points] */
    double *total;         /* [classes]: the points' weight, by their best class */
    double *filled;        /* [classes]: of the group */
    int32_t first, end, n; /* what is left of the bucket: order[first .. end); all points */
    uint64_t random;
};

static uint64_t draw(price_cover *cover) {
    cover->random ^= cover->random << 13;
    cover->random ^= cover->random >> 7;
    cover->random ^= cover->random << 17;
    return cover->random;
}

size_t price_cover_bytes(const corels_prices *prices) {
    size_t points = (size_t)prices->in.points, words = ((size_t)prices->in.antecedents + 63) / 64;
    return sizeof(price_cover) + (points + 1) * (8 * words + 8 + 5 * 4) +
           (size_t)prices->in.classes * 16;
}

static void describe_points(price_cover *cover) {
    const corels_prices_instance *in = &cover->prices->in;
    size_t words = ((size_t)in->points + 63) / 64;
    for (int32_t r = 0; r < in->antecedents; r++)
        for (size_t w = 0; w < words; w++)
            for (uint64_t left = in->masks[(size_t)r * words + w]; left; left &= left - 1) {
                size_t x = 64 * w + (size_t)corels_lowest(left);
                cover->patterns[x * cover->words + (size_t)r / 64] |= UINT64_C(1) << (r % 64);
            }
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
    size_t n = (size_t)prices->in.points + 1, classes = (size_t)prices->in.classes;
    cover->prices = prices;
    cover->options = *options;
    cover->words = ((size_t)prices->in.antecedents + 63) / 64;
    cover->n = prices->in.points;
    cover->random = options->seed * 2 + 1;
    for (int i = 0; i < 8; i++) draw(cover);
    cover->patterns = calloc(n * cover->words, sizeof(uint64_t));
    cover->known = calloc(cover->words, sizeof(uint64_t));
    cover->keys = calloc(n, sizeof(uint64_t));
    cover->order = calloc(5 * n, sizeof(int32_t));
    cover->total = calloc(2 * classes, sizeof(double));
    if (!cover->patterns || !cover->known || !cover->keys || !cover->order || !cover->total) {
        price_cover_free(cover);
        return NULL;
    }
    cover->bucket = cover->order + n, cover->best = cover->order + 2 * n;
    cover->worst = cover->order + 3 * n, cover->distance = cover->order + 4 * n;
    cover->filled = cover->total + classes;
    describe_points(cover);
    return cover;
}

void price_cover_free(price_cover *cover) {
    if (!cover) return;
    free(cover->patterns);
    free(cover->known);
    free(cover->keys);
    free(cover->order);
    free(cover->total);
    free(cover);
}

const uint64_t *price_cover_patterns(const price_cover *cover, size_t *words) {
    *words = cover->words;
    return cover->patterns;
}

/* The nearest of `buckets` drawn points, for each point. */
static void fill_buckets(price_cover *cover, int32_t buckets) {
    int32_t *least = cover->order; /* not needed yet */
    for (int32_t x = 0; x < cover->n; x++) least[x] = INT32_MAX;
    memset(cover->known, 0, cover->words * sizeof *cover->known);
    for (int32_t b = 0; b < buckets; b++) {
        uint64_t seed = draw(cover) % (uint64_t)cover->n;
        for (int32_t x = 0; x < cover->n; x++) {
            cover->prices->kernel->distances(cover->patterns, &x, 1, cover->words,
                                             cover->patterns + seed * cover->words, cover->known,
                                             cover->distance);
            if (cover->distance[0] >= least[x]) continue;
            least[x] = cover->distance[0];
            cover->bucket[x] = b;
        }
    }
}

static int rising(const void *x, const void *y) {
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

void price_cover_begin(price_cover *cover, int32_t index) {
    memset(cover->bucket, 0, (size_t)cover->n * sizeof *cover->bucket);
    if (cover->n > MOST_IN_ONE) fill_buckets(cover, cover->n / BUCKET);
    for (int32_t x = 0; x < cover->n; x++) {
        uint32_t tie = (uint32_t)(draw(cover) >> 40);
        cover->order[x] = index ? (int32_t)tie : INT32_MAX - cover->worst[x];
    }
    /* By the order, then by bucket and place in that order. */
    for (int32_t x = 0; x < cover->n; x++)
        cover->keys[x] = (uint64_t)(uint32_t)cover->order[x] << 32 | (uint32_t)x;
    qsort(cover->keys, (size_t)cover->n, sizeof *cover->keys, rising);
    for (int32_t i = 0; i < cover->n; i++) {
        uint32_t x = (uint32_t)cover->keys[i];
        cover->keys[i] = (uint64_t)(uint32_t)cover->bucket[x] << 32 | (uint32_t)i;
        cover->order[i] = (int32_t)x;
    }
    qsort(cover->keys, (size_t)cover->n, sizeof *cover->keys, rising);
    for (int32_t i = 0; i < cover->n; i++)
        cover->distance[i] = cover->order[(uint32_t)cover->keys[i]];
    memcpy(cover->order, cover->distance, (size_t)cover->n * sizeof *cover->order);
    cover->first = cover->end = 0;
}

/* Whether there is a point left; goes on to the next bucket where the present one is empty. */
static int any_left(price_cover *cover) {
    if (cover->first == cover->end) {
        if (cover->end == cover->n) return 0;
        int32_t bucket = cover->bucket[cover->order[cover->end]];
        while (cover->end < cover->n && cover->bucket[cover->order[cover->end]] == bucket)
            cover->end++;
    }
    return 1;
}

/* The points left that are nearest to the first one, it excluded; at most NEAR. */
static int32_t find_near(price_cover *cover, const uint64_t *seed, int32_t *near) {
    int32_t *left = cover->order + cover->first, n = cover->end - cover->first, most = 0, kept = 0;
    int32_t counts[1025] = {0};
    memset(cover->known, 0, cover->words * sizeof *cover->known);
    cover->prices->kernel->distances(cover->patterns, left, (size_t)n, cover->words, seed,
                                     cover->known, cover->distance);
    for (int32_t i = 1; i < n; i++) counts[cover->distance[i] < 1024 ? cover->distance[i] : 1024]++;
    for (int32_t sum = counts[0]; most < 1024 && sum + counts[most + 1] <= NEAR;)
        sum += counts[++most];
    if (most > cover->options.most_splits) most = cover->options.most_splits;
    for (int32_t pass = 0; pass < 2 && kept < NEAR; pass++) /* then some at the next distance */
        for (int32_t i = 1; i < n && kept < NEAR; i++) {
            int32_t d = cover->distance[i];
            if (pass ? d == most + 1 && d <= cover->options.most_splits : d <= most)
                near[kept++] = left[i];
        }
    return kept;
}

static double need_of(const price_cover *cover, int32_t x) {
    int32_t c = cover->best[x];
    return cover->filled[c] / cover->total[c];
}

/* Whether x, which makes the group's antecedents `a`, is a better next point than y with `b`. */
static int better(const price_cover *cover, int32_t x, int32_t a, int32_t y, int32_t b) {
    double need = need_of(cover, x) - need_of(cover, y);
    if (need != 0) return need < 0;
    if (a != b) return a < b;
    return cover->worst[x] > cover->worst[y];
}

static void take(price_cover *cover, price_group *group, int32_t x, const uint64_t *seed) {
    const uint64_t *pattern = cover->patterns + (size_t)x * cover->words;
    for (size_t w = 0; w < cover->words; w++) cover->known[w] |= pattern[w] ^ seed[w];
    group->point[group->points++] = x;
    cover->filled[cover->best[x]] += cover->worst[x];
}

/* Takes the group's points out of what is left, in order. */
static void remove_group(price_cover *cover, const price_group *group) {
    for (int32_t i = 0; i < group->points; i++) cover->bucket[group->point[i]] = -1;
    int32_t at = cover->end;
    for (int32_t i = cover->end; i-- > cover->first;)
        if (cover->bucket[cover->order[i]] >= 0) cover->order[--at] = cover->order[i];
    cover->first = at;
}

int price_cover_next(price_cover *cover, price_group *group) {
    int32_t near[NEAR];
    group->points = 0;
    if (!any_left(cover)) return 0;
    int32_t first = cover->order[cover->first];
    const uint64_t *seed = cover->patterns + (size_t)first * cover->words;
    int32_t n = find_near(cover, seed, near);
    memset(cover->filled, 0, (size_t)cover->prices->in.classes * sizeof *cover->filled);
    memset(cover->known, 0, cover->words * sizeof *cover->known);
    take(cover, group, first, seed);
    while (n && group->points < cover->options.most_points) {
        int32_t best = -1;
        cover->prices->kernel->distances(cover->patterns, near, (size_t)n, cover->words, seed,
                                         cover->known, cover->distance);
        for (int32_t i = 0; i < n; i++)
            if (cover->distance[i] <= cover->options.most_splits &&
                (best < 0 ||
                 better(cover, near[i], cover->distance[i], near[best], cover->distance[best])))
                best = i;
        if (best < 0) break;
        take(cover, group, near[best], seed);
        near[best] = near[--n];
    }
    remove_group(cover, group);
    return 1;
}

/* Cutting a bucket of points into groups that few antecedents tell apart, greedily.
 *
 * A group begins with the first point that is left. Then comes, again and again, a point of the
 * class that the group has least of, by the classes' weights in the table: of several the one that
 * adds the fewest antecedents to those that tell points of the group apart; then the heaviest. A
 * group of one class is worth nothing, so the class comes first. More points than a cell has parts
 * may come only while so few antecedents tell them apart that these can be the parts.
 *
 * Only the nearest points to the first one are looked at: fewer where there are many points that
 * may lie far apart, since the class comes first, and would be taken from afar.
 */
#include <string.h>

#include "cover.h"
#include "numbers.h"

enum { FARTHEST = 1024, FEW_SPLITS = 32 };
enum { NEAR_OF_MANY = 48 }; /* nearest points that are looked at where antecedents are drawn */

struct price_cutter {
    uint64_t *known;    /* [words]: what tells points of the group apart */
    int32_t *distance;  /* [points] */
    int32_t *some;      /* [points]: places in the rest, of the points that are near enough */
    double *filled;     /* [classes]: weight of the group */
    double *need;       /* [classes]: the part of the class's weight that the group has */
    int32_t *near, *at; /* [most_near]: the nearest points, and their places in the rest */
    int32_t *apart;     /* [most_near]: antecedents that tell apart the group and the point */
};

/* How many points are looked at, at most. */
static int32_t most_near(const price_cover *cover) {
    return cover->sample ? NEAR_OF_MANY : (int32_t)cover->prices->tune->prices_near;
}

price_cutter *price_cutter_new(const price_cover *cover, store *all) {
    size_t n = (size_t)cover->n, classes = (size_t)cover->prices->in.classes;
    size_t near = (size_t)most_near(cover);
    price_cutter *c = store_take(all, 1, sizeof *c);
    if (!c) return NULL;
    c->known = store_take(all, cover->words, sizeof *c->known);
    c->distance = store_take(all, n, sizeof *c->distance);
    c->some = store_take(all, n, sizeof *c->some);
    c->near = store_take(all, near, sizeof *c->near);
    c->at = store_take(all, near, sizeof *c->at);
    c->apart = store_take(all, near, sizeof *c->apart);
    c->filled = store_take(all, classes, sizeof *c->filled);
    c->need = store_take(all, classes, sizeof *c->need);
    return c;
}

/* Places in the rest of the bucket of the points that may share a group with its first one, and how
 * far they are, by the sample of antecedents. */
static int32_t find_some(const price_cover *cover, price_cutter *c, const price_rest *rest) {
    int32_t found = 0;
    price_distances_from(cover, rest->left, rest->n, rest->left[0], c->distance);
    for (int32_t i = 1; i < rest->n; i++) {
        c->some[found] = i;
        found += c->distance[i] <= cover->options.most_splits;
    }
    return found;
}

/* The points that are nearest to the first one, it excluded. */
static int32_t find_near(const price_cover *cover, price_cutter *c, const price_rest *rest) {
    int32_t counts[FARTHEST + 1] = {0}, most = 0, kept = 0, near = most_near(cover);
    int32_t splits = cover->options.most_splits, found = find_some(cover, c, rest);
    int32_t farthest = splits < FARTHEST ? splits : FARTHEST;
    for (int32_t k = 0; k < found; k++) {
        int32_t d = c->distance[c->some[k]];
        counts[d < FARTHEST ? d : FARTHEST]++;
    }
    for (int32_t sum = counts[0]; most < farthest && sum + counts[most + 1] <= near;)
        sum += counts[++most];
    for (int32_t pass = 0; pass < 2 && kept < near; pass++) /* then some at the next distance */
        for (int32_t k = 0; k < found && kept < near; k++) {
            int32_t d = c->distance[c->some[k]];
            if (pass ? d != most + 1 : d > most) continue;
            c->at[kept] = c->some[k];
            c->near[kept++] = rest->left[c->some[k]];
        }
    return kept;
}

static void take(const price_cover *cover, price_cutter *c, price_group *group, int32_t x,
                 int32_t seed) {
    const uint64_t *pattern = cover->patterns + (size_t)x * cover->words,
                   *of_seed = cover->patterns + (size_t)seed * cover->words;
    int32_t class = cover->best[x];
    for (size_t w = 0; w < cover->words; w++) c->known[w] |= pattern[w] ^ of_seed[w];
    group->point[group->points++] = x;
    c->filled[class] += cover->worst[x];
    if (cover->total[class] > 0) c->need[class] = c->filled[class] / cover->total[class];
}

/* Which of n near points comes next; -1: none may. */
static int32_t choose(const price_cover *cover, price_cutter *c, int32_t n, int32_t seed) {
    int32_t best = -1;
    double least = 0;
    uint64_t lowest = 0;
    price_distances(cover, c->near, n, seed, c->known, c->apart);
    for (int32_t i = 0; i < n; i++) {
        if (c->apart[i] > cover->options.most_splits) continue;
        double need = c->need[cover->best[c->near[i]]];
        uint64_t rest = (uint64_t)(uint32_t)c->apart[i] << 32 |
                        (uint32_t)(INT32_MAX - cover->worst[c->near[i]]);
        if (best >= 0 && (need != least ? need > least : rest >= lowest)) continue;
        best = i, least = need, lowest = rest;
    }
    return best;
}

/* Whether a cell of the group and point x has few enough parts. */
static int fits(const price_cover *cover, const price_cutter *c, const price_group *group,
                int32_t x) {
    uint32_t captured[FEW_SPLITS], part[PRICE_BITS];
    const uint64_t *first = cover->patterns + (size_t)group->point[0] * cover->words;
    int32_t n = 0, points = group->points;
    if (points < PRICE_BITS) return 1;
    for (size_t w = 0; w < cover->words; w++) {
        const uint64_t *pattern = cover->patterns + (size_t)x * cover->words;
        uint64_t splits = c->known[w] | (pattern[w] ^ first[w]);
        for (; splits; splits &= splits - 1) {
            if (n == FEW_SPLITS) return 0;
            uint64_t r = splits & (0 - splits);
            captured[n] = (uint32_t)!!(pattern[w] & r) << points;
            for (int32_t i = 0; i < points; i++)
                captured[n] |=
                    (uint32_t)!!(cover->patterns[(size_t)group->point[i] * cover->words + w] & r)
                    << i;
            n++;
        }
    }
    return price_parts(captured, n, UINT32_MAX >> (31 - points), part) > 0;
}

/* Takes the points at these places out of what is left, in order. Those before the last place move
 * up, and the beginning of the rest with them. */
static void remove_places(price_rest *rest, const int32_t *places, int32_t n) {
    int32_t last = 0;
    for (int32_t k = 0; k < n; k++) {
        rest->left[places[k]] = -1;
        if (places[k] > last) last = places[k];
    }
    for (int32_t from = last, to = last; from >= 0; from--)
        if (rest->left[from] >= 0) rest->left[to--] = rest->left[from];
    rest->left += n;
    rest->n -= n;
}

int price_next_group(const price_cover *cover, price_cutter *c, price_rest *rest,
                     price_group *group) {
    int32_t places[PRICE_POINTS] = {0};
    group->points = 0;
    if (!rest->n) return 0;
    size_t classes = (size_t)cover->prices->in.classes;
    int32_t seed = rest->left[0], n = find_near(cover, c, rest);
    memset(c->filled, 0, classes * sizeof *c->filled);
    memset(c->need, 0, classes * sizeof *c->need);
    memset(c->known, 0, cover->words * sizeof *c->known);
    take(cover, c, group, seed, seed);
    while (n && group->points < cover->options.most_points) {
        int32_t next = choose(cover, c, n, seed);
        if (next < 0) break;
        if (fits(cover, c, group, c->near[next])) {
            places[group->points] = c->at[next];
            take(cover, c, group, c->near[next], seed);
        }
        n--;
        c->near[next] = c->near[n], c->at[next] = c->at[n];
    }
    remove_places(rest, places, group->points);
    return 1;
}

/* Cutting a bucket of points into groups that few antecedents tell apart, greedily.
 *
 * A group begins with the first point that is left. Then comes, again and again, a point of the
 * class that the group has least of, by the classes' weights in the table: of several the one that
 * adds the fewest antecedents to those that tell points of the group apart; then the heaviest. A
 * group of one class is worth nothing, so the class comes first. Only the nearest points to the
 * first one are looked at: else the class would be taken from afar.
 */
#include <string.h>

#include "cover.h"

enum { FARTHEST = 1024, NEAREST = 48 };

/* What is left of a bucket: points that are in no group yet, in their order. */
typedef struct {
    int32_t *left;
    uint8_t *size;
    int32_t n, covered; /* points that are left; points in groups that are worth a cell */
} price_rest;

struct price_cutter {
    uint64_t *known;   /* [words]: what tells points of the group apart */
    int32_t *distance; /* [points]: of what is left, from the group's first point */
    int32_t *some;     /* [points]: places in what is left of those that are near enough */
    double *filled;    /* [classes]: weight of the group */
    double *need;      /* [classes]: the part of the class's weight that the group has */
    int32_t near[NEAREST], at[NEAREST]; /* the nearest points, and their places in the rest */
    int32_t apart[NEAREST];             /* antecedents that tell apart the group and the point */
};

price_cutter *price_cutter_new(const price_cover *cover, store *all) {
    size_t classes = (size_t)cover->prices->in.classes;
    price_cutter *c = store_take(all, 1, sizeof *c);
    if (!c) return NULL;
    c->known = store_take(all, cover->words, sizeof *c->known);
    c->distance = store_take(all, (size_t)cover->n, sizeof *c->distance);
    c->some = store_take(all, (size_t)cover->n, sizeof *c->some);
    c->filled = store_take(all, classes, sizeof *c->filled);
    c->need = store_take(all, classes, sizeof *c->need);
    return c;
}

/* Which of what is left may share a group with the first point, by their distances from it. */
static int32_t find_some(const price_cover *cover, price_cutter *c, const price_rest *rest) {
    int32_t found = 0;
    price_distances(cover, rest->left, rest->n, rest->left[0], cover->none, c->distance);
    for (int32_t i = 1; i < rest->n; i++) {
        c->some[found] = i;
        found += c->distance[i] <= cover->options.most_splits;
    }
    return found;
}

/* The points that are nearest to the first one, it excluded: all up to some distance, then some of
 * the next distance. */
static int32_t find_near(const price_cover *cover, price_cutter *c, const price_rest *rest) {
    int32_t counts[FARTHEST + 1] = {0}, most = 0, kept = 0, found = find_some(cover, c, rest);
    for (int32_t k = 0; k < found; k++) {
        int32_t d = c->distance[c->some[k]];
        counts[d < FARTHEST ? d : FARTHEST]++;
    }
    for (int32_t sum = counts[0]; most < FARTHEST && sum + counts[most + 1] <= NEAREST;)
        sum += counts[++most];
    for (int32_t pass = 0; pass < 2 && kept < NEAREST; pass++)
        for (int32_t k = 0; k < found && kept < NEAREST; k++) {
            int32_t i = c->some[k], d = c->distance[i];
            if (pass ? d != most + 1 : d > most) continue;
            c->at[kept] = i;
            c->near[kept++] = rest->left[i];
        }
    return kept;
}

static void take(const price_cover *cover, price_cutter *c, int32_t x, int32_t seed) {
    const uint64_t *pattern = cover->patterns + (size_t)x * cover->words,
                   *of_seed = cover->patterns + (size_t)seed * cover->words;
    int32_t class = cover->best[x];
    for (size_t w = 0; w < cover->words; w++) c->known[w] |= pattern[w] ^ of_seed[w];
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

/* Moves the n points at these places to the front of what is left. The others keep their order. */
static void bring_forward(const price_rest *rest, const int32_t *places, int32_t n) {
    int32_t group[PRICE_POINTS], last = 0;
    for (int32_t k = 0; k < n; k++) {
        group[k] = rest->left[places[k]];
        rest->left[places[k]] = -1;
        if (places[k] > last) last = places[k];
    }
    for (int32_t from = last, to = last; from >= 0; from--)
        if (rest->left[from] >= 0) rest->left[to--] = rest->left[from];
    memcpy(rest->left, group, (size_t)n * sizeof *group);
}

/* Whether predicting one class errs nowhere. */
static int of_one_class(const corels_instance *in, const int32_t *points, int32_t n) {
    for (int32_t c = 0; c < in->classes; c++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < n; i++)
            sum += in->regrets[(size_t)c * (size_t)in->points + (size_t)points[i]];
        if (!sum) return 1;
    }
    return 0;
}

static void cut_group(const price_cover *cover, price_cutter *c, price_rest *rest) {
    int32_t places[PRICE_POINTS] = {0}, taken = 1, seed = rest->left[0];
    size_t classes = (size_t)cover->prices->in.classes;
    int32_t n = find_near(cover, c, rest);
    memset(c->filled, 0, classes * sizeof *c->filled);
    memset(c->need, 0, classes * sizeof *c->need);
    memset(c->known, 0, cover->words * sizeof *c->known);
    take(cover, c, seed, seed);
    while (n && taken < cover->options.most_points) {
        int32_t next = choose(cover, c, n, seed);
        if (next < 0) break;
        places[taken++] = c->at[next];
        take(cover, c, c->near[next], seed);
        n--;
        c->near[next] = c->near[n], c->at[next] = c->at[n];
    }
    bring_forward(rest, places, taken);
    int worth = taken > 1 && !of_one_class(&cover->prices->in, rest->left, taken);
    *rest->size = (uint8_t)(worth ? taken : taken | PRICE_WORTHLESS);
    if (worth) rest->covered += taken;
    rest->left += taken, rest->size += taken, rest->n -= taken;
}

int32_t price_cut_bucket(const price_cover *cover, price_cutter *c, int32_t bucket) {
    int32_t of = bucket / cover->buckets;
    const int32_t *first = cover->first + bucket + of; /* each cover has one more */
    size_t from = (size_t)of * (size_t)cover->n + (size_t)first[0];
    price_rest rest = {cover->order + from, cover->size + from, first[1] - first[0], 0};
    while (rest.n) cut_group(cover, c, &rest);
    return rest.covered;
}

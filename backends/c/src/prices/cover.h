/* The points as the cutting of covers sees them, and a bucket that is being cut into groups.
 *
 * All covers are put in order first (cover.c); then their buckets, which share no points, are cut
 * by several threads (buckets.c), each bucket by one of them (group.c).
 */
#pragma once

#include "cell.h"
#include "ranked.h"

struct price_cover {
    const corels_prices *prices;
    corels_prices_options options;
    size_t words, sample_words;
    uint64_t *patterns; /* [points][words]: which antecedents capture a point */
    uint64_t *sample;   /* [points][sample_words]: which of a sample of all antecedents; or NULL,
                           where points are compared by all of them */
    int32_t *best;      /* [points]: the class without regret */
    int32_t *worst;     /* [points]: the greatest regret */
    double *total;      /* [classes]: the points' weight, by their best class */
    int32_t n, buckets; /* points; buckets of a cover */
    int32_t ordered;    /* covers that are in order */
    int32_t *order;     /* [covers][points]: bucket by bucket */
    int32_t *first;     /* [covers][buckets + 1]: where each bucket begins */
    uint64_t *none;     /* as many zeros as a pattern has words */
    /* While the next cover is put in order. */
    uint64_t random;
    int32_t next;   /* the first point that has no bucket yet */
    int32_t *seeds; /* [buckets]: the points that buckets are around */
    int32_t *bucket;
    ranked *sorted; /* [points] */
};

/* A bucket on its way: its points that are in no group yet, in their order. */
typedef struct {
    int32_t *left, n;
} price_rest;

/* found[i] = how many antecedents tell apart the seed and point which[i], or are in `known`. */
void price_distances(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                     const uint64_t *known, int32_t *found);
/* The same of the seed alone, and by the sample where there is one. */
void price_distances_from(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                          int32_t *found);

/* group.c: scratch of one thread; and the next group, 0 where every point is in one. */
typedef struct price_cutter price_cutter;
price_cutter *price_cutter_new(const price_cover *cover, store *);
int price_next_group(const price_cover *cover, price_cutter *cutter, price_rest *rest,
                     price_group *group);

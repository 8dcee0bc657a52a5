/* The points as the cutting of covers sees them, and a bucket that is being cut into groups.
 *
 * All covers are put in order first (cover.c); then their buckets, which share no points, are cut
 * by several threads, each bucket by one of them at a time (group.c). Cells are made of the groups
 * at last (cells.c).
 */
#pragma once

#include "cell.h"

/* A point by a number: the lowest number first, of equal numbers the lowest point. */
typedef struct {
    int64_t number;
    int32_t at;
} ranked;

struct price_cover {
    const corels_prices *prices;
    corels_prices_options options;
    size_t words;
    uint64_t *patterns; /* [points][words]: which antecedents capture a point */
    int32_t *best;      /* [points]: the class without regret */
    int32_t *worst;     /* [points]: the greatest regret */
    double *total;      /* [classes]: the points' weight, by their best class */
    int32_t n, buckets; /* points; buckets of a cover */
    int32_t ordered;    /* covers that are in order */
    int32_t *order;     /* [covers][points]: bucket by bucket, then group by group */
    uint8_t *size;      /* [covers][points]: of the first point of each group, its points */
    int32_t *first;     /* [covers][buckets + 1]: where each bucket begins */
    uint64_t *none;     /* as many zeros as a pattern has words */
    /* While the next cover is put in order. */
    uint64_t random;
    int32_t next;   /* the first point that has no bucket yet */
    int32_t *seeds; /* [buckets]: the points that buckets are around */
    int32_t *bucket;
    ranked *sorted; /* [points] */
};

int price_rising(const void *, const void *); /* of two `ranked`, for qsort */

/* Beside the size of a group that is worth no cell. */
enum { PRICE_WORTHLESS = 128 };

/* found[i] = how many antecedents tell apart the seed and point which[i], or are in `known`. */
void price_distances(const price_cover *cover, const int32_t *which, int32_t n, int32_t seed,
                     const uint64_t *known, int32_t *found);

/* group.c: scratch of one thread; and cutting a bucket of all covers into groups: returns how many
 * points are in groups that are worth a cell. */
typedef struct price_cutter price_cutter;
price_cutter *price_cutter_new(const price_cover *cover, store *);
int32_t price_cut_bucket(const price_cover *cover, price_cutter *cutter, int32_t bucket);

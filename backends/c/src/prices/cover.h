/* The points as the cutting of covers sees them, and a bucket that is being cut into groups.
 *
 * All covers are put in order at once (cover.c); then their buckets, which share no points, are cut
 * by several threads (strips.c), each bucket by one of them (group.c).
 */
#ifndef CORELS_PRICES_COVER_H
#define CORELS_PRICES_COVER_H

#include "cell.h"

struct price_cover {
    const corels_prices *prices;
    corels_prices_options options;
    size_t words, sample_words;
    uint64_t *patterns; /* [points][words]: the antecedents that capture a point */
    uint64_t *sample;   /* [points][sample_words]: the same of a sample of them, or `patterns` */
    int32_t *best;      /* [points]: the class without regret */
    int32_t *worst;     /* [points]: the greatest regret */
    double *total;      /* [classes]: the points' weight, by their best class */
    int32_t n, buckets; /* points; buckets of a cover */
    int32_t ordered;    /* covers that are in order */
    uint64_t random;    /* the state of the random numbers for the next one */
    struct price_ordering *now; /* what is being put in order */
    int32_t *order;             /* [covers][points]: bucket by bucket */
    int32_t *first;             /* [covers][buckets + 1]: where each bucket begins */
};

/* A bucket on its way: its points that are in no group yet, in their order. */
typedef struct {
    int32_t *left, n;
} price_strip;

/* group.c: scratch of one thread; and the next group, 0 where every point is in one. */
typedef struct price_cutter price_cutter;
price_cutter *price_cutter_new(const price_cover *cover);
void price_cutter_free(price_cutter *cutter);
size_t price_cutter_bytes(const corels_prices *prices);
int price_next_group(const price_cover *cover, price_cutter *cutter, price_strip *strip,
                     price_group *group);

#endif

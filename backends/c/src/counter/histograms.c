/* Histograms: what the cuts of a column capture, all in one go.
 *
 * Antecedents of which each contains the one before it are a chain (chains.h), and each point has a
 * rank in it: the members below that one do not capture it. So a set is counted by adding each of
 * its points to the bin of its rank; the sum of the lowest bins is what a member captures, and what
 * its complement captures is the rest. That takes a step for each point and chain and one for each
 * member, where population counts take one for each member and word.
 *
 * Antecedents in no chain are counted by planes.
 */
#include "counter.h"

#include <string.h>

/* Measured, in words of an antecedent that planes count meanwhile: a point is added to a bin (three
 * words, but most sets have not all points), and a member gets its count of a measure. */
enum { ADD = 2, MEMBER = 4 };

int corels_chains_pay(const corels_counter *counter, const chains *by) {
    const corels_shape *shape = &counter->layout.shape;
    int64_t members = by->first[by->n], words = counter->planes.digits.longest;
    int64_t adds = 0, sums = members * counter->measures;
    for (size_t i = 0; i < (size_t)shape->points * shape->measures; i++)
        adds += shape->weights[i] > 0;
    return members / 2 * words > ADD * adds * by->n + MEMBER * sums;
}

int corels_histograms_begin(corels_counter *counter) {
    const corels_shape *shape = &counter->layout.shape;
    corels_histograms *h = &counter->histograms;
    size_t points = (size_t)shape->points, measures = (size_t)shape->measures;
    h->weights = store_take(&counter->arrays, measures * points, sizeof *h->weights);
    if (!h->weights) return CORELS_NO_MEMORY;
    if (points) memcpy(h->weights, shape->weights, measures * points * sizeof *h->weights);
    for (size_t x = 0; x < points; x++)
        for (int32_t chain = 0; chain < h->by.n; chain++)
            h->by.rank[x * (size_t)h->by.n + chain] += h->by.first[chain] + chain; /* of all bins */
    h->points = shape->points;
    return CORELS_OK;
}

size_t corels_histograms_scratch(const corels_counter *counter) {
    const chains *by = &counter->histograms.by;
    return by->n ? corels_round_up(((size_t)by->first[by->n] + by->n) * sizeof(int32_t), 64) : 0;
}

static void add_points(const corels_histograms *h, const uint64_t *set, int32_t measure,
                       int32_t *restrict bins) {
    const int32_t *weights = h->weights + (size_t)measure * (size_t)h->points;
    size_t n = (size_t)h->by.n;
    for (int32_t w = 0; w < (h->points + 63) / 64; w++)
        for (uint64_t left = set[w]; left; left &= left - 1) {
            size_t x = (size_t)w * 64 + (size_t)corels_lowest(left);
            const int32_t *restrict bin = h->by.rank + x * n;
            int32_t weight = weights[x];
            for (size_t k = 0; weight && k < n; k++) bins[bin[k]] += weight;
        }
}

static void hand_out(const chains *by, const int32_t *restrict bins, int32_t total,
                     int32_t *restrict counts) {
    for (int32_t chain = 0; chain < by->n; chain++) {
        int32_t sum = 0;
        for (int32_t k = by->first[chain]; k < by->first[chain + 1]; k++) {
            int32_t member = by->member[k], turned = -(member < 0);
            sum += bins[k + chain];
            counts[member ^ turned] = turned ? total - sum : sum;
        }
    }
}

void corels_histograms_count(const corels_counter *counter, const uint64_t *set, void *scratch,
                             int32_t *counts, const int32_t *totals) {
    const corels_histograms *h = &counter->histograms;
    for (int32_t k = 0; k < counter->measures; k++) {
        memset(scratch, 0, corels_histograms_scratch(counter));
        if (totals[k]) add_points(h, set, k, scratch);
        hand_out(&h->by, scratch, totals[k], counts + (size_t)k * (size_t)counter->stride);
    }
}

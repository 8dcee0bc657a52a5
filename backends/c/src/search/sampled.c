#include "sampled.h"

#include <math.h>
#include <string.h>

#include "corels/bits.h"

enum { MOST_HALVES = 30 };

void sampled_free(sampled_sets *v) {
    store_free(&v->arrays);
    *v = (sampled_sets){0};
}

static int make_room(sampled_sets *v, int64_t kept, int32_t words) {
    if (v->sets) return 1;
    v->sets = store_take(&v->arrays, (size_t)kept * (size_t)words, sizeof *v->sets);
    v->ranks = store_take(&v->arrays, (size_t)kept, sizeof *v->ranks);
    if (!v->arrays.failed) return 1;
    sampled_free(v);
    return 0;
}

/* From 0 to 1, in 53 bits: Vigna's splitmix64. */
static double random_part(sampled_sets *v) {
    uint64_t x = v->random += UINT64_C(0x9E3779B97F4A7C15);
    return ldexp((double)(corels_mix(x) >> 11), -53);
}

static void find_last(sampled_sets *v) {
    v->last = 0;
    for (int32_t i = 1; i < v->n; i++)
        if (v->ranks[i] > v->ranks[v->last]) v->last = i;
}

/* How many parts of a rule are missing, MOST_HALVES at most. If 64 bits do not hold the product,
 * both numbers are halved: missing is less than MOST_HALVES rules by then, so neither comes to 0.
 */
static int halves_of(int64_t parts, int64_t missing, int64_t rule_cost) {
    if (missing <= 0 || rule_cost <= 0 || parts <= 0) return 0;
    if (missing / rule_cost >= MOST_HALVES) return MOST_HALVES;
    while (missing > INT64_MAX / parts) missing /= 2, rule_cost /= 2;
    int64_t halves = parts * missing / rule_cost;
    return halves < MOST_HALVES ? (int)halves : MOST_HALVES;
}

void sampled_note(sampled_sets *v, const tuning *tune, const uint64_t *set, int32_t words,
                  int64_t missing, int64_t rule_cost) {
    int32_t kept = (int32_t)tune->sampled_kept;
    double rank = ldexp(random_part(v), halves_of(tune->sampled_parts, missing, rule_cost));
    if (v->n == kept && rank >= v->ranks[v->last]) return;
    if (!make_room(v, kept, words)) return;
    int32_t at = v->n < kept ? v->n++ : v->last;
    memcpy(v->sets + (size_t)at * (size_t)words, set, (size_t)words * sizeof *set);
    v->ranks[at] = rank;
    find_last(v);
}

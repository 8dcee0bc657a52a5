/* Sets that a search has met, for tables that are to be sharp where the search is.
 *
 * Prices are made for the set of all points, and say less and less of the small sets where a search
 * spends its time. So while the walk goes on, a few hundred of the sets that tables could not close
 * are kept; prices made again on these rule out many more of the sets to come
 * (docs/studies/price-bound.md has the figures).
 *
 * A set by which the tables miss the need by little is worth most: a set's chance to be kept falls
 * by half for every third of a rule that is missing. Of all sets the few hundred with the least
 * ranks are kept, if a rank is a random number from 0 to 1 divided by that chance: a sample
 * without replacement, taken in one pass. Ranks are exact, so runs repeat on every machine.
 *
 * Each worker keeps its own sets, over the whole search. A search that forgot them when tables were
 * made of them would know only those below the last few of the root's children, and tables made for
 * these serve the others badly.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store.h"
#include "tuning.h"

typedef struct {
    store arrays;
    uint64_t *sets;  /* [tune->sampled_kept][words]; NULL before the first one */
    double *ranks;   /* [tune->sampled_kept] */
    int32_t n, last; /* kept; the one with the greatest rank */
    uint64_t random;
} sampled_sets;

void sampled_free(sampled_sets *);
/* A set that tables have shown to cost at least `missing` less than it needs to. Without memory it
 * is not kept. */
void sampled_note(sampled_sets *, const tuning *, const uint64_t *set, int32_t words,
                  int64_t missing, int64_t rule_cost);

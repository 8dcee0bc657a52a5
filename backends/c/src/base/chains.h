/* Chains: antecedents of which each, or its complement, contains the one before it. The cuts of a
 * column are a chain: x <= 3 contains x <= 2, and x > 2 is the complement of that. So what a point
 * is to all of them is one number, its rank, and two points differ in as many of them as their
 * ranks do.
 *
 * They are seen from the sets alone. Each antecedent is compared with both ends of the last few
 * chains, since the cuts of a column mostly stand together. (Where values are missing, <= and > are
 * two chains.) Chains of few antecedents are none: bits are as good there.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store.h"

enum { CHAINS_LOOKED_AT = 4 };

typedef struct chain_ends chain_ends;

typedef struct {
    int32_t n;
    int32_t *first;  /* [n + 1]: where the members of each chain begin, */
    int32_t *member; /* the lowest first: r, or ~r where the complement of r is meant */
    int32_t *rank;   /* [points][n]: how many members of each chain do not contain the point */
    int32_t *rest;   /* [rest_n]: the antecedents in no chain, rising */
    int32_t rest_n;
    store arrays; /* all of these */
    /* While they are found. */
    const uint64_t *masks;
    int32_t antecedents, points, words;
    int32_t step, at, chain; /* see chains_more */
    chain_ends *ends;        /* [found] */
    int32_t *above;          /* [antecedents]: the member above each */
    int32_t found, recent[CHAINS_LOOKED_AT], recent_n;
} chains;

/* Of masks[antecedents][(points + 63) / 64], which must live until they are found. 0: no memory. */
int chains_begin(chains *, const uint64_t *masks, int32_t antecedents, int32_t points);
/* Goes on with finding them. CORELS_OK: there is more to do; CORELS_DONE; or CORELS_NO_MEMORY. */
int chains_more(chains *);
/* Whether the members of all chains are known, and no ranks yet. */
static inline int chains_listed(const chains *c) {
    return c->step && !c->rank;
}
void chains_free(chains *);

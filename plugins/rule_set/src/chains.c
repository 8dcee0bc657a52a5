#include "chains.h"

#include <stdlib.h>

#include "corels/bits.h"

typedef struct {
    const uint64_t *columns;
    size_t words;
} matrix;

static const uint64_t *column(const matrix *m, uint32_t feature) {
    return m->columns + (size_t)feature * m->words;
}

static int contains(const matrix *m, uint32_t big, uint32_t small) {
    const uint64_t *a = column(m, big), *b = column(m, small);
    for (size_t i = 0; i < m->words; i++)
        if (b[i] & ~a[i]) return 0;
    return 1;
}

typedef struct {
    uint64_t support;
    uint32_t feature, chain;
} member;

static int by_support(const void *x, const void *y) {
    const member *a = x, *b = y;
    if (a->support != b->support) return a->support < b->support ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

static int by_chain(const void *x, const void *y) {
    const member *a = x, *b = y;
    if (a->chain != b->chain) return a->chain < b->chain ? -1 : 1;
    return by_support(x, y);
}

static uint64_t support(const matrix *m, uint32_t feature) {
    uint64_t sum = 0;
    for (size_t i = 0; i < m->words; i++) sum += (uint64_t)corels_ones(column(m, feature)[i]);
    return sum;
}

enum { FIRST_CHAINS = 1024, NEIGHBOURS = 4 };
static const uint32_t NO_CHAIN = UINT32_MAX;

static int joins(const matrix *sides, uint32_t feature, uint32_t largest) {
    return contains(&sides[0], feature, largest) && contains(&sides[1], feature, largest);
}

/* That of a feature next to this one, as cuts of a column are, if this one can join it. */
static uint32_t chain_beside(const uint32_t *of, const uint32_t *last, uint32_t features,
                             uint32_t feature, const matrix *sides) {
    for (uint32_t d = 1; d <= NEIGHBOURS; d++) {
        uint32_t before = feature >= d ? of[feature - d] : NO_CHAIN;
        uint32_t behind = d < features - feature ? of[feature + d] : NO_CHAIN;
        if (before != NO_CHAIN && joins(sides, feature, last[before])) return before;
        if (behind != NO_CHAIN && joins(sides, feature, last[behind])) return behind;
    }
    return NO_CHAIN;
}

/* Greedy: by rising support, each feature joins the first chain whose largest member it contains.
 * Of more than FIRST_CHAINS, only the first are tried, after those of its neighbours: to try tens
 * of thousands for each of 20,000 columns took too long to wait for Ctrl-C. */
static void assign(member *members, uint32_t *last, uint32_t *of, uint32_t features,
                   const matrix *sides) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < features; i++) of[i] = NO_CHAIN;
    for (uint32_t i = 0; i < features; i++) {
        uint32_t feature = members[i].feature, many = count > FIRST_CHAINS, c = 0;
        uint32_t beside = many ? chain_beside(of, last, features, feature, sides) : NO_CHAIN;
        uint32_t tried = many ? FIRST_CHAINS : count;
        if (beside != NO_CHAIN) {
            c = beside;
        } else {
            while (c < tried && !joins(sides, feature, last[c])) c++;
            if (c == tried) c = count++;
        }
        last[c] = feature;
        of[feature] = members[i].chain = c;
    }
}

int chains_build(uint32_t *order, uint32_t *chain, uint32_t features,
                 const uint64_t *positive_columns, size_t positive_words,
                 const uint64_t *negative_columns, size_t negative_words) {
    const matrix sides[2] = {{positive_columns, positive_words},
                             {negative_columns, negative_words}};
    member *members = malloc((features + 1) * sizeof *members);
    uint32_t *last = malloc((features + 1) * sizeof *last);
    uint32_t *of = malloc((features + 1) * sizeof *of);
    if (members && last && of) {
        for (uint32_t j = 0; j < features; j++)
            members[j] = (member){support(&sides[0], j) + support(&sides[1], j), j, 0};
        qsort(members, features, sizeof *members, by_support);
        assign(members, last, of, features, sides);
        qsort(members, features, sizeof *members, by_chain);
        for (uint32_t i = 0; i < features; i++) {
            order[i] = members[i].feature;
            chain[i] = members[i].chain;
        }
    }
    int status = members && last && of ? 0 : -1;
    free(members);
    free(last);
    free(of);
    return status;
}

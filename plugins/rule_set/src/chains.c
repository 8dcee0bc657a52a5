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

/* Greedy: by rising support, each feature joins the first chain whose largest member it contains.
 */
static void assign(member *members, uint32_t *last, uint32_t features, const matrix *sides) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < features; i++) {
        uint32_t feature = members[i].feature, c = 0;
        while (c < count &&
               !(contains(&sides[0], feature, last[c]) && contains(&sides[1], feature, last[c])))
            c++;
        if (c == count) count++;
        last[c] = feature;
        members[i].chain = c;
    }
}

int chains_build(uint32_t *order, uint32_t *chain, uint32_t features,
                 const uint64_t *positive_columns, size_t positive_words,
                 const uint64_t *negative_columns, size_t negative_words) {
    const matrix sides[2] = {{positive_columns, positive_words},
                             {negative_columns, negative_words}};
    member *members = malloc((features + 1) * sizeof *members);
    uint32_t *last = malloc((features + 1) * sizeof *last);
    if (members && last) {
        for (uint32_t j = 0; j < features; j++)
            members[j] = (member){support(&sides[0], j) + support(&sides[1], j), j, 0};
        qsort(members, features, sizeof *members, by_support);
        assign(members, last, features, sides);
        qsort(members, features, sizeof *members, by_chain);
        for (uint32_t i = 0; i < features; i++) {
            order[i] = members[i].feature;
            chain[i] = members[i].chain;
        }
    }
    int status = members && last ? 0 : -1;
    free(members);
    free(last);
    return status;
}

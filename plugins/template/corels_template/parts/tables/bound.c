/* A bound with tables: the most errors that any rule can spare.
 *
 * Behind a set, lists end with some class c. Without rules they make D errors there; a rule spares
 * at most `spares[c]` of these. So k rules cost at least k * rule_cost + unit * (D - k *
 * spares[c]), and the least over k and c is what every completion costs.
 */
#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "corels/tables.h"

typedef struct {
    corels_instance in;
    int32_t words, ready; /* ready: antecedents that were looked at */
    int64_t *spares;      /* [classes] */
} tables;

static void *begin(const corels_instance *in, void *user) {
    tables *t = calloc(1, sizeof *t);
    (void)user;
    if (!t) return NULL;
    t->in = *in;
    t->words = in->points ? (in->points + 63) / 64 : 1;
    t->spares = calloc((size_t)in->classes, sizeof *t->spares);
    if (t->spares) return t;
    free(t);
    return NULL;
}

static void end(void *of) {
    tables *t = of;
    free(t->spares);
    free(t);
}

/* The tables take next to no time: they are there from the first count on. */
static int64_t due(void *of, int64_t incumbent, int32_t max_rules) {
    (void)of, (void)incumbent, (void)max_rules;
    return 0;
}

/* The errors of class c in a set, without what antecedent r captures (r < 0: all of it). */
static int64_t errors(const tables *t, const uint64_t *set, int32_t r, int32_t c) {
    const int32_t *regrets = t->in.regrets + (size_t)c * (size_t)t->in.points;
    int64_t sum = 0;
    for (int32_t w = 0; w < t->words; w++) {
        uint64_t out = r < 0 ? 0 : t->in.masks[(size_t)r * (size_t)t->words + (size_t)w];
        for (uint64_t left = set[w] & ~out; left; left &= left - 1)
            sum += regrets[64 * w + corels_lowest(left)];
    }
    return sum;
}

/* An antecedent a piece. */
static int build(void *of, const corels_building *b) {
    tables *t = of;
    while (t->ready < t->in.antecedents) {
        const uint64_t *captured = t->in.masks + (size_t)t->ready * (size_t)t->words;
        for (int32_t c = 0; c < t->in.classes; c++) {
            int64_t own = errors(t, captured, -1, c);
            if (own > t->spares[c]) t->spares[c] = own;
        }
        t->ready++;
        *b->done = (double)t->ready / t->in.antecedents;
        if (b->over(b)) return CORELS_OK; /* to be continued */
    }
    return CORELS_DONE;
}

static size_t bytes(const void *of) {
    const tables *t = of;
    return sizeof *t + (size_t)t->in.classes * sizeof *t->spares;
}

/* The view of a set is the set itself. */
static int32_t view_words(const void *of) {
    return ((const tables *)of)->words;
}

static void view(const void *of, const corels_viewed *from, uint64_t *to) {
    const tables *t = of;
    for (int32_t w = 0; w < t->words; w++)
        to[w] = from->above
                    ? from->above[w] & ~t->in.masks[(size_t)from->r * (size_t)t->words + (size_t)w]
                    : from->set[w];
}

/* Each further rule changes the cost by the same, until there are no errors left. */
static int64_t least(const void *of, const uint64_t *set, int32_t r, int32_t least_rules,
                     int64_t enough) {
    const tables *t = of;
    int64_t found = INT64_MAX;
    (void)enough;
    for (int32_t c = 0; c < t->in.classes; c++) {
        int64_t all = errors(t, set, r, c), spares = t->spares[c];
        int64_t most = spares ? (all + spares - 1) / spares : least_rules; /* for no errors */
        for (int last = 0; last < 2; last++) {
            int64_t k = last && most > least_rules ? most : least_rules;
            int64_t left = all > k * spares ? all - k * spares : 0;
            int64_t cost = k * t->in.rule_cost + t->in.unit * left;
            if (cost < found) found = cost;
        }
    }
    return found;
}

#ifdef _WIN32
__declspec(dllexport)
#endif
const corels_table_bound my_part = {
    .name = "my-part",
    .begin = begin,
    .end = end,
    .due = due,
    .build = build,
    .bytes = bytes,
    .view_words = view_words,
    .view = view,
    .least = least,
};

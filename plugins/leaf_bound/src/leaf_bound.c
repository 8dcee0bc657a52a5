/* The leaf bound: no leaf gains enough over one outcome for all rows.
 *
 * With weights c, no larger than the regrets of this outcome, such that no conjunction l of at most
 * K conditions, at most one of them not negated (none for an outcome that only the default rule
 * may have), has c(l) less what it costs with another outcome above the price of a rule, every
 * completion of T by k rules, behind a prefix of i rules with i + k <= K, costs at least c(T),
 * unless all its leaves turn to other outcomes: then at least c(T) - rule_cost, and b(T) + k *
 * rule_cost, where b is what the cheapest other outcome costs at each point. If longer lists are
 * allowed, they cost at least K - i + 1 rules. Proof: docs/internals/leaves.md.
 *
 * What is kept of the weights is c, digit by digit: c of what a rule leaves is c of the set less a
 * few population counts.
 */
#include <stdlib.h>

#include "conjunctions.h"
#include "corels/kernels.h"
#include "corels_leaf_bound/leaf_bound.h"
#include "planes.h"
#include "sets.h"
#include "weights.h"

/* The measures of the planes: what is kept, and what the cheapest other outcome costs at each
 * point.
 */
enum { KEPT, OTHER, MEASURES };
/* A view: the length of the prefix, the sums, and what the set has of each plane. */
enum { VIEW_LENGTH = 0, VIEW_SUMS = 1, VIEW_PLANES = VIEW_SUMS + MEASURES };

typedef struct {
    corels_instance in;
    corels_leaf_options options;
    const corels_kernel *kernel;
    leaf_builder *builder; /* while the weights are looked for; */
    size_t needed;         /* bytes that it takes beside what it finds */
    table weights;         /* no antecedents, and the planes */
    int32_t max_rules, words;
    int32_t longest; /* conditions of the conjunctions for which the weights hold */
} leaf_tables;

/* The most conditions that a leaf of a list has which costs less than the best one known, if the
 * limit of rules allows so many: for these the bound holds without more ado. */
static int64_t longest_needed(const leaf_tables *t, int64_t incumbent, int32_t max_rules) {
    return t->in.rule_cost > 0 ? lesser(max_rules, (incumbent - 1) / t->in.rule_cost) : max_rules;
}

static void *begin(const corels_instance *in, void *user) {
    const corels_leaf_options *options = user;
    leaf_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->in = *in;
    t->options = *options;
    t->kernel = corels_kernel_current();
    t->words = corels_words(in->points);
    return t;
}

static void end(void *tables) {
    leaf_tables *t = tables;
    leaf_builder_free(t->builder);
    table_free(&t->weights);
    free(t);
}

/* How many counts of the walk take as long as the enumeration, roughly. In nanoseconds, measured:
 * the enumeration takes 10 for a set of antecedents, and 1 for 500 words; a count of the walk takes
 * 15 for an antecedent, and 1 for five of its words. */
static double counts_of_enumeration(const leaf_tables *t, int64_t longest) {
    double words = t->words, m = t->in.antecedents;
    return (t->in.classes - 1) * choices(t->in.antecedents, longest) * (10 + words / 500) /
           (m * (15 + words / 5));
}

/* The walk comes first until it has taken a part of the time that the enumeration will. */
static int64_t due(void *tables, int64_t incumbent, int32_t max_rules) {
    const leaf_tables *t = tables;
    int64_t longest = longest_needed(t, incumbent, max_rules);
    if (longest < 2 || longest > t->options.longest || !leaf_fits(&t->in, &t->options, longest))
        return -1;
    double counts = counts_of_enumeration(t, longest) * t->options.patience;
    return counts > 1e15 ? -1 : greater((int64_t)counts, t->options.after);
}

static int begin_building(leaf_tables *t, const corels_building *b) {
    int64_t longest = longest_needed(t, b->incumbent, b->max_rules);
    if (longest < 1) return CORELS_BAD_ARGUMENT;
    t->max_rules = b->max_rules;
    t->longest = (int32_t)lesser(longest, t->options.longest);
    if (!leaf_fits(&t->in, &t->options, t->longest)) return CORELS_BAD_ARGUMENT;
    t->needed = leaf_builder_needed(&t->in, t->longest);
    if (t->needed > b->room) return CORELS_NO_MEMORY;
    t->builder = leaf_builder_new(&t->in, &t->options, t->longest, b->room - t->needed);
    return t->builder ? CORELS_OK : CORELS_NO_MEMORY;
}

static size_t bytes(const void *tables) {
    const leaf_tables *t = tables;
    if (t->builder) return sizeof *t + t->needed + leaf_builder_found_bytes(t->builder);
    return sizeof *t + (t->weights.columns ? table_bytes(&t->weights) : 0);
}

/* At each point the least regret of another outcome than this one. */
static void cheapest_other(const leaf_tables *t, int32_t base, int32_t *least) {
    size_t points = (size_t)t->in.points;
    for (size_t x = 0; x < points; x++) least[x] = INT32_MAX;
    for (int32_t o = 0; o < t->in.classes; o++) {
        const int32_t *regrets = t->in.regrets + (size_t)o * points;
        for (size_t x = 0; o != base && x < points; x++)
            if (regrets[x] < least[x]) least[x] = regrets[x];
    }
}

static int lay_out(leaf_tables *t, const int32_t *kept, int32_t base) {
    int32_t *other = malloc((size_t)t->in.points * sizeof *other);
    const int32_t *measures[MEASURES] = {kept, other};
    if (!other) return CORELS_NO_MEMORY;
    cheapest_other(t, base, other);
    int ok = table_new(&t->weights, t->in.masks, NULL, 0, t->in.points, measures, MEASURES);
    free(other);
    return ok ? CORELS_DONE : CORELS_NO_MEMORY;
}

/* The weights as data of a proof: docs/reference/proof-format.md. 0: no memory. */
static int record(const leaf_tables *t, const int32_t *kept, int32_t base,
                  const corels_building *b) {
    size_t at = 3;
    uint64_t *numbers = malloc((2 * (size_t)t->in.points + at) * sizeof *numbers);
    if (!numbers) return 0;
    numbers[0] = (uint64_t)t->longest;
    numbers[1] = (uint64_t)base;
    numbers[2] = LEAF_SCALE;
    for (int32_t x = 0; x < t->in.points; x++) {
        if (!kept[x]) continue;
        numbers[at++] = b->point(b, x);
        numbers[at++] = (uint64_t)kept[x];
    }
    int ok = b->record(b, numbers, at);
    free(numbers);
    return ok;
}

/* The weights are found. */
static int take(leaf_tables *t, const corels_building *b) {
    int32_t base;
    const int32_t *kept = leaf_builder_kept(t->builder, &base);
    if (b->record && !record(t, kept, base, b)) return CORELS_NO_MEMORY;
    return lay_out(t, kept, base);
}

static int build(void *tables, const corels_building *b) {
    leaf_tables *t = tables;
    int status = t->builder ? CORELS_OK : begin_building(t, b);
    if (status == CORELS_OK) status = leaf_builder_work(t->builder, b);
    if (status == CORELS_OK && bytes(t) > b->room) status = CORELS_NO_MEMORY;
    if (status == CORELS_OK) return status;
    if (status == CORELS_DONE) status = take(t, b);
    leaf_builder_free(t->builder);
    t->builder = NULL;
    return status;
}

static int32_t view_words(const void *tables) {
    const leaf_tables *t = tables;
    int32_t words = VIEW_PLANES;
    for (int32_t k = 0; k < t->weights.n_planes; k++)
        words += t->weights.planes[k].high - t->weights.planes[k].low;
    return words;
}

static const uint64_t *mask_of(const leaf_tables *t, int32_t r) {
    return t->in.masks + (size_t)r * (size_t)t->words;
}

static void view_of(const void *tables, const corels_viewed *from, uint64_t *view) {
    const leaf_tables *t = tables;
    const uint64_t *out = from->above ? mask_of(t, from->r) : NULL;
    size_t at = VIEW_PLANES;
    view[VIEW_LENGTH] = from->above ? from->above[VIEW_LENGTH] + 1 : (uint64_t)from->length;
    memset(view + VIEW_SUMS, 0, MEASURES * sizeof *view);
    for (int32_t k = 0; k < t->weights.n_planes; k++) {
        const plane *of = t->weights.planes + k;
        const uint64_t *ones = words_of(&t->weights, k);
        for (int32_t w = of->low; w < of->high; w++, at++)
            view[at] = out ? from->above[at] & ~out[w] : ones[w] & from->set[w];
        size_t words = (size_t)(of->high - of->low);
        view[VIEW_SUMS + of->measure] += t->kernel->popcount(view + at - words, words) << of->shift;
    }
}

/* What rule r leaves of a measure of the view's set. */
static int64_t left(const leaf_tables *t, const uint64_t *view, int32_t r, int32_t measure) {
    int64_t sum = (int64_t)view[VIEW_SUMS + measure];
    size_t at = VIEW_PLANES;
    for (int32_t k = 0; r >= 0 && k < t->weights.n_planes; k++) {
        const plane *of = t->weights.planes + k;
        size_t words = (size_t)(of->high - of->low);
        if (of->measure == measure)
            sum -= (int64_t)(t->kernel->popcount_and(view + at, mask_of(t, r) + of->low, words)
                             << of->shift);
        at += words;
    }
    return sum;
}

/* What so much kept costs at least. */
static int64_t cost_of(const leaf_tables *t, int64_t kept) {
    return (t->in.unit * kept + LEAF_SCALE - 1) / LEAF_SCALE;
}

/* What a list of more rules than the weights are for costs at least behind a prefix of this length;
 * 0 if the prefix has so many itself, or the number that it has is not known. */
static int64_t cost_of_longer(const leaf_tables *t, int64_t length) {
    int64_t left = t->longest - length + 1;
    if (left <= 0) return 0;
    return t->max_rules <= t->longest ? INT64_MAX : left * t->in.rule_cost;
}

static int64_t least(const void *tables, const uint64_t *view, int32_t r, int32_t least_rules,
                     int64_t enough) {
    const leaf_tables *t = tables;
    int64_t longer = cost_of_longer(t, (int64_t)view[VIEW_LENGTH] + (r >= 0));
    if (longer < enough || cost_of(t, (int64_t)view[VIEW_SUMS + KEPT]) < enough) return 0;
    int64_t same = cost_of(t, left(t, view, r, KEPT));
    if (same < enough) return 0;
    int64_t turned = t->in.unit * left(t, view, r, OTHER) + least_rules * t->in.rule_cost;
    return lesser(lesser(same, greater(same - t->in.rule_cost, turned)), longer);
}

void corels_leaf_bound(corels_table_bound *to, const corels_leaf_options *options) {
    *to = (corels_table_bound){.name = "leaves",
                               .user = (void *)options,
                               .begin = begin,
                               .end = end,
                               .due = due,
                               .build = build,
                               .bytes = bytes,
                               .view_words = view_words,
                               .view = view_of,
                               .least = least};
}

/* Leaves: drop a child where no leaf gains enough over one prediction for everybody.
 *
 * With weights pi such that no conjunction l of at most K conditions has a(l) - b(l) - pi(l) above
 * the price of a rule, every completion of T by k rules, behind a prefix of i rules with i + k <=
 * K, costs at least min(b(T), a(T) - pi(T)); one with a rule or more at least min(b(T) + rule_cost,
 * a(T) - pi(T)). Here a and b are the regrets of predicting class 0 and class 1. The same with the
 * classes exchanged; the larger value counts. Where longer lists are allowed, they cost at least
 * K - i + 1 rules. Proof: docs/internals/leaves.md.
 *
 * What is kept of the weights is c = a - pi, digit by digit: c of what a rule leaves is c of the
 * set less a few population counts.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "bounds.h"
#include "weights.h"

/* Conditions of the conjunctions that are tried at most. */
enum { MOST_VERIFIED = 5 };
/* Work that is too much, in words that are counted for one antecedent. */
static const int64_t BUDGET = (int64_t)1 << 42;
/* The walk comes first until it has taken about as long as the enumeration will: with all its
 * bounds, one count of the walk takes as long as so many of the enumeration. */
enum { COUNTS = 2000, AS_MANY = 15 };
/* Tables that have dropped fewer than one in SELDOM of the children after TRIAL sets are idle. */
enum { TRIAL = 500, SELDOM = 50, LINE = 128 };
/* The measures of the digits: what is kept in either role, and the regrets. */
enum { KEPT_0, KEPT_1, REGRET_0, REGRET_1, MEASURES };
/* A view: the length of the prefix, the sums, and what the set has of each digit. */
enum { VIEW_LENGTH = 0, VIEW_SUMS = 1, VIEW_DIGITS = VIEW_SUMS + MEASURES };

typedef struct {
    leaf_builder *builder;
    const corels_kernel_table *kernel;
    digits digits;
    const uint64_t *masks;
    const int32_t *regrets;
    int64_t rule_cost, unit;
    int32_t points, words, longest, max_rules;
    atomic_int idle;
    char apart[LINE]; /* what threads write from what they read */
    atomic_llong sets, asked, dropped;
} leaf_tables;

static int64_t smaller(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static int64_t larger(int64_t x, int64_t y) {
    return x > y ? x : y;
}

/* The most conditions that a leaf of a list has which costs less than the best one known, where the
 * limit of rules allows so many: for these the bound holds without more ado. */
static int64_t longest_needed(const tables_data *data) {
    int64_t most = data->rule_cost ? (data->cost - 1) / data->rule_cost : INT64_MAX;
    return data->max_rules < most ? data->max_rules : most;
}

/* Sets that the enumeration counts: half of the conjunctions with one condition less. */
static double counts_of_enumeration(const tables_data *data, int64_t longest) {
    double counts = 0.5;
    for (int64_t k = 1; k < longest; k++)
        counts *= (2.0 * data->antecedents - (double)k + 1) / (double)k;
    return counts;
}

static int fits(const tables_data *data) {
    int64_t sums[2] = {0, 0};
    if (data->classes != 2 || data->antecedents < 1 || data->points < 2) return 0;
    if (longest_needed(data) < 1) return 0;
    for (int64_t i = 0; i < 2 * (int64_t)data->points; i++)
        sums[i / data->points] += data->regrets[i];
    int64_t most = sums[0] > sums[1] ? sums[0] : sums[1];
    return most <= INT32_MAX / LEAF_SCALE;
}

static int64_t due(const tables_data *data, int stage) {
    (void)stage;
    int64_t longest = longest_needed(data);
    if (longest < 2 || longest > MOST_VERIFIED || !fits(data)) return -1;
    double counts = counts_of_enumeration(data, longest) / AS_MANY;
    if (counts > 1e15) return -1;
    return counts < COUNTS ? COUNTS : (int64_t)counts;
}

static int worthwhile(const tables_data *data, int stage) {
    (void)stage;
    return fits(data);
}

/* Columns and rows of the program, the tables of a thread, and the digits. */
static size_t needed(const tables_data *data, int stage) {
    (void)stage;
    size_t words = (size_t)words_for(data->points), m = (size_t)data->antecedents;
    size_t threads = (size_t)(data->threads > 1 ? data->threads : 1);
    size_t rows = (size_t)1 << 26, all = 100000 * words * 8;
    return words * 8 * (m * (3 + 2 * threads) + 64) + 2 * (rows < all ? rows : all);
}

static void free_tables(void *tables_) {
    leaf_tables *t = tables_;
    if (!t) return;
    leaf_builder_free(t->builder);
    digits_free(&t->digits);
    free(t);
}

static int begin(void **building, const tables_data *data, int stage, const void *built) {
    (void)stage, (void)built;
    leaf_tables *t = calloc(1, sizeof *t);
    *building = t;
    if (!t) return CORELS_NO_MEMORY;
    *t = (leaf_tables){.kernel = data->kernel,
                       .masks = data->masks,
                       .regrets = data->regrets,
                       .rule_cost = data->rule_cost,
                       .unit = data->unit,
                       .points = data->points,
                       .words = words_for(data->points),
                       .longest = (int32_t)smaller(longest_needed(data), MOST_VERIFIED),
                       .max_rules = data->max_rules};
    leaf_instance in = {.masks = data->masks,
                        .regrets = data->regrets,
                        .rule_cost = data->rule_cost,
                        .unit = data->unit,
                        .antecedents = data->antecedents,
                        .points = data->points,
                        .threads = data->threads};
    t->builder = leaf_builder_new(&in, t->longest, BUDGET);
    if (t->builder) return CORELS_OK;
    free_tables(t);
    *building = NULL;
    return CORELS_NO_MEMORY;
}

/* The digits of what the roles keep and of the regrets. */
static int lay_out(leaf_tables *t) {
    size_t points = (size_t)t->points;
    int32_t *all = malloc(MEASURES * points * sizeof *all);
    if (!all) return CORELS_NO_MEMORY;
    for (int role = 0; role < 2; role++)
        memcpy(all + (size_t)role * points, leaf_builder_kept(t->builder, role),
               points * sizeof *all);
    memcpy(all + REGRET_0 * points, t->regrets, 2 * points * sizeof *all);
    int ok = digits_new(&t->digits, all, t->points, MEASURES);
    free(all);
    return ok ? CORELS_DONE : CORELS_NO_MEMORY;
}

static int build(void *tables_, const control *c, pace *p) {
    leaf_tables *t = tables_;
    int status = leaf_builder_work(t->builder, c, p);
    if (status != CORELS_DONE) return status;
    int any = leaf_builder_verified(t->builder, 0) || leaf_builder_verified(t->builder, 1);
    atomic_store(&t->idle, !any);
    status = lay_out(t);
    leaf_builder_free(t->builder);
    t->builder = NULL;
    return status;
}

static double share(const void *tables) {
    const leaf_tables *t = tables;
    return t->builder ? leaf_builder_share(t->builder) : 1;
}

static void *finish(void *tables, void *before) {
    (void)before;
    return tables;
}

static size_t bytes(const void *tables) {
    const leaf_tables *t = tables;
    return sizeof *t + t->digits.bytes;
}

static int32_t view_words(const void *tables) {
    return (int32_t)(VIEW_DIGITS + ((const leaf_tables *)tables)->digits.longest);
}

static void add_up(const leaf_tables *t, uint64_t *view) {
    memset(view + VIEW_SUMS, 0, MEASURES * sizeof *view);
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        uint64_t n = t->kernel->face.popcount(view + VIEW_DIGITS + of->start, of->high - of->low);
        view[VIEW_SUMS + of->measure] += n << of->shift;
    }
}

static void root(const void *tables, const uint64_t *set, uint64_t *view) {
    const leaf_tables *t = tables;
    view[VIEW_LENGTH] = 0;
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        for (uint32_t w = of->low; w < of->high; w++)
            view[VIEW_DIGITS + of->start + w - of->low] =
                t->digits.words[of->start + w - of->low] & set[w];
    }
    add_up(t, view);
}

static const uint64_t *mask(const leaf_tables *t, int32_t r) {
    return t->masks + (size_t)r * (size_t)t->words;
}

static void child(const void *tables, const uint64_t *view, int32_t r, uint64_t *to) {
    const leaf_tables *t = tables;
    to[VIEW_LENGTH] = view[VIEW_LENGTH] + 1;
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        size_t at = VIEW_DIGITS + of->start;
        take_bits(to + at, view + at, mask(t, r) + of->low, (int32_t)(of->high - of->low));
    }
    add_up(t, to);
}

/* The sums of a measure that rule r captures of the view's set. */
static int64_t captured(const leaf_tables *t, const uint64_t *view, int32_t r, uint32_t measure) {
    int64_t sum = 0;
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        if (of->measure != measure) continue;
        sum += (int64_t)t->kernel->face.popcount_and(view + VIEW_DIGITS + of->start,
                                                     mask(t, r) + of->low, of->high - of->low)
               << of->shift;
    }
    return sum;
}

/* What completions cost at least that do not let the other class predict everything. */
static int64_t cost_of(const leaf_tables *t, int64_t kept) {
    return (t->unit * kept + LEAF_SCALE - 1) / LEAF_SCALE;
}

/* What a list of more rules than were verified costs at least behind a prefix of this length. */
static int64_t cost_of_longer(const leaf_tables *t, int64_t length) {
    if (t->max_rules <= t->longest) return INT64_MAX;
    int64_t left = t->longest - length + 1;
    return left > 0 ? left * t->rule_cost : 0;
}

/* A set's bound from its sums; `more` is what a list pays beyond everything predicted alike. */
static int64_t bound_of(const leaf_tables *t, const int64_t *sums, int64_t more) {
    int64_t by_0 = smaller(t->unit * sums[REGRET_1] + more, cost_of(t, sums[KEPT_0]));
    int64_t by_1 = smaller(t->unit * sums[REGRET_0] + more, cost_of(t, sums[KEPT_1]));
    return larger(by_0, by_1);
}

static int idle(const void *tables) {
    return atomic_load_explicit(&((const leaf_tables *)tables)->idle, memory_order_relaxed);
}

static void judge(void *tables, int32_t asked, int32_t dropped, int alone) {
    leaf_tables *t = tables;
    if (alone) return;
    long long all = atomic_fetch_add(&t->asked, asked) + asked;
    long long gone = atomic_fetch_add(&t->dropped, dropped) + dropped;
    if (atomic_fetch_add(&t->sets, 1) + 1 >= TRIAL && gone * SELDOM < all)
        atomic_store(&t->idle, 1);
}

/* Bound of the set that rule r leaves, at most `most`; the regrets come from the counts. */
static int64_t bound_of_child(const leaf_tables *t, const node_view *node, const uint64_t *view,
                              int32_t r, int64_t most) {
    int64_t sums[MEASURES], found = 0;
    sums[REGRET_0] = (int64_t)view[VIEW_SUMS + REGRET_0] - node->counts[r];
    sums[REGRET_1] = (int64_t)view[VIEW_SUMS + REGRET_1] - node->counts[node->stride + r];
    for (int role = 0; role < 2; role++) {
        /* What the whole set keeps, and the other class errs, is no less. */
        int64_t other = t->unit * sums[role == 0 ? REGRET_1 : REGRET_0] + node->rule_cost;
        int64_t whole = smaller(other, cost_of(t, (int64_t)view[VIEW_SUMS + role]));
        if (whole < most || whole <= found) continue;
        int64_t kept = (int64_t)view[VIEW_SUMS + role] - captured(t, view, r, (uint32_t)role);
        found = larger(found, smaller(other, cost_of(t, kept)));
    }
    return found;
}

static int32_t keep(node_view *node, const void *tables, const uint64_t *view, int32_t *list,
                    int32_t n) {
    const leaf_tables *t = tables;
    int64_t longer = cost_of_longer(t, node->length + 1);
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t r = list[i];
        int64_t need = child_need(node, r);
        int64_t found = longer < need ? 0 : bound_of_child(t, node, view, r, need);
        found = smaller(found, longer);
        if (found >= need)
            lower(&node->floor, node->need - need + found);
        else
            list[kept++] = r;
    }
    return kept;
}

static int64_t least(const void *tables, const uint64_t *view, int32_t r, int64_t rule_cost,
                     int64_t unit, int64_t most) {
    const leaf_tables *t = tables;
    int64_t sums[MEASURES];
    (void)rule_cost, (void)unit;
    for (uint32_t i = 0; i < MEASURES; i++)
        sums[i] = (int64_t)view[VIEW_SUMS + i] - (r < 0 ? 0 : captured(t, view, r, i));
    int64_t longer = cost_of_longer(t, (int64_t)view[VIEW_LENGTH] + (r >= 0));
    return smaller(most, smaller(longer, bound_of(t, sums, 0)));
}

const tables_face leaves_tables = {
    .stages = 1,
    .first = 1,
    .due = due,
    .worthwhile = worthwhile,
    .needed = needed,
    .begin = begin,
    .build = build,
    .share = share,
    .finish = finish,
    .cancel = free_tables,
    .free = free_tables,
    .bytes = bytes,
    .view_words = view_words,
    .root = root,
    .child = child,
    .idle = idle,
    .judge = judge,
    .keep = keep,
    .least = least,
};

int32_t leaves_verified(const void *tables) {
    const leaf_tables *t = tables;
    return t && !t->builder ? t->longest : 0;
}

/* Leaves: drop a child where no leaf gains enough over one prediction for everybody.
 *
 * With weights pi such that no conjunction l of at most K conditions, of which at most one is not
 * negated, has a(l) - b(l) - pi(l) above the price of a rule, every completion of T by k rules,
 * behind a prefix of i rules with i + k <= K, costs at least min(b(T), a(T) - pi(T)); one with a
 * rule or more at least min(b(T) + rule_cost, a(T) - pi(T)). Here a and b are the regrets of
 * predicting class 0 and class 1. The same with the classes exchanged; the larger value counts.
 * Where longer lists are allowed, they cost at least K - i + 1 rules. Proof:
 * docs/internals/leaves.md.
 *
 * What is kept of the weights is c = a - pi, digit by digit: c of what a rule leaves is c of the
 * set less a few population counts.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "bounds.h"
#include "numbers.h"
#include "record.h"
#include "weights.h"

/* The measures of the digits: what is kept in either role, and the regrets. */
enum { KEPT_0, KEPT_1, REGRET_0, REGRET_1, MEASURES };
/* A view: the length of the prefix, the sums, and what the set has of each digit. */
enum { VIEW_LENGTH = 0, VIEW_SUMS = 1, VIEW_DIGITS = VIEW_SUMS + MEASURES };

enum { NS_CHILD = 15, WORDS_NS = 5 };     /* see counts_of_enumeration */
static const double MOST_BYTES = 1 << 29; /* of what the enumeration keeps */

typedef struct {
    tables head;
    tables_data data;
    leaf_builder *builder; /* while the weights are looked for: */
    size_t needed, room;   /* bytes that it takes beside what it finds, and that it may take */
    digits digits;
    int32_t words, max_rules;
    int32_t longest; /* conditions of the conjunctions for which the weights hold */
} leaf_tables;

/* The most conditions that a leaf of a list has which costs less than the best one known, where the
 * limit of rules allows so many: for these the bound holds without more ado. */
static int64_t longest_needed(const tables_data *data, int64_t incumbent, int32_t max_rules) {
    return lesser(max_rules, most_rules(incumbent, data->rule_cost));
}

/* How many counts of the walk take as long as the enumeration, roughly. In nanoseconds, measured:
 * the enumeration takes 10 for a set of antecedents, and 1 for 500 words; a count of the walk takes
 * 15 for an antecedent, and 1 for five of its words. */
static double counts_of_enumeration(const tables_data *data, int64_t longest) {
    double words = words_for(data->points), m = data->antecedents;
    return leaf_choices(data->antecedents, longest) * (10 + words / 500) / (m * (15 + words / 5));
}

static leaf_instance instance_of(const tables_data *data) {
    return (leaf_instance){.masks = data->masks,
                           .regrets = data->regrets,
                           .rule_cost = data->rule_cost,
                           .unit = data->unit,
                           .antecedents = data->antecedents,
                           .points = data->points,
                           .threads = data->threads};
}

/* Whether weights for conjunctions of so many conditions can be looked for. */
static int fits(const tables_data *data, int64_t longest) {
    leaf_instance in = instance_of(data);
    return data->classes == 2 && data->antecedents > 0 && data->points > 1 && leaf_fits(&in) &&
           leaf_rows_bytes(data->antecedents, longest) <= MOST_BYTES;
}

/* The walk comes first until it has taken about as long as the enumeration will. */
static void plan(tables *head, int64_t incumbent, int32_t max_rules) {
    const tables_data *data = &((const leaf_tables *)head)->data;
    int64_t longest = longest_needed(data, incumbent, max_rules);
    head->due[0] = -1;
    if (longest < 2 || longest > data->tune->leaves_longest || !fits(data, longest)) return;
    double counts = counts_of_enumeration(data, longest) * data->tune->leaves_patience;
    if (counts <= 1e15) head->due[0] = greater((int64_t)counts, data->tune->leaves_after);
}

static void free_leaves(tables *head) {
    leaf_tables *t = (leaf_tables *)head;
    leaf_builder_free(t->builder);
    digits_free(&t->digits);
    free(t);
}

static int begin(leaf_tables *t, const build_budget *budget) {
    const tables_data *data = &t->data;
    int64_t longest = longest_needed(data, budget->incumbent, budget->max_rules);
    if (longest < 1) return CORELS_BAD_ARGUMENT;
    t->max_rules = budget->max_rules;
    t->longest = (int32_t)lesser(longest, data->tune->leaves_longest);
    if (!fits(data, t->longest)) return CORELS_BAD_ARGUMENT;
    leaf_instance in = instance_of(data);
    size_t needed = leaf_builder_needed(&in, t->longest);
    if (needed > budget->room) return CORELS_NO_MEMORY;
    t->builder = leaf_builder_new(&in, t->longest, data->tune->leaves_work, budget->room - needed);
    if (!t->builder) return CORELS_NO_MEMORY;
    t->head.reserved = t->needed = needed;
    t->room = budget->room;
    return CORELS_OK;
}

/* One piece; where more conjunctions are found than there is room for, there are no weights. */
static int work(leaf_tables *t, const build_budget *budget) {
    int status = leaf_builder_work(t->builder, budget->control, budget->pace);
    t->head.reserved = t->needed + leaf_builder_found_bytes(t->builder);
    return t->head.reserved > t->room ? CORELS_NO_MEMORY : status;
}

/* The digits of what the roles keep and of the regrets. */
static int lay_out(leaf_tables *t) {
    size_t points = (size_t)t->data.points;
    int32_t *all = malloc(MEASURES * points * sizeof *all);
    if (!all) return CORELS_NO_MEMORY;
    for (int role = 0; role < 2; role++)
        memcpy(all + (size_t)role * points, leaf_builder_kept(t->builder, role),
               points * sizeof *all);
    memcpy(all + REGRET_0 * points, t->data.regrets, 2 * points * sizeof *all);
    int ok = digits_new(&t->digits, all, t->data.points, MEASURES);
    free(all);
    return ok ? CORELS_DONE : CORELS_NO_MEMORY;
}

/* The weights of a role that hold, as data of a proof: docs/reference/proof-format.md. 0: no
 * memory.
 */
static int put(const leaf_tables *t, int role, record *to) {
    const int32_t *kept = leaf_builder_kept(t->builder, role);
    size_t n = 0;
    for (int32_t x = 0; x < t->data.points; x++) n += kept[x] > 0;
    if (!n) return 1;
    if (!record_begin(to, 2 * n + 5)) return 0;
    record_put(to, RECORD_LEAVES);
    record_put(to, (uint64_t)t->longest);
    record_put(to, (uint64_t)role);
    record_put(to, LEAF_SCALE);
    record_put(to, n);
    for (int32_t x = 0; x < t->data.points; x++) {
        if (!kept[x]) continue;
        record_put(to, (uint64_t)record_point(to, x));
        record_put(to, (uint64_t)kept[x]);
    }
    record_end(to);
    return 1;
}

/* The weights are found; without any that hold the stage is passed over. */
static int take(leaf_tables *t, record *proof) {
    int any = leaf_builder_verified(t->builder, 0) || leaf_builder_verified(t->builder, 1);
    int status = any ? lay_out(t) : CORELS_BAD_ARGUMENT;
    if (status != CORELS_DONE) return status;
    if (proof) t->head.unrecorded = !put(t, 0, proof) || !put(t, 1, proof);
    t->head.view_words = (int32_t)(VIEW_DIGITS + t->digits.longest);
    t->head.foresees = t->longest;
    t->head.complete = t->max_rules <= t->longest;
    return status;
}

static int build(tables *head, int stage, const build_budget *budget) {
    leaf_tables *t = (leaf_tables *)head;
    (void)stage;
    int status = t->builder ? CORELS_OK : begin(t, budget);
    if (status == CORELS_OK) status = work(t, budget);
    if (status == CORELS_DONE) status = take(t, budget->proof);
    head->done = status == CORELS_OK ? leaf_builder_share(t->builder) : -1;
    if (status == CORELS_OK) return status;
    leaf_builder_free(t->builder);
    t->builder = NULL;
    return status;
}

static size_t bytes(const tables *head) {
    const leaf_tables *t = (const leaf_tables *)head;
    return sizeof *t + t->digits.bytes;
}

static void add_up(const leaf_tables *t, uint64_t *view) {
    memset(view + VIEW_SUMS, 0, MEASURES * sizeof *view);
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        uint64_t n =
            t->data.kernel->ops.popcount(view + VIEW_DIGITS + of->start, of->high - of->low);
        view[VIEW_SUMS + of->measure] += n << of->shift;
    }
}

static const uint64_t *mask(const leaf_tables *t, int32_t r) {
    return t->data.masks + (size_t)r * (size_t)t->words;
}

/* Sets are those of the beginning: of all points. */
static void view_of(const tables *head, const view_source *from, uint64_t *view) {
    const leaf_tables *t = (const leaf_tables *)head;
    view[VIEW_LENGTH] = from->above ? from->above[VIEW_LENGTH] + 1 : (uint64_t)from->length;
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        size_t at = VIEW_DIGITS + of->start, n = of->high - of->low;
        if (from->above)
            take_bits(view + at, from->above + at, mask(t, from->r) + of->low, (int32_t)n);
        else
            for (size_t w = 0; w < n; w++)
                view[at + w] = t->digits.words[of->start + w] & from->set[of->low + w];
    }
    add_up(t, view);
}

/* The sums of a measure that rule r captures of the view's set. */
static int64_t captured(const leaf_tables *t, const uint64_t *view, int32_t r, uint32_t measure) {
    int64_t sum = 0;
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        if (of->measure != measure) continue;
        sum += (int64_t)t->data.kernel->ops.popcount_and(view + VIEW_DIGITS + of->start,
                                                         mask(t, r) + of->low, of->high - of->low)
               << of->shift;
    }
    return sum;
}

/* What completions cost at least that do not let the other class predict everything. */
static int64_t cost_of(const leaf_tables *t, int64_t kept) {
    return (t->data.unit * kept + LEAF_SCALE - 1) / LEAF_SCALE;
}

/* What a list of more rules than were verified costs at least behind a prefix of this length; 0
 * where the prefix has so many itself, or nobody knows how many it has. */
static int64_t cost_of_longer(const leaf_tables *t, int64_t length) {
    int64_t left = t->longest - length + 1;
    if (left <= 0) return 0;
    return t->max_rules <= t->longest ? INT64_MAX : left * t->data.rule_cost;
}

/* A set's bound from its sums. */
static int64_t bound_of(const leaf_tables *t, const int64_t *sums) {
    int64_t by_0 = lesser(t->data.unit * sums[REGRET_1], cost_of(t, sums[KEPT_0]));
    int64_t by_1 = lesser(t->data.unit * sums[REGRET_0], cost_of(t, sums[KEPT_1]));
    return greater(by_0, by_1);
}

/* Bound of the set that rule r leaves, at most `most`; the regrets come from the counts. */
static int64_t bound_of_child(const leaf_tables *t, const node_view *node, const uint64_t *view,
                              int32_t r, int64_t most) {
    int64_t sums[MEASURES], found = 0;
    sums[REGRET_0] = (int64_t)view[VIEW_SUMS + REGRET_0] - node->counts[r];
    sums[REGRET_1] = (int64_t)view[VIEW_SUMS + REGRET_1] - node->counts[node->stride + r];
    for (int role = 0; role < 2; role++) {
        /* What the whole set keeps, and the other class errs, is no less. */
        int64_t other = t->data.unit * sums[role == 0 ? REGRET_1 : REGRET_0] + node->rule_cost;
        int64_t whole = lesser(other, cost_of(t, (int64_t)view[VIEW_SUMS + role]));
        if (whole < most || whole <= found) continue;
        int64_t kept = (int64_t)view[VIEW_SUMS + role] - captured(t, view, r, (uint32_t)role);
        found = greater(found, lesser(other, cost_of(t, kept)));
    }
    return found;
}

/* Nanoseconds of a look-up, roughly: what is kept is read in one role. */
static int64_t time_of_child(const leaf_tables *t) {
    int64_t words = 0;
    for (uint32_t d = 0; d < t->digits.n; d++)
        words +=
            t->digits.all[d].measure == KEPT_0 ? t->digits.all[d].high - t->digits.all[d].low : 0;
    return NS_CHILD + words / WORDS_NS;
}

static int32_t keep(const tables *head, const uint64_t *view, node_view *node, int32_t *list,
                    int32_t n) {
    const leaf_tables *t = (const leaf_tables *)head;
    int64_t longer = cost_of_longer(t, (int64_t)view[VIEW_LENGTH] + 1);
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t r = list[i];
        int64_t need = child_need(node, r);
        int64_t found = longer < need ? 0 : bound_of_child(t, node, view, r, need);
        found = lesser(found, longer);
        if (found >= need)
            lower(&node->floor, node->need - need + found);
        else
            list[kept++] = r;
    }
    node->looked = n * time_of_child(t);
    return kept;
}

static int64_t least(const tables *head, const uint64_t *view, int32_t r, int64_t most) {
    const leaf_tables *t = (const leaf_tables *)head;
    int64_t sums[MEASURES];
    int64_t longer = cost_of_longer(t, (int64_t)view[VIEW_LENGTH] + (r >= 0));
    if (longer <= 0) return lesser(most, 0);
    for (uint32_t i = 0; i < MEASURES; i++)
        sums[i] = (int64_t)view[VIEW_SUMS + i] - (r < 0 ? 0 : captured(t, view, r, i));
    return lesser(most, lesser(longer, bound_of(t, sums)));
}

static const tables_ops ops = {build, free_leaves, bytes, view_of, least, keep, plan};

tables *leaves_new(const tables_data *data) {
    leaf_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->data = *data;
    t->words = words_for(data->points);
    t->head = (tables){.ops = &ops,
                       .stages = 1,
                       .first = 1,
                       .settles = 1,
                       .may_wait = 1,
                       .provable = 1,
                       .trial = (int)data->tune->leaves_trial,
                       .due = {-1},
                       .done = -1};
    return &t->head;
}

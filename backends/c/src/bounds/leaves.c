/* Leaves: drop a child where no leaf gains enough over one outcome for everybody.
 *
 * With weights c, no larger than the regrets of this outcome, such that no conjunction l of at most
 * K conditions, of which at most one is not negated (none for an outcome that only the default rule
 * may have), has c(l) less what it costs with another outcome above the price of a rule, every
 * completion of T by k rules, behind a prefix of i rules with i + k <= K, costs at least c(T),
 * unless all its leaves turn to other outcomes: then at least c(T) - rule_cost, and b(T) + k *
 * rule_cost, where b is what the cheapest other outcome costs at each point. There are such weights
 * for two outcomes; the larger value counts. Where longer lists are allowed, they cost at least K -
 * i + 1 rules. Proof: docs/internals/leaves.md.
 *
 * What is kept of the weights is c, digit by digit: c of what a rule leaves is c of the set less a
 * few population counts.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "bounds.h"
#include "numbers.h"
#include "record.h"
#include "weights.h"

/* The measures of the digits, of either role: what is kept, and what the cheapest other outcome
 * costs at each point. */
enum { KEPT = 0, OTHER = 2, MEASURES = 4 };
/* A view: the length of the prefix, the sums, and what the set has of each digit. */
enum { VIEW_LENGTH = 0, VIEW_SUMS = 1, VIEW_DIGITS = VIEW_SUMS + MEASURES };

typedef struct {
    tables head;
    tables_data data;
    leaf_builder *builder; /* while the weights are looked for: */
    size_t needed, room;   /* bytes that it takes beside what it finds, and that it may take */
    digits digits;
    int32_t words, max_rules;
    int32_t longest; /* conditions of the conjunctions for which the weights hold */
    int32_t base[2]; /* the outcome of each role */
} leaf_tables;

/* The most conditions that a leaf of a list has which costs less than the best one known, where the
 * limit of rules allows so many: for these the bound holds without more ado. */
static int64_t longest_needed(const tables_data *data, int64_t incumbent, int32_t max_rules) {
    return lesser(max_rules, most_rules(incumbent, data->in.rule_cost));
}

/* How many counts of the walk take as long as the enumeration, roughly. In nanoseconds, measured:
 * the enumeration takes 10 for a set of antecedents, and 1 for 500 words; a count of the walk takes
 * 15 for an antecedent, and 1 for five of its words. */
static double counts_of_enumeration(const tables_data *data, int64_t longest) {
    double words = words_for(data->in.points), m = data->in.antecedents;
    return (data->in.classes - 1) * leaf_choices(data->in.antecedents, longest) *
           (10 + words / 500) / (m * (15 + words / 5));
}

/* Whether weights for conjunctions of so many conditions can be looked for. */
static int fits(const tables_data *data, int64_t longest) {
    return data->in.classes > 1 && data->in.antecedents > 0 && data->in.points > 1 &&
           leaf_fits(&data->in) &&
           leaf_rows_bytes(data->in.antecedents, longest) <= data->tune->leaves_bytes;
}

/* The walk comes first until it has taken about as long as the enumeration will. Where nobody knows
 * how many rules came before a set, the weights say nothing of it (cost_of_longer). */
static void plan(tables *head, int64_t incumbent, int32_t max_rules, int32_t before) {
    const tables_data *data = &((const leaf_tables *)head)->data;
    int64_t longest = longest_needed(data, incumbent, max_rules);
    head->due[0] = -1;
    if (before == INT32_MAX) return;
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
    size_t needed = leaf_builder_needed(&data->in, data->threads, t->longest);
    if (needed > budget->room) return CORELS_NO_MEMORY;
    t->builder =
        leaf_builder_new(&data->in, data->threads, t->longest, data->tune, budget->room - needed);
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

/* At each point the least regret of another outcome than this one. */
static void cheapest_other(const leaf_tables *t, int32_t base, int32_t *least) {
    size_t points = (size_t)t->data.in.points;
    for (size_t x = 0; x < points; x++) least[x] = INT32_MAX;
    for (int32_t o = 0; o < t->data.in.classes; o++) {
        const int32_t *regrets = t->data.in.regrets + (size_t)o * points;
        for (size_t x = 0; o != base && x < points; x++)
            if (regrets[x] < least[x]) least[x] = regrets[x];
    }
}

/* The digits of the measures. */
static int lay_out(leaf_tables *t) {
    size_t points = (size_t)t->data.in.points;
    int32_t *all = malloc(MEASURES * points * sizeof *all);
    if (!all) return CORELS_NO_MEMORY;
    for (int role = 0; role < 2; role++) {
        const leaf_role *of = leaf_builder_role(t->builder, role);
        t->base[role] = of->base;
        memcpy(all + (size_t)(KEPT + role) * points, of->kept, points * sizeof *all);
        cheapest_other(t, of->base, all + (size_t)(OTHER + role) * points);
    }
    int ok = digits_new(&t->digits, all, t->data.in.points, MEASURES);
    free(all);
    return ok ? CORELS_DONE : CORELS_NO_MEMORY;
}

/* The weights of a role that hold, as data of a proof: docs/reference/proof-format.md. 0: no
 * memory.
 */
static int put(const leaf_tables *t, const leaf_role *role, record *to) {
    const int32_t *kept = role->kept;
    size_t n = 0;
    for (int32_t x = 0; x < t->data.in.points; x++) n += kept[x] > 0;
    if (!n) return 1;
    if (!record_begin(to, 2 * n + 5)) return 0;
    record_put(to, RECORD_LEAVES);
    record_put(to, (uint64_t)t->longest);
    record_put(to, (uint64_t)role->base);
    record_put(to, LEAF_SCALE);
    record_put(to, n);
    for (int32_t x = 0; x < t->data.in.points; x++) {
        if (!kept[x]) continue;
        record_put(to, (uint64_t)record_point(to, x));
        record_put(to, (uint64_t)kept[x]);
    }
    record_end(to);
    return 1;
}

/* The weights are found; without any that hold the stage is passed over. */
static int take(leaf_tables *t, record *proof) {
    const leaf_role *first = leaf_builder_role(t->builder, 0);
    const leaf_role *second = leaf_builder_role(t->builder, 1);
    int any = first->verified || second->verified;
    int status = any ? lay_out(t) : CORELS_BAD_ARGUMENT;
    if (status != CORELS_DONE) return status;
    if (proof) t->head.unrecorded = !put(t, first, proof) || !put(t, second, proof);
    t->head.view_words = (int32_t)(VIEW_DIGITS + t->digits.longest);
    t->head.foresees = t->longest;
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
    return sizeof *t + t->digits.arrays.bytes;
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
    return t->data.in.masks + (size_t)r * (size_t)t->words;
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

/* What completions cost at least where a role's leaves keep so much, and the cheapest other
 * outcomes with the rules behind them cost so much. */
static int64_t bound_of(const leaf_tables *t, int64_t kept, int64_t others) {
    int64_t least = (t->data.in.unit * kept + LEAF_SCALE - 1) / LEAF_SCALE;
    return lesser(least, greater(least - t->data.in.rule_cost, others));
}

/* What a list of more rules than were verified costs at least behind a prefix of this length; 0
 * where the prefix has so many itself, or nobody knows how many it has. */
static int64_t cost_of_longer(const leaf_tables *t, int64_t length) {
    int64_t left = t->longest - length + 1;
    if (left <= 0) return 0;
    return t->max_rules <= t->longest ? INT64_MAX : left * t->data.in.rule_cost;
}

/* What rule r captures of the cheapest other outcomes: of two outcomes, the counts say it. */
static int64_t captured_of_others(const leaf_tables *t, const node_view *node, const uint64_t *view,
                                  int32_t r, int role) {
    if (t->data.in.classes == 2) return node->counts[(1 - t->base[role]) * node->stride + r];
    return captured(t, view, r, (uint32_t)(OTHER + role));
}

/* Bound of the set that rule r leaves, where a rule or more follow; at most `most`. */
static int64_t bound_of_child(const leaf_tables *t, const node_view *node, const uint64_t *view,
                              int32_t r, int64_t most) {
    const uint64_t *sums = view + VIEW_SUMS;
    int64_t found = 0;
    for (int role = 0; role < 2; role++) {
        int64_t kept = (int64_t)sums[KEPT + role], others = (int64_t)sums[OTHER + role];
        if (bound_of(t, kept, INT64_MAX) < most) continue; /* the whole set keeps no less */
        others = t->data.in.unit * (others - captured_of_others(t, node, view, r, role)) +
                 node->rule_cost;
        int64_t whole = bound_of(t, kept, others);
        if (whole < most || whole <= found) continue;
        kept -= captured(t, view, r, (uint32_t)(KEPT + role));
        found = greater(found, bound_of(t, kept, others));
    }
    return found;
}

/* Nanoseconds of a look-up, roughly: what is kept is read in one role, and where there are more
 * than two outcomes what the others cost. */
static int64_t time_of_child(const leaf_tables *t) {
    int64_t words = 0;
    for (uint32_t d = 0; d < t->digits.n; d++) {
        const digit *of = t->digits.all + d;
        int read = of->measure == KEPT || (of->measure == OTHER && t->data.in.classes > 2);
        words += read ? of->high - of->low : 0;
    }
    return t->data.tune->leaves_look_child + words / t->data.tune->leaves_look_words;
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
    int64_t sums[MEASURES], found = 0;
    int64_t longer = cost_of_longer(t, (int64_t)view[VIEW_LENGTH] + (r >= 0));
    if (longer <= 0) return lesser(most, 0);
    for (uint32_t i = 0; i < MEASURES; i++)
        sums[i] = (int64_t)view[VIEW_SUMS + i] - (r < 0 ? 0 : captured(t, view, r, i));
    for (int role = 0; role < 2; role++)
        found =
            greater(found, bound_of(t, sums[KEPT + role], t->data.in.unit * sums[OTHER + role]));
    return lesser(most, lesser(longer, found));
}

static const tables_ops ops = {build, free_leaves, bytes, view_of, least, keep, plan};

tables *leaves_new(const tables_data *data) {
    leaf_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->data = *data;
    t->words = words_for(data->in.points);
    t->head = (tables){.ops = &ops,
                       .stages = 1,
                       .first = 1,
                       .settles = 1,
                       .provable = 1,
                       .trial = (int)data->tune->leaves_trial,
                       .due = {-1},
                       .done = -1};
    return &t->head;
}

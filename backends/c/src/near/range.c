/* The least and the greatest score of any list within the budget, and lists that attain them.
 *
 * A score is a sum over points, each with a number for every class that may be predicted: the false
 * positives of a group, for one. What a completion adds depends on the completion alone, so each
 * entry of a table gets the least and the greatest sum of the completions that it counts, from the
 * smallest sets up, as the numbers did.
 */
#include "corels/counter.h"
#include "near.h"

typedef struct {
    corels_near *near;
    store arrays;
    corels_counter *counter; /* of scores */
    void *scratch;
    int32_t *counts, *totals, *last_counts, *last_totals, stride;
    int64_t *bounds[2]; /* [entries]: least, greatest */
} scoring;

/* One way on from a node: the cost and rules of a completion, or of all that one entry counts. */
typedef struct {
    const near_edge *edge;
    int32_t last;  /* antecedent of the last rule behind the edge, or -1 */
    int64_t entry; /* of the child that goes on, or -1 */
    int64_t cost, rules, low, high;
} way;

/* Looks at a way; answers 1 to stop. */
typedef int (*looker)(scoring *s, void *user, const way *way);

static int32_t cell(const scoring *s, const int32_t *counts, int32_t class, int32_t r) {
    return counts[(size_t)class * s->stride + r];
}

static int each_last(scoring *s, int32_t id, way *way, int64_t here, looker look, void *user) {
    corels_near *near = s->near;
    int64_t rule = near_rule(near, way->edge), left = near->budget - near_node_at(near, id)->cost;
    near_last_rules(near, id, way->edge, left - rule);
    corels_counter_count(s->counter, near->child, s->scratch, s->last_counts, s->last_totals);
    for (int32_t i = 0; i < near->last_count; i++) {
        const near_last *last = near->last + i;
        way->last = last->antecedent;
        way->cost = rule + near->in.rule_cost + near->in.unit * last->errors;
        way->rules = 2;
        way->low = way->high = here + cell(s, s->last_counts, last->prediction, way->last) +
                               s->last_totals[last->fallback] -
                               cell(s, s->last_counts, last->fallback, way->last);
        if (look(s, user, way)) return 1;
    }
    way->last = -1;
    return 0;
}

static int each_entry(scoring *s, int32_t id, way *way, int64_t here, looker look, void *user) {
    corels_near *near = s->near;
    const near_node *child = near_node_at(near, way->edge->child);
    int64_t rule = near_rule(near, way->edge), left = near->budget - near_node_at(near, id)->cost;
    for (int64_t i = child->entry; i < child->entry + child->entries; i++) {
        const near_entry *entry = near_entry_at(near, i);
        if (entry->cost > left - rule) break;
        way->entry = i;
        way->cost = entry->cost + rule;
        way->rules = entry->rules + 1;
        way->low = here + s->bounds[0][i];
        way->high = here + s->bounds[1][i];
        if (look(s, user, way)) return 1;
    }
    way->entry = -1;
    return 0;
}

/* All ways on from a node. */
static int each_way(scoring *s, int32_t id, looker look, void *user) {
    corels_near *near = s->near;
    const near_node *node = near_node_at(near, id);
    if (!node->entries) return 0;
    near_set_of(near, id, near->set);
    corels_counter_count(s->counter, near->set, s->scratch, s->counts, s->totals);
    for (int32_t i = 0; i < node->edges; i++) {
        way way = {.edge = near_edge_at(near, node->edge + i), .last = -1, .entry = -1};
        int32_t r = way.edge->antecedent, fallback = way.edge->fallback;
        int64_t here = cell(s, s->counts, way.edge->prediction, r);
        if (way.edge->closing >= 0) {
            way.cost = near_list(near, way.edge), way.rules = 1;
            way.low = way.high = here + s->totals[fallback] - cell(s, s->counts, fallback, r);
            if (look(s, user, &way)) return 1;
        }
        if (way.edge->child == NEAR_LAST && each_last(s, id, &way, here, look, user)) return 1;
        if (way.edge->child >= 0 && each_entry(s, id, &way, here, look, user)) return 1;
    }
    return 0;
}

static int widen(scoring *s, void *user, const way *way) {
    int64_t at = near_entry_of(s->near, *(int32_t *)user, way->cost, way->rules);
    if (way->low < s->bounds[0][at]) s->bounds[0][at] = way->low;
    if (way->high > s->bounds[1][at]) s->bounds[1][at] = way->high;
    return 0;
}

/* What is looked for on the way down: a completion of this cost, rules and score. */
typedef struct {
    int64_t cost, rules, score;
    int side; /* 0: the least, 1: the greatest */
    int32_t *antecedents, length, node;
    int64_t entry;
} target;

static int attains(scoring *s, void *user, const way *way) {
    target *t = user;
    (void)s;
    if (way->cost != t->cost || way->rules != t->rules) return 0;
    if ((t->side ? way->high : way->low) != t->score) return 0;
    t->antecedents[t->length++] = way->edge->antecedent;
    if (way->last >= 0) t->antecedents[t->length++] = way->last;
    t->entry = way->entry;
    t->node = way->edge->child;
    return 1;
}

/* A completion of the root in entry `at` with that score. */
static void attain(scoring *s, int64_t at, target *t) {
    t->node = 0;
    while (at >= 0) {
        t->cost = near_entry_at(s->near, at)->cost;
        t->rules = near_entry_at(s->near, at)->rules;
        t->score = s->bounds[t->side][at];
        if (!each_way(s, t->node, attains, t)) return;
        at = t->entry;
    }
}

/* Score of the rules that all lists begin with; the root's set is left in near->set. */
static int64_t prefix_score(scoring *s) {
    corels_near *near = s->near;
    int64_t score = 0;
    near_root_set(near);
    for (int32_t i = 0; i < near->options.prefix_length; i++) {
        uint16_t prediction;
        int32_t r = near->prefix[i];
        near_count_of(near, near->set);
        near_best(near, r, &prediction);
        corels_counter_count(s->counter, near->set, s->scratch, s->counts, s->totals);
        score += cell(s, s->counts, prediction, r);
        take_bits(near->set, near->set, near_mask(near, r), near->words);
    }
    return score;
}

static void finish(scoring *s, int side, int64_t *bound, int32_t *length, int32_t *antecedents) {
    corels_near *near = s->near;
    const near_node *root = near_node_at(near, 0);
    int64_t before = prefix_score(s), best = -1, n = near->options.prefix_length;
    int64_t alone = near->root_cost + near->in.unit * near->root_closing;
    target t = {.side = side, .antecedents = antecedents, .length = (int32_t)n};
    if (n) memcpy(antecedents, near->prefix, (size_t)n * sizeof *antecedents);
    int64_t sign = side ? -1 : 1, least = INT64_MAX;
    if (near->root_closing >= 0 && alone <= near->budget) {
        corels_counter_count(s->counter, near->set, s->scratch, s->counts, s->totals);
        least = sign * s->totals[near->root_class];
    }
    for (int64_t i = root->entry; i < root->entry + root->entries; i++)
        if (sign * s->bounds[side][i] < least) best = i, least = sign * s->bounds[side][i];
    attain(s, best, &t);
    *bound = before + sign * least;
    *length = t.length;
}

static int prepare(scoring *s, const int32_t *scores) {
    corels_near *near = s->near;
    int status = corels_counter_new(&s->counter, near->masks, near->in.antecedents, near->in.points,
                                    scores, near->in.classes, NULL);
    if (status != CORELS_OK) return status;
    s->stride = corels_counter_stride(s->counter);
    size_t classes = (size_t)near->in.classes, n = classes * (size_t)s->stride;
    store *all = &s->arrays;
    s->scratch = store_take(all, corels_counter_scratch(s->counter), 1);
    s->counts = store_take(all, n, sizeof *s->counts);
    s->last_counts = store_take(all, n, sizeof *s->last_counts);
    s->totals = store_take(all, classes, sizeof *s->totals);
    s->last_totals = store_take(all, classes, sizeof *s->last_totals);
    for (int side = 0; side < 2; side++)
        s->bounds[side] = store_take(all, (size_t)near->entries.count, sizeof(int64_t));
    status = all->failed ? CORELS_NO_MEMORY : near_hold(near, all->bytes);
    for (int64_t i = 0; status == CORELS_OK && i < near->entries.count; i++) {
        s->bounds[0][i] = INT64_MAX;
        s->bounds[1][i] = INT64_MIN;
    }
    return status;
}

/* The counter takes no others. */
static int none_negative(const corels_near *near, const int32_t *scores) {
    int32_t any = 0;
    for (int64_t i = 0; i < (int64_t)near->in.classes * near->in.points; i++) any |= scores[i];
    return any >= 0;
}

int corels_near_range(corels_near *near, const int32_t *scores, int64_t *bounds, int32_t *lengths,
                      int32_t *antecedents) {
    if (near->phase != 2 || near->scales || !near->level_count) return CORELS_BAD_ARGUMENT;
    if (!none_negative(near, scores)) return CORELS_BAD_ARGUMENT;
    scoring s = {.near = near};
    int status = prepare(&s, scores);
    size_t held = status == CORELS_OK ? s.arrays.bytes : 0;
    for (int64_t i = near->order.count; status == CORELS_OK && i-- > 0;) {
        int32_t id = ((int32_t *)near->order.items)[i];
        each_way(&s, id, widen, &id);
    }
    for (int side = 0; status == CORELS_OK && side < 2; side++)
        finish(&s, side, bounds + side, lengths + side, antecedents + side * near->longest);
    corels_counter_free(s.counter);
    store_free(&s.arrays);
    near_release(near, held);
    return status;
}

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
    int64_t *bounds[2];       /* [entries]: least, greatest */
    int32_t node;             /* whose set is counted, */
    const near_edge *counted; /* and the edge behind which the child's is */
} scoring;

static int32_t cell(const scoring *s, const int32_t *counts, int32_t class, int32_t r) {
    return counts[(size_t)class * s->stride + r];
}

/* What the last rule behind an edge adds, with the default rule. */
static int64_t score_of_last(scoring *s, const near_way *way) {
    const near_last *last = way->last;
    if (s->counted != way->edge)
        corels_counter_count(s->counter, s->near->child, s->scratch, s->last_counts,
                             s->last_totals);
    s->counted = way->edge;
    return cell(s, s->last_counts, last->prediction, last->antecedent) +
           s->last_totals[last->fallback] -
           cell(s, s->last_counts, last->fallback, last->antecedent);
}

/* The least or the greatest score of a way on from the node whose set is counted. */
static int64_t score_of(scoring *s, const near_way *way, int side) {
    int32_t r = way->edge->antecedent, fallback = way->edge->fallback;
    int64_t here = cell(s, s->counts, way->edge->prediction, r);
    if (way->entry >= 0) return here + s->bounds[side][way->entry];
    if (way->last) return here + score_of_last(s, way);
    return here + s->totals[fallback] - cell(s, s->counts, fallback, r);
}

/* All ways on from a node. */
static void each_way(scoring *s, int32_t id, int (*look)(void *, const near_way *), void *user) {
    if (!near_node_at(s->near, id)->entries) return;
    near_set_of(s->near, id, s->near->set);
    corels_counter_count(s->counter, s->near->set, s->scratch, s->counts, s->totals);
    s->node = id;
    s->counted = NULL;
    near_ways(s->near, id, look, user);
}

static int widen(void *scoring_, const near_way *way) {
    scoring *s = scoring_;
    int64_t at = near_entry_of(s->near, s->node, way->cost, way->rules);
    int64_t low = score_of(s, way, 0), high = score_of(s, way, 1);
    if (low < s->bounds[0][at]) s->bounds[0][at] = low;
    if (high > s->bounds[1][at]) s->bounds[1][at] = high;
    return CORELS_OK;
}

/* What is looked for on the way down: a completion of this cost, rules and score. */
typedef struct {
    scoring *s;
    int64_t cost, rules, score;
    int side; /* 0: the least, 1: the greatest */
    int32_t *antecedents, length, node;
    int64_t entry;
} target;

static int attains(void *target_, const near_way *way) {
    target *t = target_;
    if (way->cost != t->cost || way->rules != t->rules) return CORELS_OK;
    if (score_of(t->s, way, t->side) != t->score) return CORELS_OK;
    t->antecedents[t->length++] = way->edge->antecedent;
    if (way->last) t->antecedents[t->length++] = way->last->antecedent;
    t->entry = way->entry;
    t->node = way->edge->child;
    return CORELS_DONE;
}

/* A completion of the root in entry `at` with that score. */
static void attain(target *t, int64_t at) {
    const corels_near *near = t->s->near;
    for (t->node = 0; at >= 0; at = t->entry) {
        t->entry = -1;
        t->cost = near_entry_at(near, at)->cost;
        t->rules = near_entry_at(near, at)->rules;
        t->score = t->s->bounds[t->side][at];
        each_way(t->s, t->node, attains, t);
    }
}

/* Score of the rules that all lists begin with; the root's set is left in near->set. */
static int64_t prefix_score(scoring *s) {
    corels_near *near = s->near;
    int64_t score = 0;
    near_root_set(near);
    for (int32_t i = 0; i < near->options.prefix_length; i++) {
        int32_t r = near->prefix[i];
        corels_counter_count(s->counter, near->set, s->scratch, s->counts, s->totals);
        score += cell(s, s->counts, near->predictions[i], r);
        take_bits(near->set, near->set, near_mask(near, r), near->words);
    }
    return score;
}

static void finish(scoring *s, int side, int64_t *bound, int32_t *length, int32_t *antecedents) {
    corels_near *near = s->near;
    const near_node *root = near_node_at(near, 0);
    int64_t before = prefix_score(s), best = -1, n = near->options.prefix_length;
    int64_t alone = near->root_cost + near->in.unit * near->root_closing;
    target t = {.s = s, .side = side, .antecedents = antecedents, .length = (int32_t)n};
    if (n) memcpy(antecedents, near->prefix, (size_t)n * sizeof *antecedents);
    int64_t sign = side ? -1 : 1, least = INT64_MAX;
    if (near->root_closing >= 0 && alone <= near->budget) {
        corels_counter_count(s->counter, near->set, s->scratch, s->counts, s->totals);
        least = sign * s->totals[near->root_class];
    }
    for (int64_t i = root->entry; i < root->entry + root->entries; i++)
        if (sign * s->bounds[side][i] < least) best = i, least = sign * s->bounds[side][i];
    attain(&t, best);
    *bound = before + sign * least;
    *length = t.length;
}

static int prepare(scoring *s, const int32_t *scores) {
    corels_near *near = s->near;
    int status = corels_counter_new(&s->counter, near->masks, near->in.antecedents, near->in.points,
                                    scores, near->in.classes);
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
    if (near->phase != 2 || !near->level_count) return CORELS_BAD_ARGUMENT;
    if (!none_negative(near, scores)) return CORELS_BAD_ARGUMENT;
    scoring s = {.near = near};
    int status = prepare(&s, scores);
    size_t held = status == CORELS_OK ? s.arrays.bytes : 0;
    for (int64_t i = near->order.count; status == CORELS_OK && i-- > 0;)
        each_way(&s, ((int32_t *)near->order.items)[i], widen, &s);
    for (int side = 0; status == CORELS_OK && side < 2; side++)
        finish(&s, side, bounds + side, lengths + side, antecedents + side * near->longest);
    corels_counter_free(s.counter);
    store_free(&s.arrays);
    near_release(near, held);
    return status;
}

/* Which sets there are: from the root down, the largest set first.
 *
 * Most sets that a near-optimal prefix leaves lead nowhere: as nodes with edges, they would
 * outnumber the others a hundredfold. So before a set gets edges, the search for the optimum is
 * asked whether completing it by at least one rule costs more than is left (`dead`). That is about
 * the *best* completion, so it may use every bound that there is. It gives up after `near_counts`
 * counts (tuning.def); then the set gets its edges, which is never wrong. Sets are cut to the
 * points with regret there, and rules that capture nothing are allowed: both can only make
 * completions cheaper.
 *
 * An edge goes on to another set only if some list that takes it may be within the budget. Here a
 * bound must speak of *every* list behind the rule, so reduced support and dominance may not be
 * asked: they would remove lists that count. Proofs: docs/internals/near.md.
 */
#include "classes.h"
#include "near.h"

static const double PIECE_SECONDS = 0.02; /* so that a step comes back soon */

int32_t near_best(const corels_near *near, int32_t r, uint16_t *best) {
    const uint8_t *barred = barred_of(near->in.barred, near->in.classes, r);
    size_t stride = (size_t)near->stride;
    *best = (uint16_t)least_allowed(near->counts + r, near->in.for_rules, stride, barred);
    return near->counts[*best * stride + (size_t)r];
}

int32_t near_default(const corels_near *near, uint16_t *best) {
    *best = (uint16_t)least_class(near->totals, near->in.classes, 1);
    return near->totals[*best];
}

void near_count_of(corels_near *near, const uint64_t *set) {
    walk_from_count(near->search, set, near->counts);
}

/* Whether r captures a point. A point in front has regret for some class, so it is in a count. */
int near_captures(const corels_near *near, const uint64_t *set, int32_t r) {
    for (int32_t c = 0; c < near->in.classes; c++)
        if (near->counts[(size_t)c * near->stride + r]) return 1;
    int32_t from = near->front_words;
    return meets(set + from, near_mask(near, r) + from, near->words - from);
}

int32_t near_closing(const corels_near *near, int32_t r, uint16_t *best) {
    int32_t least = INT32_MAX;
    for (int32_t c = 0; c < near->in.classes; c++) {
        int32_t here = near->totals[c] - near->counts[(size_t)c * near->stride + r];
        if (here < least) least = here, *best = (uint16_t)c;
    }
    return least;
}

uint64_t near_behind(corels_near *near, int32_t r) {
    const uint64_t *mask = near_mask(near, r);
    uint64_t any = 0;
    for (int32_t w = 0; w < near->words; w++) any |= near->child[w] = near->set[w] & ~mask[w];
    return any;
}

/* Whether each required antecedent that is pending still captures something of near->child. */
static int satisfiable(const corels_near *near, uint64_t pending) {
    for (; pending; pending &= pending - 1) {
        int32_t r = near->required[corels_lowest(pending)];
        if (!meets(near->child, near_mask(near, r), near->words)) return 0;
    }
    return 1;
}

/* If the lists behind rule r go on by `more` rules at most, which no bound of the set before it
 * rules out. */
static int go_on(corels_near *near, near_edge *edge, int64_t cost, int64_t left, uint64_t pending,
                 int32_t more) {
    int32_t r = edge->antecedent;
    int64_t rule = near->in.rule_cost, rules = corels_ones(pending);
    if (more < rules || left < rules * rule || !near_behind(near, r) || !satisfiable(near, pending))
        return CORELS_OK;
    if (left >= 2 * rule)
        return near_enter(near, near->child, pending, more, cost + near_rule(near, edge),
                          &edge->child);
    edge->child = NEAR_LAST;
    return CORELS_OK;
}

/* The edge of rule r, if any list within the budget may take it. `more` may follow at most; 0: the
 * list does not go on. */
static int extend(corels_near *near, int32_t r, int64_t cost, uint64_t pending, int32_t more) {
    near_edge edge = {.antecedent = r, .child = NEAR_NONE, .closing = -1};
    edge.errors = near_best(near, r, &edge.prediction);
    int64_t left = near->budget - cost - near_rule(near, &edge);
    if (left < 0) return CORELS_OK;
    int32_t rest = near_closing(near, r, &edge.fallback);
    pending = near_use(near, pending, r);
    if (!pending && near->in.unit * rest <= left) edge.closing = rest;
    int status = more ? go_on(near, &edge, cost, left, pending, more) : CORELS_OK;
    if (status != CORELS_OK || (edge.child == NEAR_NONE && edge.closing < 0)) return status;
    status = near_grow(near, &near->edges, 1, sizeof edge);
    if (status == CORELS_OK) *near_edge_at(near, near->edges.count++) = edge;
    return status;
}

static int32_t next_node(corels_near *near) {
    while (near->level >= 0 && *near_head(near, near->level) < 0) near->level--;
    if (near->level < 0) return -1;
    int32_t node = *near_head(near, near->level);
    *near_head(near, near->level) = near_node_at(near, node)->next;
    return node;
}

static int extend_all(corels_near *near, int32_t node) {
    int64_t cost = near_node_at(near, node)->cost;
    uint64_t pending = near_pending(near, node);
    int32_t rules = near_rules_left(near, node), more = rules < INT32_MAX ? rules - 1 : rules;
    int status = CORELS_OK;
    if (!rules) return status;
    if (!more || !walk_from_counted(near->search, near->counts)) near_count_of(near, near->set);
    int32_t at = 0, open = 0;
    if (more)
        open = walk_from_open(near->search, near->set, near->counts, near->budget - cost + 1,
                              near->open);
    for (int32_t r = 0; status == CORELS_OK && r < near->in.antecedents; r++) {
        int goes_on = at < open && near->open[at] == r;
        at += goes_on;
        if (!(near->avoided && near->avoided[r]) && near_captures(near, near->set, r))
            status = extend(near, r, cost, pending, goes_on ? more : 0);
    }
    return status;
}

/* Whether completing the set at hand by at least one rule, and at most so many, is proved to cost
 * more than `left`. For one rule a count tells. CORELS_OK: it has to be asked again. */
static int ask(corels_near *near, int64_t left, int32_t rules, int *dead) {
    int64_t bound = 0;
    int32_t before = rules < INT32_MAX ? near->options.max_rules - rules : -1;
    int status = CORELS_DONE;
    if (near->in.front && near->in.rule_cost && rules > 1)
        status = corels_search_walk_from(near->search, near->set, before, left + 1,
                                         walk_from_tuning(near->search)->near_counts, PIECE_SECONDS,
                                         &bound);
    *dead = bound > left;
    return status;
}

static int finish_node(corels_near *near, int32_t node, int dead) {
    int status = near_grow(near, &near->order, 1, sizeof(int32_t));
    if (status != CORELS_OK) return status;
    ((int32_t *)near->order.items)[near->order.count++] = node;
    int64_t first = near->edges.count;
    if (!dead) status = extend_all(near, node);
    near_node *done = near_node_at(near, node);
    done->edge = first;
    done->edges = (int32_t)(near->edges.count - first);
    return status;
}

/* The next set, near->set from then on. */
static int take_node(corels_near *near) {
    int status = corels_search_build_tables(near->search, near->budget, PIECE_SECONDS);
    if (status != CORELS_DONE) return status;
    near->node = next_node(near);
    if (near->node < 0) return CORELS_DONE;
    near_set_of(near, near->node, near->set);
    near->asking = 1;
    return CORELS_OK;
}

/* One set, or a piece of the tables that are due, or of what is asked about a set: on many rows, a
 * question takes seconds. CORELS_DONE if no set is left. */
int near_process(corels_near *near) {
    int status = near->asking ? CORELS_OK : take_node(near), dead;
    if (status != CORELS_OK || !near->asking) return status;
    int64_t left = near->budget - near_node_at(near, near->node)->cost;
    status = ask(near, left, near_rules_left(near, near->node), &dead);
    if (status == CORELS_OK) return status;
    near->asking = 0;
    return status == CORELS_DONE ? finish_node(near, near->node, dead) : status;
}

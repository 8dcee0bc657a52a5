/* Which sets there are: from the root down, the largest set first. */
#include <string.h>

#include "near.h"

/* The class that costs least at `counts`, one number every `step`; of equal ones the first. */
int32_t near_best(const corels_near *near, const int32_t *counts, int32_t step, uint16_t *best) {
    int32_t least = counts[0];
    *best = 0;
    for (int32_t c = 1; c < near->in.classes; c++)
        if (counts[(size_t)c * step] < least) {
            least = counts[(size_t)c * step];
            *best = (uint16_t)c;
        }
    return least;
}

void near_count_of(corels_near *near, const uint64_t *set) {
    near->counts_made++;
    memset(near->totals, 0, (size_t)near->in.classes * sizeof *near->totals);
    memset(near->counts, 0, (size_t)near->in.classes * (size_t)near->stride * sizeof *near->counts);
    if (near->counter)
        corels_counter_count(near->counter, set, near->scratch, near->counts, near->totals);
}

/* Whether r captures a point. A point in front has regret for some class, so it is in a count. */
int near_captures(const corels_near *near, const uint64_t *set, int32_t r) {
    for (int32_t c = 0; c < near->in.classes; c++)
        if (near->counts[(size_t)c * near->stride + r]) return 1;
    int32_t from = near->front_words;
    return near_meets(set + from, near_mask(near, r) + from, near->words - from);
}

/* The errors behind rule r if the list ends there. */
static int32_t closing(const corels_near *near, int32_t r, uint16_t *best) {
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
        if (!near_meets(near->child, near_mask(near, r), near->words)) return 0;
    }
    return 1;
}

/* Where the lists behind rule r go on, by `more` rules at most, if any may be within the budget. */
static int go_on(corels_near *near, near_edge *edge, int64_t cost, int64_t left, uint64_t pending,
                 int32_t more) {
    int32_t r = edge->antecedent;
    int64_t rule = near->in.rule_cost, rules = corels_ones(pending);
    if (!more || more < rules || left < rules * rule ||
        near_price(near, near->prices.view, r) > left ||
        !near_worth(near, near->counts, near->totals, near->view, r, left) ||
        !near_behind(near, r) || !satisfiable(near, pending))
        return CORELS_OK;
    if (left >= 2 * rule)
        return near_enter(near, near->child, pending, more, cost + near_rule(near, edge),
                          &edge->child);
    edge->child = NEAR_LAST;
    return CORELS_OK;
}

/* The edge of rule r, behind which `more` may follow, if any list within the budget may take it. */
static int extend(corels_near *near, int32_t r, int64_t cost, uint64_t pending, int32_t more) {
    near_edge edge = {.antecedent = r, .child = NEAR_NONE, .closing = -1};
    edge.errors = near_best(near, near->counts + r, near->stride, &edge.prediction);
    int64_t left = near->budget - cost - near_rule(near, &edge);
    if (left < 0) return CORELS_OK;
    int32_t rest = closing(near, r, &edge.fallback);
    pending = near_use(near, pending, r);
    if (!pending && near->in.unit * rest <= left) edge.closing = rest;
    int status = go_on(near, &edge, cost, left, pending, more);
    if (status != CORELS_OK || (edge.child == NEAR_NONE && edge.closing < 0)) return status;
    status = near_grow(near, &near->edges, 1, sizeof edge);
    if (status == CORELS_OK) *near_edge_at(near, near->edges.count++) = edge;
    return status;
}

static int32_t next_node(corels_near *near) {
    while (near->level >= 0 && near->heads[near->level] < 0) near->level--;
    if (near->level < 0) return -1;
    int32_t node = near->heads[near->level];
    near->heads[near->level] = near_node_at(near, node)->next;
    return node;
}

static int extend_all(corels_near *near, int32_t node) {
    int64_t cost = near_node_at(near, node)->cost;
    uint64_t pending = near_pending(near, node);
    int32_t rules = near_rules_left(near, node), more = rules < INT32_MAX ? rules - 1 : rules;
    int status = CORELS_OK;
    if (!rules) return status;
    near_count_of(near, near->set);
    if (near->blocks) corels_blocks_view(near->blocks, near->set, near->view);
    for (int32_t r = 0; status == CORELS_OK && r < near->in.antecedents; r++)
        if (!(near->avoided && near->avoided[r]) && near_captures(near, near->set, r))
            status = extend(near, r, cost, pending, more);
    return status;
}

/* One set; CORELS_DONE where none is left. */
int near_process(corels_near *near) {
    int32_t node = next_node(near);
    if (node < 0) return CORELS_DONE;
    int status = near_grow(near, &near->order, 1, sizeof(int32_t));
    if (status != CORELS_OK) return status;
    ((int32_t *)near->order.items)[near->order.count++] = node;
    int64_t first = near->edges.count, left = near->budget - near_node_at(near, node)->cost;
    near_set_of(near, node, near->set);
    near_blocks_if_due(near);
    if (near_priced(near)) view_set(near->prices.tables, near->set, near->prices.view);
    if (!near_dead(near, near->set, left)) status = extend_all(near, node);
    near_node *done = near_node_at(near, node);
    done->edge = first;
    done->edges = (int32_t)(near->edges.count - first);
    return status;
}

/* Sums over all lists: how many use a rule, begin with it, predict a class at a point.
 *
 * How many lists take an edge is the number of prefixes that reach its set, by what they cost,
 * times the number of completions that are then still within the budget. The second is in the
 * tables; the first is counted here, from the root down, the same way.
 *
 * Points. A rule's cell is what its set has and the next one has not. So instead of adding the
 * number of every edge to every point of its cell, each node sums up for each class what its edges
 * add, less what the edges into it have added too much, and its points are gone through once.
 * Numbers are taken modulo 2^128, and the sums of each point are right in the end.
 */
#include <string.h>

#include "near.h"

typedef struct {
    corels_near *near;
    store arrays;
    int64_t *first;  /* [nodes] one of the edges into it, + 1; 0: there is none */
    int64_t *next;   /* [edges] another one into the same node, likewise */
    int32_t *source; /* [edges] the node that it leaves */
    int64_t *table;  /* [nodes] of its prefixes */
    int32_t *entries;
    near_array prefixes;
    near_number *net;    /* [nodes][classes] */
    near_number *points; /* [classes][points] */
    near_number *uses, *begins;
} flow;

/* Where each edge comes from, and for each node the edges into it, as a chain. */
static void list_edges(flow *f) {
    corels_near *near = f->near;
    for (int32_t id = 0; id < (int32_t)near->nodes.count; id++) {
        const near_node *node = near_node_at(near, id);
        for (int64_t e = node->edge; e < node->edge + node->edges; e++) {
            const near_edge *edge = near_edge_at(near, e);
            f->source[e] = id;
            if (edge->child < 0 || !near_node_at(near, edge->child)->entries) continue;
            f->next[e] = f->first[edge->child];
            f->first[edge->child] = e + 1;
        }
    }
}

static const near_entry *prefixes_of(const flow *f, int32_t id) {
    return (const near_entry *)f->prefixes.items + f->table[id];
}

/* How many prefixes that reach the node cost at most `limit`. */
static near_number affording(const flow *f, int32_t id, int64_t limit) {
    return near_upto(prefixes_of(f, id), f->entries[id], limit);
}

/* The prefixes that reach a node, by cost: those of the nodes before it, and one rule more. */
static int count_prefixes(flow *f, int32_t id) {
    corels_near *near = f->near;
    int status = id == 0 ? near_add(near, near->root_cost, 0, 1) : CORELS_OK;
    const near_node *node = near_node_at(near, id);
    int64_t most = near->budget - (node->entries ? near_entry_at(near, node->entry)->cost : 0);
    for (int64_t e = f->first[id] - 1; e >= 0; e = f->next[e] - 1) {
        int64_t rule = near_rule(near, near_edge_at(near, e));
        const near_entry *table = prefixes_of(f, f->source[e]);
        for (int32_t j = 0; status == CORELS_OK && j < f->entries[f->source[e]]; j++) {
            if (table[j].cost + rule > most) break;
            status = near_add(near, table[j].cost + rule, 0, near_own(table, j));
        }
    }
    f->table[id] = f->prefixes.count;
    if (status == CORELS_OK) status = near_settle(near, &f->prefixes);
    f->entries[id] = (int32_t)(f->prefixes.count - f->table[id]);
    return status;
}

/* Lists that go on behind an edge to a node. */
static near_number going_on(const flow *f, int32_t id, const near_edge *edge) {
    near_number sum = 0;
    int64_t most = f->near->budget - near_rule(f->near, edge);
    const near_entry *table = prefixes_of(f, id);
    for (int32_t i = 0; i < f->entries[id]; i++)
        sum += near_own(table, i) * near_within(f->near, edge->child, most - table[i].cost);
    return sum;
}

static void add_use(flow *f, int32_t id, int32_t r, uint16_t prediction, near_number number) {
    f->uses[(size_t)r * f->near->in.classes + prediction] += number;
    if (id == 0 && !f->near->options.prefix_length) f->begins[r] += number;
}

/* Adds a number to the points of a & b, for class `to`, and takes it from class `from`. */
static void move_points(flow *f, const uint64_t *a, const uint64_t *b, uint16_t to, uint16_t from,
                        near_number number) {
    near_number *plus = f->points + (size_t)to * f->near->in.points;
    near_number *minus = f->points + (size_t)from * f->near->in.points;
    if (to == from) return;
    for (int32_t w = 0; w < f->near->words; w++)
        for (uint64_t left = a[w] & b[w]; left; left &= left - 1) {
            int32_t i = w * 64 + corels_lowest(left);
            plus[i] += number;
            minus[i] -= number;
        }
}

static near_number *net_of(const flow *f, int32_t id) {
    return f->net + (size_t)id * f->near->in.classes;
}

/* Lists that end behind an edge to a set without a node, with a class for all that it leaves. */
static void end_here(flow *f, int32_t id, const near_edge *edge, uint16_t fallback,
                     near_number number) {
    net_of(f, id)[fallback] += number;
    move_points(f, f->near->set, near_mask(f->near, edge->antecedent), edge->prediction, fallback,
                number);
}

/* The lists with one more rule behind an edge; returns their number. */
static near_number last_rules(flow *f, int32_t id, const near_edge *edge) {
    corels_near *near = f->near;
    int64_t rule = near_rule(near, edge) + near->in.rule_cost;
    near_number sum = 0;
    near_last_rules(near, id, edge,
                    near->budget - near_node_at(near, id)->cost - near_rule(near, edge));
    for (int32_t i = 0; i < near->last_count; i++) {
        const near_last *last = near->last + i;
        int64_t limit = near->budget - rule - near->in.unit * last->errors;
        near_number number = affording(f, id, limit);
        f->uses[(size_t)last->antecedent * near->in.classes + last->prediction] += number;
        end_here(f, id, edge, last->fallback, number);
        move_points(f, near->child, near_mask(near, last->antecedent), last->prediction,
                    last->fallback, number);
        sum += number;
    }
    return sum;
}

static void follow(flow *f, int32_t id, const near_edge *edge) {
    near_number ends = 0, on = 0;
    if (edge->closing >= 0) ends = affording(f, id, f->near->budget - near_list(f->near, edge));
    if (edge->child >= 0) on = going_on(f, id, edge);
    if (edge->child < 0) end_here(f, id, edge, edge->fallback, ends);
    if (edge->child == NEAR_LAST) on = last_rules(f, id, edge);
    add_use(f, id, edge->antecedent, edge->prediction, ends + on);
    if (edge->child < 0) return;
    net_of(f, id)[edge->prediction] += ends + on;
    net_of(f, edge->child)[edge->prediction] -= ends + on;
    net_of(f, edge->child)[edge->fallback] += ends;
}

static void add_points(flow *f, uint16_t class, near_number number) {
    near_number *sums = f->points + (size_t)class * f->near->in.points;
    for (int32_t w = 0; number && w < f->near->words; w++)
        for (uint64_t left = f->near->set[w]; left; left &= left - 1)
            sums[w * 64 + corels_lowest(left)] += number;
}

static int visit(flow *f, int32_t id) {
    corels_near *near = f->near;
    int status = count_prefixes(f, id);
    const near_node *node = near_node_at(near, id);
    near_set_of(near, id, near->set);
    for (int32_t i = 0; status == CORELS_OK && f->entries[id] && i < node->edges; i++)
        follow(f, id, near_edge_at(near, node->edge + i));
    for (int32_t c = 0; c < near->in.classes; c++) add_points(f, (uint16_t)c, net_of(f, id)[c]);
    return status;
}

/* The rules that all lists begin with, and the list of them alone. */
static void add_prefix(flow *f) {
    corels_near *near = f->near;
    near_number total = near->level_count ? near->levels[near->level_count - 1].upto : 0;
    int64_t alone = near->root_cost + near->in.unit * near->root_closing;
    near_root_set(near);
    for (int32_t i = 0; i < near->options.prefix_length; i++) {
        int32_t r = near->prefix[i];
        uint16_t prediction = near->predictions[i];
        f->uses[(size_t)r * near->in.classes + prediction] += total;
        if (i == 0) f->begins[r] += total;
        add_points(f, prediction, total);
        take_bits(near->set, near->set, near_mask(near, r), near->words);
        add_points(f, prediction, -total);
    }
    if (near->root_closing >= 0 && alone <= near->budget) add_points(f, near->root_class, 1);
}

/* The arrays, within the memory limit. */
static int flow_new(flow *f) {
    corels_near *near = f->near;
    size_t nodes = (size_t)near->nodes.count + 1, edges = (size_t)near->edges.count + 1;
    size_t classes = (size_t)near->in.classes, m = (size_t)near->in.antecedents;
    store *all = &f->arrays;
    f->first = store_take(all, nodes, sizeof *f->first);
    f->next = store_take(all, edges, sizeof *f->next);
    f->source = store_take(all, edges, sizeof *f->source);
    f->table = store_take(all, nodes, sizeof *f->table);
    f->entries = store_take(all, nodes, sizeof *f->entries);
    f->uses = store_take(all, m * classes, sizeof *f->uses);
    f->begins = store_take(all, m, sizeof *f->begins);
    f->net = store_take(all, nodes * classes, sizeof *f->net);
    f->points = store_take(all, (size_t)near->in.points * classes, sizeof *f->points);
    return all->failed ? CORELS_NO_MEMORY : near_hold(near, all->bytes);
}

static void write_all(uint64_t *out, const near_number *numbers, size_t n) {
    for (size_t i = 0; i < n; i++) near_write(out + 2 * i, numbers[i]);
}

int corels_near_shares(corels_near *near, uint64_t *uses, uint64_t *first, uint64_t *predicted) {
    if (near->phase != 2) return CORELS_BAD_ARGUMENT;
    flow f = {.near = near};
    size_t m = (size_t)near->in.antecedents, classes = (size_t)near->in.classes;
    int status = flow_new(&f);
    size_t held = status == CORELS_OK ? f.arrays.bytes : 0;
    if (status == CORELS_OK) list_edges(&f);
    for (int64_t i = 0; status == CORELS_OK && i < near->order.count; i++)
        status = visit(&f, ((int32_t *)near->order.items)[i]);
    if (status == CORELS_OK) {
        add_prefix(&f);
        write_all(uses, f.uses, m * classes);
        write_all(first, f.begins, m);
        write_all(predicted, f.points, classes * (size_t)near->in.points);
    }
    near_drop(near, &f.prefixes, sizeof(near_entry));
    store_free(&f.arrays);
    near_release(near, held);
    return status;
}

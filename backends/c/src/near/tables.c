/* How many completions a set has, by what they cost: from the smallest sets up.
 *
 * A completion of S is a rule, and then the end of the list or a completion of what the rule
 * leaves. So the table of S is the sum of its edges' tables, each moved by what the rule costs. A
 * table holds what the cheapest prefix that leaves S can afford; dearer prefixes read less of it.
 *
 * Sums are gathered in a hash table keyed by (cost, rules), sorted, and stored as running totals:
 * "at most so much" is one binary search, "exactly so much" the difference of two neighbours.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"

enum { FIRST_SUMS = 256 };

static void sums_free(corels_near *near, near_sums *sums) {
    near_drop(near, &sums->slots, sizeof(near_entry));
    near_drop(near, &sums->taken, sizeof(int64_t));
    sums->capacity = 0;
}

static int sums_new(corels_near *near, int64_t capacity) {
    near_sums *sums = &near->sums;
    *sums = (near_sums){.capacity = capacity};
    int status = near_grow(near, &sums->slots, capacity, sizeof(near_entry));
    if (status == CORELS_OK) status = near_grow(near, &sums->taken, capacity, sizeof(int64_t));
    near_entry *slots = sums->slots.items;
    for (int64_t i = 0; status == CORELS_OK && i < capacity; i++) slots[i].rules = -1;
    return status;
}

int near_sums_begin(corels_near *near) {
    near_sums_end(near);
    return sums_new(near, FIRST_SUMS);
}

void near_sums_end(corels_near *near) {
    sums_free(near, &near->sums);
}

static near_entry *sum_at(near_sums *sums, int64_t cost, int64_t rules) {
    uint64_t h = ((uint64_t)cost * 31 + (uint64_t)rules) * UINT64_C(0x9e3779b97f4a7c15);
    int64_t at = (int64_t)(h >> 32) & (sums->capacity - 1);
    near_entry *slots = sums->slots.items;
    while (slots[at].rules >= 0 && (slots[at].cost != cost || slots[at].rules != rules))
        at = (at + 1) & (sums->capacity - 1);
    if (slots[at].rules < 0) {
        slots[at] = (near_entry){.cost = cost, .rules = rules};
        ((int64_t *)sums->taken.items)[sums->taken.count++] = at;
    }
    return slots + at;
}

/* The i-th sum. */
static near_entry *sum_taken(const near_sums *sums, int64_t i) {
    return (near_entry *)sums->slots.items + ((int64_t *)sums->taken.items)[i];
}

int near_add(corels_near *near, int64_t cost, int64_t rules, near_number number) {
    if (2 * near->sums.taken.count >= near->sums.capacity) {
        near_sums old = near->sums;
        int status = sums_new(near, 2 * old.capacity);
        for (int64_t i = 0; status == CORELS_OK && i < old.taken.count; i++) {
            const near_entry *from = sum_taken(&old, i);
            sum_at(&near->sums, from->cost, from->rules)->upto = from->upto;
        }
        sums_free(near, &old);
        if (status != CORELS_OK) return status;
    }
    near_entry *sum = sum_at(&near->sums, cost, rules);
    return near_plus(sum->upto, number, &sum->upto) ? CORELS_NEAR_TOO_MANY : CORELS_OK;
}

static int compare(const void *a, const void *b) {
    const near_entry *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return (x->rules > y->rules) - (x->rules < y->rules);
}

int near_settle(corels_near *near, near_array *into) {
    near_sums *sums = &near->sums;
    int64_t n = sums->taken.count;
    int status = near_grow(near, into, n, sizeof(near_entry));
    if (status != CORELS_OK) return status;
    near_entry *table = (near_entry *)into->items + into->count;
    for (int64_t i = 0; i < n; i++) {
        table[i] = *sum_taken(sums, i);
        sum_taken(sums, i)->rules = -1;
    }
    sums->taken.count = 0;
    if (n > 1) qsort(table, (size_t)n, sizeof *table, compare);
    for (int64_t i = 1; i < n; i++)
        if (near_plus(table[i].upto, table[i - 1].upto, &table[i].upto))
            return CORELS_NEAR_TOO_MANY;
    into->count += n;
    return CORELS_OK;
}

typedef int (*looker)(void *user, const near_way *way);

/* What follows the edge to a set without a node: its last rules. */
static int each_last(corels_near *near, int32_t id, near_way *way, int64_t left, looker look,
                     void *user) {
    int64_t rule = near_rule(near, way->edge) + near->in.rule_cost;
    int status = CORELS_OK;
    near_last_rules(near, id, way->edge, left);
    way->rules = 2;
    for (int32_t i = 0; status == CORELS_OK && i < near->last_count; i++) {
        way->last = near->last + i;
        way->cost = rule + near->in.unit * way->last->errors;
        status = look(user, way);
    }
    return status;
}

static int each_entry(corels_near *near, near_way *way, int64_t left, looker look, void *user) {
    const near_node *child = near_node_at(near, way->edge->child);
    const near_entry *table = near_entry_at(near, child->entry);
    int64_t rule = near_rule(near, way->edge);
    int status = CORELS_OK;
    for (int32_t i = 0; status == CORELS_OK && i < child->entries && table[i].cost <= left; i++) {
        way->entry = child->entry + i;
        way->cost = table[i].cost + rule;
        way->rules = table[i].rules + 1;
        way->number = near_own(table, i);
        status = look(user, way);
    }
    return status;
}

int near_ways(corels_near *near, int32_t id, looker look, void *user) {
    const near_node *node = near_node_at(near, id);
    int status = CORELS_OK;
    for (int32_t i = 0; status == CORELS_OK && i < node->edges; i++) {
        const near_edge *edge = near_edge_at(near, node->edge + i);
        near_way way = {edge, NULL, -1, near_list(near, edge), 1, 1};
        int64_t left = near->budget - node->cost - near_rule(near, edge);
        if (edge->closing >= 0) status = look(user, &way);
        if (status != CORELS_OK) return status;
        if (edge->child == NEAR_LAST) status = each_last(near, id, &way, left, look, user);
        if (edge->child >= 0) status = each_entry(near, &way, left, look, user);
    }
    return status;
}

static int add_way(void *near, const near_way *way) {
    return near_add(near, way->cost, way->rules, way->number);
}

int near_table(corels_near *near, int32_t id) {
    near_node *node = near_node_at(near, id);
    node->entry = near->entries.count;
    node->entries = 0;
    near_set_of(near, id, near->set);
    int status = near_ways(near, id, add_way, near);
    if (status == CORELS_OK) status = near_settle(near, &near->entries);
    node->entries = (int32_t)(near->entries.count - node->entry);
    return status;
}

near_number near_upto(const near_entry *table, int64_t n, int64_t limit) {
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (table[middle].cost <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? table[low - 1].upto : 0;
}

near_number near_within(const corels_near *near, int32_t id, int64_t left) {
    const near_node *node = near_node_at(near, id);
    return near_upto(near_entry_at(near, node->entry), node->entries, left);
}

int64_t near_entry_of(const corels_near *near, int32_t id, int64_t cost, int64_t rules) {
    const near_node *node = near_node_at(near, id);
    const near_entry wanted = {.cost = cost, .rules = rules}, *table = near->entries.items, *at;
    if (!node->entries) return -1;
    at = bsearch(&wanted, table + node->entry, (size_t)node->entries, sizeof wanted, compare);
    return at ? at - table : -1;
}

near_number near_exactly(const corels_near *near, int32_t id, int64_t cost, int64_t rules) {
    int64_t at = near_entry_of(near, id, cost, rules);
    if (at < 0) return 0;
    int64_t first = near_node_at(near, id)->entry;
    return near_own(near_entry_at(near, first), at - first);
}

/* The levels of whole lists: the prefix alone, and the root's table behind the prefix. */
int near_close_tables(corels_near *near) {
    const near_node *root = near_node_at(near, 0);
    int64_t alone = near->root_cost + near->in.unit * near->root_closing;
    int counts = near->root_closing >= 0 && alone <= near->budget, status = CORELS_OK;
    const near_entry *table = near_entry_at(near, root->entry);
    near_array levels = {0};
    if (counts) status = near_add(near, alone, near->options.prefix_length, 1);
    for (int32_t i = 0; status == CORELS_OK && i < root->entries; i++)
        status = near_add(near, near->root_cost + table[i].cost,
                          near->options.prefix_length + table[i].rules, near_own(table, i));
    if (status == CORELS_OK) status = near_settle(near, &levels);
    near->levels = levels.items;
    near->level_count = levels.count;
    near_release(near, (size_t)levels.capacity * sizeof(near_entry));
    for (int64_t i = 0; i < levels.count; i++)
        if (near->levels[i].rules > near->longest) near->longest = near->levels[i].rules;
    return status;
}

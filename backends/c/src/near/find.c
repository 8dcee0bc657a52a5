/* List number i, in order of cost, then of rules, then of antecedents.
 *
 * The level says what the list costs and how many rules it has. From the root on, the edges in
 * order of antecedents say how many such lists go through each, by one search in a table. So the
 * first list and a random one are found alike, and no queue of half-made lists is held.
 *
 * The cursor remembers the path of the list found last. The next one shares most of it, and its
 * edges are looked for from there on.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"

/* The level that list `index` is in; -1 beyond the last. */
static int64_t level_of(const corels_near *near, near_number index) {
    int64_t low = 0, high = near->level_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (near->levels[middle].upto <= index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < near->level_count ? low : -1;
}

void near_cursor_end(corels_near *near) {
    free(near->cursor.steps);
    near->cursor = (near_cursor){.level = -1};
}

/* The last rules behind an edge without a node whose list costs exactly `cost` behind the edge:
 * moved to the front of near->last; returns how many. */
static int32_t exact_last(corels_near *near, int32_t id, const near_edge *edge, int64_t cost) {
    int32_t kept = 0;
    near_set_of(near, id, near->set);
    near_last_rules(near, id, edge, cost);
    for (int32_t i = 0; i < near->last_count; i++)
        if (near->in.rule_cost + near->in.unit * near->last[i].errors == cost)
            near->last[kept++] = near->last[i];
    return kept;
}

/* How many completions of exactly this cost and so many rules take this edge. */
static near_number through(corels_near *near, int32_t id, const near_edge *edge, int64_t cost,
                           int64_t rules) {
    if (rules == 1) return edge->closing >= 0 && near_list(near, edge) == cost;
    cost -= near_rule(near, edge);
    if (edge->child >= 0) return near_exactly(near, edge->child, cost, rules - 1);
    if (edge->child != NEAR_LAST || rules != 2 || cost < near->in.rule_cost) return 0;
    return (near_number)exact_last(near, id, edge, cost);
}

/* The edge of node `id` that list `index` takes, from edge `from` on, where lists begin at
 * `begin`. */
static const near_edge *choose(corels_near *near, int32_t id, int64_t cost, int64_t rules,
                               near_number index, near_step *step) {
    const near_node *node = near_node_at(near, id);
    for (; step->edge < node->edges; step->edge++) {
        const near_edge *edge = near_edge_at(near, node->edge + step->edge);
        step->number = through(near, id, edge, cost, rules);
        if (index - step->begin < step->number) return edge;
        step->begin += step->number;
    }
    return NULL;
}

/* Prepares step `depth` of the cursor for list `index`; `begin`: its first list at this node. */
static void resume(near_cursor *cursor, int64_t depth, near_number begin, near_number index) {
    near_step *step = cursor->steps + depth;
    int known = cursor->depth > depth && step->begin <= index && step->begin >= begin;
    if (known && index - step->begin >= step->number) {
        step->begin += step->number;
        step->edge++;
        cursor->depth = depth; /* what is behind belongs to another edge */
    } else if (!known) {
        *step = (near_step){.begin = begin};
        cursor->depth = depth;
    }
}

static int begin_level(corels_near *near, int64_t level) {
    near_cursor *cursor = &near->cursor;
    if (!cursor->steps) {
        cursor->steps = malloc(((size_t)near->longest + 1) * sizeof *cursor->steps);
        if (!cursor->steps) return CORELS_NO_MEMORY;
        cursor->level = -1;
    }
    if (cursor->level != level) cursor->depth = 0;
    cursor->level = level;
    return CORELS_OK;
}

/* Walks from the root along list `index` of the cursor's level; returns its length, or -1. */
static int32_t walk(corels_near *near, near_number index, int32_t *antecedents) {
    near_cursor *cursor = &near->cursor;
    int32_t n = near->options.prefix_length, node = 0;
    int64_t cost = near->levels[cursor->level].cost - near->root_cost;
    int64_t rules = near->levels[cursor->level].rules - n;
    near_number begin = cursor->level ? near->levels[cursor->level - 1].upto : 0;
    for (int64_t depth = 0; rules > 0; depth++, rules--) {
        near_step *step = cursor->steps + depth;
        resume(cursor, depth, begin, index);
        const near_edge *edge = choose(near, node, cost, rules, index, step);
        if (!edge) return -1;
        if (cursor->depth == depth) cursor->depth = depth + 1;
        antecedents[n++] = edge->antecedent;
        cost -= near_rule(near, edge);
        begin = step->begin;
        if (edge->child == NEAR_LAST && rules == 2) {
            if (index - begin >= (near_number)exact_last(near, node, edge, cost)) return -1;
            antecedents[n++] = near->last[index - begin].antecedent;
            return n;
        }
        node = edge->child;
    }
    return n;
}

static int find(corels_near *near, near_number index, int32_t *length, int32_t *antecedents) {
    int64_t level = level_of(near, index);
    if (level < 0) return CORELS_BAD_ARGUMENT;
    int status = begin_level(near, level);
    if (status != CORELS_OK) return status;
    size_t n = (size_t)near->options.prefix_length;
    if (n) memcpy(antecedents, near->prefix, n * sizeof *antecedents);
    *length = walk(near, index, antecedents);
    return *length < 0 ? CORELS_BAD_ARGUMENT : CORELS_OK;
}

int corels_near_lists(corels_near *near, uint64_t high, uint64_t low, int64_t n, int32_t *lengths,
                      int32_t *antecedents) {
    near_number index = near_read(high, low);
    int status = near->phase == 2 ? CORELS_OK : CORELS_BAD_ARGUMENT;
    for (int64_t i = 0; status == CORELS_OK && i < n; i++)
        status = find(near, index + (near_number)i, lengths + i, antecedents + i * near->longest);
    return status;
}

/* The graph of sets of all good lists. Read in this order: grow.c (which sets there are, and what
 * is ruled out), tables.c (how many completions a set has), find.c (list number i), flows.c (sums
 * over all lists), range.c.
 *
 * A node is a set of points that some prefix leaves, with the required antecedents that are still
 * to be used, and the rules that may still follow if lists may have so many at most. An edge is
 * a rule: the list may end behind it (`closing`), or go on (`child`). Nodes are numbered as they
 * are discovered and processed from the largest set to the smallest: every rule captures something,
 * so all prefixes that leave a set have been seen when its turn comes, and the cheapest of them
 * says how much is left to spend. Each set is counted once, for all budgets.
 */
#pragma once

#include "bits.h"
#include "corels/memory.h"
#include "corels/near.h"
#include "corels/store.h"
#include "kernel.h"
#include "walk_from.h"

/* A number of lists: 128 bits if the compiler has them, else 64. */
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 near_number;
#else
typedef uint64_t near_number;
#endif

/* *to = a + b; answers 1 if that does not fit. */
static inline int near_plus(near_number a, near_number b, near_number *to) {
    *to = a + b;
    return *to < a;
}

/* As two words, and back. */
static inline void near_write(uint64_t *out, near_number number) {
    out[0] = sizeof number > 8 ? (uint64_t)(number >> (sizeof number * 4)) : 0;
    out[1] = (uint64_t)number;
}

static inline near_number near_read(uint64_t high, uint64_t low) {
    return sizeof(near_number) > 8 ? (near_number)high << (sizeof(near_number) * 4) | low : low;
}

typedef struct {
    int64_t cost; /* of the cheapest prefix that leaves this set */
    int64_t edge; /* the first of its edges */
    int64_t entry;
    int32_t edges, entries;
    int32_t next; /* node of the same size that is still to be processed, or -1 */
} near_node;

enum {
    NEAR_NONE = -1,
    NEAR_LAST = -2, /* one more rule fits, not two: such sets are counted when they are asked for */
};

typedef struct {
    int32_t antecedent;
    int32_t child;   /* node; NEAR_NONE: nothing that goes on is within the budget; or NEAR_LAST */
    int32_t errors;  /* of the rule */
    int32_t closing; /* of the default rule if the list ends here; -1: not within the budget */
    uint16_t prediction, fallback; /* classes of the rule, and of that default rule */
} near_edge;

/* A last rule, and the default rule behind it. */
typedef struct {
    int32_t antecedent, errors; /* of both */
    uint16_t prediction, fallback;
} near_last;

/* So many completions cost at most `cost`: all with a smaller cost or fewer rules, and these. */
typedef struct {
    int64_t cost;
    int64_t rules;
    near_number upto;
} near_entry;

/* One way on from a node: the cost and rules of a completion, or of all that one entry counts. */
typedef struct {
    const near_edge *edge;
    const near_last *last; /* the last rule behind the edge, or NULL */
    int64_t entry;         /* of the child that goes on, or -1 */
    int64_t cost, rules;
    near_number number; /* of completions */
} near_way;

/* An array that grows within the memory limit. */
typedef struct {
    void *items;
    int64_t count, capacity;
} near_array;

/* Sums keyed by (cost, rules), for one table at a time. */
typedef struct {
    near_array slots; /* near_entry, upto: the number itself; rules < 0: free */
    near_array taken; /* int64_t: the slots in use, `count` of them */
    int64_t capacity; /* a power of two */
} near_sums;

/* Where the list found last stands, one step for each of its rules but a last one behind an edge
 * without a node: the lists `begin` .. `begin` + `number` - 1 take this edge here. */
typedef struct {
    int64_t edge; /* its place among the node's edges */
    near_number begin, number;
} near_step;

typedef struct {
    near_step *steps; /* [longest] */
    int64_t level, depth;
} near_cursor;

struct corels_near {
    corels_near_instance in;
    corels_near_options options;
    store arrays; /* that live as long as it does */
    corels_search
        *search; /* of the points with regret; answers questions about sets, and counts them */
    const corels_kernel_table *kernel;
    uint64_t *masks; /* [antecedents][words] */
    int32_t *prefix, *required;
    uint16_t *predictions; /* of the prefix */
    uint8_t *avoided;
    int32_t words, front_words, key_words, set_words, stride;
    int32_t rules; /* that may follow the prefix at most; INT32_MAX: the limit cannot bind */
    int by_closure;
    /* Of the set at hand. */
    uint64_t *set, *child, *key, *all; /* all: every point */
    int32_t *counts, *totals;          /* totals: the search's */
    int32_t *open;                     /* antecedents behind which lists may go on */

    near_last *last; /* [antecedents] last rules of the child at hand: near_last_rules */
    int32_t last_count;

    int64_t budget, root_cost;
    int32_t root_closing; /* -1 if the prefix alone does not count as a list */
    uint16_t root_class;
    near_array nodes, keys, edges, entries, order;
    near_array heads; /* [points + 1] first unprocessed node of each size */
    int32_t level, phase;
    int32_t node, asking; /* the set at hand, and whether the search is asked about it */
    near_array slots;     /* hash table of nodes: `slot_count` of them, */
    int64_t slot_count;   /* a power of two */
    int64_t counted;
    near_sums sums;
    near_entry *levels; /* of all lists */
    int64_t level_count, longest;
    near_cursor cursor;
    size_t held, peak;
};

static inline near_node *near_node_at(const corels_near *near, int64_t i) {
    return (near_node *)near->nodes.items + i;
}

static inline near_edge *near_edge_at(const corels_near *near, int64_t i) {
    return (near_edge *)near->edges.items + i;
}

static inline near_entry *near_entry_at(const corels_near *near, int64_t i) {
    return (near_entry *)near->entries.items + i;
}

/* How many an entry of a table counts by itself. */
static inline near_number near_own(const near_entry *table, int64_t i) {
    return i ? table[i].upto - table[i - 1].upto : table[i].upto;
}

/* The first unprocessed node of a size. */
static inline int32_t *near_head(const corels_near *near, int32_t size) {
    return (int32_t *)near->heads.items + size;
}

static inline int64_t near_rule(const corels_near *near, const near_edge *edge) {
    return near->in.rule_cost + near->in.unit * edge->errors;
}

/* Of the list that ends behind this edge. */
static inline int64_t near_list(const corels_near *near, const near_edge *edge) {
    return near_rule(near, edge) + near->in.unit * edge->closing;
}

static inline const uint64_t *near_mask(const corels_near *near, int32_t r) {
    return near->masks + (size_t)r * (size_t)near->words;
}

/* memory.c: CORELS_OK, CORELS_NEAR_LIMIT or CORELS_NO_MEMORY. */
int near_hold(corels_near *near, size_t more);
void near_release(corels_near *near, size_t less);
int near_grow(corels_near *near, near_array *array, int64_t more, size_t size);
void near_drop(corels_near *near, near_array *array, size_t size);

/* graph.c */
int near_graph_begin(corels_near *near);
void near_graph_end(corels_near *near);
uint64_t *near_key_at(const corels_near *near, int64_t node);
void near_set_of(const corels_near *near, int64_t node, uint64_t *set);
/* near->set = every point. */
void near_root_set(corels_near *near);
uint64_t near_pending(const corels_near *near, int64_t node);
/* How many rules may follow a node at most. */
int32_t near_rules_left(const corels_near *near, int64_t node);
uint64_t near_use(const corels_near *near, uint64_t pending, int32_t r);
/* The node of a set, made if it is new; *id < 0 on failure. */
int near_enter(corels_near *near, const uint64_t *set, uint64_t pending, int32_t rules,
               int64_t cost, int32_t *id);

/* grow.c */
int near_process(corels_near *near);
/* near->set = the set of a node. near->child = what rule r leaves of it. */
uint64_t near_behind(corels_near *near, int32_t r);
int32_t near_best(const corels_near *near, int32_t r, uint16_t *best);
int32_t near_default(const corels_near *near, uint16_t *best);
/* The errors behind rule r if the list ends there. */
int32_t near_closing(const corels_near *near, int32_t r, uint16_t *best);
void near_count_of(corels_near *near, const uint64_t *set);
/* Whether r captures a point of a set that has just been counted. */
int near_captures(const corels_near *near, const uint64_t *set, int32_t r);

/* last.c: the last rules behind an edge of a node, whose set is near->set, that cost at most `left`
 * with the default rule: near->last. What the edge leaves is near->child then. */
void near_last_rules(corels_near *near, int32_t id, const near_edge *edge, int64_t left);

/* tables.c */
int near_sums_begin(corels_near *near);
void near_sums_end(corels_near *near);
/* Add to the sums; write them into an array as a table, and begin anew. */
int near_add(corels_near *near, int64_t cost, int64_t rules, near_number number);
int near_settle(corels_near *near, near_array *into);
int near_table(corels_near *near, int32_t node);
/* Calls `look` for all ways on from a node whose set is near->set, until it answers anything but
 * CORELS_OK, which is the answer then. Behind a last rule's edge near->child is the set. */
int near_ways(corels_near *near, int32_t node, int (*look)(void *user, const near_way *),
              void *user);
int near_close_tables(corels_near *near);
/* How many the first n entries of a table count that cost at most `limit`. */
near_number near_upto(const near_entry *table, int64_t n, int64_t limit);
/* Completions of a node (at least one rule) that cost at most `left`. */
near_number near_within(const corels_near *near, int32_t node, int64_t left);
/* Exactly this cost and so many rules. */
near_number near_exactly(const corels_near *near, int32_t node, int64_t cost, int64_t rules);
int64_t near_entry_of(const corels_near *near, int32_t node, int64_t cost, int64_t rules);

/* find.c */
void near_cursor_end(corels_near *near);

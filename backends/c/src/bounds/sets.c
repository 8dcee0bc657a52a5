/* Bounds on sets, for the queue's table of children: the filters of node.h behind bound_call.
 *
 * Rows of a table stand in rising order of antecedents, as the filters want their lists.
 */
#include <stdlib.h>
#include <string.h>

#include "blocks_bound.h"
#include "bounds.h"
#include "node.h"

enum { BLOCKS_AFTER = 2000 }; /* expansions: easier searches end before blocks would pay */

typedef struct {
    corels_node node;
    corels_rivals rivals;
    uint64_t *order;
    int32_t *list, *block;
    corels_blocks *blocks; /* NULL until they are due, and where there was no memory for them */
    uint64_t *view;
    int64_t expansions;
} scratch;

void *set_bounds_scratch(int32_t stride) {
    scratch *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    size_t n = (size_t)stride;
    s->block = calloc(5 * n, sizeof *s->block);
    s->order = calloc(n, sizeof *s->order);
    if (!s->block || !s->order) {
        set_bounds_free(s);
        return NULL;
    }
    s->node.errors = s->block, s->node.closing = s->block + n, s->list = s->block + 2 * n;
    s->rivals.a = s->block + 3 * n, s->rivals.b = s->block + 4 * n;
    return s;
}

void set_bounds_free(void *scratch_) {
    scratch *s = scratch_;
    if (!s) return;
    corels_blocks_free(s->blocks);
    free(s->view);
    free(s->block);
    free(s->order);
    free(s);
}

void set_bounds_begin(const corels_children *c, const int32_t *worst_counts) {
    const corels_expansion *e = c->expansion;
    scratch *s = e->scratch;
    corels_node *node = &s->node;
    node->kernel = corels_kernel_table_current();
    node->masks = e->masks, node->set = e->remaining;
    node->counts = e->counts, node->totals = e->totals, node->worst = worst_counts;
    node->rule_cost = c->rule_cost, node->unit = c->unit;
    node->antecedents = c->antecedents, node->words = e->words;
    node->classes = e->classes, node->stride = e->stride;
    corels_node_scan(node);
}

/* The rows as a list of antecedents; NULL where nothing is known of their sets. */
static scratch *begin(const corels_children *c) {
    if (!c->expansion) return NULL;
    scratch *s = c->expansion->scratch;
    memcpy(s->list, c->antecedent, (size_t)c->count * sizeof *s->list);
    return s;
}

/* keep[i] = whether row i is among the `kept` antecedents of the list. */
static void mark(const corels_children *c, const int32_t *list, int32_t kept, uint8_t *keep) {
    int32_t at = 0;
    for (int32_t i = 0; i < c->count; i++) {
        keep[i] = at < kept && list[at] == c->antecedent[i];
        at += keep[i];
    }
}

void bound_second_rule(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    scratch *s = begin(c);
    memset(keep, 1, (size_t)c->count);
    if (!s) return;
    int64_t need = incumbent - c->expansion->cost;
    mark(c, s->list, corels_keep_second_rule(&s->node, need, s->list, c->count, &s->rivals), keep);
}

void bound_dominance(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    scratch *s = begin(c);
    memset(keep, 1, (size_t)c->count);
    if (s) mark(c, s->list, corels_keep_dominance(&s->node, s->list, c->count, s->order), keep);
}

/* Blocks are built once, when the search turns out to be long; it goes on without them where there
 * is no memory. */
static void build_blocks(scratch *s, const corels_children *c) {
    const corels_expansion *e = c->expansion;
    corels_blocks_options options =
        corels_blocks_stage(0, c->rule_cost, c->unit, e->points, e->seed);
    if (e->points / options.block_points + 1 > options.most_blocks) return; /* too few to count */
    if (corels_blocks_new(&s->blocks, e->masks, c->antecedents, e->points, e->regrets, e->classes,
                          &options) != CORELS_OK) {
        s->blocks = NULL;
        return;
    }
    s->view = malloc((size_t)corels_blocks_view_words(s->blocks) * sizeof *s->view);
    if (s->view) return;
    corels_blocks_free(s->blocks);
    s->blocks = NULL;
}

void bound_blocks(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    scratch *s = begin(c);
    memset(keep, 1, (size_t)c->count);
    if (!s) return;
    if (++s->expansions == BLOCKS_AFTER) build_blocks(s, c);
    if (!s->blocks) return;
    const corels_expansion *e = c->expansion;
    corels_blocks_view(s->blocks, e->remaining, s->view);
    mark(c, s->list,
         corels_keep_blocks(&s->node, s->blocks, s->view, incumbent - e->cost, s->list, c->count),
         keep);
}

size_t set_bounds_bytes(const void *scratch_) {
    const scratch *s = scratch_;
    return s && s->blocks ? corels_blocks_bytes(s->blocks) : 0;
}

void bound_similar_support(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    scratch *s = begin(c);
    memset(keep, 1, (size_t)c->count);
    if (!s) return;
    const int32_t *worst = c->expansion->worst;
    mark(c, s->list, corels_keep_similar_support(&s->node, worst, s->list, c->count, s->order),
         keep);
}

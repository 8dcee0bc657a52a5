/* A prefix and what it leaves.
 *
 * A frame holds the classes left, the counts of every antecedent on them, and what the prefix paid.
 * Frames form a stack, one per rule, each derived from the one below by its last antecedent.
 */
#pragma once

#include "cost.h"
#include "table.h"

/* A prefix extended by one rule that has not been counted yet; the candidates of an expansion. */
typedef struct {
    uint32_t antecedent;
    uint32_t p, q;              /* captured by the new rule */
    proportion least;           /* smallest proportion of the prefix, this rule included */
    cost paid;                  /* all captured rows, rules and violations */
    cost closed;                /* ... and the else */
    int64_t bound;              /* no extension by at least one more rule costs less */
    uint32_t total[QUANTITIES]; /* of the rows left */
    uint32_t positives, negatives;
} child;

typedef struct {
    store arrays;
    uint64_t *left;
    uint32_t *counts; /* measures x lanes: captured by each antecedent, per measure */
    uint32_t *p, *q;  /* lanes: the same, positives and negatives over all bins */
    uint32_t total[QUANTITIES];
    uint32_t positives, negatives; /* left */
    proportion least;
    cost paid;
    uint32_t length;
    uint32_t rule_p, rule_q; /* captured by the last rule */
    uint32_t node;           /* in the tree of the dominance table */
    child *children;
    uint32_t child_count, next;
} frame;

int frame_create(frame *f, const table *t);
/* scratch: of the counter. */
void frame_root(frame *f, const table *t, void *scratch);

/* Evaluate parent + antecedent. Returns 0 if it captures nothing or all, or (hard) breaks the
 * order, is not above the threshold, or can never be completed (Proposition 4.2, Corollary 4.5). */
int child_evaluate(child *c, const table *t, const frame *parent, uint32_t antecedent);

/* The classes that stay after the child's rule. */
void child_left(const table *t, const frame *parent, const child *c, uint64_t *left);

/* Make `f` the child's frame; `f->left` must hold child_left(). set: scratch, too. */
void frame_extend(frame *f, const table *t, void *scratch, const frame *parent, const child *c,
                  uint64_t *set);

/* min(positive_cost * p, unit * q) */
static inline int64_t block_cost(const table *t, uint32_t p, uint32_t q) {
    int64_t zero = t->positive_cost * p, one = t->unit * q;
    return zero < one ? zero : one;
}

/* What is paid with a block of p positives and q negatives more, behind that least proportion: the
 * else; and a rule, which has a price of its own. */
cost with_else(const table *t, cost paid, proportion least, uint32_t p, uint32_t q);
cost with_rule(const table *t, cost paid, proportion least, uint32_t p, uint32_t q);
/* What the frame's prefix costs as a list. */
cost frame_closed(const table *t, const frame *f);

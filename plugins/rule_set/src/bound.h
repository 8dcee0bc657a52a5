/* The subtree bound: how cheap can a clause become by adding more conditions?
 *
 * Let S be a clause, k a possible next condition, e_k = negatives(S) - negatives(S + k) what k
 * eliminates. Take the child S + j, whose subtree may add any t >= 1 of the conditions k that come
 * before j. Each adds condition_cost and eliminates at most e_k of the negatives left (a set only
 * shrinks), so with the t largest eliminations
 *
 *     rc >= clause_cost + condition_cost * (|S| + 1 + t) - duals(S + j)
 *           + scale * max(0, negatives(S + j) - (e_1 + ... + e_t)).
 *
 * A clause worth making has one condition of a chain (chains.h), so the t eliminations are of
 * different chains: each chain counts with its largest. The terms fall and then rise with t, so the
 * greedy sum stops at the first elimination that costs more than it saves. Children come in order
 * of falling duals(S + j), and child j may only add those before it; the t largest eliminations of
 * every prefix come from one insertion-sorted list.
 */
#pragma once

#include <stdint.h>

typedef struct {
    uint32_t feature;
    uint32_t rank;    /* its place by falling duals: it may add features of lower rank */
    uint32_t at;      /* its place in the list of its frame */
    int64_t duals;    /* of the positives that satisfy S + feature */
    int64_t negative; /* weight of the negatives that satisfy S + feature */
    int64_t bound;    /* proven for every clause strictly below S + feature */
} child;

typedef struct {
    int64_t scale, condition_cost;
    int64_t base;          /* clause_cost + condition_cost * (|S| + 1) */
    int64_t negatives;     /* weight of the negatives that satisfy S */
    uint32_t room;         /* conditions that may still be added to S + feature, >= 1 */
    const uint32_t *chain; /* of each feature */
} bound_context;

/* Set rank and bound of each child; they are sorted by falling duals. */
void bound_children(child *children, uint32_t count, const bound_context *context);

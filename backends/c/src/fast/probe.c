/* Looking into the search: one bound at work on one set, and what the memo claims of a set. For
 * tests, which hold each bound and each claim against brute force, and for whoever wants to see.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

static int32_t keep_blocks(struct corels_fast *fast, corels_node *node, int64_t need, int32_t *list,
                           int32_t n, int *status) {
    if (!fast->blocks && fast->stage < 2) corels_next_stage(fast);
    if (!fast->blocks) return n;
    uint64_t *view = malloc((size_t)corels_blocks_view_words(fast->blocks) * sizeof *view + 1);
    if (!view) *status = CORELS_NO_MEMORY;
    if (view) corels_blocks_view(fast->blocks, node->set, view);
    if (view) n = corels_keep_blocks(node, fast->blocks, view, need, list, n);
    free(view);
    return n;
}

static int32_t keep_one(struct corels_fast *fast, corels_node *node, int64_t need, uint32_t part,
                        int32_t *list, int *status) {
    corels_walker *walker = fast->walkers;
    int32_t n = corels_keep_cost(node, need, part == CORELS_FAST_LOOKAHEAD, list);
    n = corels_keep_capturing(node, list, n);
    switch (part) {
    case CORELS_FAST_REDUCED_SUPPORT:
        return corels_keep_reduced_support(node, list, n);
    case CORELS_FAST_SECOND_RULE:
        return corels_keep_second_rule(node, need, list, n, &walker->rivals);
    case CORELS_FAST_DOMINANCE:
        return corels_keep_dominance(node, list, n, walker->order);
    case CORELS_FAST_SIMILAR_SUPPORT:
        return corels_keep_similar_support(node, fast->worst, list, n, walker->order);
    case CORELS_FAST_BLOCKS:
        return keep_blocks(fast, node, need, list, n, status);
    default:
        return n;
    }
}

int corels_fast_probe(corels_fast *fast, const uint64_t *set, int64_t need, uint32_t part,
                      int32_t *kept, int32_t *n) {
    corels_walker *walker = fast->walkers;
    int status = CORELS_OK;
    if (!walker || walker->walking) return CORELS_BAD_ARGUMENT;
    memcpy(walker->frames->set, set, (size_t)fast->words * sizeof *set);
    corels_counter_count(fast->counter, set, walker->scratch, walker->frames->counts,
                         walker->totals);
    corels_node node = corels_node_of(walker, walker->frames);
    corels_node_scan(&node);
    *n = keep_one(fast, &node, need, part, walker->list, &status);
    if (status == CORELS_OK) memcpy(kept, walker->list, (size_t)*n * sizeof *kept);
    memset(walker->frames->set, 0, (size_t)fast->words * sizeof *set);
    return status;
}

int64_t corels_fast_claim(corels_fast *fast, const uint64_t *set) {
    if (!fast->memo) return -1;
    if (!fast->by_closure) return corels_memo_find(fast->memo, set, NULL);
    uint64_t *key = calloc((size_t)fast->key_words, sizeof *key);
    if (!key) return -1;
    for (int32_t r = 0; r < fast->in.antecedents; r++) {
        const uint64_t *mask = fast->masks + (size_t)r * fast->words;
        uint64_t met = fast->kernel->face.popcount_and(set, mask, (size_t)fast->words);
        key[r / 64] |= (uint64_t)(met == 0) << (r % 64);
    }
    int64_t claim = corels_memo_find(fast->memo, key, NULL);
    free(key);
    return claim;
}

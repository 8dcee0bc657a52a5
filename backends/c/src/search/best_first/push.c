/* What goes into the queue and what leaves it without having been expanded. */
#include "best_first.h"

/* The child that row `row` of the table stands for enters the cache; the slot or CACHE_NONE. */
static int32_t add_child(search *s, int32_t parent, int32_t row) {
    best_first_frontier *f = frontier_of(s);
    const corels_children *c = &s->workers->children;
    const int32_t *minority = f->now.node.minority;
    int32_t antecedent = c->antecedent[row], slot = cache_add(&f->cache, parent, antecedent);
    if (slot == CACHE_NONE) return slot;
    prefix_node *child = cache_node(&f->cache, slot);
    const prefix_node *from = cache_node(&f->cache, parent);
    child->lower_bound = c->lower_bound[row];
    child->errors = from->errors + c->errors[row];
    child->captured = c->captured[row];
    child->minority = from->minority + (minority ? minority[antecedent] : 0);
    child->length = c->length[row];
    take_bits(child->sets, from->sets, mask_of(s, antecedent), s->in.words);
    uint64_t *viable = cache_viable(&f->cache, slot);
    take_bits(viable, cache_viable(&f->cache, parent), f->rejected, f->cache.antecedent_words);
    clear_bit(viable, antecedent);
    return slot;
}

/* Add the survivors to the cache and to the queue, in the order of the policy. */
int push(search *s, int32_t slot) {
    best_first_frontier *f = frontier_of(s);
    worker *w = s->workers;
    int32_t n = f->now.n;
    if (!n) return CORELS_OK;
    expansion_table(w, &f->now, f->cache.next_serial);
    int status = expansion_ask_policy(w);
    if (status != CORELS_OK) return status;
    /* One place more: for the prefix itself, should its expansion be cut off. */
    if (!queue_reserve(&f->queue, n + 1)) return CORELS_NO_MEMORY;
    for (int32_t row = 0; row < n; row++) {
        int32_t child = add_child(s, slot, row);
        if (child == CACHE_NONE) return CORELS_NO_MEMORY;
        queue_push(&f->queue, w->priorities[row], cache_node(&f->cache, child)->serial, child);
        f->pushed++;
    }
    w->seen.inserted += n;
    return CORELS_OK;
}

/* Whether no list behind a prefix of this lower bound can be better than the incumbent. */
static int hopeless(const search *s, int64_t lower_bound) {
    int64_t objective = incumbent_cost(&s->incumbent) + s->in.base;
    return (plays(s, ROLE_HIERARCHICAL) && lower_bound >= objective) ||
           (plays(s, ROLE_LOOKAHEAD) && lower_bound + s->in.rule_cost >= objective);
}

/* Garbage collection: drop queued prefixes that cannot beat the new incumbent (Section 5.3). */
void collect(search *s) {
    best_first_frontier *f = frontier_of(s);
    queue *q = &f->queue;
    int64_t kept = 0, before = q->count;
    for (int64_t i = 0; i < before; i++) {
        int32_t slot = q->entries[i].slot;
        if (hopeless(s, cache_node(&f->cache, slot)->lower_bound)) {
            cache_drop(&f->cache, slot);
        } else {
            q->entries[kept++] = q->entries[i];
        }
    }
    q->count = kept;
    f->collected += before - kept;
    queue_heapify(q);
    events_emit(&s->workers->events,
                (corels_event){.kind = EVENT_COLLECT, .antecedent = -1, .count = before - kept});
}

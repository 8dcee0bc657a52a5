/* One expansion: append every viable antecedent, keep what may lead to something better. */
#include "bits.h"
#include "search.h"

/* The list in s->best, found below `slot`, is the new incumbent. */
void search_improved(corels_search *s, int32_t slot, int64_t objective) {
    s->best_objective = objective;
    events_emit(&s->events, (corels_event){.kind = EVENT_INCUMBENT,
                                           .antecedent = s->best[s->best_length - 1],
                                           .length = s->best_length,
                                           .node = cache_node(&s->cache, slot)->serial,
                                           .objective = objective});
}

/* Take the best child as incumbent if it is better; the first of equals. */
static void improve(corels_search *s, int32_t slot) {
    const corels_children *c = &s->table.children;
    int32_t best = -1;
    int64_t objective = s->best_objective;
    for (int32_t row = 0; row < c->count; row++) {
        if (c->objective[row] < objective) {
            objective = c->objective[row];
            best = row;
        }
    }
    if (best < 0) return;
    s->best_length = cache_path(&s->cache, slot, s->best);
    s->best[s->best_length++] = c->antecedent[best];
    search_improved(s, slot, objective);
}

/* The child that a row of the table stands for enters the cache; the slot or CACHE_NONE. */
static int32_t add_child(corels_search *s, int32_t parent, int32_t row) {
    const corels_children *c = &s->table.children;
    int32_t antecedent = c->antecedent[row];
    int32_t slot = cache_add(&s->cache, parent, antecedent);
    if (slot == CACHE_NONE) return slot;
    node *child = cache_node(&s->cache, slot), *from = cache_node(&s->cache, parent);
    child->lower_bound = c->lower_bound[row];
    child->errors = from->errors + c->errors[row];
    child->captured = c->captured[row];
    child->length = c->length[row];
    if (s->counts_captured) {
        const int32_t *minority = s->counts + (size_t)search_measure(s, MEASURE_MINORITY) *
                                                  corels_counter_stride(s->counter);
        child->minority = from->minority + minority[antecedent];
    }
    const uint64_t *mask = s->masks + (size_t)antecedent * s->point_words;
    uint64_t *left = child->sets, *viable = child->sets + s->point_words;
    const uint64_t *from_viable = from->sets + s->point_words;
    for (int32_t w = 0; w < s->point_words; w++) left[w] = from->sets[w] & ~mask[w];
    for (int32_t w = 0; w < s->antecedent_words; w++) viable[w] = from_viable[w] & ~s->rejected[w];
    clear_bit(viable, antecedent);
    return slot;
}

static int prioritise(corels_search *s) {
    corels_children *c = &s->table.children;
    for (int32_t row = 0; row < c->count; row++) c->serial[row] = s->cache.next_serial + row;
    if (s->policy) {
        s->policy(c, s->options.seed, s->priorities);
        return CORELS_OK;
    }
    return s->options.priority(s->options.handle, c, s->priorities) ? CORELS_PART_FAILED
                                                                    : CORELS_OK;
}

/* Add the survivors to the cache and to the queue, in the order of the policy. */
static int push(corels_search *s, int32_t slot) {
    int32_t count = s->table.children.count;
    if (!count) return CORELS_OK;
    int status = prioritise(s);
    if (status) return status;
    if (!queue_reserve(&s->queue, count)) return CORELS_NO_MEMORY;
    for (int32_t row = 0; row < count; row++) {
        int32_t child = add_child(s, slot, row);
        if (child == CACHE_NONE) return CORELS_NO_MEMORY;
        int64_t serial = cache_node(&s->cache, child)->serial;
        if (s->options.fine_events) {
            search_emit_row(s, EVENT_PUSH, 0, slot, row);
            corels_event *record = &s->events.records[s->events.count - 1];
            record->count = record->node;
            record->node = serial;
            record->objective = s->table.children.objective[row];
        }
        queue_push(&s->queue, s->priorities[row], serial, child);
    }
    return CORELS_OK;
}

/* Garbage collection: drop queued prefixes that cannot beat the new incumbent (Section 5.3). */
static void collect(corels_search *s) {
    queue *q = &s->queue;
    int64_t kept = 0, before = q->count;
    for (int64_t i = 0; i < before; i++) {
        int32_t slot = q->entries[i].slot;
        if (search_hopeless(s, cache_node(&s->cache, slot)->lower_bound))
            cache_drop(&s->cache, slot);
        else
            q->entries[kept++] = q->entries[i];
    }
    q->count = kept;
    queue_heapify(q);
    events_emit(&s->events,
                (corels_event){.kind = EVENT_COLLECT, .antecedent = -1, .count = before - kept});
}

int search_expand(corels_search *s, int32_t slot) {
    node *open = cache_node(&s->cache, slot);
    open->children++; /* held: collecting its children must not drop it */
    s->open = 1;
    s->open_bound = open->lower_bound;
    int64_t before = s->best_objective;
    memset(s->rejected, 0, (size_t)s->antecedent_words * 8);

    search_children(s, slot);
    int status = search_prune(s, slot, 1);
    if (status) return status;
    improve(s, slot);
    if ((status = search_prune(s, slot, 0))) return status;
    if ((status = search_admit(s, slot))) return status;
    if ((status = push(s, slot))) return status;
    if (s->best_objective < before) collect(s);
    open->children--;
    cache_drop(&s->cache, slot);

    s->open = 0;
    int64_t memory = search_memory(s);
    if (memory > s->progress.peak_memory) s->progress.peak_memory = memory;
    return CORELS_OK;
}

/* The loop: Algorithm 1 of the paper with a queue. Everything it does has a file of its own. */
#include "search.h"

/* The next prefix, unless a cheaper one that captures the same has come since. */
static int32_t pop(corels_search *s) {
    while (s->queue.count && events_room(&s->events, 2 * (int64_t)s->antecedents + 16)) {
        queue_entry entry = queue_pop(&s->queue);
        node *n = cache_node(&s->cache, entry.slot);
        if (!search_stale(s, entry.slot)) {
            s->progress.expanded++;
            if (s->options.fine_events)
                events_emit(&s->events, (corels_event){.kind = EVENT_POP,
                                                       .antecedent = -1,
                                                       .length = n->length,
                                                       .node = n->serial,
                                                       .lower_bound = n->lower_bound});
            return entry.slot;
        }
        if (s->options.fine_events)
            events_emit(&s->events,
                        (corels_event){.kind = EVENT_STALE, .antecedent = -1, .node = n->serial});
        cache_drop(&s->cache, entry.slot);
    }
    return CACHE_NONE;
}

static int finish(corels_search *s) {
    events_emit(&s->events, (corels_event){.kind = EVENT_DONE,
                                           .antecedent = -1,
                                           .lower_bound = s->best_objective,
                                           .objective = s->best_objective});
    return CORELS_DONE;
}

int corels_search_step(corels_search *s, int64_t budget) {
    while (s->status == CORELS_OK && budget-- > 0) {
        if (!events_room(&s->events, 2 * (int64_t)s->antecedents + 16)) return CORELS_OK;
        int32_t slot = pop(s);
        if (slot != CACHE_NONE)
            s->status = search_expand(s, slot);
        else if (!s->queue.count)
            s->status = finish(s);
    }
    return s->status;
}

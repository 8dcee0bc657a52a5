/* The loop: Algorithm 1 of the paper with a queue. Everything it does has a file of its own.
 *
 * The loop counts what goes in and out of the queue. If ever a prefix is lost, nothing that the
 * search says is proved, and it ends with a status that says so.
 */
#include "best_first.h"

static void emit_node(const search *s, int32_t kind, const prefix_node *n) {
    if (!s->fine) return;
    events_emit(&s->workers->events,
                (corels_event){.kind = kind,
                               .antecedent = -1,
                               .length = kind == EVENT_POP ? n->length : 0,
                               .node = n->serial,
                               .lower_bound = kind == EVENT_POP ? n->lower_bound : 0});
}

/* Expands the next prefix, unless a cheaper one that captures the same has come since. */
static int expand_next(search *s, int64_t *budget) {
    best_first_frontier *f = frontier_of(s);
    queue_entry entry = queue_pop(&f->queue);
    prefix_node *n = cache_node(&f->cache, entry.slot);
    f->popped++;
    if (is_stale(s, entry.slot)) {
        emit_node(s, EVENT_STALE, n);
        cache_drop(&f->cache, entry.slot);
        return CORELS_OK;
    }
    int64_t mark = s->workers->events.count;
    emit_node(s, EVENT_POP, n);
    note_expanded(s->workers, n->length);
    --*budget;
    int status = best_first_expand(s, entry.slot);
    if (status == CORELS_OK && f->now.node.cut) { /* it is put back, and done again later */
        events_withdraw(&s->workers->events, mark);
        s->workers->seen.expanded--;
        ++*budget;
        queue_push(&f->queue, entry.priority, entry.serial, entry.slot); /* there was room for it */
        f->popped--;
    }
    return status;
}

/* Whether the loop has to come back before the next prefix; search->pause says why. */
static int due(search *s, int64_t budget, int64_t cost) {
    worker *w = s->workers;
    if (budget <= 0 || incumbent_cost(&s->incumbent) < cost || scheduler_due(s, w->seen.counts))
        return 1;
    return step_over(s, w, &s->pause);
}

/* Whether the search holds more than it may. Its driver decides what comes of that, so each
 * step makes at least one expansion. */
static int full(const search *s) {
    return s->memory_limit && held_bytes(s) > s->memory_limit;
}

int best_first_walk(search *s, int64_t *budget) {
    best_first_frontier *f = frontier_of(s);
    int64_t cost = incumbent_cost(&s->incumbent);
    int status = CORELS_OK;
    while (status == CORELS_OK && f->queue.count && !due(s, *budget, cost)) {
        status = expand_next(s, budget);
        if (full(s)) {
            s->pause = CORELS_PAUSE_TIME;
            break;
        }
    }
    if (status != CORELS_OK) return status;
    if (f->pushed != f->popped + f->collected + f->queue.count) return CORELS_LOST;
    return f->queue.count ? CORELS_OK : CORELS_DONE;
}

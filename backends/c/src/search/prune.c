/* Bounds: apply those of one stage in order, count and report what each removes. */
#include "bits.h"
#include "search.h"

void search_emit_row(corels_search *s, int32_t kind, int32_t part, int32_t slot, int32_t row) {
    const corels_children *c = &s->table.children;
    events_emit(&s->events, (corels_event){.kind = kind,
                                           .part = part,
                                           .antecedent = c->antecedent[row],
                                           .length = c->length[row],
                                           .node = cache_node(&s->cache, slot)->serial,
                                           .lower_bound = c->lower_bound[row]});
}

static int apply(corels_search *s, int32_t part, int32_t slot) {
    const corels_children *c = &s->table.children;
    if (s->bounds[part].closes) {
        search_close(s, slot);
        return CORELS_OK;
    }
    if (s->bounds[part].call) {
        s->bounds[part].call(c, s->best_objective, s->keep);
        return CORELS_OK;
    }
    int refused = s->options.keep(s->options.handle, part, c, s->best_objective, s->keep);
    return refused ? CORELS_PART_FAILED : CORELS_OK;
}

static void remove_rows(corels_search *s, int32_t part, int32_t slot) {
    corels_children *c = &s->table.children;
    int reject = s->options.rejection && s->bounds[part].monotone; /* Theorem 12 */
    int64_t removed = 0;
    for (int32_t row = 0; row < c->count; row++) {
        if (s->keep[row]) continue;
        removed++;
        if (reject) set_bit(s->rejected, c->antecedent[row]);
        if (s->options.fine_events) search_emit_row(s, EVENT_PRUNE, part, slot, row);
    }
    s->bounds[part].pruned += removed;
    if (removed) table_compact(c, s->keep);
}

int search_prune(corels_search *s, int32_t slot, int before) {
    for (int32_t part = 0; part < s->bound_count && s->table.children.count; part++) {
        if (s->bounds[part].before != before) continue;
        int status = apply(s, part, slot);
        if (status) return status;
        remove_rows(s, part, slot);
    }
    return CORELS_OK;
}

int search_hopeless(const corels_search *s, int64_t lower_bound) {
    return (s->options.hierarchical && lower_bound >= s->best_objective) ||
           (s->options.lookahead && lower_bound + s->rule_cost >= s->best_objective);
}

/* Closing: a child with room for one rule more gets the best one at once and is not queued. */
#include <string.h>

#include "search.h"

/* The best last rule behind what the child leaves: its antecedent, and the errors of both cells and
 * of the default rule behind them. */
static int32_t best_last_rule(corels_search *s, const uint64_t *left, int64_t *errors) {
    int32_t best = 0, stride = corels_counter_stride(s->counter);
    *errors = INT64_MAX;
    corels_counter_count(s->counter, left, s->scratch, s->closing_counts, s->closing_totals);
    for (int32_t r = 0; r < s->antecedents; r++) {
        int64_t here = INT64_MAX, behind = INT64_MAX;
        for (int32_t k = 0; k < s->classes; k++) {
            int64_t regret = s->closing_counts[(size_t)k * (size_t)stride + (size_t)r];
            int64_t rest = s->closing_totals[k] - regret;
            if (regret < here) here = regret;
            if (rest < behind) behind = rest;
        }
        if (here + behind < *errors) {
            *errors = here + behind;
            best = r;
        }
    }
    return best;
}

static void close_child(corels_search *s, int32_t slot, int32_t row) {
    const corels_children *c = &s->table.children;
    const node *from = cache_node(&s->cache, slot);
    const uint64_t *mask = s->masks + (size_t)c->antecedent[row] * (size_t)s->point_words;
    int64_t errors;
    for (int32_t w = 0; w < s->point_words; w++) s->key[w] = from->sets[w] & ~mask[w];
    int32_t last = best_last_rule(s, s->key, &errors);
    int64_t objective = s->rule_cost * (c->length[row] + 1) +
                        s->unit * (from->errors + c->errors[row] + errors) + s->base;
    if (objective >= s->best_objective) return;
    s->best_length = cache_path(&s->cache, slot, s->best);
    s->best[s->best_length++] = c->antecedent[row];
    s->best[s->best_length++] = last;
    search_improved(s, slot, objective);
}

void search_close(corels_search *s, int32_t slot) {
    const corels_children *c = &s->table.children;
    for (int32_t row = 0; row < c->count; row++) {
        s->keep[row] = c->lower_bound[row] + 2 * s->rule_cost < s->best_objective;
        if (!s->keep[row]) close_child(s, slot, row);
    }
}

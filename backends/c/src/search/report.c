/* What a search says of itself: counts, bounds, bytes. */
#include "search.h"

size_t held_bytes(const search *s) {
    return search_bytes(s) + s->ops->bytes(s);
}

size_t search_bytes(const search *s) {
    size_t bytes = s->fixed_bytes + scheduler_bytes(s) + improve_bytes(s);
    for (int32_t i = 0; s->workers && i < s->worker_count; i++)
        bytes += worker_bytes(s->workers + i);
    return bytes;
}

/* What all workers have done. */
static figures all_seen(const search *s) {
    figures all = {0};
    for (int32_t i = 0; s->workers && i < s->worker_count; i++) {
        const figures *seen = &s->workers[i].seen;
        all.counts += seen->counts;
        all.uncounted += seen->uncounted;
        all.expanded += seen->expanded;
        all.children += seen->children;
        all.merged += seen->merged;
        all.inserted += seen->inserted;
        if (seen->longest > all.longest) all.longest = seen->longest;
    }
    return all;
}

int64_t all_counts(const search *s) {
    return all_seen(s).counts;
}

int64_t spared_counts(const search *s) {
    int64_t uncounted = all_seen(s).uncounted;
    return uncounted - uncounted / s->tune.tables_uncounted;
}

int64_t walked_counts(const search *s) {
    figures all = all_seen(s);
    return all.counts - all.uncounted - s->start_counts;
}

/* The lower bound of everything that is left: the greatest that was ever reported. It takes as long
 * as many expansions, so it is made only on request. */
static void take_stock(search *s) {
    int64_t cost = incumbent_cost(&s->incumbent), proved = s->lower_bound;
    if (s->status == CORELS_DONE)
        proved = cost;
    else if (s->phase == CORELS_PHASE_WALK)
        proved = s->ops->proven(s);
    if (proved > s->lower_bound && keep_open_claims(s) == CORELS_OK) s->lower_bound = proved;
    if (s->lower_bound > cost) s->lower_bound = cost;
    s->stocktaking = 0;
}

void corels_search_look(corels_search *s, corels_report *report) {
    if (s->stocktaking) take_stock(s);
    figures all = all_seen(s);
    *report = (corels_report){.objective = incumbent_cost(&s->incumbent) + s->in.base,
                              .lower_bound = s->lower_bound + s->in.base,
                              .expanded = all.expanded,
                              .counts = all.counts,
                              .children = all.children,
                              .merged = all.merged,
                              .inserted = all.inserted,
                              .length = s->incumbent.length,
                              .longest = all.longest,
                              .pause = s->pause,
                              .settled = -1,
                              .building = scheduler_done(s),
                              .phase = s->building_of >= 0 ? CORELS_PHASE_TABLES : s->phase};
    report->memory = report->peak_memory = (int64_t)search_bytes(s);
    if (s->frontier) s->ops->look(s, report);
    if (report->peak_memory < (int64_t)s->peak_building)
        report->peak_memory = (int64_t)s->peak_building;
}

void corels_search_pruned(const corels_search *s, int64_t *pruned) {
    for (int32_t part = 0; part < s->bound_count; part++) {
        pruned[part] = 0;
        for (int32_t i = 0; s->workers && i < s->worker_count; i++)
            pruned[part] += s->workers[i].pruned[part];
    }
}

int32_t corels_search_best(const corels_search *s, int32_t *rules) {
    int32_t length = s->incumbent.length;
    if (length) memcpy(rules, s->incumbent.rules, (size_t)length * sizeof *rules);
    return length;
}

int64_t corels_search_frontier(const corels_search *s, int32_t *lengths, int64_t *bounds,
                               int64_t capacity) {
    return s->frontier && s->ops->list ? s->ops->list(s, lengths, bounds, capacity) : 0;
}

int32_t corels_search_levels(const corels_search *s, int64_t *counts, int32_t capacity) {
    if (capacity <= 0) return 0;
    memset(counts, 0, (size_t)capacity * sizeof *counts);
    s->ops->levels(s, counts, capacity);
    while (capacity > 0 && !counts[capacity - 1]) capacity--;
    return capacity;
}

const char *corels_search_kernel(const corels_search *s) {
    return s->counter ? corels_counter_kernel(s->counter) : "none";
}

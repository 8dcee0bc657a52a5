/* One step: let every walker walk for a while, build blocks between walks, take stock. */
#include "fast.h"

static void *walk_in_thread(void *walker) {
    corels_walk(walker);
    return NULL;
}

/* All walkers at once; where a thread cannot be started, the others do without. */
static void walk_all(struct corels_fast *fast, int64_t budget) {
    int32_t n = fast->options.threads, started = 0;
    for (int32_t i = 0; i < n; i++) fast->walkers[i].budget = budget;
    for (int32_t i = 1; i < n; i++, started++)
        if (pthread_create(&fast->walkers[i].thread, NULL, walk_in_thread, fast->walkers + i))
            break;
    corels_walk(fast->walkers);
    for (int32_t i = 1; i <= started; i++) pthread_join(fast->walkers[i].thread, NULL);
}

static int any_status(const struct corels_fast *fast) {
    for (int32_t i = 0; fast->walkers && i < fast->options.threads; i++)
        if (fast->walkers[i].status != CORELS_OK) return fast->walkers[i].status;
    return CORELS_OK;
}

/* The lower bound of everything that is left; it never falls. */
static void take_stock(struct corels_fast *fast) {
    int64_t cost = atomic_load(&fast->incumbent.cost);
    if (atomic_load(&fast->done)) {
        fast->lower_bound = cost;
        return;
    }
    for (int32_t i = 0; i < fast->options.threads; i++) {
        int64_t here = corels_open_bound(fast->walkers + i);
        if (here > fast->lower_bound) fast->lower_bound = here;
    }
}

int corels_fast_step(corels_fast *fast, int64_t budget) {
    int status = CORELS_OK;
    int64_t cost = corels_need(fast, 0);
    for (int64_t left = budget; left > 0 && status == CORELS_OK && !atomic_load(&fast->done);) {
        if (corels_need(fast, 0) < cost) break;
        uint64_t before = fast->walkers->seen.counts;
        walk_all(fast, left);
        left -= (int64_t)(fast->walkers->seen.counts - before) + 1;
        status = any_status(fast);
        int due = 0;
        for (int32_t i = 0; i < fast->options.threads; i++)
            due |= corels_stage_due(fast, fast->walkers[i].seen.counts);
        if (due && status == CORELS_OK && !atomic_load(&fast->done)) corels_next_stage(fast);
    }
    take_stock(fast);
    return status == CORELS_OK ? any_status(fast) : status; /* stock may need memory, too */
}

static void add(corels_fast_report *to, const corels_fast_report *one) {
    to->expansions += one->expansions;
    to->counts += one->counts;
    to->children += one->children;
    to->by_cost += one->by_cost;
    to->by_reduced_support += one->by_reduced_support;
    to->by_one_rule += one->by_one_rule;
    to->by_second_rule += one->by_second_rule;
    to->by_dominance += one->by_dominance;
    to->by_similar_support += one->by_similar_support;
    to->by_blocks += one->by_blocks;
    to->by_memo += one->by_memo;
}

void corels_fast_look(const corels_fast *fast, corels_fast_report *report) {
    *report = (corels_fast_report){.cost = atomic_load(&fast->incumbent.cost),
                                   .lower_bound = fast->lower_bound,
                                   .length = fast->incumbent.length,
                                   .incumbents = fast->incumbent.improvements,
                                   .stage = fast->stage};
    if (atomic_load(&fast->done)) {
        report->state = CORELS_FAST_DONE;
        report->lower_bound = report->cost;
    }
    for (int32_t i = 0; fast->walkers && i < fast->options.threads; i++) {
        const corels_walker *walker = fast->walkers + i;
        add(report, &walker->seen);
        if (walker->depth > report->depth) report->depth = walker->depth;
        for (int32_t d = 0; d <= walker->depth; d++)
            report->open += (uint64_t)(walker->frames[d].n - walker->frames[d].next +
                                       walker->frames[d].put_off);
    }
    report->bytes = report->peak_bytes = corels_bytes_but_memo(fast);
    if (fast->memo) {
        corels_memo_usage usage = corels_memo_used(fast->memo);
        report->memo_entries = usage.entries;
        report->memo_forgotten = usage.forgotten;
        report->bytes += usage.bytes;
        report->peak_bytes += usage.peak_bytes;
    }
    if (report->peak_bytes < fast->peak_building) report->peak_bytes = fast->peak_building;
}

/* The search without Python, for the sanitizers: random instances in both frontiers, one thread
 * against several, interrupted from another thread all the while, and with columns of what each
 * rule captures (rule_columns.c). Built and run by `make test-sanitize-threads`; answers 0 if
 * all runs agree.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corels/tuning.h"
#include "set_bounds.h"
#include "threads.h"

enum { POINTS = 70, ANTECEDENTS = 24, WORDS = (POINTS + 63) / 64, INSTANCES = 4 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void make(uint64_t *masks, int32_t *regrets) {
    for (int i = 0; i < ANTECEDENTS * WORDS; i++) masks[i] = draw() & draw();
    for (int r = 0; r < ANTECEDENTS; r++)
        masks[r * WORDS + WORDS - 1] &= (UINT64_C(1) << (POINTS % 64)) - 1;
    for (int i = 0; i < POINTS; i++) {
        int32_t weight = (int32_t)(draw() % 9 + 1), label = (int32_t)(draw() & 1);
        regrets[i] = label ? weight : 0;
        regrets[POINTS + i] = label ? 0 : weight;
    }
}

typedef struct {
    corels_search *search;
    atomic_int over;
} bell;

static void ring(void *bell_) {
    bell *b = bell_;
    while (!atomic_load(&b->over)) corels_search_interrupt(b->search);
}

/* A plugin's bound that keeps every child. */
static int keep_all(const corels_children *c, int64_t incumbent, uint8_t *keep, void *user) {
    (void)incumbent, (void)user;
    for (int32_t i = 0; i < c->count; i++) keep[i] = 1;
    return 0;
}

static int64_t run(corels_search *search, int ringing) {
    corels_report report;
    const corels_event *events;
    bell b = {.search = search};
    thread_task task = {.call = ring, .argument = &b};
    int status = CORELS_OK, started = ringing && thread_start(&task);
    for (int steps = 0; status == CORELS_OK; steps++) {
        status = corels_search_step(search, 500, 0.01);
        corels_search_events(search, &events);
        corels_search_look(search, &report);
        if (report.lower_bound > report.objective) status = CORELS_LOST;
        if (started && steps == 200) atomic_store(&b.over, 1);
    }
    atomic_store(&b.over, 1);
    if (started) thread_join(&task);
    return status == CORELS_DONE ? report.objective : -1;
}

/* The tuning values with which each rule gets columns at its first count. */
static const double *columns_at_once(void) {
    static double values[1000];
    for (int32_t i = 0; i < corels_tuning_count(); i++) {
        const corels_tuning_value *row = corels_tuning_row(i);
        values[i] = row->value;
        if (strcmp(row->name, "rule_columns_points") == 0) values[i] = 0;
        if (strcmp(row->name, "rule_columns_after") == 0) values[i] = 1;
    }
    return values;
}

static int64_t solve(const uint64_t *masks, const int32_t *regrets, int32_t frontier,
                     int32_t threads, int ringing, int columns) {
    corels_instance in = {ANTECEDENTS, POINTS, 2, masks, regrets, NULL, NULL,
                          1,           20,     7, 900,   0,       NULL, 0};
    static const int64_t prices_at[] = {5, 40, 60, 80};
    corels_bound_choice bounds[MOST_BOUNDS + 1] = {{0}};
    int32_t n = set_bounds(bounds);
    set_stages(bounds, n, "prices", prices_at, 4);
    bounds[n].keep = keep_all;
    corels_search_options options = {.frontier = frontier,
                                     .policy = ringing ? "lower_bound" : "objective",
                                     .map = frontier == CORELS_DEPTH_FIRST ? "memo" : "captured",
                                     .bounds = bounds,
                                     .bound_count = n + ringing,
                                     .start = 1,
                                     .fine_events = (uint8_t)ringing,
                                     .threads = threads,
                                     .max_rules = -1,
                                     .seed = 1,
                                     .memory = 1 << 23,
                                     .tune = columns ? columns_at_once() : NULL};
    corels_search *search = NULL;
    if (corels_search_new(&search, &in, &options) != CORELS_OK) return -1;
    int64_t objective = run(search, ringing);
    corels_search_free(search);
    return objective;
}

int main(void) {
    uint64_t masks[ANTECEDENTS * WORDS];
    int32_t regrets[2 * POINTS];
    for (int i = 0; i < INSTANCES; i++) {
        make(masks, regrets);
        int ringing = i / 2;
        int64_t one = solve(masks, regrets, CORELS_DEPTH_FIRST, 1, 0, 0);
        for (int run = 0; run < 6; run++) {
            int32_t threads = 1 + run / 2;
            if (one < 0 ||
                solve(masks, regrets, CORELS_DEPTH_FIRST, threads, ringing, run % 2) != one)
                return 1;
        }
        if (solve(masks, regrets, CORELS_BEST_FIRST, 1, ringing, 0) != one) return 2;
    }
    return 0;
}

/* The start: beam, then polish, until they are done or the step has to come back. */
#include "start.h"

#include <stdlib.h>

static int32_t no_prefix(const void *at, int32_t *rules) {
    (void)at, (void)rules;
    return 0;
}

int32_t start_count(struct start *start, const uint64_t *set) {
    worker_count(start->worker, set, start->counts);
    node_view node = node_of(start->worker, set, start->counts);
    return node_scan(&node);
}

int start_begin(search *s) {
    struct start *start = calloc(1, sizeof *start);
    if (!start) return CORELS_NO_MEMORY;
    s->start = start;
    *start = (struct start){.search = s, .worker = s->workers, .root = {.path = no_prefix}};
    start->counts =
        corels_memory_new((size_t)s->in.measures * (size_t)s->stride, sizeof *start->counts);
    if (!start->counts) return CORELS_NO_MEMORY;
    return beam_new(start);
}

void start_free(search *s) {
    if (!s->start) return;
    beam_free(&s->start->beam);
    polish_free(&s->start->polish);
    corels_memory_free(s->start->counts);
    free(s->start);
    s->start = NULL;
}

/* One piece of whichever is under way. */
static int one_piece(struct start *start) {
    if (start->polishing) return polish_more(start);
    int status = beam_more(start);
    if (status != CORELS_DONE) return status;
    start->polishing = 1;
    return polish_new(start);
}

int start_more(search *s) {
    worker *w = s->workers;
    for (;;) {
        if (!events_room(&w->events)) {
            s->pause = CORELS_PAUSE_EVENTS;
            return CORELS_OK;
        }
        int status = one_piece(s->start);
        if (status != CORELS_OK) return status;
        if (control_due(&s->control, &w->pace)) {
            s->pause = CORELS_PAUSE_TIME;
            return CORELS_OK;
        }
    }
}

#include "search.h"

#include <stdlib.h>
#include <string.h>

static int create_parts(corels_falling *s) {
    const table *t = &s->t;
    store *all = &s->arrays;
    s->counting = store_take(all, corels_counter_scratch(t->counter), 1);
    s->scratch = store_take(all, t->words, sizeof *s->scratch);
    s->path = store_take(all, t->antecedents + 2u, sizeof *s->path);
    s->blocks = store_take(all, t->antecedents + 2u, sizeof *s->blocks);
    incumbent_create(&s->best, t, all);
    return !all->failed && memo_create(&s->seen, t, s->options.memory_limit) && search_reach(s, 1);
}

corels_falling *corels_falling_new(const corels_falling_problem *problem,
                                   const corels_falling_options *options, int32_t *status) {
    corels_falling *s = calloc(1, sizeof *s);
    *status = CORELS_FALLING_NO_MEMORY;
    if (!s) return NULL;
    s->options = *options;
    s->prune.enabled = options->bounds;
    *status = table_build(&s->t, problem);
    if (*status == 0 && !create_parts(s)) *status = CORELS_FALLING_NO_MEMORY;
    if (*status) {
        corels_falling_free(s);
        return NULL;
    }
    s->max_rules = options->max_rules < s->t.antecedents ? options->max_rules : s->t.antecedents;
    s->status = CORELS_FALLING_RUNNING;
    return s;
}

void corels_falling_free(corels_falling *s) {
    if (!s) return;
    for (uint32_t i = 0; i < s->frame_count; i++) store_free(&s->frames[i].arrays);
    free(s->frames);
    memo_destroy(&s->seen);
    store_free(&s->arrays);
    table_free(&s->t);
    free(s);
}

int search_reach(corels_falling *s, uint32_t depth) {
    while (s->frame_count <= depth) {
        frame *frames = realloc(s->frames, (s->frame_count + 1u) * sizeof *frames);
        if (!frames) return 0;
        s->frames = frames;
        if (!frame_create(&frames[s->frame_count], &s->t)) return 0;
        s->frame_count++;
    }
    return 1;
}

int32_t search_consider(corels_falling *s, const frame *f, const child *c, cost total) {
    if (total.low >= s->best.total.high) return 0;
    uint32_t length = f->length;
    if (c) {
        s->path[length] = c->antecedent;
        s->blocks[length++] = (block){c->p, c->q};
    }
    s->blocks[length] =
        c ? (block){c->positives, c->negatives} : (block){f->positives, f->negatives};
    int beaten = incumbent_beaten(&s->best, &s->t, s->blocks, length, total);
    if (beaten < 0) return CORELS_FALLING_NO_MEMORY;
    if (!beaten) return 0;
    incumbent_replace(&s->best, s->path, s->blocks, length, total);
    events_emit(&s->waiting,
                (corels_falling_event){EVENT_INCUMBENT, -1, -1, (int32_t)length,
                                       (int64_t)s->statistics.visited, 0, 0, total.high});
    return 0;
}

int32_t corels_falling_step(corels_falling *s, uint64_t budget) {
    if (s->status == CORELS_FALLING_DONE || s->status < 0) return s->status;
    s->status = exact_step(s, budget);
    return s->status;
}

void corels_falling_prove(corels_falling *s) {
    s->proving = 1;
}

/* A list offered from outside is walked rule by rule, exactly as a search would reach it. */
int32_t corels_falling_offer(corels_falling *s, const uint32_t *rules, uint32_t length) {
    if (s->started || length > s->max_rules || !search_reach(s, 2)) return 0;
    frame *f = &s->frames[0], *g = &s->frames[1];
    frame_root(f, &s->t, s->counting);
    cost total = frame_closed(&s->t, f);
    for (uint32_t i = 0; i < length; i++) {
        child c;
        if (rules[i] >= s->t.antecedents || !child_evaluate(&c, &s->t, f, rules[i])) return 0;
        s->path[i] = rules[i];
        s->blocks[i] = (block){c.p, c.q};
        child_left(&s->t, f, &c, g->left);
        frame_extend(g, &s->t, s->counting, f, &c, s->scratch);
        total = c.closed;
        frame *swap = f;
        f = g, g = swap;
    }
    cost before = s->best.total;
    if (search_consider(s, f, NULL, total)) return CORELS_FALLING_NO_MEMORY;
    return s->best.total.low != before.low || s->best.total.high != before.high;
}

uint32_t corels_falling_best(const corels_falling *s, uint32_t *rules, uint32_t room) {
    uint32_t n = s->best.length < room ? s->best.length : room;
    if (n) memcpy(rules, s->best.rules, n * sizeof *rules);
    return s->best.length;
}

corels_falling_statistics corels_falling_read(const corels_falling *s) {
    corels_falling_statistics out = s->statistics;
    memcpy(out.pruned, s->prune.pruned, sizeof out.pruned);
    out.memo_entries = s->seen.used;
    out.memo_bytes = memo_bytes(&s->seen);
    out.best_cost = s->best.total.high;
    if (!s->started) return out;
    out.bound = exact_lower_bound(s);
    out.settled = exact_settled(s);
    for (uint32_t i = 0; i <= s->depth && i < s->frame_count; i++)
        out.open += s->frames[i].child_count - s->frames[i].next;
    return out;
}

size_t corels_falling_drain(corels_falling *s, corels_falling_event *out, size_t room) {
    return events_drain(&s->waiting, out, room);
}

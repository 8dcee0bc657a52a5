/* A good list before the walk: a beam.
 *
 * Keep the `beam_width` best prefixes of each length, judged by the cost of closing them with a
 * default rule; extend each by every antecedent. One count gives all extensions of a prefix, so a
 * level costs so many counts. Every extension is also a list, and the best of them all is the
 * incumbent. Two prefixes of equal cost and equal closing cost most often leave the same points:
 * one is kept. A step may end between any two counts.
 */
#include <stdlib.h>

#include "expand.h"

/* A prefix of the beam. */
typedef struct {
    int64_t cost;   /* of the prefix */
    int64_t closed; /* of the list that ends here */
    int32_t rules[MOST_RULES];
    int32_t parent;
} beam_state;

/* One level of the beam, and the next one in the making. */
typedef struct {
    beam_state *now, *next; /* [tune->beam_width] */
    uint64_t *sets, *next_sets;
    int32_t n, n_next, length, at; /* `at`: the state to be extended next */
    int64_t before;                /* the incumbent's cost when the level began */
    int idle;                      /* levels without an improvement */
} beam;

struct start {
    search *search;
    worker *worker; /* for its scratch: no worker walks yet */
    store arrays;
    int32_t *counts;
    beam beam;
};

/* Counts a set, which leaves errors and closings in the worker; returns the least closing. */
static int32_t start_count(struct start *start, const uint64_t *set) {
    worker_count(start->worker, set, start->counts);
    node_view node = node_of(start->worker, set, start->counts);
    return node_scan(&node);
}

static int beam_new(struct start *start) {
    const instance *in = &start->search->in;
    size_t words = (size_t)in->words, width = (size_t)start->search->tune.beam_width;
    beam *b = &start->beam;
    store *all = &start->arrays;
    *b = (beam){.n = 1, .before = incumbent_cost(&start->search->incumbent)};
    b->now = store_take(all, width + 1, sizeof *b->now);
    b->next = store_take(all, width + 1, sizeof *b->next);
    b->sets = store_take(all, width * words, sizeof *b->sets);
    b->next_sets = store_take(all, width * words, sizeof *b->next_sets);
    if (all->failed) return CORELS_NO_MEMORY;
    corels_fill(b->sets, in->points);
    return CORELS_OK;
}

/* Puts an extension among the best of the next level, which are sorted by `closed`. */
static void consider(beam *b, int32_t width, int32_t r, int64_t cost, int64_t closed) {
    const beam_state *from = b->now + b->at;
    if (b->n_next == width && closed >= b->next[width - 1].closed) return;
    int32_t place = b->n_next;
    while (place > 0 && b->next[place - 1].closed > closed) place--;
    for (int32_t i = place; i > 0 && b->next[i - 1].closed == closed; i--)
        if (b->next[i - 1].cost == cost) return;
    int32_t last = b->n_next < width ? b->n_next++ : width - 1;
    memmove(b->next + place + 1, b->next + place, (size_t)(last - place) * sizeof *b->next);
    beam_state *fresh = b->next + place;
    fresh->cost = cost;
    fresh->closed = closed;
    fresh->parent = b->at;
    memcpy(fresh->rules, from->rules, (size_t)b->length * sizeof *from->rules);
    fresh->rules[b->length] = r;
}

static void extend(struct start *start) {
    const instance *in = &start->search->in;
    const worker *w = start->worker;
    beam *b = &start->beam;
    int64_t before = b->now[b->at].cost + in->rule_cost;
    start_count(start, b->sets + (size_t)b->at * (size_t)in->words);
    for (int32_t r = 0; r < in->antecedents; r++) {
        int64_t cost = before + in->unit * w->errors[r];
        if (cost < incumbent_cost(&start->search->incumbent))
            consider(b, (int32_t)start->search->tune.beam_width, r, cost,
                     before + in->unit * w->closing[r]);
    }
    b->at++;
}

static void next_level(struct start *start) {
    search *s = start->search;
    beam *b = &start->beam;
    size_t words = (size_t)s->in.words;
    for (int32_t i = 0; i < b->n_next; i++) {
        const beam_state *state = b->next + i;
        take_bits(b->next_sets + (size_t)i * words, b->sets + (size_t)state->parent * words,
                  mask_of(s, state->rules[b->length]), s->in.words);
    }
    beam_state *states = b->now;
    uint64_t *sets = b->sets;
    b->now = b->next, b->next = states;
    b->sets = b->next_sets, b->next_sets = sets;
    b->n = b->n_next, b->n_next = b->at = 0;
    b->length++;
    if (b->n) offer_list(start->worker, NULL, b->now->closed, b->now->rules, b->length);
    int64_t cost = incumbent_cost(&s->incumbent);
    b->idle = cost < b->before ? 0 : b->idle + 1;
    b->before = cost;
}

/* One count, or the step to the next level. CORELS_DONE at the end. */
static int beam_more(struct start *start) {
    beam *b = &start->beam;
    if (b->at < b->n)
        extend(start);
    else
        next_level(start);
    if (b->at) return CORELS_OK; /* inside a level */
    const search *s = start->search;
    const tuning *t = &s->tune;
    /* With as many rules as points, or as antecedents, the rest capture nothing. */
    int64_t longest = t->beam_longest;
    lower(&longest, s->max_rules);
    lower(&longest, s->in.points);
    lower(&longest, s->in.antecedents);
    int ended = !b->n || b->idle >= t->beam_idle_levels || b->length >= longest;
    return ended ? CORELS_DONE : CORELS_OK;
}

int start_begin(search *s) {
    struct start *start = calloc(1, sizeof *start);
    if (!start) return CORELS_NO_MEMORY;
    s->start = start;
    *start = (struct start){.search = s, .worker = s->workers};
    size_t n = (size_t)s->in.measures * (size_t)s->stride;
    start->counts = store_take(&start->arrays, n, sizeof *start->counts);
    return beam_new(start);
}

void start_free(search *s) {
    if (!s->start) return;
    store_free(&s->start->arrays);
    free(s->start);
    s->start = NULL;
}

int start_more(search *s) {
    int status = CORELS_OK;
    while (status == CORELS_OK && !step_over(s, s->workers, &s->pause))
        status = beam_more(s->start);
    return status;
}

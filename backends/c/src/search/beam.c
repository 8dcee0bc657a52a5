/* A strong incumbent before the search: a beam.
 *
 * Keep the `beam_width` best prefixes of each length, judged by the cost of closing them with a
 * default rule; extend each by every antecedent. One count gives all extensions of a prefix, so a
 * level costs so many counts. Every extension is also a list, and the best of them all is the
 * incumbent. Two prefixes of equal cost and equal closing cost most often leave the same points:
 * one is kept.
 */
#include <stdlib.h>

#include "start.h"

int beam_new(struct start *start) {
    const instance *in = &start->search->in;
    size_t words = (size_t)in->words, width = (size_t)start->search->tune.beam_width;
    beam *b = &start->beam;
    *b = (beam){.n = 1, .before = incumbent_cost(&start->search->incumbent)};
    b->now = calloc(width + 1, sizeof *b->now);
    b->next = calloc(width + 1, sizeof *b->next);
    b->sets = calloc(width * words, sizeof *b->sets);
    b->next_sets = calloc(width * words, sizeof *b->next_sets);
    if (!b->now || !b->next || !b->sets || !b->next_sets) return CORELS_NO_MEMORY;
    fill_bits(b->sets, in->points);
    return CORELS_OK;
}

void beam_free(beam *b) {
    free(b->now);
    free(b->next);
    free(b->sets);
    free(b->next_sets);
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
    if (b->n) offer_list(start->worker, &start->root, b->now->closed, b->now->rules, b->length);
    int64_t cost = incumbent_cost(&s->incumbent);
    b->idle = cost < b->before ? 0 : b->idle + 1;
    b->before = cost;
}

int beam_more(struct start *start) {
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

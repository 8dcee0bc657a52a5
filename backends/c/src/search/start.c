/* A good list before the walk: a beam, then exchanges of single rules (polish), until they are done
 * or the step has to come back. Both count one set after another, so that a step can end between
 * any two counts.
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

/* The exchanges. */
typedef struct {
    uint64_t *above, *set;  /* before the exchanged rule, and behind it */
    int32_t *errors;        /* of each antecedent on `above` */
    int32_t *old, n;        /* the list whose rules are exchanged */
    int32_t *rules, length; /* the list in the making */
    int64_t cost;           /* of those */
    int64_t before;         /* the incumbent's cost when the sweep began */
    int32_t at;             /* the place */
    int64_t next; /* to be tried there: antecedent r instead of the rule, as 2 r, or before
                     it, as 2 r + 1; -1: none yet */
    int64_t counts;
} polish;

struct start {
    search *search;
    worker *worker; /* for its scratch: nobody walks yet */
    store arrays;
    int32_t *counts;
    beam beam;
    polish polish;
    int polishing;
};

/* Counts a set, which leaves errors and closings in the worker; returns the least closing. */
static int32_t start_count(struct start *start, const uint64_t *set) {
    worker_count(start->worker, set, start->counts);
    node_view node = node_of(start->worker, set, start->counts);
    return node_scan(&node);
}

/* A strong incumbent before the search: a beam.
 *
 * Keep the `beam_width` best prefixes of each length, judged by the cost of closing them with a
 * default rule; extend each by every antecedent. One count gives all extensions of a prefix, so a
 * level costs so many counts. Every extension is also a list, and the best of them all is the
 * incumbent. Two prefixes of equal cost and equal closing cost most often leave the same points:
 * one is kept.
 */

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
    fill_bits(b->sets, in->points);
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

/* A better incumbent before the search: exchange one rule of the list.
 *
 * The beam keeps what is good early; a rule that pays only together with a later one is lost to it.
 * So try all lists that have one other antecedent than the incumbent in one place, or one more, and
 * then the best last rule there is: the incumbent's own last rule is not kept, since one count
 * tells the best. Go on from each better list, until there is none or the counts are spent.
 */

/* Where a count takes long, no more than read so many words. */
static int64_t most_counts(const search *s) {
    int64_t counts = s->tune.polish_words / ((int64_t)s->in.antecedents * s->in.words + 1);
    return counts < s->tune.polish_counts ? counts : s->tune.polish_counts;
}

static int polish_new(struct start *start) {
    const instance *in = &start->search->in;
    size_t words = (size_t)in->words, room = (size_t)start->search->incumbent.room;
    polish *p = &start->polish;
    store *all = &start->arrays;
    *p = (polish){.before = INT64_MAX, .next = -1};
    p->above = store_take(all, words, sizeof *p->above);
    p->set = store_take(all, words, sizeof *p->set);
    p->errors = store_take(all, (size_t)in->antecedents, sizeof *p->errors);
    p->old = store_take(all, room, sizeof *p->old);
    p->rules = store_take(all, room + 2, sizeof *p->rules);
    return all->failed ? CORELS_NO_MEMORY : CORELS_OK;
}

/* Counts `set`, which leaves its errors in the worker, and offers the best list that ends with one
 * rule more. */
static void count(struct start *start, const uint64_t *set) {
    const search *s = start->search;
    const int32_t *closing = start->worker->closing;
    polish *p = &start->polish;
    int32_t least = start_count(start, set), last = 0;
    p->counts++;
    int64_t cost = p->cost + s->in.rule_cost + s->in.unit * least;
    if (cost >= incumbent_cost(&s->incumbent)) return;
    while (closing[last] != least) last++;
    p->rules[p->length] = last;
    offer_list(start->worker, NULL, cost, p->rules, p->length + 1);
}

static void append(struct start *start, uint64_t *set, int32_t r, int32_t errors) {
    const instance *in = &start->search->in;
    polish *p = &start->polish;
    take_bits(set, set, mask_of(start->search, r), in->words);
    p->rules[p->length++] = r;
    p->cost += in->rule_cost + in->unit * errors;
}

/* Whether no better list has one rule more. */
static int hopeless(const struct start *start) {
    const search *s = start->search;
    if (start->polish.length >= s->max_rules) return 1;
    return start->polish.cost + s->in.rule_cost >= incumbent_cost(&s->incumbent);
}

/* r in the place to be filled, then the rules `rest`, then the best last one. */
static void try_rule(struct start *start, int32_t r, const int32_t *rest, int32_t n) {
    polish *p = &start->polish;
    int32_t length = p->length;
    int64_t cost = p->cost;
    memcpy(p->set, p->above, (size_t)start->search->in.words * sizeof *p->set);
    append(start, p->set, r, p->errors[r]);
    for (int32_t i = 0; i < n && !hopeless(start); i++) {
        count(start, p->set);
        append(start, p->set, rest[i], start->worker->errors[rest[i]]);
    }
    if (!hopeless(start)) count(start, p->set);
    p->length = length;
    p->cost = cost;
}

/* The antecedent r in the present place of the list: instead of old[at], or before it. */
static void try_antecedent(struct start *start, int32_t r, int instead) {
    const search *s = start->search;
    const polish *p = &start->polish;
    const int32_t *rules = p->old + p->at;
    int32_t n = p->n - p->at;
    int64_t cost = p->cost + 2 * s->in.rule_cost + s->in.unit * p->errors[r];
    if (r == rules[0] || cost >= incumbent_cost(&s->incumbent)) return;
    if (!instead)
        try_rule(start, r, rules, n - 1);
    else if (n > 1)
        try_rule(start, r, rules + 1, n - 2);
}

/* A sweep over the incumbent as it is now, if the last one has improved it. */
static int begin_sweep(struct start *start) {
    const search *s = start->search;
    polish *p = &start->polish;
    int64_t cost = incumbent_cost(&s->incumbent);
    if (cost >= p->before || p->counts >= most_counts(s)) return CORELS_DONE;
    p->before = cost;
    p->n = s->incumbent.length;
    memcpy(p->old, s->incumbent.rules, (size_t)p->n * sizeof *p->old);
    p->at = p->length = 0;
    p->cost = 0;
    fill_bits(p->above, s->in.points);
    return p->n ? CORELS_OK : CORELS_DONE;
}

static void begin_place(struct start *start) {
    polish *p = &start->polish;
    count(start, p->above);
    memcpy(p->errors, start->worker->errors,
           (size_t)start->search->in.antecedents * sizeof *p->errors);
    p->next = 0;
}

static void end_place(struct start *start) {
    polish *p = &start->polish;
    append(start, p->above, p->old[p->at], p->errors[p->old[p->at]]);
    p->at++;
    p->next = -1;
}

/* One antecedent in one place, in one way. CORELS_DONE at the end. */
static int polish_more(struct start *start) {
    polish *p = &start->polish;
    int spent = p->counts >= most_counts(start->search), half = p->next > 0 && p->next % 2;
    if (half || (p->next >= 0 && p->next / 2 < start->search->in.antecedents && !spent)) {
        try_antecedent(start, (int32_t)(p->next / 2), !half);
        p->next++;
    } else if (p->next >= 0)
        end_place(start);
    else if (p->at < p->n && !spent)
        begin_place(start);
    else
        return begin_sweep(start);
    return CORELS_OK;
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

/* One piece of whichever is under way. */
static int one_piece(struct start *start) {
    if (start->polishing) return polish_more(start);
    int status = beam_more(start);
    if (status != CORELS_DONE) return status;
    start->polishing = 1;
    return polish_new(start);
}

int start_more(search *s) {
    int status = CORELS_OK;
    while (status == CORELS_OK && !step_over(s, s->workers, &s->pause))
        status = one_piece(s->start);
    return status;
}

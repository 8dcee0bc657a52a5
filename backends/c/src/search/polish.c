/* A better incumbent before the search: exchange one rule of the list.
 *
 * The beam keeps what is good early; a rule that pays only together with a later one is lost to it.
 * So try all lists that have one other antecedent than the incumbent in one place, or one more, and
 * then the best last rule there is: the incumbent's own last rule is not kept, since one count
 * tells the best. Go on from each better list, until there is none or the counts are spent.
 */
#include <stdlib.h>

#include "start.h"

/* Where a count takes long, no more than read so many words. */
static int64_t most_counts(const search *s) {
    int64_t counts = s->tune.polish_words / ((int64_t)s->in.antecedents * s->in.words + 1);
    return counts < s->tune.polish_counts ? counts : s->tune.polish_counts;
}

int polish_new(struct start *start) {
    const instance *in = &start->search->in;
    size_t words = (size_t)in->words, room = (size_t)start->search->incumbent.room;
    polish *p = &start->polish;
    *p = (polish){.before = INT64_MAX, .r = -1};
    p->above = calloc(2 * words, sizeof *p->above);
    p->errors = calloc((size_t)in->antecedents + 1, sizeof *p->errors);
    p->old = calloc(2 * room + 2, sizeof *p->old);
    if (!p->above || !p->errors || !p->old) return CORELS_NO_MEMORY;
    p->set = p->above + words;
    p->rules = p->old + room;
    return CORELS_OK;
}

void polish_free(polish *p) {
    free(p->above);
    free(p->errors);
    free(p->old);
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
    offer_list(start->worker, &start->root, cost, p->rules, p->length + 1);
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
    p->r = 0;
}

static void end_place(struct start *start) {
    polish *p = &start->polish;
    append(start, p->above, p->old[p->at], p->errors[p->old[p->at]]);
    p->at++;
    p->r = -1;
}

int polish_more(struct start *start) {
    polish *p = &start->polish;
    int spent = p->counts >= most_counts(start->search);
    if (p->before_it) {
        try_antecedent(start, p->r++, 0);
        p->before_it = 0;
    } else if (p->r >= 0 && p->r < start->search->in.antecedents && !spent) {
        try_antecedent(start, p->r, 1);
        p->before_it = 1;
    } else if (p->r >= 0)
        end_place(start);
    else if (p->at < p->n && !spent)
        begin_place(start);
    else
        return begin_sweep(start);
    return CORELS_OK;
}

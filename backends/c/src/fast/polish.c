/* A better incumbent before the search: exchange one rule of the list.
 *
 * The beam (start.c) keeps what is good early; a rule that pays only together with a later one is
 * lost to it. So try all lists that have one other antecedent than the incumbent in one place, or
 * one more, and then the best last rule there is: the incumbent's own last rule is not kept, since
 * one count tells the best. Go on from each better list, until there is none or the counts are
 * spent.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

enum { MOST_COUNTS = 10000 };

typedef struct {
    struct corels_fast *fast;
    corels_walker *walker;   /* for its scratch */
    uint64_t *above, *set;   /* before the exchanged rule, and behind it */
    int32_t *rules, *errors; /* the list in the making; the errors of each antecedent on `above` */
    int32_t length;          /* rules in the making */
    int64_t cost;            /* of those */
    int64_t counts;
    int status;
} polish;

/* Counts `set`, which leaves its errors in the walker, and offers the best list that ends with one
 * rule more. */
static void count(polish *p, const uint64_t *set) {
    struct corels_fast *fast = p->fast;
    corels_frame *frame = p->walker->frames; /* nobody walks yet */
    corels_counter_count(fast->counter, set, p->walker->scratch, frame->counts, p->walker->totals);
    corels_node node = corels_node_of(p->walker, frame);
    int32_t least = corels_node_scan(&node), last = 0;
    p->counts++, p->walker->seen.counts++;
    int64_t cost = p->cost + fast->in.rule_cost + fast->in.unit * least;
    if (cost >= corels_need(fast, 0)) return;
    while (node.closing[last] != least) last++;
    p->rules[p->length] = last;
    p->status |= corels_offer(&fast->incumbent, cost, p->rules, p->length + 1);
}

static void append(polish *p, uint64_t *set, int32_t r, int32_t errors) {
    const struct corels_fast *fast = p->fast;
    const uint64_t *mask = fast->masks + (size_t)r * fast->words;
    for (int32_t w = 0; w < fast->words; w++) set[w] &= ~mask[w];
    p->rules[p->length++] = r;
    p->cost += fast->in.rule_cost + fast->in.unit * errors;
}

static int hopeless(const polish *p) {
    return p->cost + p->fast->in.rule_cost >= corels_need(p->fast, 0) || p->status;
}

/* r in the place to be filled, then the rules `rest`, then the best last one. */
static void try_rule(polish *p, int32_t r, const int32_t *rest, int32_t n) {
    size_t bytes = (size_t)p->fast->words * sizeof *p->set;
    int32_t length = p->length;
    int64_t cost = p->cost;
    memcpy(p->set, p->above, bytes);
    append(p, p->set, r, p->errors[r]);
    for (int32_t i = 0; i < n && !hopeless(p); i++) {
        count(p, p->set);
        append(p, p->set, rest[i], p->walker->errors[rest[i]]);
    }
    if (!hopeless(p)) count(p, p->set);
    p->length = length;
    p->cost = cost;
}

/* All exchanges in the present place, before rules[0] of the `n` that are left of the list. */
static void try_place(polish *p, const int32_t *rules, int32_t n) {
    const struct corels_fast *fast = p->fast;
    count(p, p->above);
    memcpy(p->errors, p->walker->errors, (size_t)fast->in.antecedents * sizeof *p->errors);
    for (int32_t r = 0; r < fast->in.antecedents && p->counts < MOST_COUNTS; r++) {
        if (r == rules[0] ||
            p->cost + 2 * fast->in.rule_cost + fast->in.unit * p->errors[r] >= corels_need(fast, 0))
            continue;
        if (n > 1) try_rule(p, r, rules + 1, n - 2); /* instead of rules[0] */
        try_rule(p, r, rules, n - 1);                /* before it */
    }
}

static void sweep(polish *p, const int32_t *rules, int32_t n) {
    const struct corels_fast *fast = p->fast;
    p->length = 0;
    p->cost = 0;
    memset(p->above, 0, (size_t)fast->words * sizeof *p->above);
    for (int32_t i = 0; i < fast->in.points; i++) p->above[i / 64] |= UINT64_C(1) << (i % 64);
    for (int32_t at = 0; at < n && p->counts < MOST_COUNTS && !p->status; at++) {
        try_place(p, rules + at, n - at);
        append(p, p->above, rules[at], p->errors[rules[at]]);
    }
}

/* All exchanges in the incumbent as it is now. */
static void sweep_incumbent(polish *p) {
    int32_t n = p->fast->incumbent.length;
    int32_t *rules = malloc(((size_t)2 * n + 2) * sizeof *rules);
    if (!rules) {
        p->status = CORELS_NO_MEMORY;
        return;
    }
    memcpy(rules, p->fast->incumbent.rules, (size_t)n * sizeof *rules);
    p->rules = rules + n;
    sweep(p, rules, n);
    free(rules);
}

int corels_polish(struct corels_fast *fast) {
    size_t words = (size_t)fast->words;
    polish p = {.fast = fast, .walker = fast->walkers};
    if (!fast->incumbent.length) return CORELS_OK;
    p.above = malloc(2 * words * sizeof *p.above);
    p.errors = malloc((size_t)fast->in.antecedents * sizeof *p.errors);
    if (p.above && p.errors)
        p.set = p.above + words;
    else
        p.status = CORELS_NO_MEMORY;
    for (int64_t before = INT64_MAX; !p.status && corels_need(fast, 0) < before;) {
        before = corels_need(fast, 0);
        if (p.counts < MOST_COUNTS) sweep_incumbent(&p);
    }
    free(p.above);
    free(p.errors);
    return p.status;
}

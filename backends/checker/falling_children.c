/* One more rule behind a prefix: does every list that begins so cost the conclusion? The reasons
 * are those of corels/proofcheck/falling/checking.py. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <string.h>

/* a - b where that is certain, in whole numbers or by the margin; else `near` is set. */
static double difference(const checker *c, amount a, amount b, int *near) {
    double whole = (double)(a.whole - b.whole);
    *near = 0;
    if (a.rises == 0 && b.rises == 0) return whole;
    whole += (double)c->t.violation * (a.rises - b.rises);
    *near = whole > -c->margin && whole < c->margin;
    return whole;
}

/* The terms of the conclusion, where it is the cost of the proof's own list. */
static int put_total(checker *c, int sign) {
    if (c->t.total >= 0) return 1;
    const state *s = &c->states[c->list_end];
    return exact_state(c, c->list_end, sign) && exact_rise(c, c->list_rest, s->least, sign);
}

/* Does the state cost no more than the child? MEMORY where that cannot be found out. */
static int no_dearer(checker *c, uint32_t number, const frame *f, const child *x) {
    const state *s = &c->states[number];
    if (s->parent == f->number && s->rule == x->rule) return 1;
    int near, sign;
    double more = difference(c, s->paid, x->paid, &near);
    if (!near) return more <= 0;
    exact_begin(c);
    if (!exact_state(c, number, 1) || !exact_state(c, f->number, -1) ||
        !exact_rise(c, x->own, c->states[f->number].least, -1) ||
        !exact_sign(c, s->paid.whole - x->paid.whole, &sign))
        return MEMORY;
    return sign <= 0;
}

/* Of a proof that is trimmed: what a prefix leans on is looked at, too. */
static void want(checker *c, uint32_t number) {
    if (!c->given.wanted || c->given.wanted[number]) return;
    c->given.wanted[number] = 1;
    if (number < c->at) c->again = 1;
}

static int listed(checker *c, const frame *f, const child *x) {
    const uint64_t *mask = mask_of(c, x->rule);
    uint64_t *left = c->scratch, *other = c->scratch + c->words;
    uint32_t found = 0;
    for (uint32_t w = 0; w < c->words; w++) left[w] = f->left[w] & ~mask[w];
    const uint64_t digest = digest_of(left, c->words);
    for (uint64_t i = digest & c->slot_mask; c->slots[i]; i = (i + 1) & c->slot_mask) {
        const state *s = &c->states[c->slots[i]];
        if (s->digest != digest || s->length > c->states[f->number].length + 1) continue;
        if (share_less(s->least, x->least)) continue;
        const int cheap = no_dearer(c, c->slots[i], f, x);
        if (cheap == MEMORY) return MEMORY;
        if (!cheap) continue;
        leave(c, c->slots[i], other);
        if (memcmp(left, other, c->words * sizeof *left) != 0) continue;
        if (!c->given.wanted || c->given.wanted[c->slots[i]]) return 1;
        if (!found) found = c->slots[i];
    }
    if (found) want(c, found);
    return found != 0;
}

/* The last two rules in the other order, or the last one alone if it captures what both do. */
static int swapped(checker *c, const frame *f, const child *x) {
    const state *last = &c->states[f->number];
    if (!last->length) return 0;
    const frame *below = f - 1;
    const state *base = &c->states[below->number];
    const uint32_t p1 = below->p[x->rule], n1 = p1 + below->q[x->rule];
    const share first = {p1, n1};
    const share second = {last->own.part + x->own.part - p1, last->own.whole + x->own.whole - n1};
    if (!n1 || (!c->soft && share_less(base->least, first))) return 0;
    share least = share_less(first, base->least) ? first : base->least;
    amount paid = {base->paid.whole + c->t.rule + block(c, p1, n1 - p1),
                   base->paid.rises + rise(c, first, base->least)};
    const share between = least;
    if (second.whole) {
        if (!c->soft && share_less(least, second)) return 0;
        paid.whole += c->t.rule + block(c, second.part, second.whole - second.part);
        paid.rises += rise(c, second, between);
        if (share_less(second, least)) least = second;
    }
    if (share_less(least, x->least)) return 0;
    int near, sign;
    double more = difference(c, paid, x->paid, &near);
    if (near) {
        exact_begin(c);
        if (!exact_state(c, below->number, 1) || !exact_rise(c, first, base->least, 1) ||
            !exact_rise(c, second, between, 1) || !exact_state(c, f->number, -1) ||
            !exact_rise(c, x->own, last->least, -1) ||
            !exact_sign(c, paid.whole - x->paid.whole, &sign))
            return MEMORY;
        more = sign;
    }
    return more < 0 || (more == 0 && (!second.whole || share_less(x->least, least)));
}

/* Does a list that begins with the frame's prefix, and then with the child's rule where there is a
 * child, cost the conclusion if it ends there? */
int closed_reaches(checker *c, const frame *f, const child *x) {
    const state *s = &c->states[f->number];
    const share rest = x ? x->rest : (share){f->all_p, f->all_p + f->all_q};
    const share least = x ? x->least : s->least;
    amount closed = x ? x->paid : s->paid;
    closed.whole += block(c, rest.part, rest.whole - rest.part);
    closed.rises += rise(c, rest, least);
    int near, sign;
    const double more = difference(c, closed, c->total, &near);
    if (!near) return more >= 0;
    exact_begin(c);
    if (!exact_state(c, f->number, 1) || (x && !exact_rise(c, x->own, s->least, 1)) ||
        !exact_rise(c, rest, least, 1) || !put_total(c, -1) ||
        !exact_sign(c, closed.whole - c->total.whole, &sign))
        return MEMORY;
    return sign >= 0;
}

/* The child, or 0 where it cannot be. */
static int child_of(const checker *c, const frame *f, uint32_t rule, child *x) {
    const corels_falling_table *t = &c->t;
    const state *s = &c->states[f->number];
    const uint32_t p = f->p[rule], q = f->q[rule], P = f->all_p - p, Q = f->all_q - q;
    if (p + q == 0 || P + Q == 0) return 0;
    if (!c->soft && t->positive * (int64_t)p <= t->unit * (int64_t)q) return 0;
    *x = (child){.rule = rule, .own = {p, p + q}, .least = s->least, .rest = {P, P + Q}};
    if (!c->soft && (share_less(s->least, x->own) || share_less(x->own, x->rest))) return 0;
    if (share_less(x->own, s->least)) x->least = x->own;
    x->paid = (amount){s->paid.whole + t->rule + block(c, p, q),
                       s->paid.rises + rise(c, x->own, s->least)};
    return 1;
}

/* Whatever extends the child costs the conclusion, by its bounds. */
static int bounded(const checker *c, const frame *f, child *x) {
    for (int k = 0; k < COUNTS; k++)
        x->left[k] = f->all[k] - f->counts[(size_t)k * c->lanes + x->rule];
    const int64_t need = c->total.whole - x->paid.whole - c->t.rule;
    if (!c->soft) return rows_reach(c, x->left, x->least, need);
    return soft_reaches(c, x,
                        (double)need + (double)c->t.violation * (c->total.rises - x->paid.rises));
}

/* Every list that begins with the frame's prefix and this rule costs the conclusion. `exact`: no
 * bound in exact fractions could show more. */
int enough(checker *c, const frame *f, uint32_t rule, int32_t *exact) {
    child x;
    *exact = 1;
    if (!child_of(c, f, rule, &x)) return 1;
    const int closed = closed_reaches(c, f, &x);
    if (closed != 1) return closed;
    if (x.rest.part == 0 || x.rest.part == x.rest.whole) return 1;
    if (c->t.max_length >= 0 && c->states[f->number].length + 1 == (uint32_t)c->t.max_length)
        return 1;
    if (bounded(c, f, &x)) return 1;
    const int other = swapped(c, f, &x);
    if (other) return other;
    *exact = !c->soft;
    return listed(c, f, &x);
}

#endif

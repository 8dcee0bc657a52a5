/* Two costs that are too near to each other for doubles, compared as exact fractions.
 *
 * Their difference is a whole number and violation times a sum of fractions with signs. Equal
 * fractions are put together first: where two prefixes have the same blocks in another order
 * nothing is left of the sum. Otherwise everything is multiplied by all denominators, and the two
 * sides of the comparison are long numbers of 64 bits a digit. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t *digits;
    size_t count;
} number;

void exact_begin(checker *c) {
    c->term_count = 0;
}

static uint32_t divisor(uint32_t a, uint32_t b) {
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int put(checker *c, share s, int32_t times) {
    if (!s.part) return 1;
    const uint32_t by = divisor(s.part, s.whole);
    const term new = {s.part / by, s.whole / by, times};
    for (size_t i = 0; i < c->term_count; i++)
        if (c->terms[i].part == new.part && c->terms[i].whole == new.whole) {
            c->terms[i].times += times;
            return 1;
        }
    if (c->term_count == c->term_room) {
        size_t room = c->term_room ? 2 * c->term_room : 64;
        term *terms = realloc(c->terms, room * sizeof *terms);
        if (!terms) return 0;
        c->terms = terms;
        c->term_room = room;
    }
    c->terms[c->term_count++] = new;
    return 1;
}

int exact_rise(checker *c, share own, share least, int sign) {
    if (!own.whole || !share_less(least, own)) return 1;
    return put(c, own, sign) && put(c, least, -sign);
}

int exact_state(checker *c, uint32_t at, int sign) {
    for (; at; at = c->states[at].parent) {
        const state *s = &c->states[at];
        if (!exact_rise(c, s->own, c->states[s->parent].least, sign)) return 0;
    }
    return 1;
}

static void times(number *n, uint64_t by) {
    uint64_t carry = 0;
    for (size_t i = 0; i < n->count; i++) {
        wide product = (wide)n->digits[i] * by + carry;
        n->digits[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry) n->digits[n->count++] = carry;
}

static void plus(number *n, const number *more) {
    uint64_t carry = 0;
    for (size_t i = 0; i < more->count || carry; i++) {
        if (i == n->count) n->digits[n->count++] = 0;
        wide sum = (wide)n->digits[i] + (i < more->count ? more->digits[i] : 0) + carry;
        n->digits[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

static int compared(const number *a, const number *b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (size_t i = a->count; i-- > 0;)
        if (a->digits[i] != b->digits[i]) return a->digits[i] < b->digits[i] ? -1 : 1;
    return 0;
}

/* The product of all denominators but that of term `without`, times two factors. */
static void product(const checker *c, size_t without, uint64_t one, uint64_t other, number *n) {
    n->digits[0] = one;
    n->count = one != 0;
    times(n, other);
    for (size_t i = 0; i < c->term_count; i++)
        if (i != without) times(n, c->terms[i].whole);
    while (n->count && !n->digits[n->count - 1]) n->count--;
}

static void add_up(const checker *c, int64_t whole, number *sides, number *one) {
    product(c, c->term_count, (uint64_t)(whole < 0 ? -whole : whole), 1, one);
    plus(&sides[whole < 0], one);
    for (size_t i = 0; i < c->term_count; i++) {
        const term *t = &c->terms[i];
        const int below = t->times < 0;
        product(c, i, (uint64_t)t->part * (uint64_t)(below ? -(int64_t)t->times : t->times),
                (uint64_t)c->t.violation, one);
        plus(&sides[below], one);
    }
}

int exact_sign(checker *c, int64_t whole, int *sign) {
    size_t kept = 0;
    for (size_t i = 0; i < c->term_count; i++)
        if (c->terms[i].times) c->terms[kept++] = c->terms[i];
    c->term_count = kept;
    if (!kept || !c->t.violation) {
        *sign = (whole > 0) - (whole < 0);
        return 1;
    }
    const size_t room = kept / 2 + 8; /* denominators have 30 bits */
    uint64_t *digits = calloc(3 * room, sizeof *digits);
    if (!digits) return 0;
    number sides[2] = {{digits, 0}, {digits + room, 0}}, one = {digits + 2 * room, 0};
    add_up(c, whole, sides, &one);
    *sign = compared(&sides[0], &sides[1]);
    free(digits);
    return 1;
}

#endif

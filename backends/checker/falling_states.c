/* The first pass: what each prefix of the proof leaves and costs, in a table by the set of points
 * that is left. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <stdlib.h>
#include <string.h>

uint64_t digest_of(const uint64_t *set, uint32_t words) {
    uint64_t hash[4] = {1, 2, 3, 4};
    for (uint32_t w = 0; w < words; w++) {
        uint64_t *h = &hash[w % 4];
        *h = (*h ^ set[w]) * 0xff51afd7ed558ccdu;
        *h ^= *h >> 32;
    }
    for (int k = 1; k < 4; k++) hash[0] = (hash[0] ^ hash[k]) * 0xc4ceb9fe1a85ec53u;
    return hash[0] ^ hash[0] >> 32;
}

/* The points that a prefix leaves, from its rules. */
void leave(const checker *c, uint32_t number, uint64_t *left) {
    memcpy(left, c->everything, c->words * sizeof *left);
    for (; number; number = c->states[number].parent) {
        const uint64_t *mask = mask_of(c, c->states[number].rule);
        for (uint32_t w = 0; w < c->words; w++) left[w] &= ~mask[w];
    }
}

/* Positives and negatives of a set, or of what a mask captures of it. */
static void sum_set(const checker *c, const uint64_t *set, const uint64_t *mask, uint32_t *p,
                    uint32_t *q) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < c->words; w++)
        for (uint64_t some = mask ? set[w] & mask[w] : set[w]; some; some &= some - 1)
            sum += c->weight[w * 64 + (uint32_t)__builtin_ctzll(some)];
    *p = (uint32_t)sum;
    *q = (uint32_t)(sum >> 32);
}

/* The state of parent with one more rule; 0 where that cannot be a prefix. before: what the parent
 * leaves; left: what the new one leaves. */
static int extend(const checker *c, uint32_t parent, uint32_t rule, const uint64_t *before,
                  uint64_t *left, state *found) {
    const state *from = &c->states[parent];
    const uint64_t *mask = mask_of(c, rule);
    uint32_t p, q;
    uint64_t rest = 0;
    sum_set(c, before, mask, &p, &q);
    for (uint32_t w = 0; w < c->words; w++) rest |= left[w] = before[w] & ~mask[w];
    const share own = {p, p + q};
    if (!own.whole || !rest || (!c->soft && share_less(from->least, own))) return 0;
    *found = (state){
        .digest = digest_of(left, c->words),
        .paid = {from->paid.whole + c->t.rule + block(c, p, q),
                 from->paid.rises + rise(c, own, from->least)},
        .least = share_less(own, from->least) ? own : from->least,
        .own = own,
        .parent = parent,
        .rule = rule,
        .length = from->length + 1,
    };
    return 1;
}

static void insert(checker *c, uint32_t number) {
    uint64_t i = c->states[number].digest & c->slot_mask;
    while (c->slots[i]) i = (i + 1) & c->slot_mask;
    c->slots[i] = number;
}

int room_for_left(checker *c, uint32_t length) {
    if (c->lefts[length]) return 1;
    c->lefts[length] = malloc((c->words + 1u) * sizeof **c->lefts);
    return c->lefts[length] != NULL;
}

/* The states of some prefixes more. */
int build(checker *c, size_t budget, corels_falling_report *report) {
    for (; budget && c->built < c->count; budget--, c->built++) {
        const size_t n = c->built - 1u;
        const uint32_t shared = c->given.shared[n], parent = c->path[shared];
        if (!room_for_left(c, shared + 1)) return CORELS_FALLING_MEMORY;
        if (!extend(c, parent, c->given.rules[n], c->lefts[shared], c->lefts[shared + 1],
                    &c->states[c->built])) {
            *report = (corels_falling_report){(int64_t)c->built, -2, 1};
            return CORELS_FALLING_FAILS;
        }
        c->path[shared + 1] = c->built;
        if (c->given.claimed[n]) insert(c, c->built);
    }
    return CORELS_FALLING_RUNNING;
}

/* The states of the proof's list, behind all others, and what it costs. */
int build_list(checker *c) {
    uint32_t parent = 0, p, q, at = c->count;
    uint64_t *left = c->scratch;
    memcpy(left, c->everything, c->words * sizeof *left);
    for (size_t i = 0; i < c->given.length; i++, parent = at++)
        if (!extend(c, parent, c->given.list[i], left, left, &c->states[at])) return 0;
    c->list_end = parent;
    sum_set(c, left, NULL, &p, &q);
    c->list_rest = (share){p, p + q};
    const state *s = &c->states[parent];
    c->total = c->t.total >= 0 ? (amount){c->t.total, 0}
                               : (amount){s->paid.whole + block(c, p, q),
                                          s->paid.rises + rise(c, c->list_rest, s->least)};
    return 1;
}

#endif

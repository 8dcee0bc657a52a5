#include "incumbent.h"

#include <stdlib.h>
#include <string.h>

void incumbent_create(incumbent *best, const table *t, store *arrays) {
    best->rules = store_take(arrays, t->antecedents + 1u, sizeof *best->rules);
    best->blocks = store_take(arrays, t->antecedents + 1u, sizeof *best->blocks);
    best->total = (cost){INT64_MAX, INT64_MAX};
}

void incumbent_replace(incumbent *best, const uint32_t *rules, const block *blocks, uint32_t length,
                       cost total) {
    memcpy(best->rules, rules, length * sizeof *rules);
    memcpy(best->blocks, blocks, (length + 1u) * sizeof *blocks);
    best->length = length;
    best->total = total;
}

/* Unsigned integers of any size, little-endian 64-bit limbs: just enough to compare two sums of
 * fractions. Used only if the intervals of two soft lists overlap. */
typedef struct {
    uint64_t *limb;
    size_t size;
} big;

static void big_multiply(big *x, uint64_t by) {
    uint64_t carry = 0;
    for (size_t i = 0; i < x->size; i++) {
        wide product = wide_add(wide_product(x->limb[i], by), carry);
        x->limb[i] = product.low;
        carry = product.high;
    }
}

/* x += y * by */
static void big_add_product(big *x, const big *y, uint64_t by) {
    uint64_t carry = 0;
    for (size_t i = 0; i < x->size; i++) {
        wide all = wide_add(wide_add(wide_product(y->limb[i], by), x->limb[i]), carry);
        x->limb[i] = all.low;
        carry = all.high;
    }
}

static int big_compare(const big *x, const big *y) {
    for (size_t i = x->size; i-- > 0;)
        if (x->limb[i] != y->limb[i]) return x->limb[i] < y->limb[i] ? -1 : 1;
    return 0;
}

/* sum of a list = whole + violation_cost * numerator / denominator, side 0 adds, side 1 subtracts
 */
typedef struct {
    big numerator[2], denominator;
    int64_t whole; /* a difference of two costs, each below 2^61 */
} sum;

static void sum_fraction(sum *s, int side, uint64_t part, uint64_t whole) {
    big_multiply(&s->numerator[0], whole);
    big_multiply(&s->numerator[1], whole);
    big_add_product(&s->numerator[side], &s->denominator, part);
    big_multiply(&s->denominator, whole);
}

static void sum_list(sum *s, const table *t, const block *blocks, uint32_t length, int side) {
    proportion least = {1, 1};
    int64_t whole = t->rule_cost * (int64_t)length;
    for (uint32_t i = 0; i <= length; i++) {
        uint32_t p = blocks[i].p, q = blocks[i].q;
        whole += block_cost(t, p, q);
        if (p + q == 0) continue;
        proportion a = {p, p + q};
        if (proportion_less(least, a)) {
            sum_fraction(s, side, (uint64_t)a.part * least.whole - (uint64_t)least.part * a.whole,
                         (uint64_t)a.whole * least.whole);
        } else {
            least = a;
        }
    }
    s->whole += side ? -whole : whole;
}

/* Sign of (first list - best), or -2 if memory is lacking. */
static int compare_exactly(const incumbent *best, const table *t, const block *blocks,
                           uint32_t length) {
    size_t size = (size_t)length + best->length + 6;
    uint64_t *limbs = calloc(3 * size, sizeof *limbs);
    if (!limbs) return -2;
    sum s = {{{limbs, size}, {limbs + size, size}}, {limbs + 2 * size, size}, 0};
    s.denominator.limb[0] = 1;
    sum_list(&s, t, blocks, length, 0);
    sum_list(&s, t, best->blocks, best->length, 1);
    int side = s.whole < 0;
    big_multiply(&s.numerator[0], (uint64_t)t->violation_cost);
    big_multiply(&s.numerator[1], (uint64_t)t->violation_cost);
    big_add_product(&s.numerator[side], &s.denominator, (uint64_t)(side ? -s.whole : s.whole));
    int sign = big_compare(&s.numerator[0], &s.numerator[1]);
    free(limbs);
    return sign;
}

int incumbent_beaten(const incumbent *best, const table *t, const block *blocks, uint32_t length,
                     cost total) {
    if (total.high < best->total.low) return 1;
    if (total.low >= best->total.high) return 0;
    int sign = compare_exactly(best, t, blocks, length);
    return sign == -2 ? -1 : sign < 0;
}

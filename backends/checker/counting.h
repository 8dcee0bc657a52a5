/* Memory and counts, for the other files of the checker. */
#ifndef CORELS_CHECKER_COUNTING_H
#define CORELS_CHECKER_COUNTING_H

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

/* Who fails, jumps out of everything, to where `keeper_free` gives all memory back. */
typedef struct {
    jmp_buf out;
    void *last; /* each piece of memory begins with the address of the one before */
} keeper;

/* Zeros, until `keeper_free`. */
static void *keep(keeper *k, size_t n, size_t size) {
    void **piece = n > SIZE_MAX / 4 / size ? NULL : calloc(1, (n + 16) * size + 128);
    if (!piece) longjmp(k->out, CORELS_CHECK_MEMORY);
    *piece = k->last, k->last = piece;
    return (uint8_t *)piece + 128 - (uintptr_t)piece % 64;
}

static void keeper_free(keeper *k) {
    for (void *piece = k->last, *before; piece; piece = before)
        before = *(void **)piece, free(piece);
}

/* Counting: points whose weight has a certain bit are one set, and what an antecedent captures of
 * it is a count of ones. Masks stand word by word, those of all antecedents side by side, and
 * behind them one of all points, which counts the sum. */
typedef struct {
    uint64_t bits;
    uint32_t word, bit;
} term;

typedef struct {
    const corels_check_table *in;
    size_t words, stride; /* of rows of counts */
    uint64_t *masks;      /* [words][stride] */
    term *terms;          /* row by row: */
    size_t *first;        /* [rows + 1] */
} counter;

/* What is counted of a set: [stride] each, for a rule with the antecedent r. */
typedef struct {
    int32_t *counts; /* [rows][stride]: of each row's weight, what r captures */
    int32_t *errors; /* of the rule; */
    int32_t *ending; /* of it as the last rule and the default rule behind it; */
    int32_t *worst;  /* of it where it predicts the worst class of each point: 0 captures nothing */
    int32_t stop;    /* of the default rule alone */
    uint64_t *sums;
    term *present;
} tally;

enum { BITS = 31, LANES = 8 };

static void counter_new(counter *c, const corels_check_table *in, keeper *k) {
    size_t n = 0;
    c->in = in, c->words = (in->points + 63) / 64;
    c->stride = (in->antecedents + LANES) / LANES * LANES;
    c->masks = keep(k, c->words * c->stride, sizeof *c->masks);
    for (size_t i = 0; i < c->words * c->stride; i++) {
        size_t r = i % c->stride, w = i / c->stride;
        c->masks[i] = r < in->antecedents ? in->masks[r * c->words + w] : ~UINT64_C(0);
    }
    c->terms = keep(k, in->rows * c->words * BITS, sizeof *c->terms);
    c->first = keep(k, in->rows + 1, sizeof *c->first);
    for (size_t row = 0; row < in->rows; c->first[++row] = n)
        for (uint32_t bit = 0; bit < BITS; bit++)
            for (size_t w = 0; w < c->words; w++, n += c->terms[n].bits != 0) {
                c->terms[n] = (term){0, (uint32_t)w, bit};
                for (size_t i = 64 * w; i < 64 * w + 64 && i < in->points; i++)
                    c->terms[n].bits |= (uint64_t)(in->weights[row * in->points + i] >> bit & 1)
                                        << i % 64;
            }
}

static void tally_new(tally *t, const counter *c, keeper *k) {
    t->counts = keep(k, c->in->rows * c->stride, sizeof *t->counts);
    t->errors = keep(k, c->stride, sizeof *t->errors);
    t->ending = keep(k, c->stride, sizeof *t->ending);
    t->worst = keep(k, c->stride, sizeof *t->worst);
    t->sums = keep(k, c->stride, sizeof *t->sums);
    t->present = keep(k, c->words * BITS, sizeof *t->present);
}

/* What each antecedent captures of some terms. */
static void add(const counter *c, const term *from, const term *to, uint64_t *restrict sums) {
    memset(sums, 0, c->stride * sizeof *sums);
    for (const term *t = from; t < to; t++) {
        const uint64_t *masks = c->masks + t->word * c->stride, bits = t->bits;
        uint32_t bit = t->bit;
        for (size_t r = 0; r < c->stride; r++)
            sums[r] += (uint64_t)__builtin_popcountll(masks[r] & bits) << bit;
    }
}

/* What each antecedent captures of a row's weight in a set. */
static void count_row(const counter *c, const uint64_t *set, size_t row, tally *t) {
    size_t n = 0;
    for (const term *from = c->terms + c->first[row]; from < c->terms + c->first[row + 1]; from++) {
        t->present[n] = (term){from->bits & set[from->word], from->word, from->bit};
        n += t->present[n].bits != 0;
    }
    add(c, t->present, t->present + n, t->sums);
    for (size_t r = 0; r < c->stride; r++) t->counts[row * c->stride + r] = (int32_t)t->sums[r];
}

static void count(const counter *c, const uint64_t *set, tally *t) {
    size_t n = c->stride, rows = c->in->rows, classes = c->in->classes;
    int32_t *restrict errors = t->errors, *restrict ending = t->ending, *restrict worst = t->worst;
    t->stop = INT32_MAX;
    for (size_t row = 0; row < rows; row++) count_row(c, set, row, t);
    for (size_t k = 0; k < classes; k++) {
        const int32_t *counts = t->counts + k * n;
        int32_t total = counts[c->in->antecedents], first = k == 0;
        t->stop = total < t->stop ? total : t->stop;
        for (size_t r = 0; r < n; r++) {
            int32_t left = total - counts[r];
            errors[r] = first || counts[r] < errors[r] ? counts[r] : errors[r];
            ending[r] = first || left < ending[r] ? left : ending[r];
        }
    }
    const int32_t *last = t->counts + (rows - 1) * n;
    for (size_t r = 0; r < n; r++) {
        ending[r] += errors[r];
        worst[r] = last[r] + (rows == classes ? t->counts[r] : 0);
    }
}
#endif

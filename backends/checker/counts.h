/* What each antecedent captures of sets of points. A number is cut into bits: a term is the points
 * of one word whose number has a certain bit. */
#pragma once

#include <string.h>

#include "checker.h"

enum { WIDE = 8, BLOCK = 32 };
typedef corels_check_term term;

/* A part of a set: what an antecedent captures of it or, if `leaves` is all ones and not 0, what
 * it leaves. */
typedef struct {
    size_t antecedent;
    uint64_t leaves;
} part;

static uint64_t captured(uint64_t points, term t) {
    return (uint64_t)__builtin_popcountll(points & t.bits) << t.bit;
}

/* What each antecedent captures of n terms, four at a time: a sum is read and written once for
 * them. The two loops over antecedents are one, in registers of WIDE numbers. */
static void add_terms(const corels_check_table *in, const term *terms, size_t n,
                      uint64_t *restrict sums) {
    for (size_t i = 0; i < n; i += 4) {
        term a = terms[i], b = terms[i + 1], c = terms[i + 2], d = terms[i + 3];
        const uint64_t *of_a = in->columns + a.word * in->stride;
        const uint64_t *of_b = in->columns + b.word * in->stride;
        const uint64_t *of_c = in->columns + c.word * in->stride;
        const uint64_t *of_d = in->columns + d.word * in->stride;
        for (size_t lane = 0; lane < in->stride; lane += WIDE)
            for (size_t r = lane; r < lane + WIDE; r++)
                sums[r] += captured(of_a[r], a) + captured(of_b[r], b) + captured(of_c[r], c) +
                           captured(of_d[r], d);
    }
}

/* Of some parts of a set, what each antecedent captures of their terms, and behind that the sum:
 * [parts][stride]. A few terms are counted for all parts while their columns are in the cache. */
static void add_parts(const corels_check_table *in, const term *from, const term *to,
                      const uint64_t *set, const part *parts, size_t n, uint64_t *restrict sums) {
    memset(sums, 0, n * in->stride * sizeof *sums);
    for (const term *end; from < to; from = end) {
        end = to - from > BLOCK ? from + BLOCK : to;
        for (size_t i = 0; i < n; i++) {
            term present[BLOCK + 3];
            size_t found = 0;
            for (const term *t = from; t < end; t++) {
                uint64_t one = in->columns[t->word * in->stride + parts[i].antecedent];
                uint64_t bits = t->bits & set[t->word] & (one ^ parts[i].leaves);
                present[found] = (term){bits, t->word, t->bit};
                found += bits != 0;
            }
            for (; found % 4; found++) present[found] = (term){0, from->word, 0};
            add_terms(in, present, found, sums + i * in->stride);
        }
    }
}

/* The same of the whole set. */
static void add(const corels_check_worker *w, const term *from, const term *to, const uint64_t *set,
                uint64_t *restrict sums) {
    add_parts(w->in, from, to, set, &(part){w->in->antecedents, 0}, 1, sums);
}

/* Counting: points whose weight has a certain bit are one set, and what an antecedent captures of
 * it is a count of ones. Eight antecedents are counted at once: their masks stand word by word side
 * by side. */
#include "inner.h"

enum { LANES = 8, BITS = 31 };

/* Some points of one word. */
typedef struct term {
    uint64_t bits;
    uint32_t word, bit;
} term;

/* The terms of a row that meet the set, and how much they weigh; `out`, if any, has room for all.
 */
HERE int64_t meet(const counter *c, size_t row, const uint64_t *set, term *out, size_t *n) {
    int64_t total = 0;
    for (const term *t = c->terms + c->first[row]; t < c->terms + c->first[row + 1]; t++) {
        uint64_t bits = t->bits & set[t->word];
        total += (int64_t)__builtin_popcountll(bits) << t->bit;
        if (!out) continue;
        out[*n] = (term){bits, t->word, t->bit};
        *n += bits != 0;
    }
    return total;
}

HERE void totals_here(const counter *c, const uint64_t *set, int64_t *totals) {
    for (size_t row = 0; row < (size_t)c->classes; row++)
        totals[row] = meet(c, row, set, NULL, NULL);
}

HERE void add(const counter *c, const term *present, size_t n, int32_t *counts) {
    for (size_t g = 0; g < c->groups; g++) {
        const uint64_t *masks = c->masks + g * c->words * LANES;
        uint64_t sums[LANES] = {0};
        for (const term *t = present; t < present + n; t++)
            for (size_t k = 0; k < LANES; k++)
                sums[k] += (uint64_t)__builtin_popcountll(masks[t->word * LANES + k] & t->bits)
                           << t->bit;
        for (size_t k = 0; k < LANES; k++) counts[g * LANES + k] = (int32_t)sums[k];
    }
}

HERE void count_here(const counter *c, const uint64_t *set, tally *t) {
    size_t n = c->stride;
    for (size_t row = 0; row < (size_t)c->rows; row++) {
        size_t terms = 0;
        t->totals[row] = meet(c, row, set, t->present, &terms);
        add(c, t->present, terms, t->counts + row * n);
    }
    t->stop = t->totals[0];
    for (size_t k = 0; k < (size_t)c->classes; k++) {
        const int32_t *counts = t->counts + k * n;
        int32_t total = (int32_t)t->totals[k], first = k == 0;
        t->stop = total < t->stop ? total : t->stop;
        for (size_t r = 0; r < n; r++) {
            int32_t left = total - counts[r];
            t->errors[r] = first || counts[r] < t->errors[r] ? counts[r] : t->errors[r];
            t->ending[r] = first || left < t->ending[r] ? left : t->ending[r];
        }
    }
    const int32_t *a = t->counts + (c->rows - 1) * n, *b = t->counts;
    int two = c->classes == 2;
    for (size_t r = 0; r < n; r++) {
        t->ending[r] += t->errors[r];
        t->worst[r] = two ? a[r] + b[r] : a[r];
    }
}

/* Two classes: the most errors of class a that one rule behind r can save, less what it errs
 * itself. A rule q captures of a at most a_q and what r leaves of it, and of the other class at
 * least b_q - b_r. */
HERE int32_t gain_here(const counter *c, const tally *t, int32_t r, int of) {
    const int32_t *a = t->counts + (size_t)of * c->stride;
    const int32_t *b = t->counts + (size_t)(1 - of) * c->stride;
    int32_t left = (int32_t)t->totals[of] - a[r], behind = b[r], best = 0;
    for (size_t q = 0; q < c->stride; q++) {
        int32_t gain = a[q] < left ? a[q] : left, lost = b[q] > behind ? b[q] - behind : 0;
        int32_t here = t->saves[q] & (gain - lost);
        best = here > best ? here : best;
    }
    return best;
}

/* The antecedents that save more than a rule costs, `c->saves` or more, and whose rule is not ruled
 * out by its errors: as the last rule, or as one before another. How many they are. */
HERE int32_t open_here(const counter *c, tally *t, int32_t ending, int32_t errors) {
    int32_t n = 0;
    for (size_t r = 0; r < c->stride; r++) {
        t->saves[r] = -(t->worst[r] - t->errors[r] >= c->saves); /* all ones, or 0 */
        t->open[r] = t->saves[r] & ((t->ending[r] < ending) | (t->errors[r] < errors));
    }
    for (int32_t r = 0; r < (int32_t)c->stride; r++) {
        int32_t open = t->open[r];
        t->open[n] = r, n += open & 1;
    }
    return n;
}

VERSIONS(void, totals, (const counter *c, const uint64_t *set, int64_t *totals), (c, set, totals))
VERSIONS(void, count, (const counter *c, const uint64_t *set, tally *t), (c, set, t))
VERSIONS(int32_t, gain, (const counter *c, const tally *t, int32_t r, int of), (c, t, r, of))
VERSIONS(int32_t, open, (const counter *c, tally *t, int32_t ending, int32_t errors),
         (c, t, ending, errors))

int32_t greatest_regret(const corels_check_table *in, size_t point) {
    int32_t most = 0;
    for (size_t k = 0; k < (size_t)in->classes; k++) {
        int32_t regret = in->regrets[k * (size_t)in->points + point];
        most = regret > most ? regret : most;
    }
    return most;
}

static void fill_terms(counter *c, const corels_check_table *in) {
    size_t points = (size_t)in->points, n = 0;
    for (int32_t row = 0; row < c->rows; c->first[++row] = n)
        for (uint32_t bit = 0; bit < BITS; bit++)
            for (size_t i = 0; i < points; i++) {
                int32_t weight = row < in->classes ? in->regrets[(size_t)row * points + i]
                                                   : greatest_regret(in, i);
                if (i % 64 == 0) c->terms[n] = (term){0, (uint32_t)(i / 64), bit};
                c->terms[n].bits |= (uint64_t)(weight >> bit & 1) << (i % 64);
                n += (i % 64 == 63 || i + 1 == points) && c->terms[n].bits;
            }
}

void counter_new(counter *c, const corels_check_table *in, keeper *k) {
    c->classes = in->classes, c->rows = in->classes == 2 ? 2 : in->classes + 1;
    c->words = ((size_t)in->points + 63) / 64;
    c->groups = ((size_t)in->antecedents + LANES - 1) / LANES, c->stride = c->groups * LANES;
    c->masks = keep(k, c->groups * c->words, LANES * sizeof *c->masks);
    c->terms = keep(k, (size_t)c->rows * c->words * BITS, sizeof *c->terms);
    c->first = keep(k, (size_t)c->rows + 1, sizeof *c->first);
    c->totals = CHOSEN(totals), c->count = CHOSEN(count), c->gain = CHOSEN(gain),
    c->open = CHOSEN(open);
    c->saves =
        (int32_t)(in->rule_cost / in->unit < INT32_MAX ? in->rule_cost / in->unit + 1 : INT32_MAX);
    for (size_t r = 0; r < (size_t)in->antecedents; r++)
        for (size_t w = 0; w < c->words; w++)
            c->masks[(r / LANES * c->words + w) * LANES + r % LANES] = in->masks[r * c->words + w];
    fill_terms(c, in);
}

void tally_new(tally *t, const counter *c, keeper *k) {
    t->totals = keep(k, (size_t)c->rows, sizeof *t->totals);
    t->counts = keep(k, (size_t)c->rows * c->stride, sizeof *t->counts);
    t->errors = keep(k, c->stride, sizeof *t->errors);
    t->ending = keep(k, c->stride, sizeof *t->ending);
    t->worst = keep(k, c->stride, sizeof *t->worst);
    t->saves = keep(k, c->stride, sizeof *t->saves), t->open = keep(k, c->stride, sizeof *t->open);
    t->present = keep(k, c->words * BITS, sizeof *t->present);
}

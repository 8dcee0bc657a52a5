/* Weights that a proof gives as data (docs/internals/leaves.md): no leaf of a short list may keep
 * more than a rule costs and it errs. All leaves are gone through here: what some antecedents
 * leave, and what one more captures of it. */
#include <string.h>

#include "checker.h"

enum { MOST_CONDITIONS = 6 };
typedef corels_check_term term;

/* What each antecedent captures of a set's terms, and behind them the sum. */
static void add(const corels_check_worker *w, const term *from, const term *to, const uint64_t *set,
                uint64_t *restrict sums) {
    const corels_check_table *in = w->in;
    size_t n = 0;
    for (; from < to; from++) {
        w->present[n] = (term){from->bits & set[from->word], from->word, from->bit};
        n += w->present[n].bits != 0;
    }
    memset(sums, 0, in->stride * sizeof *sums);
    for (const term *t = w->present; t < w->present + n; t++) {
        const uint64_t *column = in->columns + t->word * in->stride, bits = t->bits;
        uint32_t bit = t->bit;
        for (size_t r = 0; r < in->stride; r++)
            sums[r] += (uint64_t)__builtin_popcountll(column[r] & bits) << bit;
    }
}

/* Whether no leaf within the points of depth d gains too much that has one condition more, or up to
 * `more` of them and as the next one negates an antecedent from..to - 1. */
static int no_leaf_gains(const corels_check_worker *w, const corels_check_leaves *l, int64_t d,
                         size_t from, size_t to) {
    const corels_check_table *in = w->in;
    size_t all = in->antecedents, other = 1 - l->role;
    const uint64_t *left = w->leaf + (size_t)d * in->words;
    uint64_t *kept = w->of_leaf + 2 * (size_t)d * in->stride, *errs = kept + in->stride;
    add(w, l->kept, l->kept + l->n, left, kept);
    add(w, in->terms + in->first[other], in->terms + in->first[other + 1], left, errs);
    for (size_t r = 0; r < all; r++) {
        int64_t inside = (int64_t)kept[r] - l->scale * (int64_t)errs[r];
        int64_t outside = (int64_t)kept[all] - l->scale * (int64_t)errs[all] - inside;
        if (inside > l->most || (r >= from && outside > l->most)) return 0;
    }
    for (size_t r = from; r < to && d + 1 < l->longest; r++) {
        if ((int64_t)(kept[all] - kept[r]) <= l->most) continue; /* no part of it keeps more */
        uint64_t *behind = w->leaf + (size_t)(d + 1) * in->words;
        for (size_t i = 0; i < in->words; i++) behind[i] = left[i] & ~in->masks[r * in->words + i];
        if (!no_leaf_gains(w, l, d + 1, r + 1, all)) return 0;
    }
    return 1;
}

static int verify_leaves(corels_check_worker *w, size_t weights, size_t from, size_t to) {
    memcpy(w->leaf, w->in->masks + w->in->antecedents * w->in->words, w->in->words * 8);
    return no_leaf_gains(w, w->proof->weights + weights, 0, from, to);
}

/* What the weights say of what r leaves: what one rule or more cost, in a list of so many rules. */
static int64_t kept_behind(const corels_check_worker *w, const corels_check_leaves *l,
                           const uint64_t *kept, size_t r) {
    const corels_check_table *in = w->in;
    const int32_t *errs = w->here.counts + (1 - l->role) * in->stride;
    int64_t before = w->proof->starts[w->claim + 1] - w->proof->starts[w->claim] + 1;
    int64_t other = in->unit * (errs[in->antecedents] - errs[r]) + in->rule_cost;
    int64_t parts = in->unit * (int64_t)(kept[in->antecedents] - kept[r]);
    int64_t least = (parts + l->scale - 1) / l->scale;
    least = other < least ? other : least;
    if (before + w->may - 1 <= l->longest) return least;
    int64_t rules = l->longest - before + 1, longer = rules > 0 ? rules * in->rule_cost : 0;
    return longer < least ? longer : least;
}

static int by_leaves(corels_check_worker *w, size_t r, int64_t need) {
    int holds = 0;
    for (size_t i = 0; i < w->proof->leaves; i++) {
        const corels_check_leaves *l = w->proof->weights + i;
        uint64_t *kept = w->kept + i * w->in->stride;
        if (!w->weighed) add(w, l->kept, l->kept + l->n, w->set, kept);
        holds |= kept_behind(w, l, kept, r) >= need;
    }
    w->weighed = 1;
    return holds;
}

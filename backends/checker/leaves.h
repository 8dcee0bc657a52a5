/* Weights that a proof gives as data (docs/internals/leaves.md): no leaf of a short list may keep
 * more than a rule costs and it errs as another class. All leaves are gone through here: what some
 * antecedents leave, and, if a rule may predict the class, what one more captures of it. */
#include <string.h>

#include "counts.h"

enum { TOGETHER = 16 }; /* parts that are counted */

/* Weights, and the class that leaves predict instead. */
typedef struct {
    const corels_check_leaves *weights;
    size_t other;
} turn;

/* Of parts of a set, what the points keep and what they err as the other class: [2][n][stride]. */
static void add_both(const corels_check_worker *w, turn t, const uint64_t *set, const part *parts,
                     size_t n, uint64_t *sums) {
    const corels_check_table *in = w->in;
    const corels_check_leaves *l = t.weights;
    const size_t *other = in->first + t.other;
    add_parts(in, l->kept, l->kept + l->n_kept, set, parts, n, sums);
    add_parts(in, in->terms + other[0], in->terms + other[1], set, parts, n, sums + n * in->stride);
}

/* What an antecedent leaves of the points of depth d, and what is counted of it, for depth d + 1.
 * sums: of the part that was counted, what each antecedent captures of one kind and then the other,
 * `apart` further on. */
static void leave_part(const corels_check_worker *w, int64_t d, part counted, const uint64_t *sums,
                       size_t apart) {
    const corels_check_table *in = w->in;
    const uint64_t *mask = in->masks + counted.antecedent * in->words;
    const uint64_t *set = w->leaf + (size_t)d * in->words;
    const uint64_t *whole = w->of_leaf + 2 * (size_t)d * in->stride;
    uint64_t *left = w->leaf + (size_t)(d + 1) * in->words;
    uint64_t *of_left = w->of_leaf + 2 * (size_t)(d + 1) * in->stride;
    for (size_t i = 0; i < in->words; i++) left[i] = set[i] & ~mask[i];
    for (size_t kind = 0; kind < 2; kind++, sums += apart)
        for (size_t r = 0; r < in->stride; r++)
            *of_left++ = counted.leaves ? sums[r] : whole[kind * in->stride + r] - sums[r];
}

/* Whether no leaf within the points of depth d gains too much that has one condition more, or up to
 * `longest` in all and as the next one negates an antecedent from..to - 1. */
static int no_leaf_gains(const corels_check_worker *w, turn t, int64_t d, size_t from, size_t to) {
    const corels_check_table *in = w->in;
    const corels_check_leaves *l = t.weights;
    size_t all = in->antecedents;
    const uint64_t *kept = w->of_leaf + 2 * (size_t)d * in->stride, *errs = kept + in->stride;
    for (size_t r = 0; r < all; r++) {
        int64_t inside = (int64_t)kept[r] - l->scale * (int64_t)errs[r];
        int64_t outside = (int64_t)kept[all] - l->scale * (int64_t)errs[all] - inside;
        int too_much = inside > l->most && t.other < in->for_rules;
        if (too_much || (r >= from && outside > l->most)) return 0;
    }
    uint64_t *sums = w->of_parts + 2 * TOGETHER * (size_t)d * in->stride;
    while (from < to && d + 1 < l->longest) {
        part parts[TOGETHER];
        size_t n = 0;
        for (; from < to && n < TOGETHER; from++) {
            if ((int64_t)(kept[all] - kept[from]) <= l->most) continue; /* no part keeps more */
            parts[n++] = (part){from, 2 * kept[from] > kept[all] ? ~UINT64_C(0) : 0};
        }
        add_both(w, t, w->leaf + (size_t)d * in->words, parts, n, sums);
        for (size_t i = 0; i < n; i++) {
            leave_part(w, d, parts[i], sums + i * in->stride, n * in->stride);
            if (!no_leaf_gains(w, t, d + 1, parts[i].antecedent + 1, all)) return 0;
        }
    }
    return 1;
}

static int verify_leaves(corels_check_worker *w, size_t weights, size_t from, size_t to) {
    turn t = {.weights = w->proof->weights + weights};
    memcpy(w->leaf, w->in->masks + w->in->antecedents * w->in->words, w->in->words * 8);
    for (; t.other < w->in->classes; t.other++) {
        if (t.other == t.weights->role) continue;
        add_both(w, t, w->leaf, &(part){w->in->antecedents, 0}, 1, w->of_leaf);
        if (!no_leaf_gains(w, t, 0, from, to)) return 0;
    }
    return 1;
}

/* What the weights say of what r leaves: what one rule or more cost, in a list of so many rules. */
static int64_t kept_behind(const corels_check_worker *w, const corels_check_leaves *l,
                           const uint64_t *kept, size_t r) {
    const corels_check_table *in = w->in;
    const uint64_t *others = kept + in->stride;
    int64_t before = w->proof->starts[w->claim + 1] - w->proof->starts[w->claim] + 1;
    int64_t other = in->unit * (int64_t)(others[in->antecedents] - others[r]) + in->rule_cost;
    int64_t parts = in->unit * (int64_t)(kept[in->antecedents] - kept[r]);
    int64_t least = (parts + l->scale - 1) / l->scale;
    other = other > least - in->rule_cost ? other : least - in->rule_cost;
    least = other < least ? other : least;
    if (before + w->may - 1 <= l->longest) return least;
    int64_t rules = l->longest - before + 1, longer = rules > 0 ? rules * in->rule_cost : 0;
    return longer < least ? longer : least;
}

static int by_leaves(corels_check_worker *w, size_t r, int64_t need) {
    int holds = 0;
    for (size_t i = 0; i < w->proof->leaves; i++) {
        const corels_check_leaves *l = w->proof->weights + i;
        uint64_t *kept = w->kept + 2 * i * w->in->stride;
        if (!w->weighed) {
            add(w, l->kept, l->kept + l->n_kept, w->set, kept);
            add(w, l->others, l->others + l->n_others, w->set, kept + w->in->stride);
        }
        holds |= kept_behind(w, l, kept, r) >= need;
    }
    w->weighed = 1;
    return holds;
}

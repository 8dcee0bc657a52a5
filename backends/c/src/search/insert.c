/* The best place for one rule more, over all places of a list and all antecedents.
 *
 * The rules r_1 .. r_k of the list leave the sets S_0 (all points), S_1, ..., S_k. Put r in front
 * of r_{i+1}: r errs on the points of S_i that it captures as the counts of S_i say; the rules
 * behind no longer decide these points, so what they got wrong of them is saved. Let X be the
 * points of S_i that the rules behind get wrong: the weight of X that r captures is what is saved.
 * So two counts a place, of S_i and of X, tell the cost of all lists that have one rule more, as
 * long as the rules behind go on predicting what they predict; the best predictions can only be
 * cheaper. With more than two classes a point costs what its predicted class costs, and each class
 * that is predicted behind the place takes a count of its own.
 */
#include "improve.h"

enum { LONG_COUNT = 65536 }; /* words of a count during which a slice may be cut */

/* Whether to break off. Short passes are finished, so that even one interrupt after another lets
 * the improver get on. */
static int cut(const search *s) {
    return (int64_t)s->in.antecedents * s->in.words > LONG_COUNT && control_cut(&s->control);
}

static uint64_t *row(uint64_t *sets, const improver *im, int32_t at) {
    return sets + (size_t)at * (size_t)im->search->in.words;
}

static int32_t *errors_at(const improver *im, int32_t at) {
    return im->errors + (size_t)at * (size_t)im->search->stride;
}

/* The counts of the j-th of sets that are counted together. */
static int32_t *counts_of(const improver *im, int32_t j) {
    const search *s = im->search;
    return im->counts + (size_t)j * (size_t)s->in.measures * (size_t)s->stride;
}

/* Counts n sets, which lie one behind the other: as many as the worker counts together at most. */
static void count(improver *im, const uint64_t *sets, int32_t n) {
    corels_counter_count_some(im->search->counter, n, sets, im->worker.scratch, im->counts,
                              im->totals);
}

/* The best list that begins with im->now and ends with one more rule. */
static void offer_longer(improver *im, int64_t cost, int32_t least) {
    const search *s = im->search;
    int32_t last = 0;
    cost += s->in.rule_cost + s->in.unit * least;
    if (cost >= incumbent_cost(&s->incumbent) || im->now.n == im->most) return;
    while (im->worker.closing[last] != least) last++;
    draft longer = im->now;
    longer.rules[longer.n++] = last;
    longer.cost = cost;
    improver_offer(im, &longer);
}

/* How many rules im->now has in common with the list that was counted last, from the first rule
 * on. What these leave need not be counted again. */
static int32_t in_common(const improver *im) {
    int32_t n = 0, most = im->now.n < im->seen.n ? im->now.n : im->seen.n;
    while (n < most && im->now.rules[n] == im->seen.rules[n]) n++;
    return n;
}

/* What is left after i rules, counted as the j-th of some: its errors are kept. */
static int32_t look_at(improver *im, int32_t i, int32_t j) {
    const instance *in = &im->search->in;
    memcpy(im->worker.totals, im->totals + (size_t)j * (size_t)in->measures,
           (size_t)in->measures * sizeof *im->totals);
    node_view node = node_of(&im->worker, row(im->sets, im, i), counts_of(im, j));
    int32_t least = node_scan(&node);
    memcpy(errors_at(im, i), im->worker.errors, (size_t)im->search->stride * sizeof *im->errors);
    im->spent++;
    return least;
}

/* What rule i predicts, and what the list costs up to it. */
static void note_rule(improver *im, int32_t i, int32_t j) {
    const instance *in = &im->search->in;
    int32_t r = im->now.rules[i];
    node_view node = node_of(&im->worker, row(im->sets, im, i), counts_of(im, j));
    im->labels[i] = class_of_rule(&node, r);
    im->costs[i + 1] = im->costs[i] + in->rule_cost + in->unit * im->worker.errors[r];
}

/* Counts what is left after i rules, after i + 1, ...: so many of them. */
static int32_t count_places(improver *im, int32_t i) {
    const search *s = im->search;
    int32_t n = im->now.n + 1 - i;
    if (n > im->worker.together) n = im->worker.together;
    for (int32_t k = i ? i : 1; k < i + n; k++)
        take_bits(row(im->sets, im, k), row(im->sets, im, k - 1), mask_of(s, im->now.rules[k - 1]),
                  s->in.words);
    count(im, row(im->sets, im, i), n);
    return n;
}

/* Down the list: what each rule leaves, what it predicts, and what the list costs. */
static int look_down(improver *im) {
    const search *s = im->search;
    draft *list = &im->now;
    int32_t i = in_common(im), least = 0;
    corels_fill(im->sets, s->in.points);
    im->seen = *list;
    while (i <= list->n) {
        im->seen.n = i;
        if (cut(s)) return 0;
        int32_t n = count_places(im, i);
        for (int32_t j = 0; j < n; j++, i++) {
            least = look_at(im, i, j);
            if (i < list->n) note_rule(im, i, j);
        }
    }
    im->seen.n = list->n;
    int32_t label = least_class(im->worker.totals, s->in.classes, 1);
    list->cost = im->costs[list->n] + s->in.unit * im->worker.totals[label];
    im->labels[list->n] = im->ending < 0 ? label : im->ending;
    offer_longer(im, im->costs[list->n], least);
    improver_offer(im, list);
    return 1;
}

/* Adds the points that rule i gets wrong (i = n: the default); if there are two classes, one set
 * is enough, since a point costs something in one of them only. */
static void miss(improver *im, int32_t i) {
    const instance *in = &im->search->in;
    int32_t c = im->labels[i];
    uint64_t *to = row(im->missed, im, in->classes == 2 ? 0 : c);
    const uint64_t *set = row(im->sets, im, i), *wrong = row(im->wrong, im, c);
    const uint64_t *mask = i < im->now.n ? mask_of(im->search, im->now.rules[i]) : set;
    for (int32_t k = 0; k < in->words; k++) to[k] |= set[k] & mask[k] & wrong[k];
}

static int any(const uint64_t *set, int32_t words) {
    uint64_t all = 0;
    for (int32_t k = 0; k < words; k++) all |= set[k];
    return all != 0;
}

/* Of the place whose set was counted as the j-th: what the rules behind it err on the points that
 * each antecedent captures, if there are two classes. */
static void set_behind(improver *im, int32_t j) {
    const search *s = im->search;
    const int32_t *here = counts_of(im, j), *other = here + s->stride;
    for (int32_t r = 0; r < s->in.antecedents; r++) im->behind[r] = here[r] + other[r];
}

/* The same of the place that `missed` stands at, if there are more: one count for each class
 * that is predicted behind it. */
static void count_behind(improver *im) {
    const search *s = im->search;
    size_t stride = (size_t)s->stride;
    memset(im->behind, 0, stride * sizeof *im->behind);
    for (int32_t c = 0; c < s->in.classes; c++) {
        const uint64_t *set = row(im->missed, im, c);
        if (!any(set, s->in.words)) continue;
        count(im, set, 1);
        im->spent++;
        const int32_t *here = im->counts + (size_t)c * stride;
        for (int32_t r = 0; r < s->in.antecedents; r++) im->behind[r] += here[r];
    }
}

/* The best antecedent for the place. One that would be the best so far is overlooked as often as
 * the round blinks. */
static void choose(improver *im, int32_t at, insertion *best) {
    const search *s = im->search;
    const int32_t *errors = errors_at(im, at), *behind = im->behind;
    int64_t least = (best->gain + im->price) / s->in.unit; /* the sum is never negative */
    for (int32_t r = 0; r < s->in.antecedents; r++) {
        if (behind[r] - errors[r] <= least) continue;
        if (im->blinks && improver_draw(im, 16) < im->blinks) continue;
        least = behind[r] - errors[r];
        *best = (insertion){at, r, s->in.unit * least - im->price};
    }
}

/* The places from `at` on towards the first one, as many as are counted together; returns how many.
 */
static int32_t look_behind(improver *im, int32_t at, insertion *best) {
    const instance *in = &im->search->in;
    int32_t n = 0;
    if (in->classes != 2) {
        miss(im, at);
        count_behind(im);
        choose(im, at, best);
        return 1;
    }
    for (; n < im->worker.together && n <= at; n++) {
        miss(im, at - n);
        memcpy(row(im->behind_sets, im, n), im->missed, (size_t)in->words * sizeof *im->missed);
        im->spent += any(im->missed, in->words);
    }
    count(im, im->behind_sets, n);
    for (int32_t j = 0; j < n; j++) {
        set_behind(im, j);
        choose(im, at - j, best);
    }
    return n;
}

int best_insertion(improver *im, insertion *best) {
    const instance *in = &im->search->in;
    *best = (insertion){-1, -1, -im->price};
    if (!look_down(im)) return CORELS_OK;
    uint64_t random = im->random;
    int64_t spent = im->spent - 1; /* a list that was counted before still takes one count */
    memset(im->missed, 0, (size_t)in->classes * (size_t)in->words * sizeof *im->missed);
    for (int32_t i = im->now.n; i >= 0; i -= look_behind(im, i, best)) {
        if (cut(im->search)) {
            im->random = random; /* the same again, later, and as if for the first time */
            im->spent = spent;
            return CORELS_OK;
        }
    }
    return CORELS_DONE;
}

/* The least of the first classes' sums of regrets over the set, of those that are not barred. */
static int64_t least_sum(const search *s, int32_t classes, const uint8_t *barred,
                         const uint64_t *set) {
    int64_t least = INT64_MAX;
    for (int32_t c = 0; c < classes; c++) {
        if (barred && barred[c]) continue;
        int64_t sum = sum_of(s, c, set, 0, (uint32_t)s->in.words);
        if (sum < least) least = sum;
    }
    return least;
}

int64_t draft_cost(improver *im, const draft *list) {
    const search *s = im->search;
    uint64_t *set = im->missed, *here = set + s->in.words; /* free between two insertions */
    int64_t cost = 0;
    corels_fill(set, s->in.points);
    for (int32_t i = 0; i < list->n; i++) {
        const uint64_t *mask = mask_of(s, list->rules[i]);
        const uint8_t *barred = barred_of(s->in.barred, s->in.classes, list->rules[i]);
        for (int32_t k = 0; k < s->in.words; k++) here[k] = set[k] & mask[k];
        cost += s->in.rule_cost + s->in.unit * least_sum(s, s->in.for_rules, barred, here);
        take_bits(set, set, mask, s->in.words);
    }
    /* A population count reads a set and a digit, once for each rule; a count reads all rules. */
    int64_t read = (int64_t)(list->n + 1) * (s->in.words + (int64_t)s->in.regret_digits.longest);
    im->spent += 1 + read / ((int64_t)s->in.antecedents * s->in.words);
    return cost + s->in.unit * least_sum(s, s->in.classes, NULL, set);
}

/* The top-s bound: what at most s more rules can still gain over calling everything 0. */
#include "top.h"

/* positive_cost * p - unit * q, the most that any part of an antecedent's rows can gain: its
 * beneficial classes only, or every positive with the fewest negatives that the order allows. */
static int64_t most_gain(const table *t, const frame *f, uint32_t antecedent, uint32_t p) {
    int64_t classes =
        t->positive_cost * f->counts[(size_t)positives_of(0) * t->lanes + antecedent] -
        t->unit * f->counts[(size_t)negatives_of(0) * t->lanes + antecedent];
    int64_t ordered =
        t->positive_cost * p -
        multiply_divide_down(t->unit * (int64_t)(f->least.whole - f->least.part), p, f->least.part);
    int64_t least = classes < ordered ? classes : ordered;
    return least > 0 ? least : 0;
}

static int64_t take_largest(int64_t *gain, uint32_t count) {
    uint32_t at = 0;
    for (uint32_t i = 1; i < count; i++)
        if (gain[i] > gain[at]) at = i;
    int64_t largest = gain[at];
    gain[at] = -1;
    return largest;
}

int64_t bound_top(uint32_t enabled, const table *t, const frame *f, int64_t *gain, uint32_t rules,
                  int64_t limit) {
    int which;
    const int64_t floor = bound_rows(enabled, t, f->total, f->least, &which);
    int64_t zero = t->positive_cost * (int64_t)f->positives, best = INT64_MAX;
    /* Where rules are nearly free and any number may follow, the sum below always reaches the
     * floor. */
    if (rules > 8 && t->rule_cost < (zero - floor) / 64) return f->paid.low;
    for (uint32_t a = 0; a < t->antecedents; a++) gain[a] = most_gain(t, f, a, f->p[a]);
    for (uint32_t s = 1; s <= rules; s++) {
        int64_t largest = take_largest(gain, t->antecedents);
        if (largest <= t->rule_cost && s > 1) break;
        zero -= largest > 0 ? largest : 0;
        int64_t rows = zero > floor ? zero : floor;
        int64_t sum = f->paid.low + rows + t->rule_cost * (int64_t)s;
        if (sum < best) best = sum;
        if (best < limit || zero <= floor) break;
    }
    return best;
}

/* Deepening: the optimum is proved by thresholds that rise towards the incumbent.
 *
 * Depth first, nothing is known of all lists before the last of the root's children is settled, and
 * on a hard table the first of them never ends. So once the tables are there, the same walk first
 * proves less: that no list costs less than a *threshold*, a little above what is proved already.
 * need = threshold - cost of the prefix is small then, tables and memo rule most children out, and
 * the pass is soon over. What it has proved is a lower bound of the optimum. The next pass has a
 * higher threshold, the last one that of the incumbent. The memo keeps every claim: a claim names
 * neither incumbent nor threshold, so a later pass rests on it, too.
 *
 * The cost of a pass grows by a nearly steady factor with every rule that the threshold rises. So
 * the next threshold is the one whose pass is expected to cost effort_deepening per mille of all
 * counts so far; and if a pass straight to the incumbent is expected to cost no more than
 * deepen_leap times that, it comes next. So the passes before cost little beside the last one. But
 * a pass that took next to nothing does not tell by which factor passes grow: after it the step is
 * doubled, at little cost again, but not up to the incumbent if by that factor the pass is a long
 * one. A pass that took hardly more than the one before does not tell it, either: the next step is
 * found by the factor that was known, and is no smaller than the last. And the first factor does
 * not tell of the whole rest if tables were made in between: no pass leaps to the incumbent by it.
 *
 * Everything goes by counts, so runs repeat. Easy searches end before the last tables are there and
 * never deepen. Nothing here is needed for truth: any thresholds would do, in any order.
 */
#include <math.h>
#include <stdlib.h>

#include "depth_first.h"

/* A pass to the incumbent of so many microseconds is a long one: it may take so many times all
 * counts so far, and no pass before it more. A lesser slope of the log of the cost over one step is
 * noise. */
static const double LONG_PASS = 5e6, LONG_LEAP = 2.5, LEAST_SLOPE = 0.05;

/* All workers go back to the root, from where a pass begins. What is known of the frames that they
 * leave unfinished has counted for the lower bound, so it belongs into the proof. */
static void start_over(search *s) {
    depth_first_tree *tree = tree_of(s);
    if (s->record && tree_prove_open(s) != CORELS_OK) tree->paths->w->status = CORELS_NO_MEMORY;
    tree_go_back(tree);
}

/* What the children of the root took in this pass is what they took in the one before. */
static void turn_page(deepening *d, int32_t antecedents) {
    for (int32_t r = 0; r < antecedents; r++) {
        long long now = atomic_exchange(&d->first[r].now, 0);
        if (now) atomic_store(&d->first[r].before, now);
    }
}

/* The next pass: `step` above what is proved, or to the incumbent if that is near. */
static void begin_pass(search *s, int64_t step) {
    depth_first_tree *tree = tree_of(s);
    deepening *d = &tree->passes;
    int64_t proved = atomic_load(&d->proved);
    turn_page(d, s->in.antecedents);
    d->number++;
    d->began = all_counts(s);
    d->step = step;
    s->target =
        proved + step + step / 2 < incumbent_cost(&s->incumbent) ? proved + step : INT64_MAX;
    start_over(s);
}

static void raise(deepening *d, int64_t proved) {
    long long before = atomic_load(&d->proved);
    while (proved > before && !atomic_compare_exchange_weak(&d->proved, &before, proved)) continue;
}

size_t deepen_bytes(const search *s) {
    const first_child *first = tree_of(s)->passes.first;
    return first ? ((size_t)s->in.antecedents + 1) * sizeof *first : 0;
}

void deepen_begin(search *s) {
    depth_first_tree *tree = tree_of(s);
    deepening *d = &tree->passes;
    int on = tree->memo && s->in.rule_cost >= 2 && s->tune.effort_deepening;
    if (d->number || !on || !tree->paths->walking || all_counts(s) < scheduler_deepens(s)) return;
    d->first = calloc((size_t)s->in.antecedents + 1, sizeof *d->first);
    if (!d->first) return; /* the walk goes straight on, as it does without */
    for (int32_t i = 0; i < tree->n; i++) raise(d, open_bound(tree->paths + i));
    begin_pass(s, s->in.rule_cost / 2);
    tree_share_memory(s);
}

/* Whether the slope of the last two passes can be used. SURE: it can. FLAT: it is less than half of
 * the slope before, since two passes may happen to cost nearly the same; the slope before is used.
 * UNSURE: no slope was known before, and this one may be far too small, since tables were made
 * between the passes or these cost nearly the same. Too small a slope lets the whole rest look
 * cheap. */
typedef enum { SURE, FLAT, UNSURE } trust;

/* By which the log of a pass's counts rises with the threshold, by what the last two passes cost;
 * or by what was known before. */
static double slope_of(const search *s, deepening *d, double took, trust *of) {
    double slope = log(took / d->took) / (double)d->step, before = d->slope;
    /* A pass in which tables were made is not to be compared with those before and after: it was
     * cheaper than without them. */
    int mixed = d->version != s->version || d->mixed;
    if (before > 0)
        *of = slope < before / 2 ? FLAT : SURE;
    else
        *of = mixed || took < 2 * d->took ? UNSURE : SURE;
    if ((mixed || *of == FLAT) && slope < before) slope = before;
    d->mixed = d->version != s->version;
    d->version = s->version;
    double least = LEAST_SLOPE / (double)d->step;
    return slope < least ? least : slope;
}

/* How often all counts so far a pass straight to the incumbent may take. */
static double leap_of(const search *s, const deepening *d) {
    double all = (double)all_counts(s), taken = all - (double)spared_counts(s);
    double time = d->finish * taken / all * counting_time(s->in.points, s->in.antecedents);
    return time > LONG_PASS ? LONG_LEAP : s->tune.deepen_leap;
}

/* How far the next threshold is from what is proved, by what the last passes cost. */
static int64_t next_step(search *s, deepening *d, double took) {
    int64_t left = incumbent_cost(&s->incumbent) - atomic_load(&d->proved);
    double step = (double)d->step, all = (double)all_counts(s);
    if (d->took <= 0) return d->step;
    trust of;
    double slope = slope_of(s, d, took, &of);
    d->finish = took * exp(slope * (double)left);
    double leap = leap_of(s, d), leaps = d->finish / all / leap;
    if (took < s->tune.deepen_telling * all)
        return leaps > 1 && 4 * d->step > left ? left / 2 : 2 * d->step;
    d->slope = slope;
    if (leaps <= 1 && of != UNSURE) return left;
    double growth = (double)s->tune.effort_deepening / 1000;
    if (leaps < growth && of == SURE) growth = leaps;
    if (growth > leap) growth = leap;
    double next = log(growth * all / took) / slope;
    if (next > 2 * step) next = 2 * step;
    if (next < step / 3) next = step / 3;
    if (of == FLAT && next < step) next = step;
    if (of != SURE && next > (double)left / 2) next = (double)left / 2;
    if (next >= (double)left) return left;
    return (int64_t)next + 1;
}

void deepen_next(search *s) {
    deepening *d = &tree_of(s)->passes;
    int64_t counts = all_counts(s) - d->began;
    double took = counts > 0 ? (double)counts : 1;
    atomic_store(&d->over, 0);
    int64_t step = next_step(s, d, took);
    d->took = took;
    begin_pass(s, step);
}

void deepen_note(worker_path *k, const frame *f, int64_t effort) {
    first_child *child = k->tree->passes.first ? k->tree->passes.first + f->rule : NULL;
    if (!child) return;
    if (f->least > atomic_load_explicit(&child->least, memory_order_relaxed))
        atomic_store_explicit(&child->least, f->least, memory_order_relaxed);
    atomic_fetch_add_explicit(&child->now, effort, memory_order_relaxed);
}

int64_t deepen_known(const worker_path *k, int32_t r) {
    const first_child *first = k->tree->passes.first;
    return first ? atomic_load_explicit(&first[r].least, memory_order_relaxed) : 0;
}

void deepen_left_root(worker_path *k) {
    search *s = k->search;
    deepening *d = &k->tree->passes;
    int64_t cost = incumbent_cost(&s->incumbent), least = k->frames->least;
    if (s->target >= cost || least >= cost) {
        atomic_store(&k->tree->done, 1);
        return;
    }
    raise(d, least);
    atomic_store(&d->over, 1);
    atomic_store(&k->tree->back, 1);
}

/* A better list beside the proof.
 *
 * While the frontier walks, it finds better lists only if it happens to be. So after every so
 * many counts of the walk, a slice of work goes into the incumbent. Which lists are tried stands in
 * rounds.c; here stands how slices and the walk go together.
 *
 * A slice begins after a number of counts of the walk and ends after a number of its own, so runs
 * repeat wherever steps end.
 *
 * With several workers the last one does the slice while the others walk or build, and then walks,
 * too.
 */
#include "improve.h"

#include <math.h>
#include <stdlib.h>

#include "numbers.h"

/* Counts of one slice: as many as read so many words, but no fewer and no more than these. */
enum { SLICE_WORDS = 100000000, SLICE_LEAST = 125, SLICE_MOST = 5000 };
/* A slice that finds no better list comes at most so many times as late, as a power of two. */
enum { LATEST = 3 };

static int64_t slice_counts(const search *s) {
    int64_t counts = SLICE_WORDS / ((int64_t)s->in.antecedents * s->in.words + 1);
    return greater(SLICE_LEAST, lesser(counts, SLICE_MOST));
}

/* When the next slice is due; if slow tables come before its counts are walked, it is shorter,
 * so that it comes with them: a better list lets fewer of them be built. */
static void plan_slice(search *s, int64_t from) {
    double counts = (double)slice_counts(s), slow = (double)scheduler_first_slow(s);
    technique at_once = {.per_mille = s->improving.per_mille};
    if (slow > 0) counts = fmin(counts, effort_allows(&at_once, slow));
    double wait = effort_wait(&s->improving, counts);
    s->improve_due = wait < 1e18 ? from + (int64_t)wait : INT64_MAX;
}

int32_t improver_draw(improver *im, int32_t n) {
    return (int32_t)((next_random(&im->random) >> 33) % (uint64_t)n);
}

static void mark_wrong(improver *im) {
    const instance *in = &im->search->in;
    for (int32_t c = 0; c < in->classes; c++)
        for (int32_t i = 0; i < in->points; i++)
            if (in->regrets[(size_t)c * (size_t)in->points + (size_t)i] > 0)
                set_bit(im->wrong + (size_t)c * (size_t)in->words, i);
}

static int allocate(improver *im) {
    const search *s = im->search;
    size_t words = (size_t)s->in.words, stride = (size_t)s->stride, m = (size_t)s->in.measures;
    size_t classes = (size_t)s->in.classes, places = MOST_RULES + 1;
    if (worker_new(&im->worker, (search *)s) != CORELS_OK || !worker_counts(&im->worker, INT32_MAX))
        return 0;
    size_t together = (size_t)im->worker.together;
    store *all = &im->arrays;
    im->counts = store_take(all, together * m * stride, sizeof *im->counts);
    im->totals = store_take(all, together * m, sizeof *im->totals);
    im->behind_sets = store_take(all, together * words, sizeof *im->behind_sets);
    im->behind = store_take(all, stride, sizeof *im->behind);
    im->errors = store_take(all, places * stride, sizeof *im->errors);
    im->wrong = store_take(all, classes * words, sizeof *im->wrong);
    im->missed = store_take(all, (classes + 1) * words, sizeof *im->missed);
    im->sets = store_take(all, places * words, sizeof *im->sets);
    return !all->failed;
}

size_t improve_bytes(const search *s) {
    const improver *im = s->improver;
    return im ? sizeof *im + im->arrays.bytes + worker_bytes(&im->worker) : 0;
}

void improve_free(search *s) {
    improver *im = s->improver;
    if (!im) return;
    store_free(&im->arrays);
    worker_free(&im->worker);
    free(im);
    s->improver = NULL;
}

static improver *improver_new(search *s) {
    improver *im = calloc(1, sizeof *im);
    if (!im) return NULL;
    im->search = s;
    int32_t most = s->in.antecedents < s->in.points ? s->in.antecedents : s->in.points;
    im->most = most < MOST_RULES ? most : MOST_RULES;
    if (im->most > s->max_rules) im->most = s->max_rules;
    im->random = (s->seed + 1) * 0x9E3779B97F4A7C15u | 1;
    s->improver = im;
    if (!allocate(im) || (s->memory_limit && improve_bytes(s) > s->memory_limit / 8)) {
        improve_free(s);
        return NULL;
    }
    mark_wrong(im);
    return im;
}

void improver_offer(improver *im, const draft *list) {
    offer_list(&im->worker, NULL, list->cost, list->rules, list->n);
}

void improve_plan(search *s) {
    int on = s->starts && s->counter && s->in.rule_cost > 0 && s->in.points > 1;
    technique improving = {.per_mille = on ? s->tune.effort_improver : 0, .most = LATEST};
    s->improving = effort_beside(improving, s->worker_count > 1 ? s->worker_count - 1 : 1);
    plan_slice(s, s->start_counts);
}

/* If there is no memory for it, the search goes on without. */
static int begin_slice(search *s) {
    improver *im = s->improver ? s->improver : improver_new(s);
    if (!im) return 0;
    int64_t walked = walked_counts(s);
    im->until =
        im->spent + (int64_t)effort_allows(&s->improving, (double)(walked - im->walked)) + 1;
    im->walked = walked;
    im->before = incumbent_cost(&s->incumbent);
    im->sliced = 1;
    plan_slice(s, all_counts(s));
    scheduler_plan(s);
    return 1;
}

static int slice_due(const search *s) {
    const improver *im = s->improver;
    if (s->improve_due == INT64_MAX) return 0;
    return all_counts(s) >= s->improve_due || (im && im->sliced);
}

int improve_begin(search *s) {
    if (!slice_due(s)) return 0;
    if (!improve_under_way(s) && !begin_slice(s)) {
        s->improve_due = INT64_MAX;
        return 0;
    }
    int64_t counts = all_counts(s);
    if (counts >= s->improve_due) { /* the walk was quicker than this slice */
        plan_slice(s, counts);
        scheduler_plan(s);
    }
    atomic_store(&s->improver->over, 0);
    return 1;
}

int improve_under_way(const search *s) {
    return s->improver && s->improver->sliced;
}

void improve_slice(void *search_) {
    search *s = search_;
    improver *im = s->improver;
    int why;
    while (im->spent < im->until && !atomic_load(&im->over)) {
        improver_round(im);
        if (step_over(s, &im->worker, &why)) return;
    }
}

void improve_stop(search *s) {
    atomic_store(&s->improver->over, 1);
}

int improve_end(search *s) {
    improver *im = s->improver;
    if (!events_join(&s->workers->events, &im->worker.events)) s->status = CORELS_NO_MEMORY;
    if (im->spent < im->until) return CORELS_OK;
    im->sliced = 0;
    effort_learn(&s->improving, incumbent_cost(&s->incumbent) < im->before);
    scheduler_plan(s);
    return CORELS_DONE;
}

int improve_more(search *s) {
    if (!improve_begin(s)) return CORELS_DONE;
    improve_slice(s);
    return improve_end(s);
}

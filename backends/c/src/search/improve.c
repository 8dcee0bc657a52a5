/* A better list beside the proof.
 *
 * While the frontier walks, it finds better lists only where it happens to be. So after every so
 * many counts of the walk, a slice of work goes into the incumbent: take some rules out of a list,
 * put the best ones in, in whatever places are best (insert.c), leave out what no longer pays, and
 * keep the new list if it is not much worse than the old one. To come by other lists, a round may
 * overlook many insertions, or put rules in at a lower price than they have and leave out those
 * that do not pay in the end. How much worse a list may be grows while nothing better is found; the
 * improver then begins again from the incumbent, or from the empty list, which it fills at another
 * price of a rule: so come the lists that are good at larger regularizations.
 *
 * A slice begins after a number of counts of the walk and ends after a number of its own, so runs
 * repeat wherever steps end. The first slice comes so late that easy searches see none. A slice
 * takes a quarter of the walk's counts at most (a count of the walk comes with a whole expansion,
 * which takes several times as long), and the share is halved while nothing better is found. Before
 * a stage of prices is built, which takes longer still, there is a burst.
 *
 * With several walkers the last one does the slice while the others walk, and then walks, too. And
 * while one thread builds blocks another one does slices ahead of their time: those to come are as
 * much shorter.
 */
#include "improve.h"

#include <stdlib.h>

enum {
    LATEST = 20000, /* counts of the walk before the first slice */
    EARLIEST = 500,
    WORK = 400000000, /* words of antecedents counted by then */
    FIRST_SHARE = 4,
    LAST_SHARE = 32,
    BURST = 20000, /* effort where the second stage of prices is due; and at most so many words: */
    BURST_WORK = 2000000000,
    PATIENCE = 20000, /* effort without an improvement before the share is halved */
    IDLE_ROUNDS = 30, /* before more is forgiven */
    LEVELS = 8
};

int32_t improver_draw(improver *im, int32_t n) {
    im->random ^= im->random << 13;
    im->random ^= im->random >> 7;
    im->random ^= im->random << 17;
    return (int32_t)((im->random >> 33) % (uint64_t)n);
}

static int32_t no_prefix(const void *at, int32_t *rules) {
    (void)at, (void)rules;
    return 0;
}

/* Counts of the walk between two slices, and before the first: as many as before the first prices
 * are due, if those are fewer. */
static int64_t between(const search *s) {
    int64_t each = (int64_t)s->in.antecedents * s->in.words + 1, counts = WORK / each;
    counts = counts < EARLIEST ? EARLIEST : counts > LATEST ? LATEST : counts;
    for (int32_t i = 0; i < s->staged_count; i++) {
        int64_t after = s->staged[i].after[0];
        if (s->staged[i].face == &prices_tables && after > 0 && after < counts) counts = after;
    }
    return counts;
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
    im->counts = corels_memory_new(m * stride, sizeof *im->counts);
    im->behind = corels_memory_new(stride, sizeof *im->behind);
    im->errors = corels_memory_new(places * stride, sizeof *im->errors);
    im->wrong = corels_memory_new(2 * classes * words, sizeof *im->wrong);
    im->sets = corels_memory_new(places * words, sizeof *im->sets);
    if (!im->counts || !im->behind || !im->errors || !im->wrong || !im->sets) return 0;
    im->missed = im->wrong + classes * words;
    return worker_new(&im->worker, (search *)s) == CORELS_OK && worker_counts(&im->worker);
}

size_t improve_bytes(const search *s) {
    size_t words = (size_t)s->in.words, stride = (size_t)s->stride, m = (size_t)s->in.measures;
    size_t places = MOST_RULES + 1, ints = m * stride + stride + places * stride;
    if (!s->improver) return 0;
    return sizeof(improver) + ints * sizeof(int32_t) + worker_bytes(&s->improver->worker) +
           (2 * (size_t)s->in.classes + places) * words * sizeof(uint64_t);
}

void improve_free(search *s) {
    improver *im = s->improver;
    if (!im) return;
    corels_memory_free(im->counts);
    corels_memory_free(im->behind);
    corels_memory_free(im->errors);
    corels_memory_free(im->wrong);
    corels_memory_free(im->sets);
    worker_free(&im->worker);
    free(im);
    s->improver = NULL;
}

/* The incumbent, or the empty list where it is somebody else's. */
static void take_incumbent(improver *im) {
    incumbent *of = &im->search->incumbent;
    lock_take(&of->lock);
    int32_t n = of->length <= im->most ? of->length : 0;
    im->kept.n = n;
    if (n) memcpy(im->kept.rules, of->rules, (size_t)n * sizeof *of->rules);
    lock_leave(&of->lock);
    im->kept.cost = draft_cost(im, &im->kept);
}

static improver *improver_new(search *s) {
    improver *im = calloc(1, sizeof *im);
    if (!im) return NULL;
    im->search = s;
    int32_t most = s->in.antecedents < s->in.points ? s->in.antecedents : s->in.points;
    im->most = most < MOST_RULES ? most : MOST_RULES;
    im->root.path = no_prefix;
    im->random = (s->seed + 1) * 0x9E3779B97F4A7C15u | 1;
    im->share = FIRST_SHARE;
    im->ahead = -1;
    s->improver = im;
    if (!allocate(im) || (s->memory_limit && improve_bytes(s) > s->memory_limit / 8)) {
        improve_free(s);
        return NULL;
    }
    mark_wrong(im);
    take_incumbent(im);
    return im;
}

void improver_offer(improver *im, const draft *list) {
    if (list->cost < incumbent_cost(&im->search->incumbent)) {
        im->found = im->effort;
        im->share = FIRST_SHARE;
    }
    offer_list(&im->worker, &im->root, list->cost, list->rules, list->n);
}

static void take_out(draft *list, int32_t at) {
    list->n--;
    memmove(list->rules + at, list->rules + at + 1, (size_t)(list->n - at) * sizeof *list->rules);
}

/* Begins again: from the incumbent, or every third time from nothing, at another price. */
static void start_again(improver *im) {
    int64_t rule_cost = im->search->in.rule_cost;
    im->idle = 0;
    im->level = (im->level + 1) % LEVELS;
    take_incumbent(im);
    if (im->level % 3 != 2) return;
    im->kept = (draft){.cost = INT64_MAX / 2};
    im->price = 2 * rule_cost >> improver_draw(im, 4);
}

/* One to three rules go, from anywhere or side by side. */
static void begin_round(improver *im) {
    static const int32_t overlooked[4] = {0, 1, 8, 14}, cheaper[4] = {0, 0, 1, 2};
    im->price = im->search->in.rule_cost >> cheaper[improver_draw(im, 4)];
    if (im->idle >= IDLE_ROUNDS) start_again(im);
    im->now = im->kept;
    im->best = (draft){.cost = INT64_MAX / 2};
    int32_t go = 1 + improver_draw(im, 3), beside = improver_draw(im, 2);
    if (go > im->now.n) go = im->now.n;
    int32_t first = im->now.n ? improver_draw(im, im->now.n - go + 1) : 0;
    for (int32_t i = 0; i < go; i++)
        take_out(&im->now, beside ? first : improver_draw(im, im->now.n));
    im->forced = improver_draw(im, go + 1);
    im->blinks = overlooked[improver_draw(im, 4)];
    im->stage = PUT_IN;
}

static void put_in(improver *im) {
    insertion best;
    if (best_insertion(im, &best) != CORELS_DONE) return;
    if (im->now.cost < im->best.cost) im->best = im->now;
    int pays = best.gain > 0 || (best.rule >= 0 && im->forced-- > 0);
    if (!pays || im->now.n == im->most) {
        im->stage = TIDY;
        return;
    }
    draft *list = &im->now;
    memmove(list->rules + best.at + 1, list->rules + best.at,
            (size_t)(list->n - best.at) * sizeof *list->rules);
    list->rules[best.at] = best.rule;
    list->n++;
}

/* Rules that no longer pay go, one at a time. */
static void tidy(improver *im) {
    im->now = im->best;
    for (int32_t i = im->now.n; i-- > 0;) {
        draft shorter = im->now;
        take_out(&shorter, i);
        shorter.cost = draft_cost(im, &shorter);
        if (shorter.cost <= im->now.cost) im->now = shorter;
    }
    improver_offer(im, &im->now);
    int64_t forgiven = im->search->in.rule_cost * improver_draw(im, im->level + 1) / LEVELS;
    im->idle++;
    if (im->now.cost < im->kept.cost) im->idle /= 2;
    if (im->now.cost <= im->kept.cost + forgiven) im->kept = im->now;
    im->stage = TAKE_OUT;
}

/* Works until the slice is over: CORELS_DONE; or the step has to come back: CORELS_OK. */
static int slice(improver *im) {
    while (im->effort < im->until) {
        if (atomic_load(&im->over)) return CORELS_OK;
        if (im->stage == TAKE_OUT) begin_round(im);
        if (im->stage == PUT_IN)
            put_in(im);
        else
            tidy(im);
        if (!events_room(&im->worker.events)) return CORELS_OK;
        if (control_due(&im->search->control, &im->pace)) return CORELS_OK;
    }
    if (im->effort > im->found + PATIENCE * im->share / FIRST_SHARE && im->share < LAST_SHARE)
        im->share *= 2;
    return CORELS_DONE;
}

void improve_plan(search *s) {
    int on = s->starts && s->counter && s->in.rule_cost > 0 && s->in.points > 1;
    s->improve_after = on ? between(s) : INT64_MAX;
    s->improve_due = on ? s->start_counts + s->improve_after : INT64_MAX;
}

/* Which stage of prices is due, from 1 on; 0: none. */
static int due_prices(const search *s) {
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        if (of->face != &prices_tables || of->stage >= of->face->first) continue;
        int64_t after = of->after[of->stage];
        if (after >= 0 && all_counts(s) >= s->start_counts + after) return of->stage + 1;
    }
    return 0;
}

/* A search that builds prices takes long, and longer each time: it can afford a burst. The more
 * antecedents, the more an expansion takes beside its count. */
static int64_t burst(improver *im) {
    const search *s = im->search;
    int64_t each = (int64_t)s->in.antecedents * s->in.words + 1, most = BURST_WORK / each;
    int64_t walked = (all_counts(s) - s->start_counts) * s->in.antecedents / 100;
    int stage = due_prices(s);
    if (stage <= im->bursts) return 0;
    im->bursts = stage;
    if (most > BURST) most = BURST;
    if (most > walked) most = walked;
    return stage == 1 ? most / 4 : (stage - 1) * most;
}

/* Where there is no memory for it, the search goes on without. */
static int begin_slice(search *s) {
    improver *im = s->improver ? s->improver : improver_new(s);
    if (!im) return 0;
    int64_t counts = all_counts(s);
    int64_t effort = burst(im);
    if (counts >= s->improve_due) {
        effort += s->improve_after / im->share + 1;
        s->improve_due = counts + s->improve_after;
    }
    int64_t spent = im->credit < effort ? im->credit : effort;
    im->credit -= spent;
    im->until = im->effort + effort - spent;
    im->sliced = 1;
    stage_plan(s);
    return 1;
}

static int slice_due(const search *s) {
    const improver *im = s->improver;
    if (s->improve_due == INT64_MAX) return 0;
    return all_counts(s) >= s->improve_due || (im && (im->sliced || due_prices(s) > im->bursts));
}

int improve_begin(search *s) {
    if (!slice_due(s)) return 0;
    if ((!s->improver || !s->improver->sliced) && !begin_slice(s)) {
        s->improve_due = INT64_MAX;
        return 0;
    }
    int64_t counts = all_counts(s);
    if (counts >= s->improve_due) { /* the walk was quicker than this slice */
        s->improve_due = counts + s->improve_after;
        stage_plan(s);
    }
    atomic_store(&s->improver->over, 0);
    return 1;
}

int improve_ahead(search *s) {
    if (s->improve_due == INT64_MAX || (!s->improver && !improver_new(s))) return 0;
    improver *im = s->improver;
    im->ahead = im->effort;
    im->until = INT64_MAX; /* it is stopped */
    im->sliced = 1;
    atomic_store(&im->over, 0);
    return 1;
}

int improve_under_way(const search *s) {
    return s->improver && s->improver->sliced;
}

int improve_slice(search *s) {
    return slice(s->improver);
}

void improve_stop(search *s) {
    atomic_store(&s->improver->over, 1);
}

int improve_end(search *s) {
    improver *im = s->improver;
    if (!events_join(&s->workers->events, &im->worker.events)) s->status = CORELS_NO_MEMORY;
    if (im->ahead >= 0) {
        im->credit += im->effort - im->ahead;
        im->until = im->effort;
        im->ahead = -1;
    }
    if (im->effort < im->until) return CORELS_OK;
    im->sliced = 0;
    stage_plan(s);
    return CORELS_DONE;
}

int improve_more(search *s) {
    if (!improve_begin(s)) return CORELS_DONE;
    improve_slice(s);
    return improve_end(s);
}

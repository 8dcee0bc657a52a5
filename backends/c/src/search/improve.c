/* A better list beside the proof.
 *
 * While the frontier walks, it finds better lists only where it happens to be. So after every so
 * many counts of the walk, a slice of work goes into the incumbent. Which lists are tried stands in
 * rounds.c; here stands when.
 *
 * A slice begins after a number of counts of the walk and ends after a number of its own, so runs
 * repeat wherever steps end. The first slice comes so late that easy searches see none. A slice
 * takes a quarter of the walk's counts at most (a count of the walk comes with a whole expansion,
 * which takes at least four times as long), and the share is halved while nothing better is found.
 * Before a stage of prices is built, which takes longer still, there is a burst. A search that has
 * reached the third stage will take long, so where a count is quick the improver takes half as many
 * counts as the walk from then on, and fewer only after more of them without a better list.
 *
 * How long a count takes is told from the table: see count_work.
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
    PATIENCE = 20000, /* effort without an improvement before the share is halved, or less: */
    PATIENCE_WORK = 1000000000,
    LASTING = 3,    /* the stage of prices after which a search is long: */
    LONG_SHARE = 2, /* where a count takes no more work than: */
    LONG_WORK = 60000,
    LONG_LAST_SHARE = 16,
    LONG_PATIENCE = 60000, /* at least; up to ten times as much where a count is quick */
    BURST = 30000,  /* effort where the second stage of prices is due; and BURST_WORK at most */
    DEAR = 2000000, /* work of a count; where it takes as much, a burst has as many as the walk */
    EACH = 40,      /* what an antecedent takes beside its words: as much as so many words */
};

static const int64_t BURST_WORK = 3000000000;

/* What a count reads. */
static int64_t count_words(const search *s) {
    return (int64_t)s->in.antecedents * s->in.words + 1;
}

/* How long the improver takes with a count, in words read. To look through the antecedents takes
 * longer than to count them where there are many of them and few points. */
static int64_t count_work(const search *s) {
    return count_words(s) + (int64_t)s->in.antecedents * EACH;
}

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
    int64_t counts = WORK / count_words(s);
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
    if (worker_new(&im->worker, (search *)s) != CORELS_OK || !worker_counts(&im->worker)) return 0;
    size_t together = (size_t)im->worker.together;
    im->counts = corels_memory_new(together * m * stride, sizeof *im->counts);
    im->totals = corels_memory_new(together * m, sizeof *im->totals);
    im->behind_sets = corels_memory_new(together * words, sizeof *im->behind_sets);
    im->behind = corels_memory_new(stride, sizeof *im->behind);
    im->errors = corels_memory_new(places * stride, sizeof *im->errors);
    im->wrong = corels_memory_new(2 * classes * words, sizeof *im->wrong);
    im->sets = corels_memory_new(places * words, sizeof *im->sets);
    if (!im->counts || !im->totals || !im->behind_sets || !im->behind || !im->errors ||
        !im->wrong || !im->sets)
        return 0;
    im->missed = im->wrong + classes * words;
    return 1;
}

size_t improve_bytes(const search *s) {
    size_t words = (size_t)s->in.words, stride = (size_t)s->stride, m = (size_t)s->in.measures;
    if (!s->improver) return 0;
    size_t together = (size_t)s->improver->worker.together, places = MOST_RULES + 1;
    size_t ints = together * m * (stride + 1) + stride + places * stride;
    return sizeof(improver) + ints * sizeof(int32_t) + worker_bytes(&s->improver->worker) +
           (2 * (size_t)s->in.classes + places + together) * words * sizeof(uint64_t);
}

void improve_free(search *s) {
    improver *im = s->improver;
    if (!im) return;
    corels_memory_free(im->counts);
    corels_memory_free(im->totals);
    corels_memory_free(im->behind_sets);
    corels_memory_free(im->behind);
    corels_memory_free(im->errors);
    corels_memory_free(im->wrong);
    corels_memory_free(im->sets);
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
    return im;
}

static int is_long(const improver *im) {
    return im->bursts >= LASTING;
}

static int long_share(const search *s) {
    return count_work(s) <= LONG_WORK ? LONG_SHARE : FIRST_SHARE;
}

void improver_offer(improver *im, const draft *list) {
    if (list->cost < incumbent_cost(&im->search->incumbent)) {
        im->found = im->effort;
        im->share = is_long(im) ? long_share(im->search) : FIRST_SHARE;
    }
    offer_list(&im->worker, &im->root, list->cost, list->rules, list->n);
}

static int64_t long_patience(const search *s) {
    int64_t times = LONG_WORK / count_work(s);
    return LONG_PATIENCE * (times < 1 ? 1 : times > 10 ? 10 : times);
}

static int64_t first_patience(const improver *im) {
    int64_t most = PATIENCE_WORK / count_work(im->search);
    return (most < PATIENCE ? most : PATIENCE) * im->share / FIRST_SHARE;
}

/* Halves the share where nothing better has been found for long. */
static void mind_share(improver *im) {
    int64_t patience = is_long(im) ? long_patience(im->search) : first_patience(im);
    if (im->effort <= im->found + patience) return;
    if (im->share >= (is_long(im) ? LONG_LAST_SHARE : LAST_SHARE)) return;
    im->share *= 2;
    if (is_long(im)) im->found = im->effort;
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
        if (all_counts(s) >= stage_due_at(s, of)) return of->stage + 1;
    }
    return 0;
}

/* The effort of a full burst. It is small beside what the walk has taken so far, where counts are
 * dear and where there are few antecedents, so that an expansion takes little more than a count. */
static int64_t full_burst(const search *s) {
    int64_t walked = walked_counts(s), most = BURST_WORK / count_work(s);
    lower(&most, BURST);
    lower(&most, walked * s->in.antecedents / 100);
    lower(&most, walked * DEAR / count_work(s));
    return most;
}

/* A search that builds prices takes long, and longer each time: it can afford a burst. */
static int64_t burst(improver *im) {
    const search *s = im->search;
    int stage = due_prices(s);
    if (stage <= im->bursts) return 0;
    im->bursts = stage;
    if (stage == LASTING) im->share = long_share(s), im->found = im->effort;
    return stage == 1 ? full_burst(s) / 4 : (stage - 1) * full_burst(s);
}

/* Where there is no memory for it, the search goes on without. */
static int begin_slice(search *s) {
    improver *im = s->improver ? s->improver : improver_new(s);
    if (!im) return 0;
    int64_t counts = all_counts(s);
    int64_t effort = burst(im);
    if (counts >= s->improve_due) {
        int64_t walked = walked_counts(s);
        effort += (walked - im->walked) / im->share + 1;
        im->walked = walked;
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

void improve_slice(search *s) {
    improver *im = s->improver;
    while (im->effort < im->until && !atomic_load(&im->over)) {
        improver_round(im);
        if (!events_room(&im->worker.events) || control_due(&s->control, &im->pace)) return;
    }
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
    mind_share(im);
    im->sliced = 0;
    stage_plan(s);
    return CORELS_DONE;
}

int improve_more(search *s) {
    if (!improve_begin(s)) return CORELS_DONE;
    improve_slice(s);
    return improve_end(s);
}

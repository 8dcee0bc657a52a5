/* The scheduler of tables: tables only if they pay. It reads like a table of contents:
 *
 *     When          a stage is due after so many counts of the walk, as the bound reports or the
 *                   options say; by counts, not by time, so that runs repeat
 *     Waiting       it is put off if the search is about to end
 *     Affording     it is built within what the memory limit leaves
 *     Building      no worker walks meanwhile; building goes on over as many steps as it takes
 *     Judging       tables that rule out next to nothing are not asked any more
 *     What others ask   the improver, the deepening, reports
 *
 * No bound is known here by name: everything goes by what it reports (bounds/tables.h).
 */
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "search.h"

enum { BY_DATA = -2, NEVER = -1 };

/* A stage waits if the search is expected to take no more than so many times all counts so far;
 * but until so many times its counts at most; it is looked at again after so many at least. */
static const double ENDING = 1.5;
enum { ENDING_LATEST = 2, LOOK = 16 };

/* Tables that drop fewer than one child in so many are idle; those that save so many times what
 * their look-ups take are tried no more. */
enum { WORTH = 50, SURE = 4 };

static staged *first_of(const search *s) {
    return (staged *)s->staged;
}

static staged *end_of(const search *s) {
    return (staged *)s->staged + s->staged_count;
}

/* --- Taking tables in --- */

static tables_data data_of(const search *s) {
    return (tables_data){.kernel = s->kernel,
                         .tune = &s->tune,
                         .in = {.masks = s->in.masks,
                                .regrets = s->in.regrets,
                                .antecedents = s->in.antecedents,
                                .points = s->in.points,
                                .classes = s->in.classes,
                                .for_rules = s->in.for_rules,
                                .rule_cost = s->in.rule_cost,
                                .unit = s->in.unit},
                         .seed = s->seed,
                         .threads = s->worker_count};
}

/* Counts before a stage, as the options have it or the bound reports. */
static int64_t counts_of(const staged *of, int stage) {
    return of->wished[stage] == BY_DATA ? of->tables->due[stage] : of->wished[stage];
}

int scheduler_take(search *s, tables_maker make, const corels_bound_choice *choice) {
    if (s->staged_count == MOST_STAGED) return CORELS_BAD_ARGUMENT;
    const int64_t *wished = choice->stages;
    tables_data data = data_of(s);
    data.foreign = choice->tables;
    staged *of = s->staged + s->staged_count;
    *of = (staged){.tables = make(&data)};
    if (!of->tables) return CORELS_NO_MEMORY;
    s->staged_count++;
    for (int i = 0; i < MOST_STAGES; i++)
        of->wished[i] = !wished ? BY_DATA : i < choice->stage_count ? wished[i] : NEVER;
    return CORELS_OK;
}

/* Builds these stages at once, but for those that never become due, or are not known to. */
void corels_search_build_tables_now(corels_search *s, int32_t stages) {
    for (staged *of = first_of(s); of < end_of(s); of++)
        for (int stage = 0; stage < stages && stage < of->tables->first; stage++)
            if (counts_of(of, stage) > 0) of->wished[stage] = 0;
}

/* A proof goes without tables that it could not state. */
static int admitted(const search *s, const staged *of) {
    return !s->record || of->tables->provable;
}

void scheduler_begin(search *s) {
    for (staged *of = first_of(s); of < end_of(s); of++)
        if (of->tables->ops->plan && admitted(s, of))
            of->tables->ops->plan(of->tables, incumbent_cost(&s->incumbent), s->max_rules,
                                  s->before);
}

void scheduler_free(search *s) {
    for (staged *of = first_of(s); of < end_of(s); of++) of->tables->ops->free(of->tables);
}

/* --- When --- */

/* Counts of the walk after which the next stage is due; < 0: never. */
static int64_t counts_before(const staged *of) {
    return of->stage < of->tables->stages ? counts_of(of, of->stage) : NEVER;
}

/* Better tables than idle ones would mostly be idle, too, but for those that retrain. */
static int given_up(const staged *of) {
    int sharpens = of->tables->stages > of->tables->first && of->stage <= of->tables->first;
    return atomic_load(&of->idle) && !sharpens;
}

static int64_t planned_at(const search *s, const staged *of) {
    int64_t counts = given_up(of) ? NEVER : counts_before(of);
    return counts < 0 ? INT64_MAX : s->start_counts + counts + spared_counts(s);
}

static int64_t due_at(const search *s, const staged *of) {
    return greater(planned_at(s, of), of->not_before);
}

static int is_due(const search *s, const staged *of) {
    return all_counts(s) >= due_at(s, of);
}

int64_t scheduler_deepens(const search *s) {
    int64_t counts = s->tune.deepen_after;
    for (const staged *of = first_of(s); of < end_of(s); of++)
        if (of->tables->settles) counts = greater(counts, counts_of(of, of->tables->settles - 1));
    return s->start_counts + counts + spared_counts(s);
}

void scheduler_plan(search *s) {
    int64_t deepens = scheduler_deepens(s);
    s->due = s->improve_due;
    for (staged *of = first_of(s); of < end_of(s); of++) lower(&s->due, due_at(s, of));
    if (all_counts(s) < deepens) lower(&s->due, deepens);
}

/* A stage has been built, or is passed over. */
static void pass(search *s, staged *of, int built) {
    of->stage++;
    of->tables->reserved = 0;
    s->building_of = -1;
    if (built || !s->version) s->version++;
    scheduler_plan(s);
    if (s->ops->share_memory) s->ops->share_memory(s);
}

/* --- Waiting --- */

/* What the dropped children would have taken, in counts: as those that are searched all the same.
 * (That they fall to the memo, or to bounds that come later, is in this.) Those whose turn has not
 * come yet are among them: they come when the memo knows more, and the ones before them, which take
 * most, do not stand for all. < 0: the search of too few is over. */
static double saved_counts(const search *s, const staged *of) {
    long long searched = atomic_load(&of->all.searched);
    if (atomic_load(&of->all.over) < s->tune.tables_tries_least) return -1;
    return (double)atomic_load(&of->all.dropped) * (double)atomic_load(&of->all.counts) /
           (double)searched;
}

/* Counts until the stage, which is due, is looked at again, since the search is expected to end
 * before the stage pays; 0: it need not wait. That may be wrong, so it does not wait for long. */
static int64_t counts_to_end(const search *s, const staged *of) {
    double left = s->ops->to_come ? s->ops->to_come(s) : -1,
           so_far = (double)(all_counts(s) - s->start_counts);
    if (of->wished[of->stage] != BY_DATA || left < 0 || left > ENDING * so_far) return 0;
    int64_t latest = ENDING_LATEST * (planned_at(s, of) - s->start_counts),
            most = s->start_counts + latest - all_counts(s);
    if (most < LOOK) return 0;
    int64_t wait = left < (double)most ? (int64_t)left : most;
    return greater(wait, LOOK);
}

/* Whether the stage, which is due, is put off for now. */
static int put_off(const search *s, staged *of) {
    int64_t wait = counts_to_end(s, of);
    of->not_before = wait ? all_counts(s) + wait : 0;
    return wait != 0;
}

/* The first tables that are due, from `from` on; -1: none. */
static int32_t next_due(const search *s, int32_t from) {
    for (int32_t i = from; i < s->staged_count; i++)
        if (is_due(s, s->staged + i)) return i;
    return -1;
}

static int32_t first_due(search *s) {
    int32_t which = next_due(s, 0);
    while (which >= 0 && put_off(s, s->staged + which)) which = next_due(s, which + 1);
    if (which < 0) scheduler_plan(s);
    return which;
}

/* --- Affording --- */

/* A stage may take three quarters of the limit and no more than is free; it is asked to get along
 * with half as much. */
static void set_limits(const search *s, build_budget *budget) {
    size_t limit = s->memory_limit, most = limit / 4 * 3, taken = held_bytes(s);
    budget->room = SIZE_MAX;
    if (!limit) return;
    size_t free = limit > taken ? limit - taken : 0, least = most < free ? most : free;
    budget->room = least ? least - 1 : 0;
    budget->memory = taken + most / 2 < limit ? most / 2 : 1;
}

/* --- Building --- */

/* The sets that all workers keep for these tables; empty without memory. To be freed. */
static corels_sample sample_of(const search *s, int32_t which) {
    size_t words = (size_t)s->in.words;
    int32_t n = 0, at = 0;
    for (int32_t i = 0; i < s->worker_count; i++) n += s->workers[i].sampled[which].n;
    uint64_t *sets = n ? malloc((size_t)n * words * sizeof *sets) : NULL;
    if (!sets) return (corels_sample){0};
    for (int32_t i = 0; i < s->worker_count; i++) {
        const sampled_sets *v = s->workers[i].sampled + which;
        if (v->n) memcpy(sets + (size_t)at * words, v->sets, (size_t)v->n * words * sizeof *sets);
        at += v->n;
    }
    return (corels_sample){n, sets};
}

/* Notes the most that it has held. */
static int build_piece(search *s, tables *t, int stage, const build_budget *budget) {
    size_t before = held_bytes(s) - t->reserved;
    int status = t->ops->build(t, stage, budget);
    if ((status == CORELS_OK || status == CORELS_DONE) && before + t->reserved > s->peak_building)
        s->peak_building = before + t->reserved;
    return status;
}

/* One piece of the stage, or the beginning of it and one piece. */
static int work_on(search *s, staged *of, int begins) {
    tables *t = of->tables;
    build_budget budget = {.control = &s->control,
                           .pace = &s->workers->pace,
                           .incumbent = incumbent_cost(&s->incumbent),
                           .max_rules = s->max_rules,
                           .proof = s->record};
    if (!begins) return build_piece(s, t, of->stage, &budget);
    set_limits(s, &budget);
    if (of->stage >= t->first) budget.sample = sample_of(s, (int32_t)(of - s->staged));
    int status = build_piece(s, t, of->stage, &budget);
    free((void *)budget.sample.sets);
    return status;
}

/* New tables are judged anew. */
static void take_up(search *s, staged *of) {
    of->version = s->version + 1;
    of->built++;
    of->all = (tally){0};
    atomic_store(&of->pays, 0);
    atomic_store(&of->idle, 0);
    if (of->tables->unrecorded) s->status = CORELS_NO_MEMORY; /* no checker could follow */
}

int scheduler_build(search *s) {
    int begins = s->building_of < 0;
    int32_t which = begins ? first_due(s) : s->building_of;
    if (which < 0) return CORELS_DONE;
    staged *of = s->staged + which;
    int status = admitted(s, of) ? work_on(s, of, begins) : CORELS_BAD_ARGUMENT;
    s->building_of = which;
    if (status == CORELS_OK) return CORELS_OK; /* to be continued */
    if (status == CORELS_DONE) take_up(s, of);
    pass(s, of, status == CORELS_DONE);
    return CORELS_DONE;
}

/* --- Judging --- */

/* What the dropped children would take, against what look-ups have taken. */
static void weigh(const search *s, staged *of) {
    double saved = saved_counts(s, of);
    if (saved < 0) return;
    double gain = saved * 1000 * counting_time(s->in.points, s->in.antecedents), /* nanoseconds */
        looked = (double)atomic_load(&of->all.looked);
    if (2 * gain < looked)
        atomic_store(&of->idle, 1);
    else if (gain > looked * SURE)
        atomic_store(&of->pays, 1);
}

/* All sets count, not the last ones: in COMPAS at .001 tables drop nothing of 17,000 children in a
 * row and half of the millions that follow. */
void scheduler_judge(const search *s, staged *of, int32_t asked, int32_t dropped, int64_t looked) {
    atomic_fetch_add(&of->all.asked, asked);
    atomic_fetch_add(&of->all.dropped, dropped);
    atomic_fetch_add(&of->all.sets, 1);
    atomic_fetch_add(&of->all.looked, looked);
    if (atomic_load(&of->all.sets) < of->tables->trial) return;
    long long gone = atomic_load(&of->all.dropped);
    if (gone * WORTH < atomic_load(&of->all.asked))
        atomic_store(&of->idle, 1);
    else if (!atomic_load(&of->pays))
        weigh(s, of);
}

/* --- What others ask --- */

int scheduler_tries(const search *s, const staged *of) {
    const tally *t = &of->all;
    technique trials = {.per_mille = s->tune.effort_trials};
    double walked = (double)(atomic_load(&t->sets) + s->tune.tables_tries_first);
    return of->tables->trial && !atomic_load_explicit(&of->pays, memory_order_relaxed) &&
           (double)atomic_load(&t->counts) <= effort_allows(&trials, walked) &&
           trials.per_mille > 0;
}

void scheduler_tried(staged *of, int64_t counts) {
    atomic_fetch_add(&of->all.over, 1);
    atomic_fetch_add(&of->all.counts, counts);
}

int scheduler_collects(const staged *of) {
    return of->stage >= of->tables->first && of->stage < of->tables->stages;
}

int64_t scheduler_first_slow(const search *s) {
    for (staged *of = first_of(s); of < end_of(s); of++)
        if (of->tables->slow) return counts_before(of);
    return 0;
}

double scheduler_done(const search *s) {
    double done = s->building_of < 0 ? -1 : s->staged[s->building_of].tables->done;
    return s->building_of >= 0 && done < 0 ? 0 : done;
}

size_t scheduler_bytes(const search *s) {
    size_t bytes = 0;
    for (staged *of = first_of(s); of < end_of(s); of++)
        bytes += of->tables->ops->bytes(of->tables) + of->tables->reserved;
    return bytes;
}

/* The tables of a part, or NULL. */
static const staged *of_part(const search *s, int32_t part) {
    if (part < 0 || part >= s->bound_count || s->bounds[part].staged < 0) return NULL;
    return s->staged + s->bounds[part].staged;
}

int32_t corels_search_stages(const corels_search *s, int32_t part) {
    const staged *of = of_part(s, part);
    return of ? of->built : -1;
}

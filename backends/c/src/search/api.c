/* Making, stepping and freeing a search.
 *
 * Everything that takes time happens inside a step, in this order: the data is laid out for
 * counting, the start looks for a good list, the frontier walks; if tables are due, they are
 * built between two walks. Each of these comes back when the step's time is up or the search is
 * interrupted, and goes on in the next step where it was.
 */
#include <stdlib.h>

#include "record.h"
#include "search.h"

static int valid(const corels_instance *in, const corels_search_options *o) {
    int32_t for_rules = in->for_rules;
    return in->antecedents >= 0 && in->points >= 0 && in->classes >= 1 && in->rule_cost >= 0 &&
           for_rules >= 0 && for_rules <= in->classes &&
           (!for_rules || in->classes > 2 || for_rules == in->classes) && in->unit >= 1 &&
           o->threads >= 1 && o->threads <= 1024 && o->bound_count >= 0 &&
           (o->frontier == CORELS_BEST_FIRST || o->frontier == CORELS_DEPTH_FIRST);
}

static int begin_counter(search *s) {
    s->stride = s->in.antecedents / 16 * 16 + 16;
    if (!s->in.antecedents || !s->in.points) return CORELS_OK;
    int status = corels_counter_begin(&s->counter, s->in.masks, s->in.antecedents, s->in.points,
                                      s->in.weights, s->in.measures);
    if (status != CORELS_OK) return status;
    s->stride = corels_counter_stride(s->counter);
    s->in.digits = *corels_counter_digits(s->counter);
    s->in.regret_digits = digits_of_first(&s->in.digits, s->in.classes);
    return status;
}

/* Longest list that is ever offered: rules that capture something, or what the beam makes of more
 * rules. */
static int32_t longest(const instance *in) {
    int32_t most = in->antecedents < in->points ? in->antecedents : in->points;
    return (most < 64 ? 64 : most) + 2;
}

/* A limit of rules that cannot bind is none: a list below the incumbent has (cost - 1) / rule_cost
 * rules at most, and no list needs an antecedent twice. */
static void forget_needless_limit(search *s) {
    int64_t longest = most_rules(incumbent_cost(&s->incumbent), s->in.rule_cost);
    if (longest > s->in.antecedents) longest = s->in.antecedents;
    if (s->max_rules >= longest && !s->learned) s->max_rules = ANY_NUMBER;
}

static int make(search *s, const corels_instance *in, const corels_search_options *o) {
    s->ops = o->frontier == CORELS_DEPTH_FIRST ? &depth_first : &best_first;
    int status = instance_copy(&s->in, in);
    if (status == CORELS_OK) status = choose_parts(s, o);
    if (status == CORELS_OK && !incumbent_new(&s->incumbent, longest(&s->in)))
        status = CORELS_NO_MEMORY;
    if (status != CORELS_OK) return status;
    int64_t objective = s->in.unit * instance_default_errors(&s->in);
    incumbent_offer(&s->incumbent, objective, NULL, 0);
    s->max_rules = o->max_rules < 0 ? ANY_NUMBER : o->max_rules;
    forget_needless_limit(s);
    status = begin_counter(s);
    if (status == CORELS_OK) status = s->ops->prepare(s, o->map);
    s->workers = calloc((size_t)s->worker_count, sizeof *s->workers);
    s->team = team_new(s->worker_count);
    if (status == CORELS_OK && !(s->workers && s->team)) status = CORELS_NO_MEMORY;
    for (int32_t i = 0; i < s->worker_count && status == CORELS_OK; i++)
        status = worker_new(s->workers + i, s);
    if (status != CORELS_OK) return status;
    events_emit(&s->workers->events, (corels_event){.kind = EVENT_START,
                                                    .antecedent = -1,
                                                    .count = s->in.antecedents,
                                                    .objective = objective + s->in.base});
    return CORELS_OK;
}

int corels_search_new(corels_search **out, const corels_instance *in,
                      const corels_search_options *options) {
    *out = NULL;
    if (!valid(in, options)) return CORELS_BAD_ARGUMENT;
    search *s = calloc(1, sizeof *s);
    if (!s) return CORELS_NO_MEMORY;
    s->building_of = -1;
    s->improve_due = s->target = INT64_MAX;
    s->kernel = corels_kernel_table_current();
    int status = s->kernel ? make(s, in, options) : CORELS_BAD_ARGUMENT;
    if (status == CORELS_OK)
        *out = s;
    else
        corels_search_free(s);
    return status;
}

void corels_search_free(corels_search *s) {
    if (!s) return;
    start_free(s);
    improve_free(s);
    scheduler_free(s);
    if (s->frontier) s->ops->free(s);
    for (int32_t i = 0; s->workers && i < s->worker_count; i++) worker_free(s->workers + i);
    free(s->workers);
    team_free(s->team);
    free(s->bounds);
    corels_counter_free(s->counter);
    incumbent_free(&s->incumbent);
    record_free(s->record);
    store_free(&s->in.arrays);
    free(s);
}

int corels_search_offer(corels_search *s, int64_t objective) {
    return incumbent_offer(&s->incumbent, objective - s->in.base, NULL, 0);
}

/* Lays the data out; then there is something to count with. */
static int load(search *s) {
    int status = s->counter ? CORELS_OK : CORELS_DONE;
    while (status == CORELS_OK && !control_due(&s->control, &s->workers->pace))
        status = corels_counter_build(s->counter);
    if (status != CORELS_DONE) {
        s->pause = CORELS_PAUSE_TIME;
        return status;
    }
    for (int32_t i = 0; i < s->worker_count; i++)
        if (!worker_counts(s->workers + i, 1)) return CORELS_NO_MEMORY;
    s->fixed_bytes = sizeof *s + s->in.arrays.bytes + s->in.lent +
                     (s->counter ? corels_counter_bytes(s->counter) : 0);
    s->phase = CORELS_PHASE_START;
    return s->starts && s->counter ? start_begin(s) : CORELS_OK;
}

/* If lists may have so many rules at most, the claims of a proof are about such lists. */
static int write_limit(const search *s) {
    if (!s->record || s->max_rules == ANY_NUMBER) return CORELS_OK;
    if (!record_begin(s->record, 2)) return CORELS_NO_MEMORY;
    record_put(s->record, RECORD_LIMIT);
    record_put(s->record, (uint64_t)s->max_rules);
    record_end(s->record);
    return CORELS_OK;
}

/* The start is over: the walk begins. */
static int begin_walk(search *s) {
    start_free(s);
    s->phase = CORELS_PHASE_WALK;
    s->start_counts = s->workers->seen.counts;
    forget_needless_limit(s);
    scheduler_begin(s);
    improve_plan(s);
    scheduler_plan(s);
    int status = write_limit(s);
    return status == CORELS_OK && s->ops->begin ? s->ops->begin(s) : status;
}

/* Builds the tables that are due; a slice of the improver that is under way goes on beside, if
 * there is more than one worker. */
static int build(search *s, int sliced) {
    if (!scheduler_due(s, all_counts(s))) return CORELS_DONE;
    thread_task task = {.call = improve_slice, .argument = s};
    int started = sliced && thread_start(&task), status = scheduler_build(s);
    if (!started) return status;
    improve_stop(s);
    thread_join(&task);
    improve_end(s);
    improve_begin(s);
    return status;
}

/* Walks, builds tables between walks, and improves the incumbent. CORELS_DONE: everything is
 * searched. */
static int walk(search *s, int64_t budget) {
    int64_t cost = incumbent_cost(&s->incumbent);
    while (budget > 0) {
        int beside = s->ops->beside && s->ops->beside(s), sliced = beside && improve_begin(s);
        if ((!beside && improve_more(s) != CORELS_DONE) || build(s, sliced) != CORELS_DONE) {
            s->pause = CORELS_PAUSE_TIME;
            return CORELS_OK;
        }
        s->pause = CORELS_PAUSE_BUDGET;
        if (scheduler_due(s, all_counts(s)))
            continue; /* more is due, a slice perhaps before tables */
        int status = s->ops->walk(s, &budget);
        if (beside && improve_under_way(s)) improve_end(s);
        if (status != CORELS_OK || s->pause != CORELS_PAUSE_BUDGET) return status;
        if (incumbent_cost(&s->incumbent) < cost) {
            s->pause = CORELS_PAUSE_IMPROVED;
            return CORELS_OK;
        }
    }
    return CORELS_OK;
}

static int advance(search *s, int64_t budget) {
    int status = CORELS_OK;
    if (s->phase == CORELS_PHASE_LOAD) status = load(s);
    if (s->phase == CORELS_PHASE_START && status == CORELS_OK) {
        status = s->start ? start_more(s) : CORELS_DONE;
        if (status == CORELS_DONE) status = begin_walk(s);
    }
    if (s->phase != CORELS_PHASE_WALK || status != CORELS_OK) return status;
    return walk(s, budget);
}

static void say_done(search *s) {
    int64_t objective = incumbent_cost(&s->incumbent) + s->in.base;
    events_emit(&s->workers->events, (corels_event){.kind = EVENT_DONE,
                                                    .antecedent = -1,
                                                    .lower_bound = objective,
                                                    .objective = objective});
}

int corels_search_step(corels_search *s, int64_t budget, double seconds) {
    if (s->status != CORELS_OK) return s->status;
    control_begin(&s->control, seconds);
    s->pause = CORELS_PAUSE_BUDGET;
    s->status = advance(s, budget);
    team_rest(s->team);
    if (control_cut(&s->control)) s->pause = CORELS_PAUSE_INTERRUPTED;
    control_end(&s->control);
    for (int32_t i = 1; i < s->worker_count; i++)
        if (!events_join(&s->workers->events, &s->workers[i].events)) s->status = CORELS_NO_MEMORY;
    s->stocktaking = 1;
    if (s->status == CORELS_DONE) say_done(s);
    return s->status;
}

void corels_search_interrupt(corels_search *s) {
    atomic_store(&s->control.interrupted, 1);
}

int64_t corels_search_events(corels_search *s, const corels_event **events) {
    event_buffer *buffer = &s->workers->events;
    int64_t count = buffer->count;
    *events = buffer->records;
    buffer->count = 0;
    return count;
}

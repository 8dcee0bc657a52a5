/* The parts that the options name. Whatever is asked of a bound by name is asked of its row in the
 * table of bounds, here and nowhere else. */
#include "search.h"

#include <stdlib.h>

static int choose_bound(search *s, int32_t part, const corels_search_options *o) {
    const corels_bound_choice *choice = o->bounds + part;
    chosen_bound *bound = s->bounds + part;
    *bound = (chosen_bound){.monotone = choice->monotone, .staged = -1};
    if (choice->tables) {
        bound->staged = s->staged_count;
        bound->name = choice->tables->name;
        return scheduler_take(s, foreign_tables_new, choice);
    }
    if (!choice->native) {
        bound->keep = choice->keep;
        bound->user = choice->user;
        return choice->keep ? CORELS_OK : CORELS_BAD_ARGUMENT;
    }
    bound->row = bound_named(choice->native);
    if (!bound->row) return CORELS_BAD_ARGUMENT;
    if (bound->row->weighs && s->in.support < 0) return CORELS_BAD_ARGUMENT;
    if (s->ops->sets_only && !bound->row->in_set) return CORELS_BAD_ARGUMENT;
    s->part_of[bound->row->role] = part;
    if (!bound->row->tables) return CORELS_OK;
    bound->staged = s->staged_count;
    bound->name = bound->row->name;
    return scheduler_take(s, bound->row->tables, choice);
}

static int choose_bounds(search *s, const corels_search_options *o) {
    for (int role = 0; role < ROLES; role++) s->part_of[role] = -1;
    s->bound_count = o->bound_count;
    s->bounds = calloc((size_t)o->bound_count + 1, sizeof *s->bounds);
    if (!s->bounds) return CORELS_NO_MEMORY;
    for (int32_t part = 0; part < o->bound_count; part++) {
        int status = choose_bound(s, part, o);
        if (status != CORELS_OK) return status;
    }
    int always = plays(s, ROLE_HIERARCHICAL) && plays(s, ROLE_EQUIVALENT_POINTS);
    return s->ops->sets_only && !always ? CORELS_BAD_ARGUMENT : CORELS_OK;
}

int choose_parts(search *s, const corels_search_options *o) {
    s->tune = tuning_defaults;
    if (o->tune && !tuning_set(&s->tune, o->tune)) return CORELS_BAD_ARGUMENT;
    s->policy = o->policy ? policy_named(o->policy) : NULL;
    s->priority = o->priority;
    s->priority_user = o->priority_user;
    if (!s->policy && (o->policy || !o->priority)) return CORELS_BAD_ARGUMENT;
    s->fine = o->fine_events;
    s->reads_sets = o->reads_sets;
    s->starts = o->start && o->max_rules;
    s->seed = o->seed;
    s->memory_limit = o->memory;
    s->worker_count = s->ops->threads ? o->threads : 1;
    return choose_bounds(s, o);
}

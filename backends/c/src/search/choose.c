/* The parts that the options name. Whatever is asked of a bound by name is asked of its row in the
 * table of bounds, here and nowhere else. */
#include "search.h"

#include <stdlib.h>

static int choose_tables(search *s, chosen_bound *bound, const corels_bound_choice *choice) {
    bound->staged = s->staged_count;
    return scheduler_take(s, bound->row->tables, choice->stages, choice->stage_count);
}

static void choose_role(search *s, int32_t part, bound_role role) {
    if (role == ROLE_LOOKAHEAD) s->part_lookahead = part;
    if (role == ROLE_HIERARCHICAL) s->part_hierarchical = part;
    if (role == ROLE_ONE_RULE) s->part_one_rule = part;
    if (role == ROLE_EQUIVALENT_POINTS) s->equivalent_points = 1;
    if (role == ROLE_REJECTION) s->rejection = 1;
}

static int choose_bound(search *s, int32_t part, const corels_search_options *o) {
    const corels_bound_choice *choice = o->bounds + part;
    chosen_bound *bound = s->bounds + part;
    *bound = (chosen_bound){.monotone = choice->monotone, .staged = -1};
    if (!choice->native) {
        bound->keep = choice->keep;
        bound->user = choice->user;
        return choice->keep ? CORELS_OK : CORELS_BAD_ARGUMENT;
    }
    bound->row = bound_named(choice->native);
    if (!bound->row) return CORELS_BAD_ARGUMENT;
    if (bound->row->weighs && s->in.support < 0) return CORELS_BAD_ARGUMENT;
    if (s->ops->sets_only && !bound->row->in_set) return CORELS_BAD_ARGUMENT;
    choose_role(s, part, bound->row->role);
    return bound->row->tables ? choose_tables(s, bound, choice) : CORELS_OK;
}

static int choose_bounds(search *s, const corels_search_options *o) {
    s->part_lookahead = s->part_hierarchical = s->part_one_rule = -1;
    s->bound_count = o->bound_count;
    s->bounds = calloc((size_t)o->bound_count + 1, sizeof *s->bounds);
    if (!s->bounds) return CORELS_NO_MEMORY;
    for (int32_t part = 0; part < o->bound_count; part++) {
        int status = choose_bound(s, part, o);
        if (status != CORELS_OK) return status;
    }
    int always = s->part_hierarchical >= 0 && s->equivalent_points;
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

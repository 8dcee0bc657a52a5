/* Staging: tables only where they pay.
 *
 * An easy instance is solved before the first blocks could be built. So the search begins without
 * any, and builds each stage of each bound's tables after a number of counts of the walk: by
 * counts, not by time, so that runs repeat. While tables are built nobody walks; building goes on
 * over as many steps as it takes.
 */
#include <stdlib.h>
#include <string.h>

#include "search.h"

enum { LATER = 10 }; /* how much so are larger blocks, where prices drop children */

tables_data stage_data(const search *s) {
    return (tables_data){.kernel = s->kernel,
                         .masks = s->in.masks,
                         .regrets = s->in.regrets,
                         .antecedents = s->in.antecedents,
                         .points = s->in.points,
                         .classes = s->in.classes,
                         .rule_cost = s->in.rule_cost,
                         .unit = s->in.unit,
                         .seed = s->seed,
                         .threads = s->worker_count,
                         .memory = s->memory_limit,
                         .max_rules = s->max_rules,
                         .cost = incumbent_cost(&s->incumbent)};
}

/* Whether prices have been built, and drop many children that blocks keep. */
static int prices_lead(const search *s) {
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        if (of->face->leads && tables_speak(of->face, of->built)) return of->face->leads(of->built);
    }
    return 0;
}

int64_t stage_due_at(const search *s, const staged *of) {
    int64_t after = of->stage < of->face->stages ? of->after[of->stage] : -1;
    return after < 0 ? INT64_MAX : s->start_counts + after;
}

void stage_due_anew(search *s) {
    tables_data data = stage_data(s);
    for (int32_t i = 0; i < s->staged_count; i++)
        for (int j = 0; j < s->staged[i].face->stages; j++)
            if ((s->staged[i].by_data >> j & 1) && s->staged[i].after[j]) /* not hurried */
                s->staged[i].after[j] = s->staged[i].face->due(&data, j);
}

void stage_plan(search *s) {
    s->plans++;
    s->due = s->improve_due;
    for (int32_t i = 0; i < s->staged_count; i++) lower(&s->due, stage_due_at(s, s->staged + i));
}

static size_t held(const search *s) {
    return search_bytes(s) + s->face->bytes(s);
}

/* Whether there is memory to build the tables, and a quarter of the limit left for the rest. */
static int affordable(const search *s, size_t bytes) {
    size_t limit = s->memory_limit;
    return !limit || (bytes < limit / 4 * 3 && bytes + held(s) < limit);
}

/* The cost of the best list known less what the tables say of all points; 0 without tables, or
 * without memory for a view. */
static int64_t lacking(const search *s, const staged *of) {
    const tables_face *face = of->face;
    if (!of->built || !face->due_now) return 0;
    uint64_t *set = calloc((size_t)s->in.words + 1, sizeof *set);
    uint64_t *view = calloc((size_t)face->view_words(of->built) + 1, sizeof *view);
    int64_t said = incumbent_cost(&s->incumbent);
    if (set && view) {
        fill_bits(set, s->in.points);
        face->root(of->built, set, view);
        said = face->least(of->built, view, -1, s->in.rule_cost, s->in.unit, INT64_MAX);
    }
    free(set);
    free(view);
    return incumbent_cost(&s->incumbent) - said;
}

/* A stage has been built, or is passed over. */
static void pass(search *s, staged *of) {
    of->stage++;
    s->version++;
    stage_plan(s);
    if (s->face->share_memory) s->face->share_memory(s);
}

/* The sets that all workers keep, in *sample. 0: none, or no memory. */
static int take_visited(search *s, corels_prices_sample *sample) {
    size_t bytes = (size_t)s->in.words * sizeof(uint64_t), n = 0;
    for (int32_t i = 0; i < s->worker_count; i++) n += (size_t)s->workers[i].visited.n;
    uint64_t *sets = n ? malloc(n * bytes) : NULL;
    if (!sets) return 0;
    *sample = (corels_prices_sample){.sets = sets};
    for (int32_t i = 0; i < s->worker_count; i++) {
        visited *v = &s->workers[i].visited;
        if (v->n) memcpy(sets + (size_t)sample->n * (size_t)s->in.words, v->sets, v->n * bytes);
        sample->n += v->n;
    }
    return 1;
}

/* Begins the first stage that is due. Without memory the search goes on with the tables it has. */
static void begin(search *s, int32_t which) {
    staged *of = s->staged + which;
    tables_data data = stage_data(s);
    data.lacking = lacking(s, of);
    size_t taken = held(s), most = s->memory_limit / 4 * 3;
    corels_prices_sample sample = {0};
    if (of->stage >= of->face->first && take_visited(s, &sample)) data.visited = &sample;
    if (s->memory_limit) data.memory = taken + most / 2 < s->memory_limit ? most / 2 : 1;
    /* A proof goes without tables that it could not state. */
    int ok = (!s->record || of->face->record) && of->face->worthwhile(&data, of->stage);
    size_t bytes = ok ? of->face->needed(&data, of->stage) : 0;
    ok = ok && affordable(s, bytes);
    if (ok && of->face->begin(&s->building, &data, of->stage, of->built) == CORELS_OK) {
        s->building_of = which;
        s->building_bytes = bytes;
        if (held(s) > s->peak_building) s->peak_building = held(s);
    } else {
        s->building = NULL;
        pass(s, of);
    }
    free((void *)sample.sets);
}

/* Where prices drop many children that blocks keep, larger blocks find little to drop, and building
 * them takes longer than the walk: whether they are now put off, once. */
static int put_off(const search *s, staged *of) {
    if (of->face != &blocks_tables || !of->stage || of->late || !prices_lead(s)) return 0;
    of->late = 1;
    of->after[of->stage] *= LATER;
    return 1;
}

/* The first tables that are due, from `from` on; -1: none. */
static int32_t next_due(const search *s, int32_t from) {
    int64_t counts = all_counts(s);
    for (int32_t i = from; i < s->staged_count; i++)
        if (counts >= stage_due_at(s, s->staged + i)) return i;
    return -1;
}

static int32_t first_due(search *s) {
    int32_t which = next_due(s, 0);
    while (which >= 0 && put_off(s, s->staged + which)) which = next_due(s, which + 1);
    if (which < 0) stage_plan(s);
    return which;
}

/* What has been built may tell that the stages to come are due at another count. */
static void due_anew(const search *s, staged *of) {
    if (!of->face->due_now) return;
    tables_data data = stage_data(s);
    data.lacking = lacking(s, of);
    for (int i = of->stage + 1; i < of->face->stages; i++)
        if ((of->by_data >> i & 1) && of->after[i] > 0)
            of->after[i] = of->face->due_now(of->built, &data, i);
}

static int build_on(search *s) {
    staged *of = s->staged + s->building_of;
    int status = of->face->build(s->building, &s->control, &s->workers->pace);
    if (status == CORELS_OK) return CORELS_OK; /* to be continued */
    if (status == CORELS_DONE) {
        void *before = of->built;
        of->built = of->face->finish(s->building, before);
        of->face->free(before);
        of->version = s->version + 1;
        due_anew(s, of);
        if (s->record && of->face->record && !of->face->record(of->built, s->record))
            s->status = CORELS_NO_MEMORY; /* what rests on the tables could not be checked */
    } else
        of->face->cancel(s->building);
    s->building = NULL;
    s->building_bytes = 0;
    s->building_of = -1;
    pass(s, of);
    return CORELS_DONE;
}

int stage_by_one(const search *s) {
    int32_t which = s->building_of < 0 ? next_due(s, 0) : s->building_of;
    return which >= 0 && s->staged[which].face == &blocks_tables;
}

int stage_build(search *s) {
    if (s->building_of < 0) {
        int32_t which = first_due(s);
        if (which >= 0) begin(s, which);
    }
    return s->building_of < 0 ? CORELS_DONE : build_on(s);
}

void stage_free(search *s) {
    if (s->building_of >= 0) s->staged[s->building_of].face->cancel(s->building);
    for (int32_t i = 0; i < s->staged_count; i++)
        if (s->staged[i].built) s->staged[i].face->free(s->staged[i].built);
}

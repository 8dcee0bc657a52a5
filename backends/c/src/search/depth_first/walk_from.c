/* One question about a set: does completing it by at least one rule cost at least `need`? If
 * lists may have so many rules at most (max_rules), it is about completions by those that the rules
 * before the set leave of them; or by any number, if the number before is not known.
 *
 * The walk is that for the optimum, with the set as its root and `need` in the place of the
 * incumbent. A completion that costs less answers no; when the root is left, what was proved of it
 * answers yes. Bounds, tables, memo and workers are the search's own and stay for the
 * next question: a claim of the memo names neither the root nor the need.
 *
 * The completion without a rule does not count at the root, since the caller knows what it costs;
 * f(S) is the lesser of the two (docs/internals/depth-first.md).
 *
 * Most questions take a few counts. So the first worker begins alone, and the others come if
 * that is not enough.
 */
#include "walk_from.h"

#include "depth_first.h"
#include "numbers.h"

enum { ASKED_NOTHING, ASKED_ALONE, ASKED_TOGETHER }; /* tree->asking */

static void begin(search *s, const uint64_t *set, int64_t need, int64_t counts) {
    depth_first_tree *tree = tree_of(s);
    int64_t alone = tree->n > 1 ? lesser(counts, s->tune.share_alone) : counts;
    tree->asking = ASKED_ALONE;
    tree->others = counts - alone;
    tree_share_counts(tree, alone);
    tree->root = set;
    tree->cost = need;
    tree->paths->asked = tree->paths->w->seen.counts;
    incumbent_begin(&s->incumbent, need);
    atomic_store(&tree->done, 0);
    for (int32_t i = 0; i < tree->n; i++) tree->paths[i].w->events.count = 0; /* no listener */
}

/* Whether the question is answered, yes or no. */
static int answered(const depth_first_tree *tree) {
    return atomic_load(&tree->done) || walk_answered(tree->paths);
}

/* Whether the walk is cut off before it is answered, or has taken all its counts. */
static int goes_on(search *s) {
    const depth_first_tree *tree = tree_of(s);
    if (answered(tree)) return 0;
    int cut = 0;
    for (int32_t i = 0; i < tree->n; i++) {
        const worker_path *k = tree->paths + i;
        if (k->w->status != CORELS_OK || k->pause == CORELS_PAUSE_EVENTS) return 0;
        cut |= k->pause == CORELS_PAUSE_TIME;
    }
    return cut && !control_cut(&s->control);
}

/* A piece of the walk; whether there is more. */
static int walk_on(search *s) {
    depth_first_tree *tree = tree_of(s);
    if (tree->asking == ASKED_ALONE) {
        walk(tree->paths);
        if (goes_on(s)) return 1;
        if (!tree->others || answered(tree)) return 0;
        tree->asking = ASKED_TOGETHER;
        tree_share_counts(tree, tree->others);
    }
    tree_walk_together(s);
    return goes_on(s);
}

/* What was proved by a worker that has left the root. */
static int64_t proved(const depth_first_tree *tree) {
    int64_t least = 0;
    for (int32_t i = 0; i < tree->n; i++) {
        const worker_path *k = tree->paths + i;
        if (k->walking && k->depth < 0 && k->frames->least > least) least = k->frames->least;
    }
    return least;
}

int corels_search_walk_from(corels_search *s, const uint64_t *set, int32_t before, int64_t need,
                            int64_t counts, double seconds, int64_t *bound) {
    if (s->ops != &depth_first || s->phase != CORELS_PHASE_WALK) return CORELS_BAD_ARGUMENT;
    depth_first_tree *tree = tree_of(s);
    if (!tree->asking) {
        s->before = before < 0 ? ANY_NUMBER : before;
        *bound = tree_claim(s, set, rules_left(s, 0));
        if (*bound >= need) return CORELS_DONE;
        begin(s, set, need, counts);
    }
    for (int32_t i = 0; i < tree->n; i++) tree->paths[i].pause = CORELS_PAUSE_BUDGET;
    atomic_store(&tree->back, 0);
    control_begin(&s->control, seconds);
    int more = walk_on(s);
    control_end(&s->control);
    team_rest(s->team);
    if (more) return CORELS_OK;
    *bound = atomic_load(&tree->done) ? proved(tree) : walk_answered(tree->paths) ? 0 : -1;
    corels_search_walk_no_further(s);
    for (int32_t i = 0; i < tree->n; i++)
        if (tree->paths[i].w->status != CORELS_OK) return tree->paths[i].w->status;
    return CORELS_DONE;
}

void corels_search_walk_no_further(corels_search *s) {
    if (s->ops != &depth_first || !tree_of(s)->asking) return;
    tree_go_back(tree_of(s));
    tree_of(s)->asking = ASKED_NOTHING;
}

int corels_search_build_tables(corels_search *s, int64_t need, double seconds) {
    if (s->phase != CORELS_PHASE_WALK) return CORELS_BAD_ARGUMENT;
    if (!scheduler_due(s, all_counts(s))) return CORELS_DONE;
    incumbent_begin(&s->incumbent, need);
    control_begin(&s->control, seconds);
    int status = scheduler_build(s);
    team_rest(s->team);
    control_end(&s->control);
    return status == CORELS_DONE ? CORELS_OK : status;
}

void walk_from_expect(corels_search *s, int lengths) {
    s->before = lengths ? 0 : ANY_NUMBER;
}

size_t walk_from_numbers(const corels_search *s, int32_t *stride, int32_t **totals) {
    *stride = s->stride;
    *totals = s->workers->totals;
    return (size_t)s->in.measures * (size_t)s->stride;
}

void walk_from_count(corels_search *s, const uint64_t *set, int32_t *counts) {
    worker_count(s->workers, set, counts);
}

int walk_from_counted(const corels_search *s, int32_t *counts) {
    const worker_path *k = tree_of(s)->paths;
    if (k->asked + 1 != k->w->seen.counts) return 0;
    memcpy(counts, k->frames->counts, (size_t)s->in.measures * (size_t)s->stride * sizeof *counts);
    return 1;
}

/* Those that tables keep. */
static int32_t look_up(search *s, node_view *node, int32_t *list, int32_t n) {
    worker_path *k = tree_of(s)->paths;
    for (int32_t i = 0; i < s->staged_count; i++) {
        staged *of = s->staged + i;
        const uint64_t *view = tables_speak(of) ? frame_view(k, 0, i) : NULL;
        if (!view) continue;
        int32_t kept = of->tables->ops->keep(of->tables, view, node, list, n);
        if (of->tables->trial) scheduler_judge(s, of, n, n - kept, 0);
        n = kept;
    }
    return n;
}

int32_t walk_from_open(corels_search *s, const uint64_t *set, const int32_t *counts, int64_t need,
                       int32_t *list) {
    node_view node = node_of(s->workers, set, counts);
    int32_t n = 0;
    node.need = need;
    node.rules_left = rules_left(s, 0);
    node_scan(&node);
    for (int32_t r = 0; r < node.antecedents; r++)
        if (child_need(&node, r) > node.rule_cost) list[n++] = r;
    return look_up(s, &node, list, n);
}

const tuning *walk_from_tuning(const corels_search *s) {
    return &s->tune;
}

size_t walk_from_bytes(const corels_search *s) {
    return held_bytes(s);
}

void walk_from_limit(corels_search *s, size_t bytes) {
    s->memory_limit = bytes;
    tree_share_memory(s);
}

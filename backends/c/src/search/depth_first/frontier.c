/* The depth-first frontier, as the search sees it: workers with threads, and a memo. */
#include <stdlib.h>

#include "depth_first.h"

/* Counts for each worker that make it worth waking others; pieces of a share that a worker takes,
 * of so many counts at most. */
enum { FEW = 8, PIECES = 4, MOST = 64 };

/* Keys are sets of points, or closure masks if those are shorter (see memo.c). */
static int prepare(search *s, const char *map) {
    depth_first_tree *tree = calloc(1, sizeof *tree);
    if (!tree) return CORELS_NO_MEMORY;
    s->frontier = tree;
    int32_t closure = (s->in.antecedents + 63) / 64;
    tree->by_closure = closure < s->in.words && closure;
    tree->key_words = tree->by_closure ? closure : s->in.words;
    tree->n = 1; /* without a memo no worker knows what the others do */
    if (strcmp(map, "none") == 0) return CORELS_OK;
    if (strcmp(map, "memo")) return CORELS_BAD_ARGUMENT;
    tree->n = s->worker_count;
    tree->memo = memo_new(tree->key_words, tree->n, incumbent_cost(&s->incumbent),
                          s->max_rules < ANY_NUMBER, s->in.rule_cost);
    return tree->memo ? CORELS_OK : CORELS_NO_MEMORY;
}

static int begin(search *s) {
    depth_first_tree *tree = tree_of(s);
    tree->paths = calloc((size_t)tree->n, sizeof *tree->paths);
    if (!tree->paths) return CORELS_NO_MEMORY;
    int status = CORELS_OK;
    for (int32_t i = 0; i < tree->n; i++) /* all of them, as long as each is at least empty */
        if (path_new(tree->paths + i, s, s->workers + i) != CORELS_OK) status = CORELS_NO_MEMORY;
    if (status == CORELS_OK) status = rule_columns_new(s);
    tree_share_memory(s);
    return status;
}

static void free_tree(search *s) {
    depth_first_tree *tree = tree_of(s);
    for (int32_t i = 0; tree->paths && i < tree->n; i++) path_free(tree->paths + i);
    free(tree->paths);
    rule_columns_free(s);
    free(tree->passes.first);
    memo_free(tree->memo);
    free(tree);
    s->frontier = NULL;
}

/* Some workers, one after another. The last of all does the slice of the improver first, if one is
 * under way, which the first one ends when it comes back. */
static void walk_range(void *tree_, int32_t part, int32_t from, int32_t to) {
    depth_first_tree *tree = tree_;
    search *s = tree->paths->search;
    (void)part;
    for (int32_t i = from; i < to; i++) {
        if (tree->slice && i == tree->n - 1) improve_slice(s);
        walk(tree->paths + i);
        if (tree->slice && i == 0) improve_stop(s);
    }
}

static int beside(const search *s) {
    const depth_first_tree *tree = tree_of(s);
    return tree->n > 1 && !tree->turns;
}

/* All workers at once. If there is little to do, the first one does it before others come; not
 * if these have sets on their paths, which it would wait for. */
static void walk_in_threads(depth_first_tree *tree, search *s) {
    int few = atomic_load(&tree->left) < FEW * tree->n;
    for (int32_t i = 1; i < tree->n; i++) few &= !tree->paths[i].walking;
    tree->slice = tree->n > 1 && improve_under_way(s);
    team_ranges(s->team, few && !tree->slice ? 1 : tree->n, tree->n, 1, walk_range, tree);
}

/* One after another, some expansions each, until one has to come back. */
static void walk_in_turns(depth_first_tree *tree) {
    for (int32_t i = 0; !atomic_load(&tree->back); i = (i + 1) % tree->n) {
        worker_path *k = tree->paths + i;
        k->turn_over = 0;
        k->turn_until = k->w->seen.expanded + tree->turns;
        walk(k);
    }
}

void tree_share_counts(depth_first_tree *tree, int64_t counts) {
    atomic_store(&tree->left, counts);
    for (int32_t i = 0; i < tree->n; i++) tree->paths[i].until = tree->paths[i].w->seen.counts;
    atomic_store(&tree->back, 0);
}

/* How many counts the workers may take together: until tables are due, or the budget if that is
 * less. */
static void share_out(search *s, int64_t budget) {
    depth_first_tree *tree = tree_of(s);
    int64_t left = s->due - all_counts(s);
    if (left / tree->n >= budget) left = budget * tree->n;
    tree->cost = incumbent_cost(&s->incumbent);
    tree_share_counts(tree, left > 0 ? left : 1);
}

/* A piece of a share, smaller and smaller, so that all workers end together. */
int more_counts(worker_path *k) {
    depth_first_tree *tree = k->tree;
    long long left = atomic_load(&tree->left), taken;
    do {
        if (left <= 0) return 0;
        taken = tree->n > 1 ? left / (PIECES * tree->n) : left;
        if (taken > MOST && tree->n > 1) taken = MOST;
        if (taken < 1) taken = 1;
    } while (!atomic_compare_exchange_weak(&tree->left, &left, left - taken));
    k->until += taken;
    return 1;
}

void tree_walk_together(search *s) {
    if (tree_of(s)->turns)
        walk_in_turns(tree_of(s));
    else
        walk_in_threads(tree_of(s), s);
}

void tree_go_back(depth_first_tree *tree) {
    for (int32_t i = 0; i < tree->n; i++) {
        worker_path *k = tree->paths + i;
        for (; k->depth > 0; k->depth--) share_leave(k, k->frames + k->depth);
        k->depth = -1;
        k->walking = 0;
        trial_end(k);
    }
}

static int walk_on(search *s, int64_t *budget) {
    depth_first_tree *tree = tree_of(s);
    int64_t before = all_counts(s);
    deepen_begin(s);
    share_out(s, *budget);
    tree_walk_together(s);
    *budget -= (all_counts(s) - before + tree->n - 1) / tree->n;
    for (int32_t i = 0; i < tree->n; i++) {
        const worker_path *k = tree->paths + i;
        if (k->w->status != CORELS_OK) return k->w->status;
        if (k->pause != CORELS_PAUSE_BUDGET) s->pause = k->pause;
    }
    if (atomic_load(&tree->done)) return CORELS_DONE;
    if (atomic_load(&tree->passes.over)) deepen_next(s);
    return CORELS_OK;
}

static int64_t proven(search *s) {
    const depth_first_tree *tree = tree_of(s);
    int64_t bound = atomic_load(&tree->passes.proved);
    for (int32_t i = 0; tree->paths && i < tree->n; i++) {
        int64_t here = open_bound(tree->paths + i);
        if (here > bound) bound = here;
    }
    return bound;
}

static void look(const search *s, corels_report *report) {
    const depth_first_tree *tree = tree_of(s);
    for (int32_t i = 0; tree->paths && i < tree->n; i++) {
        const worker_path *k = tree->paths + i;
        for (int32_t d = 0; d <= k->depth; d++)
            report->open += k->frames[d].n - k->frames[d].next + k->frames[d].put_off;
    }
    report->settled = tree_settled(s);
    report->passes = tree->passes.number;
    int64_t cost = incumbent_cost(&s->incumbent);
    report->threshold = (tree->passes.number && s->target < cost ? s->target : cost) + s->in.base;
    size_t bytes = tree_bytes(s);
    report->memory += (int64_t)bytes;
    report->peak_memory += (int64_t)bytes;
    if (!tree->memo) return;
    memo_usage usage = memo_used(tree->memo);
    report->cached = (int64_t)usage.entries;
    report->forgotten = (int64_t)usage.forgotten;
    report->peak_memory += (int64_t)(usage.peak_bytes - usage.bytes);
}

static void levels(const search *s, int64_t *counts, int32_t capacity) {
    const depth_first_tree *tree = tree_of(s);
    for (int32_t i = 0; tree->paths && i < tree->n; i++) {
        const worker_path *k = tree->paths + i;
        for (int32_t d = 0; d <= k->depth && d + 1 < capacity; d++)
            counts[d + 1] += k->frames[d].n - k->frames[d].next + k->frames[d].put_off;
    }
}

const frontier_ops depth_first = {
    .sets_only = 1,
    .threads = 1,
    .prepare = prepare,
    .begin = begin,
    .free = free_tree,
    .walk = walk_on,
    .beside = beside,
    .proven = proven,
    .look = look,
    .bytes = tree_bytes,
    .share_memory = tree_share_memory,
    .to_come = tree_to_come,
    .levels = levels,
    .prove_open = tree_prove_open,
    .learn = tree_learn,
};

void corels_search_take_turns(corels_search *s, int32_t sets) {
    if (s->ops == &depth_first) tree_of(s)->turns = sets;
}

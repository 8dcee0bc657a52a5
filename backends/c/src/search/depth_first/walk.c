/* The walk: depth first over sets of points, on an explicit stack.
 *
 * f(S), the least cost of completing a prefix that leaves the points S, depends on S alone. A
 * worker holds the path from the root as frames. It takes the next child of the top frame; enters
 * it, if nothing rules it out; and when a frame has no child left, its set is settled: f(S) is at
 * least `least`, the least over the children of what each of them was proved to cost, and that is
 * no less than need = incumbent - cost of the prefix. The claim goes into the memo, the frame is
 * left, and the walk goes on above. When the root is left, the incumbent is optimal.
 *
 * If lists may have at most K rules, f(S) is the least cost of completing S by at most as many
 * rules as the prefix leaves of K, and a frame says how many that is.
 *
 * Claims beyond what the present prefix needs save work: the same set comes again by cheaper
 * prefixes, whose need is larger. So every bound says not only that a child is ruled out, but what
 * it costs at least.
 *
 * `walk`, at the end of this file, is the loop; what others do between two children (trials, coming
 * back) is one block before it, and what happens to a child is one function, take_child. The loop
 * can stop before any child and resume there; a child whose expansion was cut off is taken again.
 * Several workers share incumbent and memo, and each walks from the root by itself (share.c); any
 * worker that leaves the root has proved the whole.
 */
#include "depth_first.h"

/* The frame is left, and completions of its set cost at least `least`. */
void emit_settled(const worker_path *k, const frame *f, int64_t least) {
    if (f->known) return;
    int32_t rule = k->depth ? f->rule : -1;
    emit_frame(k, f, (corels_event){EVENT_SETTLE, .antecedent = rule, .node = f->serial}, least);
}

/* A child is settled, for whatever reason: its completions with one more rule cost at least
 * `least`. */
static void settle_child(frame *above, const frame *f, int64_t least) {
    lower(&above->least, f->cost - above->cost + least);
}

/* Whether a child is closed, which is settled without being entered, is asked from the cheapest
 * reason to the dearest: take_child below. Each settles what it closes.
 */

static int rule_out(worker_path *k, const frame *above, const frame *f, int32_t part) {
    k->w->pruned[part]++;
    emit_frame(k, f, (corels_event){EVENT_PRUNE, part, f->rule, .node = above->serial}, 0);
    return 1;
}

/* The tables of a bound that have something to say, or NULL. */
static const staged *tables_of(const worker_path *k, int32_t part) {
    const search *s = k->search;
    int32_t which = s->bounds[part].staged;
    if (which < 0 || (k->tried.depth && k->tried.which == which)) return NULL;
    const staged *of = s->staged + which;
    return tables_speak(of) ? of : NULL;
}

/* By what tables say of the set itself: of that, they were asked only the prices that say most of
 * the set above. */
static int closed_by_tables(worker_path *k, frame *above, frame *f) {
    const search *s = k->search;
    for (int32_t part = 0; part < s->bound_count; part++) {
        const staged *of = tables_of(k, part);
        if (!of || !of->tables->of_sets) continue;
        const uint64_t *view = frame_view(k, k->depth + 1, s->bounds[part].staged);
        if (!view) return 0;
        int64_t least = tables_least(of->tables, view, -1, INT64_MAX);
        if (least < f->need) continue;
        share_leave(k, f);
        settle_child(above, f, least);
        return rule_out(k, above, f, part);
    }
    return 0;
}

/* By bounds that did not close it when it was listed, since its need has shrunk. */
static int closed_by_bounds(worker_path *k, frame *above, frame *f) {
    const search *s = k->search;
    int looks = plays(s, ROLE_LOOKAHEAD);
    if (f->need > (looks ? s->in.rule_cost : 0)) return 0;
    settle_child(above, f, s->in.rule_cost); /* with one more rule: nothing is known of none */
    return rule_out(k, above, f, s->part_of[looks ? ROLE_LOOKAHEAD : ROLE_HIERARCHICAL]);
}

static void take_out(const worker_path *k, const frame *above, frame *f) {
    take_bits(f->set, above->set, mask_of(k->search, f->rule), k->search->in.words);
}

void merge(worker_path *k, const frame *f, int64_t bound) {
    corels_event event = {EVENT_MERGE, .antecedent = f->rule, .node = f[-1].serial};
    k->w->seen.merged++;
    emit_frame(k, f, event, bound);
}

/* By what the memo knows of its set; or it is put off, since another worker is at that set. */
static int closed_by_memo(worker_path *k, frame *above, frame *f) {
    memo *m = k->tree->memo;
    int32_t others = 0;
    if (!m) return 0;
    int64_t bound =
        k->tree->n > 1 ? share_enter(k, above, f, &others) : memo_find(m, f->guess, f->left, 0);
    f->claim = bound;
    if (bound >= f->need) {
        settle_child(above, f, bound);
        merge(k, f, bound);
        return 1;
    }
    if (!others || f->at_guess) return 0;
    share_put_off(above);
    return 1;
}

/* The child of the top frame that stands next, as a frame below it; what it costs and needs. */
static frame *next_child(worker_path *k) {
    const search *s = k->search;
    frame *f = frame_below(k);
    if (!f) return NULL;
    frame *above = k->frames + k->depth;
    frame_child child = above->children[above->next++];
    f->rule = child.rule;
    f->mark = above->mark + rule_mark(child.rule);
    f->serial = above->first + child.at;
    f->cost = child_cost(s, above, &child);
    f->left = rules_left(s, k->depth + 1);
    f->claim = -1;
    for (int32_t i = 0; i < s->staged_count; i++) f->view_version[i] = 0;
    f->at_guess = f->at_key = f->helped = 0;
    f->need = need_of(s, f->cost);
    f->captured = above->captured;
    if (s->in.support >= 0)
        f->captured += above->counts[(size_t)s->in.support * (size_t)s->stride + (size_t)f->rule];
    return f;
}

/* Whether an expansion was cut off or has failed: its set is not searched, so it stays open. */
static int broken_off(const worker_path *k) {
    return k->pause == CORELS_PAUSE_INTERRUPTED || k->w->status != CORELS_OK;
}

/* Goes down into a child, which is closed already or is to be counted; or back up if its expansion
 * breaks off, to take it again later. */
static void enter(worker_path *k, frame *above, frame *f, int closed) {
    f->began = k->w->seen.expanded;
    k->now.counted = !closed && rule_columns_count(k, above, f);
    k->depth++;
    if (closed)
        frame_close(k, f);
    else
        k->w->status = frame_expand(k, f);
    if (broken_off(k)) {
        if (k->tried.depth == k->depth) trial_end(k); /* it is tried anew */
        share_leave(k, f);
        k->depth--;
        above->next--;
        return;
    }
    above->entered = 1;
    above->helps = 0;
    if (k->tree->n > 1) share_note(k, f);
}

/* By what memo or tables know of its set, which is made here if the keys of the memo are sets. */
static int closed_by_claims(worker_path *k, frame *above, frame *f) {
    if (k->tree->by_closure)
        guess_key(k, above, f->rule, f->guess);
    else
        take_out(k, above, f);
    return closed_by_memo(k, above, f) || closed_by_tables(k, above, f);
}

/* Takes the next child of the top frame. */
static void take_child(worker_path *k) {
    if (!k->tried.depth && !trial_begin(k)) {
        k->frames[k->depth].next++;
        return;
    }
    frame *f = next_child(k);
    if (!f) {
        k->w->status = CORELS_NO_MEMORY;
        return;
    }
    frame *above = f - 1;
    if (closed_by_bounds(k, above, f)) return;
    int one_rule = one_rule_closes(k->search, f->need, f->left);
    if (!one_rule && closed_by_claims(k, above, f)) return;
    int closed = one_rule && frame_fails(k, above, f);
    if (!closed && (one_rule || k->tree->by_closure)) take_out(k, above, f);
    enter(k, above, f, closed);
}

/* Everything below the top frame is searched. */
static void leave(worker_path *k) {
    memo *m = k->tree->memo;
    frame *f = k->frames + k->depth;
    int64_t effort = k->w->seen.expanded - f->began;
    if (k->depth) settle_child(f - 1, f, f->least);
    if (k->depth == 1) deepen_note(k, f, effort);
    if (effort && claim_frame(k) != CORELS_OK) k->w->status = CORELS_NO_MEMORY;
    if (m && effort) { /* behind the claim, which others rest on as soon as the memo has it */
        int64_t least = f->least < f->none ? f->least : f->none;
        memo_prove(m, f->key, f->left, least, (uint64_t)effort, f->at_key);
        if (k->depth && memcmp(f->guess, f->key, key_bytes(k)))
            memo_prove(m, f->guess, f->left, f->least, (uint64_t)effort, 0);
        f->at_key = 0;
    }
    if (k->depth) share_leave(k, f);
    emit_settled(k, f, f->least);
    if (--k->depth < 0) deepen_left_root(k);
}

static void begin(worker_path *k) {
    frame *root = k->frames;
    if (k->tree->root)
        memcpy(root->set, k->tree->root, (size_t)k->search->in.words * sizeof *root->set);
    else
        corels_fill(root->set, k->search->in.points);
    for (int32_t i = 0; i < k->search->staged_count; i++) root->view_version[i] = 0;
    root->need = need_of(k->search, 0);
    root->left = rules_left(k->search, 0);
    root->serial = 0;
    root->claim = -1;
    root->began = k->w->seen.expanded;
    k->depth = 0;
    k->now.counted = 0;
    k->w->status = frame_expand(k, root);
    if (broken_off(k))
        k->depth = -1;
    else
        k->walking = 1;
    /* The first pass may begin to deepen from here on: that is decided between two walks. */
    if (!k->tree->root && !k->tree->passes.number) atomic_store(&k->tree->back, 1);
}

/* Whether the walk has to come back, which means return to its caller, before the next child;
 * `pause` says why. All workers come back together; then the caller decides what is due (a pause, a
 * new threshold, more counts), and they go on from their frames. */
static int due(worker_path *k) {
    search *s = k->search;
    depth_first_tree *tree = k->tree;
    if (k->w->status != CORELS_OK || atomic_load_explicit(&tree->done, memory_order_relaxed) ||
        atomic_load_explicit(&tree->back, memory_order_relaxed))
        return 1;
    if (incumbent_cost(&s->incumbent) < tree->cost) return 1;
    if (k->w->seen.counts >= k->until && !more_counts(k)) return 1;
    return step_over(s, k->w, &k->pause);
}

/* Whether another worker's turn has come. */
static int turn_over(const worker_path *k) {
    return k->tree->turns && (k->turn_over || k->w->seen.expanded >= k->turn_until);
}

/* The hooks between two children, each of a file of its own; 1: the walk has to come back. */
static int between_children(worker_path *k) {
    if (k->tried.depth) trial_watch(k);
    if (due(k)) {
        atomic_store_explicit(&k->tree->back, 1, memory_order_relaxed);
        return 1;
    }
    return 0;
}

void walk(worker_path *k) {
    k->pause = CORELS_PAUSE_BUDGET;
    while (!turn_over(k) && !between_children(k)) {
        frame *top = k->walking ? k->frames + k->depth : NULL;
        if (!top)
            begin(k);
        else if (top->next < top->n)
            take_child(k);
        else if (!share_again(k, top))
            leave(k);
    }
}

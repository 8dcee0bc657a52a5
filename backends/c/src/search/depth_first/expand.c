/* One set, counted: closed, or expanded to the children that are worth searching. */
#include "depth_first.h"

/* The closure mask: the antecedents that capture nothing of the set. */
static void close_key(const worker_path *k, frame *f, const node_view *node) {
    size_t n =
        node->kernel->select_zero(node_captured(node), (size_t)node->antecedents, k->w->list);
    memset(f->key, 0, key_bytes(k));
    for (size_t i = 0; i < n; i++) set_bit(f->key, k->w->list[i]);
}

/* Whether the memo knows the set by its closure mask, which is known only now. */
static int known_by_closure(worker_path *k, frame *f) {
    const search *s = k->search;
    if (!k->tree->memo || !k->tree->by_closure || !k->depth) return 0;
    if (one_rule_closes(s, f->need, f->left)) return 0;
    int other_key = k->tree->n > 1 && memcmp(f->key, f->guess, key_bytes(k)) != 0;
    int64_t bound =
        other_key ? share_enter_key(k, f) : memo_find(k->tree->memo, f->key, f->left, NULL);
    if (bound > f->claim) f->claim = bound;
    if (bound < f->need) return 0;
    memo_prove(k->tree->memo, f->guess, f->left, bound, 1, 0); /* no count next time */
    f->least = bound;
    f->known = 1;
    merge(k, f, bound);
    return 1;
}

/* Notes that the set is closed: no longer list can be better than needed. */
static void note_closed(worker_path *k, const frame *f) {
    const search *s = k->search;
    if (!plays(s, ROLE_ONE_RULE)) return; /* there was no rule left, and no bound was asked */
    int32_t part = s->part_of[ROLE_ONE_RULE];
    k->w->pruned[part]++;
    emit_frame(k, f, (corels_event){EVENT_PRUNE, part, -1, .node = f->serial}, 2 * s->in.rule_cost);
}

/* The set's least cost by at most one rule (walk_from.c: at the root by exactly one); and whether
 * no longer list can be better than needed. Then no more is claimed than the need, which is also
 * what is known without a count. */
static int closed(worker_path *k, frame *f, const expansion *x) {
    const search *s = k->search;
    f->none = s->in.unit * k->w->totals[least_class(k->w->totals, s->in.classes, 1)];
    f->least = k->tree->root && !k->depth ? INT64_MAX : f->none;
    if (s->in.antecedents && f->left) lower(&f->least, s->in.rule_cost + s->in.unit * x->least);
    f->need = x->node.need;
    if (!one_rule_closes(s, f->need, f->left)) return 0;
    lower(&f->least, f->need);
    note_closed(k, f);
    return 1;
}

static int32_t path(const void *path_, int32_t *rules) {
    const worker_path *k = path_;
    path_rules(k, k->depth, rules);
    return k->depth;
}

static const uint64_t *view(void *path_, int32_t which) {
    worker_path *k = path_;
    return frame_view(k, k->depth, which);
}

void path_aim(worker_path *k) {
    k->now = (expansion){.at = k, .path = path, .view = view};
}

static void aim_at(worker_path *k, const frame *f) {
    expansion *x = &k->now;
    x->set = f->set;
    x->counts = f->counts;
    x->cost = f->cost;
    x->paid = k->search->in.base + f->cost;
    x->captured = f->captured;
    x->serial = f->serial;
    x->length = k->depth;
    x->rules = f->mark;
    x->tries = !k->tree->root && !k->tried.depth;
    x->without = k->tried.depth ? k->tried.which + 1 : 0;
}

static void begin_frame(const worker_path *k, frame *f) {
    f->n = f->next = f->put_off = 0;
    f->entered = f->helps = f->known = 0;
    f->version = k->search->version;
}

int frame_fails(const worker_path *k, const frame *above, frame *f) {
    counted_set of = {above->set, above->counts, above->totals};
    if (k->search->in.classes != 2) return 0;
    if (!last_rule_fails(&k->w->node, &of, f->rule, f->need, &f->least)) return 0;
    lower(&f->least, f->need);
    return 1;
}

void frame_close(worker_path *k, frame *f) {
    begin_frame(k, f);
    k->w->seen.counts++;
    k->w->seen.uncounted++;
    emit_frame(k, f, (corels_event){EVENT_POP, .antecedent = -1, .node = f->serial}, 0);
    note_closed(k, f);
}

int frame_expand(worker_path *k, frame *f) {
    worker *w = k->w;
    expansion *x = &k->now;
    aim_at(k, f);
    begin_frame(k, f);
    expansion_count(w, x);
    memcpy(f->totals, w->totals, (size_t)k->search->in.measures * sizeof *f->totals);
    if (k->tree->by_closure) close_key(k, f, &x->node);
    if (known_by_closure(k, f)) return CORELS_OK;
    emit_frame(k, f, (corels_event){EVENT_POP, .antecedent = -1, .node = f->serial}, 0);
    expansion_improve(w, x);
    if (walk_answered(k)) return CORELS_OK;
    if (closed(k, f, x)) return CORELS_OK;
    note_expanded(w, k->depth);
    int status = expansion_filter(w, x);
    if (x->node.cut) {
        expansion_withdraw(w, x);
        k->pause = CORELS_PAUSE_INTERRUPTED;
        return status;
    }
    lower(&f->least, x->node.floor);
    return status == CORELS_OK ? list_children(k, f, x) : status;
}

/* The bounds, one after another, in the order in which they were chosen.
 *
 * Filters of columns mark antecedents; from the first bound on that compares sets, what is left is
 * a list. A part of a plugin gets a table of what is left by then, and only then is one made.
 */
#include "expand.h"

enum { NO_CHILD = -1, NOTED = 4 }; /* one in so many sets may be kept for retraining */

/* What tables did at this node. It is reported once it is clear that the expansion is not cut. */
typedef struct {
    int32_t asked, dropped; /* children; asked < 0: the tables were not asked */
    int64_t looked;         /* what the look-ups took */
    int32_t tried;          /* of the dropped, those that are searched all the same */
} verdict;

typedef struct {
    worker *w;
    expansion *x;
    int32_t *list;
    int32_t n;
    verdict verdicts[MOST_STAGED];
    int listed; /* `list` holds the children that are left; until then out[r] = 0 says so */
} filtering;

static void begin_columns(filtering *f) {
    worker *w = f->w;
    if (w->any_tried) memset(w->tried, 0, (size_t)f->x->node.antecedents * sizeof *w->tried);
    w->any_tried = 0;
    expansion *x = f->x;
    int32_t *out = w->out;
    size_t n = (size_t)x->node.antecedents;
    memset(out, 0, n * sizeof *out);
    if (!x->viable) {
        f->n = keep_capturing(&x->node, NO_CHILD);
        return;
    }
    f->n = 0;
    for (size_t r = 0; r < n; r++) {
        out[r] = (int32_t)(x->viable[r / 64] >> (r % 64) & 1) - 1;
        f->n += out[r] + 1;
    }
}

static void make_list(filtering *f) {
    if (!f->listed) f->n = node_list(&f->x->node, f->list);
    f->listed = 1;
}

/* Whether a listener wants to know which children a bound removes. */
static int watched(const filtering *f, const chosen_bound *bound) {
    return f->w->search->fine || (bound->monotone && f->x->rejected);
}

static void removed(const filtering *f, int32_t part, int32_t r) {
    const search *s = f->w->search;
    if (s->fine) emit_child(f->w, f->x, EVENT_PRUNE, part, r);
    if (s->bounds[part].monotone && f->x->rejected) set_bit(f->x->rejected, r);
}

static void apply_columns(filtering *f, int32_t part) {
    const chosen_bound *bound = f->w->search->bounds + part;
    int32_t mark = part + 1;
    if (f->listed) { /* a plugin came before: lift the list into the columns, and back */
        for (int32_t r = 0; r < f->x->node.antecedents; r++) f->w->out[r] = NO_CHILD;
        for (int32_t i = 0; i < f->n; i++) f->w->out[f->list[i]] = 0;
    }
    f->n = bound->row->columns(&f->x->node, mark);
    f->listed = f->listed ? (node_list(&f->x->node, f->list), 1) : 0;
    if (!watched(f, bound)) return;
    for (int32_t r = 0; r < f->x->node.antecedents; r++)
        if (f->w->out[r] == mark) removed(f, part, r);
}

/* One call of a function by address. The children that it drops are taken to cost no less than the
 * need: more is not known of a plugin's reasons. */
static int ask(filtering *f, const chosen_bound *bound) {
    worker *w = f->w;
    int32_t kept = 0;
    fill_table(w, f->x, f->list, f->n, 0);
    const corels_children *c = &w->children;
    if (bound->keep(c, f->x->node.incumbent, w->keep, bound->user)) return CORELS_PART_FAILED;
    for (int32_t i = 0; i < f->n; i++)
        if (w->keep[i]) f->list[kept++] = f->list[i];
    if (kept < f->n) lower(&f->x->node.floor, f->x->node.need);
    f->n = kept;
    return CORELS_OK;
}

/* Of the children before, those that are gone; returns how many. */
static int32_t gather_lost(const filtering *f, int32_t *lost, int32_t before) {
    int32_t n = 0, kept = 0;
    for (int32_t i = 0; i < before; i++)
        if (kept < f->n && f->list[kept] == lost[i])
            kept++;
        else
            lost[n++] = lost[i];
    return n;
}

/* Some of the n children that were dropped come back: the walk will search them without these
 * tables. Of all orders of the same rules all come back or none: else the memo, which mostly closes
 * all but the first, would not be what it is without tables. What was noted of the floor is true of
 * these children, too. */
static void try_some(filtering *f, int32_t which, int32_t n) {
    worker *w = f->w;
    int32_t some = 0;
    for (int32_t i = 0; i < n; i++) {
        uint64_t mark = f->x->rules + rule_mark(w->lost[i]);
        if ((mark * UINT64_C(0x9e3779b97f4a7c15) >> 32) % (uint64_t)w->search->tune.tables_tried)
            continue;
        w->tried[w->lost[i]] = which + 1;
        some++;
    }
    if (!some) return;
    f->verdicts[which].tried = some;
    w->any_tried = 1;
    int32_t from = f->n - 1, to = f->n + some - 1;
    for (int32_t i = n - 1; i >= 0; i--) {
        int32_t r = w->lost[i];
        if (w->tried[r] != which + 1) continue;
        while (from >= 0 && f->list[from] > r) f->list[to--] = f->list[from--];
        f->list[to--] = r;
    }
    f->n += some;
}

/* Whether the set may be kept, for tables that retrain on some that they have not closed. */
static int notes(const filtering *f, const staged *of) {
    return scheduler_collects(of) && f->w->seen.expanded % NOTED == 0 && f->x->set;
}

/* Of all sets that are met each is kept with the same chance. Without memory none is. */
static void note_sampled(const filtering *f, int32_t which) {
    const search *s = f->w->search;
    sampled_sets *v = f->w->sampled + which;
    size_t words = (size_t)s->in.words, most = (size_t)s->tune.sampled_kept;
    if (!v->sets) v->sets = store_take(&f->w->arrays, most * words, sizeof *v->sets);
    if (!v->sets) return;
    uint64_t drawn = corels_mix(v->random++) % (uint64_t)++v->met,
             at = (size_t)v->n < most ? (uint64_t)v->n++ : drawn;
    if (at < most) memcpy(v->sets + at * words, f->x->set, words * sizeof *v->sets);
}

static int look_up(filtering *f, const chosen_bound *bound) {
    const search *s = f->w->search;
    const staged *of = s->staged + bound->staged;
    const tables *t = of->tables;
    if (!tables_speak(of) || f->x->without == bound->staged + 1) return CORELS_OK;
    const uint64_t *view = f->x->view(f->x->at, bound->staged);
    if (!view) return CORELS_NO_MEMORY;
    node_view *node = &f->x->node;
    int tries = f->x->tries && scheduler_tries(s, of);
    int32_t before = f->n;
    if (tries) memcpy(f->w->lost, f->list, (size_t)before * sizeof *f->w->lost);
    node->looked = 0;
    f->n = t->ops->keep(t, view, node, f->list, f->n);
    f->verdicts[bound->staged] = (verdict){before, before - f->n, node->looked, 0};
    int32_t lost = tries ? gather_lost(f, f->w->lost, before) : 0;
    if (lost && !node->cut) try_some(f, bound->staged, lost);
    return CORELS_OK;
}

/* An expansion that is cut is done again, and its tables report then. */
static void tell_tables(const filtering *f) {
    search *s = f->w->search;
    for (int32_t i = 0; i < s->staged_count && !f->x->node.cut; i++) {
        staged *of = s->staged + i;
        const verdict *v = f->verdicts + i;
        if (!of->tables->trial || v->asked < 0) continue;
        if (notes(f, of)) note_sampled(f, i);
        atomic_fetch_add(&of->all.searched, v->tried);
        scheduler_judge(s, of, v->asked, v->dropped, v->looked);
    }
}

static int apply_to_list(filtering *f, const chosen_bound *bound) {
    if (bound->staged >= 0) return look_up(f, bound);
    if (!bound->row) return ask(f, bound);
    if (bound->row->sets) f->n = bound->row->sets(&f->x->node, f->list, f->n);
    if (bound->row->role == ROLE_ONE_RULE && f->x->close) {
        f->n = f->x->close(f->w, f->x, f->list, f->n);
        expansion_need(f->w->search, f->x); /* it may have found a better list */
    }
    return CORELS_OK;
}

static int apply_list(filtering *f, int32_t part) {
    const chosen_bound *bound = f->w->search->bounds + part;
    int32_t before = f->n, *old = f->w->old;
    int watch = watched(f, bound);
    if (watch) memcpy(old, f->list, (size_t)before * sizeof *old);
    int status = apply_to_list(f, bound);
    if (!watch || status != CORELS_OK || f->x->node.cut) return status;
    int32_t gone = gather_lost(f, old, before);
    for (int32_t i = 0; i < gone; i++) removed(f, part, old[i]);
    return status;
}

/* Whether the bound does anything here that needs a list. */
static int filters_lists(const chosen_bound *bound, const filtering *f) {
    if (bound->staged >= 0) return f->w->search->staged[bound->staged].tables->view_words != 0;
    if (!bound->row) return 1;
    return bound->row->sets || (bound->row->role == ROLE_ONE_RULE && f->x->close);
}

int expansion_filter(worker *w, expansion *x) {
    const search *s = w->search;
    filtering f = {.w = w, .x = x, .list = w->list};
    int status = CORELS_OK;
    for (int32_t i = 0; i < MOST_STAGED; i++) f.verdicts[i].asked = -1;
    begin_columns(&f);
    w->seen.children += f.n;
    for (int32_t part = 0; part < s->bound_count && f.n && !x->node.cut; part++) {
        const chosen_bound *bound = s->bounds + part;
        int32_t before = f.n;
        if (bound->row && bound->row->columns)
            apply_columns(&f, part);
        else if (filters_lists(bound, &f)) {
            make_list(&f);
            status = apply_list(&f, part);
        }
        if (status != CORELS_OK) return status;
        w->pruned[part] += before - f.n;
    }
    tell_tables(&f);
    make_list(&f);
    x->n = f.n;
    return CORELS_OK;
}

/* One expansion: append every viable antecedent, keep what may lead to something better. */
#include <stdlib.h>

#include "best_first.h"
#include "record.h"

/* The prefix under way, as the shared pipeline asks for it. */
static int32_t path(const void *search_, int32_t *rules) {
    const best_first_frontier *f = frontier_of(search_);
    return cache_path(&f->cache, f->open, rules);
}

/* The view of the prefix's set, when the first table asks. It is walked to from the view of all
 * points, one rule after another: each takes a fraction of what a view from a set takes, and is
 * written in turn to two more places. */
static const uint64_t *view(void *search_, int32_t which) {
    const search *s = search_;
    best_first_frontier *f = frontier_of(s);
    const staged *of = s->staged + which;
    size_t words = (size_t)of->tables->view_words;
    if (!view_room(f->view + which, f->view_room + which, 3 * words)) return NULL;
    uint64_t *all = f->view[which], *from = all, *to = all + words, *spare = to + words;
    if (f->view_version[which] != of->version) {
        corels_fill(f->left, s->in.points);
        view_set(of->tables, f->left, 0, all);
        f->view_version[which] = of->version;
    }
    int32_t *rules = s->workers->rules, n = cache_path(&f->cache, f->open, rules);
    for (int32_t i = 0; i < n; i++) {
        view_child(of->tables, from, rules[i], 0, to);
        from = to, to = spare, spare = from;
    }
    return from;
}

static expansion expansion_of(search *s, int32_t slot) {
    best_first_frontier *f = frontier_of(s);
    const prefix_node *n = cache_node(&f->cache, slot);
    return (expansion){.set = n->sets,
                       .viable = cache_viable(&f->cache, slot),
                       .counts = f->counts,
                       .cost = s->in.rule_cost * n->length + s->in.unit * n->errors,
                       .paid = n->lower_bound,
                       .captured = n->captured,
                       .serial = n->serial,
                       .length = n->length,
                       .at = s,
                       .path = path,
                       .view = view,
                       .close = close_children,
                       .rejected = plays(s, ROLE_REJECTION) ? f->rejected : NULL};
}

/* What is left of the children enters the queue; those without hope leave it. */
static int take_children(search *s, int32_t slot, int64_t before) {
    int status = admit(s, slot);
    if (status == CORELS_OK) status = push(s, slot);
    if (status == CORELS_OK && incumbent_cost(&s->incumbent) < before) collect(s);
    return status;
}

/* At the final incumbent: what follows costs its cost, less the prefix's, or more. */
static int record_prefix(search *s, int32_t slot) {
    best_first_frontier *f = frontier_of(s);
    if (!s->record) return CORELS_OK;
    int32_t *rules = s->workers->rules, n = cache_path(&f->cache, slot, rules);
    return record_claim(s->record, RECORD_EXPANDED, rules, n, f->now.cost) ? CORELS_OK
                                                                           : CORELS_NO_MEMORY;
}

int best_first_expand(search *s, int32_t slot) {
    best_first_frontier *f = frontier_of(s);
    worker *w = s->workers;
    int64_t before = incumbent_cost(&s->incumbent);
    cache_node(&f->cache, slot)->children++; /* held: collecting its children must not drop it */
    f->open = slot;
    f->now = expansion_of(s, slot);
    memset(f->rejected, 0, (size_t)corels_words(s->in.antecedents) * 8);
    expansion_count(w, &f->now);
    expansion_improve(w, &f->now);
    int status = CORELS_OK;
    if (f->now.node.rules_left > 1) /* a child of the longest prefixes is a list, and was offered */
        status = expansion_filter(w, &f->now);
    if (f->now.node.cut)
        expansion_withdraw(w, &f->now);
    else if (status == CORELS_OK)
        status = take_children(s, slot, before);
    if (status == CORELS_OK && !f->now.node.cut) status = record_prefix(s, slot);
    if (status != CORELS_OK) return status; /* the prefix stays open */
    cache_node(&f->cache, slot)->children--;
    f->open = CACHE_NONE;
    if (f->now.node.cut) return CORELS_OK;
    cache_drop(&f->cache, slot);
    size_t bytes = s->ops->bytes(s);
    if (bytes > f->peak) f->peak = bytes;
    return CORELS_OK;
}

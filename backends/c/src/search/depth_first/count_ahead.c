/* Counting siblings together.
 *
 * A count reads the columns of all antecedents. Where these are too large for a processor's own
 * cache, that takes longer than to count: on 29,000 points and 2,500 antecedents nine megabytes,
 * and twice as long. Most sets are closed by their own expansion, so when a worker enters a child,
 * it will mostly enter the next children of the same frame, too. So their sets are counted with it
 * (corels_counter_count_some), and the counts wait in the frame above.
 *
 * Nothing is decided by it: a child whose counts wait is taken, ruled out or looked up as any other
 * when its turn comes, and is counted as one count then. Children that would be ruled out now are
 * not counted ahead; where the memo comes to know one in between, its count was in vain.
 */
#include <stdlib.h>

#include "depth_first.h"

static size_t counts_of_one(const search *s) {
    return (size_t)s->in.measures * (size_t)s->stride;
}

static uint64_t *set_of(const worker_path *k, const ahead *a, int32_t j) {
    return a->sets + (size_t)j * (size_t)k->search->in.words;
}

size_t ahead_bytes(const worker_path *k) {
    const search *s = k->search;
    size_t one = (counts_of_one(s) + (size_t)s->in.measures) * sizeof(int32_t) +
                 (size_t)s->in.words * sizeof(uint64_t);
    return k->w->together > 1 ? (size_t)k->w->together * one + key_bytes(k) : 0;
}

void ahead_new(ahead *a, const worker_path *k, store *arrays) {
    const search *s = k->search;
    size_t n = (size_t)k->w->together;
    if (n <= 1) return;
    a->counts = store_take(arrays, n * counts_of_one(s), sizeof *a->counts);
    a->totals = store_take(arrays, n * (size_t)s->in.measures, sizeof *a->totals);
    a->sets = store_take(arrays, n * (size_t)s->in.words, sizeof *a->sets);
    a->key = store_take(arrays, (size_t)k->tree->key_words, sizeof *a->key);
}

/* Whether the child would be entered if its turn came now. */
static int would_enter(worker_path *k, frame *above, const frame_child *child, const uint64_t *set,
                       uint64_t *key) {
    const search *s = k->search;
    int64_t need = need_of(s, child_cost(s, above, child)) + slack_of(k, child->rule);
    int32_t left = rules_left(s, k->depth + 1);
    if (need <= s->in.rule_cost || frame_may_fail(s, need, left)) return 0;
    if (!k->tree->memo) return 1;
    if (k->tree->by_closure) guess_key(k, above, child->rule, key);
    if (memo_find(k->tree->memo, k->tree->by_closure ? key : set, left, 0) >= need) return 0;
    return !similar_sets_asked(k, need, left) ||
           similar_sets_least(k, above, child->rule, need) < need;
}

/* The set of frame f, which stands first, and those of the next children that would be entered. */
static void choose(worker_path *k, frame *above, const frame *f) {
    const search *s = k->search;
    ahead *a = &above->ahead;
    a->n = 0;
    a->rules[a->n] = f->rule;
    memcpy(set_of(k, a, a->n++), f->set, (size_t)s->in.words * sizeof *f->set);
    for (int32_t i = above->next; i < above->n && a->n < k->w->together; i++) {
        const frame_child *child = above->children + i;
        uint64_t *set = set_of(k, a, a->n);
        take_bits(set, above->set, mask_of(s, child->rule), s->in.words);
        if (would_enter(k, above, child, set, a->key)) a->rules[a->n++] = child->rule;
    }
}

int ahead_take(worker_path *k, frame *above, frame *f) {
    const search *s = k->search;
    ahead *a = &above->ahead;
    int32_t at = 0;
    if (!a->counts || !s->counter) return 0;
    while (at < a->n && a->rules[at] != f->rule) at++;
    if (at == a->n) {
        choose(k, above, f);
        corels_counter_count_some(s->counter, a->n, a->sets, k->w->scratch, a->counts, a->totals);
        at = 0;
    }
    memcpy(f->counts, a->counts + (size_t)at * counts_of_one(s),
           counts_of_one(s) * sizeof *f->counts);
    memcpy(k->w->totals, a->totals + (size_t)at * (size_t)s->in.measures,
           (size_t)s->in.measures * sizeof *a->totals);
    return 1;
}

/* Symmetry: of the prefixes with equal keys, only the cheapest goes on. */
#include "best_first.h"
#include "numbers.h"

/* The sorted antecedents of a prefix, and of `appended` (none: -1), in f->key; its words. */
static int32_t key_of_path(best_first_frontier *f, int32_t slot, int32_t appended) {
    int32_t *sorted = (int32_t *)f->key;
    int32_t length = cache_path(&f->cache, slot, sorted);
    if (appended >= 0) sorted[length++] = appended;
    sort_few(sorted, length);
    if (length % 2) sorted[length] = -1;
    return (length + 1) / 2;
}

/* If lists may have so many rules at most, a prefix of the same set takes another one's place
 * only if it is no longer. So the length is a word of the key, and every shorter one is asked. */
static int32_t key_of_length(const search *s, int32_t length) {
    if (s->max_rules == ANY_NUMBER) return s->in.words;
    frontier_of(s)->key[s->in.words] = (uint64_t)length;
    return s->in.words + 1;
}

/* Whether a prefix of the set in f->key that is no longer has been admitted, and is cheaper. */
static int set_stale(search *s, int32_t length, int64_t bound) {
    best_first_frontier *f = frontier_of(s);
    int stale = 0;
    if (s->max_rules == ANY_NUMBER) length = 0;
    for (int32_t n = length; n >= 0 && !stale; n--)
        stale = symmetry_stale(&f->map, f->key, key_of_length(s, n), bound);
    return stale;
}

static map_answer admit_set(search *s, int32_t length, int64_t bound) {
    best_first_frontier *f = frontier_of(s);
    if (s->max_rules < ANY_NUMBER && set_stale(s, length - 1, bound + 1)) return MAP_REFUSED;
    return symmetry_admit(&f->map, f->key, key_of_length(s, length), bound);
}

int is_stale(search *s, int32_t slot) {
    best_first_frontier *f = frontier_of(s);
    const prefix_node *n = cache_node(&f->cache, slot);
    if (f->map.kind == MAP_NONE) return 0;
    if (f->map.kind == MAP_PERMUTATION)
        return symmetry_stale(&f->map, f->key, key_of_path(f, slot, -1), n->lower_bound);
    memcpy(f->key, n->sets, (size_t)s->in.words * sizeof *f->key);
    return set_stale(s, n->length, n->lower_bound);
}

static map_answer ask(search *s, int32_t slot, int32_t r, int64_t bound) {
    best_first_frontier *f = frontier_of(s);
    if (f->map.kind == MAP_PERMUTATION)
        return symmetry_admit(&f->map, f->key, key_of_path(f, slot, r), bound);
    take_bits(f->key, f->now.set, mask_of(s, r), s->in.words);
    return admit_set(s, cache_node(&f->cache, slot)->length + 1, bound);
}

/* A claim says that what follows costs so much, by `left` rules at most. So a prefix with this set
 * that costs the incumbent less that, or more, leads to nothing better: as if a prefix of this cost
 * had gone before. A better incumbent only makes this truer. */
int best_first_learn(search *s, const int32_t *rules, int32_t n, int32_t left, int64_t value) {
    best_first_frontier *f = frontier_of(s);
    int64_t bound = incumbent_cost(&s->incumbent) + s->in.base - value;
    if (f->map.kind != MAP_CAPTURED) return CORELS_BAD_ARGUMENT;
    left_by(s, rules, n, f->key);
    int32_t length = s->max_rules > left ? s->max_rules - left : 0;
    if (s->max_rules == ANY_NUMBER && left < ANY_NUMBER) return CORELS_BAD_ARGUMENT;
    map_answer answer = admit_set(s, length, bound);
    return answer == MAP_NO_MEMORY ? CORELS_NO_MEMORY : CORELS_OK;
}

int admit(search *s, int32_t slot) {
    best_first_frontier *f = frontier_of(s);
    worker *w = s->workers;
    int32_t kept = 0;
    if (f->map.kind == MAP_NONE) return CORELS_OK;
    for (int32_t i = 0; i < f->now.n; i++) {
        int32_t r = w->list[i];
        int64_t bound = f->now.paid + s->in.rule_cost + s->in.unit * f->now.node.charged[r];
        map_answer answer = ask(s, slot, r, bound);
        if (answer == MAP_NO_MEMORY) return CORELS_NO_MEMORY;
        if (answer == MAP_ADMITTED) {
            w->list[kept++] = r;
            continue;
        }
        w->seen.merged++;
        if (s->fine) emit_child(w, &f->now, EVENT_MERGE, 0, r);
    }
    f->now.n = kept;
    return CORELS_OK;
}

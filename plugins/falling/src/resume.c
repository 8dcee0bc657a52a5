/* Prefixes that an earlier search has done with: they enter the dominance table, as if this search
 * had expanded them and everything below. What it then reaches again is dropped at once. */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* A prefix on the path to the one that is learned. */
typedef struct {
    uint64_t *left;
    proportion least;
    cost paid;
} step;

/* The prefix with one rule more; 0 where that captures nothing. */
static int extend(const table *t, const step *from, step *to, uint32_t rule) {
    const uint64_t *captures = table_captures(t, rule);
    uint32_t p = 0, q = 0;
    for (uint32_t w = 0; w < t->words; w++) {
        for (uint64_t bits = from->left[w] & captures[w]; bits; bits &= bits - 1) {
            const uint32_t class = w * 64 + (uint32_t)__builtin_ctzll(bits);
            p += t->positives[class];
            q += t->negatives[class];
        }
        to->left[w] = from->left[w] & ~captures[w];
    }
    if (p + q == 0) return 0;
    to->least = proportion_min(from->least, (proportion){p, p + q});
    to->paid = with_rule(t, from->paid, from->least, p, q);
    return 1;
}

static int reach(step *steps, uint32_t depth, const table *t) {
    if (!steps[depth].left) steps[depth].left = malloc((t->words + 1u) * sizeof(uint64_t));
    return steps[depth].left != NULL;
}

static int32_t learn(corels_falling *s, const corels_falling_learned *given, step *steps) {
    const table *t = &s->t;
    for (size_t i = 0; i < given->count; i++) {
        const uint32_t shared = given->shared[i], rule = given->rules[i];
        if (rule >= t->antecedents || shared >= t->antecedents) return 0;
        if (!reach(steps, shared + 1, t)) return CORELS_FALLING_NO_MEMORY;
        if (!extend(t, &steps[shared], &steps[shared + 1], rule)) return 0;
        s->path[shared] = rule;
        if (!given->finished[i]) continue;
        const step *own = &steps[shared + 1];
        memo_store_path(&s->seen, s->path, shared + 1, own->least, own->paid,
                        corels_hash(own->left, t->words));
    }
    return 1;
}

int32_t corels_falling_learn(corels_falling *s, const corels_falling_learned *given) {
    if (s->started) return 0;
    step *steps = calloc((size_t)s->t.antecedents + 2, sizeof *steps);
    int32_t result = CORELS_FALLING_NO_MEMORY;
    if (steps && reach(steps, 0, &s->t)) {
        memcpy(steps[0].left, s->t.everything, s->t.words * sizeof(uint64_t));
        steps[0].least = (proportion){1, 1};
        result = learn(s, given, steps);
    }
    for (uint32_t d = 0; steps && d < s->t.antecedents + 2; d++) free(steps[d].left);
    free(steps);
    return result;
}

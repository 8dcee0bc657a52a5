/* Writing the proof: the claims of frames, finished ones and, where the search stops, open ones.
 *
 * A frame that is left claims `least` of the set that its path leaves. Where the search stops, the
 * frames of the path are not finished; but their children are settled, or open and bounded, or the
 * frame below. So from the deepest up, each frame claims the least of these: the claim of the root
 * is no less than the lower bound, and what it rests on is in the file.
 */
#include <stdlib.h>

#include "depth_first.h"
#include "record.h"

static int claim(const walker *k, int32_t depth, int64_t value) {
    int32_t *rules = k->w->rules; /* free between expansions */
    for (int32_t d = 1; d <= depth; d++) rules[d - 1] = k->frames[d].rule;
    return record_claim(k->search->record, RECORD_CLAIM, rules, depth, value) ? CORELS_OK
                                                                              : CORELS_NO_MEMORY;
}

int claim_frame(walker *k) {
    if (!k->search->record) return CORELS_OK;
    return claim(k, k->depth, k->frames[k->depth].least);
}

/* What the tables know of the child that was entered. */
static int64_t looked_up(walker *k, int32_t d, int64_t least) {
    const search *s = k->search;
    for (int32_t i = 0; i < s->staged_count; i++) {
        const staged *of = s->staged + i;
        const uint64_t *view = of->built ? frame_view(k, d, i) : NULL;
        if (!view) continue;
        int64_t here = of->face->least(of->built, view, k->frames[d + 1].rule, s->in.rule_cost,
                                       s->in.unit, INT64_MAX);
        if (here > least) least = here;
    }
    return least;
}

/* What the set of frame d costs at least; `below` is what was told of the frame below it. */
static int64_t open_least(walker *k, int32_t d, int64_t below) {
    const frame *f = k->frames + d;
    int64_t least = f->least;
    for (int32_t i = 0; i < f->n; i++)
        if (i < f->put_off || i >= f->next)
            lower(&least, child_bound(k, d, f->children + i) - f->cost);
    if (d < k->depth) lower(&least, f[1].cost - f->cost + looked_up(k, d, below));
    return least;
}

static int claim_path(walker *k) {
    int64_t least = 0;
    int status = CORELS_OK;
    for (int32_t d = k->walking ? k->depth : -1; d >= 0 && status == CORELS_OK; d--) {
        least = open_least(k, d, least);
        status = claim(k, d, least);
    }
    return status;
}

int tree_prove_open(search *s) {
    const depth_first_tree *tree = tree_of(s);
    int status = CORELS_OK;
    for (int32_t i = 0; tree->walkers && i < tree->n && status == CORELS_OK; i++)
        status = claim_path(tree->walkers + i);
    return status;
}

/* What the rules leave, in `set`. */
static void leave(const search *s, const int32_t *rules, int32_t n, uint64_t *set) {
    fill_bits(set, s->in.points);
    for (int32_t i = 0; i < n; i++) take_bits(set, set, mask_of(s, rules[i]), s->in.words);
}

int tree_learn(search *s, const int32_t *rules, int32_t n, int64_t value) {
    depth_first_tree *tree = tree_of(s);
    if (!tree->memo) return CORELS_BAD_ARGUMENT;
    uint64_t *set = calloc((size_t)(s->in.words + tree->key_words) + 1, sizeof *set);
    if (!set) return CORELS_NO_MEMORY;
    leave(s, rules, n, set);
    uint64_t *key = tree->by_closure ? set + s->in.words : set;
    for (int32_t r = 0; tree->by_closure && r < s->in.antecedents; r++)
        if (!s->kernel->face.popcount_and(set, mask_of(s, r), (size_t)s->in.words)) set_bit(key, r);
    memo_prove(tree->memo, key, value, 1, 0);
    free(set);
    return CORELS_OK;
}

/* Writing the proof: the claims of frames, finished ones and, if the search stops, open ones.
 *
 * A frame that is left claims `least` of the set that its path leaves. If the search stops, the
 * frames of the path are not finished; but their children are settled, or open and bounded, or the
 * frame below. So from the deepest up, each frame claims the least of these: the claim of the root
 * is no less than the lower bound, and what it rests on is in the file.
 */
#include <stdlib.h>

#include "depth_first.h"
#include "record.h"

static int claim(const worker_path *k, int32_t depth, int64_t value) {
    const int32_t *rules = path_rules(k, depth, k->w->rules); /* free between expansions */
    return record_claim(k->search->record, RECORD_CLAIM, rules, depth, value) ? CORELS_OK
                                                                              : CORELS_NO_MEMORY;
}

int claim_frame(worker_path *k) {
    if (!k->search->record) return CORELS_OK;
    return claim(k, k->depth, k->frames[k->depth].least);
}

static int claim_path(worker_path *k) {
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
    for (int32_t i = 0; tree->paths && i < tree->n && status == CORELS_OK; i++)
        status = claim_path(tree->paths + i);
    return status;
}

int tree_learn(search *s, const int32_t *rules, int32_t n, int32_t left, int64_t value) {
    depth_first_tree *tree = tree_of(s);
    if (!tree->memo) return CORELS_BAD_ARGUMENT;
    uint64_t *set = calloc((size_t)(s->in.words + tree->key_words) + 1, sizeof *set);
    if (!set) return CORELS_NO_MEMORY;
    left_by(s, rules, n, set);
    tree_key(s, set, set + s->in.words);
    memo_prove(tree->memo, set + s->in.words, left, value, 1, 0);
    free(set);
    return CORELS_OK;
}

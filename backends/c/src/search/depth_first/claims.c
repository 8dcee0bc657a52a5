/* What the memo claims of a set. For tests, which hold each claim against brute force, and for
 * whoever wants to see. */
#include <stdlib.h>

#include "depth_first.h"

int64_t tree_claim(search *s, const uint64_t *set, int32_t left) {
    const depth_first_tree *tree = tree_of(s);
    if (!tree->memo) return -1;
    if (!tree->by_closure) return memo_find(tree->memo, set, left, NULL);
    uint64_t *key = calloc((size_t)tree->key_words, sizeof *key);
    if (!key) return -1;
    for (int32_t r = 0; r < s->in.antecedents; r++)
        if (!s->kernel->face.popcount_and(set, mask_of(s, r), (size_t)s->in.words)) set_bit(key, r);
    int64_t claim = memo_find(tree->memo, key, left, NULL);
    free(key);
    return claim;
}

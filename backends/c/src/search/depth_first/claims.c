/* What the memo claims of a set. For questions (walk_from.c), and for tests, which hold each claim
 * against brute force. */
#include <stdlib.h>

#include "depth_first.h"

void tree_key(const search *s, const uint64_t *set, uint64_t *key) {
    const depth_first_tree *tree = tree_of(s);
    memset(key, 0, (size_t)tree->key_words * sizeof *key);
    if (!tree->by_closure) memcpy(key, set, (size_t)tree->key_words * sizeof *key);
    for (int32_t r = 0; tree->by_closure && r < s->in.antecedents; r++)
        if (!meets(set, mask_of(s, r), s->in.words)) set_bit(key, r);
}

int64_t corels_search_claim(corels_search *s, const uint64_t *set, int32_t left) {
    return s->ops == &depth_first ? tree_claim(s, set, left < 0 ? ANY_NUMBER : left) : -1;
}

int64_t tree_claim(search *s, const uint64_t *set, int32_t left) {
    const depth_first_tree *tree = tree_of(s);
    if (!tree->memo) return -1;
    uint64_t *key = calloc((size_t)tree->key_words + 1, sizeof *key);
    if (!key) return -1;
    tree_key(s, set, key);
    int64_t claim = memo_find(tree->memo, key, left, NULL);
    free(key);
    return claim;
}

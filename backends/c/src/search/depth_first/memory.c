/* Memory: how much each part holds, and what the limit leaves for the memo. */
#include "depth_first.h"

enum { DEEPEST = 32 }; /* frames that a worker is taken to need at most */

static size_t paths_bytes(const search *s) {
    const depth_first_tree *tree = tree_of(s);
    size_t bytes = sizeof *tree + deepen_bytes(s);
    for (int32_t i = 0; tree->paths && i < tree->n; i++) bytes += path_bytes(tree->paths + i);
    return bytes;
}

size_t tree_bytes(const search *s) {
    const depth_first_tree *tree = tree_of(s);
    return paths_bytes(s) + rule_columns_bytes(s, 0) +
           (tree->memo ? memo_used(tree->memo).bytes : 0);
}

void tree_share_memory(search *s) {
    const depth_first_tree *tree = tree_of(s);
    size_t least = (size_t)s->tune.memo_least; /* less would not even hold the path */
    size_t limit = s->memory_limit, taken = search_bytes(s) + paths_bytes(s);
    taken += rule_columns_bytes(s, 1);
    if (!tree->memo || !limit) return;
    for (int32_t i = 0; tree->paths && i < tree->n; i++)
        taken += frames_to_come(tree->paths + i, DEEPEST);
    memo_limit(tree->memo, limit > taken + least ? limit - taken : least);
}

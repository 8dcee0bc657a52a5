/* Memory: who holds how much, and what the limit leaves for the memo. */
#include "fast.h"

enum {
    LEAST_MEMO = 1 << 16, /* less would not even hold the path */
    DEEPEST = 32,         /* frames that a walker is taken to need at most; most need ten */
};

size_t corels_bytes_but_memo(const struct corels_fast *fast) {
    size_t bytes = fast->fixed_bytes;
    for (int32_t i = 0; fast->walkers && i < fast->options.threads; i++)
        bytes += corels_walker_bytes(fast->walkers + i);
    if (fast->blocks) bytes += corels_blocks_bytes(fast->blocks);
    return bytes;
}

void corels_share_memory(struct corels_fast *fast) {
    size_t limit = fast->options.memory, taken = corels_bytes_but_memo(fast);
    if (!fast->memo || !limit) return;
    for (int32_t i = 0; fast->walkers && i < fast->options.threads; i++)
        taken += corels_frames_to_come(fast->walkers + i, DEEPEST);
    corels_memo_limit(fast->memo, limit > taken + LEAST_MEMO ? limit - taken : LEAST_MEMO);
}

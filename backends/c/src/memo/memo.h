/* The memo: what has been proved of sets of points. See memo.c. */
#ifndef CORELS_MEMO_H
#define CORELS_MEMO_H

#include <stddef.h>
#include <stdint.h>

typedef struct corels_memo corels_memo;

/* Keys of `words` words; at most `limit` bytes (0: no limit); locks where `threads` > 1.
 * Bounds up to `largest` are stored. NULL where memory is short. */
corels_memo *corels_memo_new(int32_t words, size_t limit, int threads, int64_t largest);
void corels_memo_free(corels_memo *memo);
/* Changes the limit, while no thread uses the memo. What is held already stays. */
void corels_memo_limit(corels_memo *memo, size_t limit);

/* The best bound proved for `key`, or -1. Sets *busy where another thread works on it (may be
 * NULL). */
int64_t corels_memo_find(corels_memo *memo, const uint64_t *key, int *busy);
/* Records f(key) >= bound, found by `effort` expansions: the least effort is forgotten first. */
void corels_memo_prove(corels_memo *memo, const uint64_t *key, int64_t bound, uint64_t effort);
/* Marks that a thread begins to work on `key`: proving it ends the mark. */
void corels_memo_enter(corels_memo *memo, const uint64_t *key);

typedef struct {
    uint64_t entries, forgotten;
    size_t bytes, peak_bytes;
} corels_memo_usage;

corels_memo_usage corels_memo_used(corels_memo *memo);

#endif

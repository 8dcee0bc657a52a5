/* The memo: what has been proved of sets of points. See memo.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct memo memo;

/* Keys of `words` words; locks if `threads` > 1. Bounds up to `largest` are stored. `limited`:
 * lists may have so many rules at most, so that an entry speaks of completions by at most `left`
 * rules; otherwise no `left` below is read. NULL if memory is short. */
memo *memo_new(int32_t words, int threads, int64_t largest, int limited, int64_t rule_cost);
void memo_free(memo *m);
/* At most so many bytes, while no thread uses the memo. What is held already stays. */
void memo_limit(memo *m, size_t limit);

/* The best bound proved for completions of `key` by at most `left` rules, or -1; and how many
 * workers are at it (may be NULL). */
int64_t memo_find(memo *m, const uint64_t *key, int32_t left, int32_t *workers);
/* The same, and notes one worker more at `key`: unless what is proved suffices for `need`; or
 * another worker is at it and the worker would be `alone`. */
int64_t memo_enter(memo *m, const uint64_t *key, int32_t left, int64_t need, int alone,
                   int32_t *workers);
/* One worker less is at `key`. */
void memo_leave(memo *m, const uint64_t *key, int32_t left);
/* Records that no completion by at most `left` rules costs less than `bound`, found by `effort`
 * expansions: the least effort is forgotten first. `leaves`: and one worker less is at it. */
void memo_prove(memo *m, const uint64_t *key, int32_t left, int64_t bound, uint64_t effort,
                int leaves);

typedef struct {
    uint64_t entries, forgotten;
    size_t bytes, peak_bytes;
} memo_usage;

memo_usage memo_used(memo *m);

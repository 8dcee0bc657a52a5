/* Whole words are compressed: a bit matrix is cut word by word, not bit by bit. */
#include "cut.h"

#include <stdlib.h>

#include "bits.h"

/* The moves that bring the members of a word's set together at its low end (Warren, Hacker's
 * Delight, 7-4). */
static void compress_moves(uint64_t set, uint64_t moves[6]) {
    uint64_t count = ~set << 1;
    for (int i = 0; i < 6; i++) {
        uint64_t parity = count;
        for (int s = 1; s < 64; s *= 2) parity ^= parity << s;
        moves[i] = parity & set;
        set = (set ^ moves[i]) | moves[i] >> (1 << i);
        count &= ~parity;
    }
}

static uint64_t compress(uint64_t x, uint64_t set, const uint64_t moves[6]) {
    x &= set;
    for (int i = 0; i < 6; i++) {
        uint64_t t = x & moves[i];
        x = (x ^ t) | t >> (1 << i);
    }
    return x;
}

static void cut_column(uint64_t *to, const uint64_t *from, size_t words, const uint64_t *set,
                       const uint64_t (*moves)[6]) {
    int32_t at = 0;
    for (size_t w = 0; w < words; w++) {
        if (!set[w]) continue;
        uint64_t bits = compress(from[w], set[w], moves[w]);
        to[at / 64] |= bits << (at % 64);
        int32_t n = corels_ones(set[w]);
        if (at % 64 + n > 64) to[at / 64 + 1] |= bits >> (64 - at % 64);
        at += n;
    }
}

int cut_columns(uint64_t *to, size_t cut_words, const uint64_t *from, size_t words,
                const uint64_t *set, size_t n) {
    uint64_t (*moves)[6] = malloc((words + 1) * sizeof *moves);
    if (!moves) return 0;
    for (size_t w = 0; w < words; w++) compress_moves(set[w], moves[w]);
    for (size_t r = 0; r < n; r++)
        cut_column(to + r * cut_words, from + r * words, words, set, (const uint64_t (*)[6])moves);
    free(moves);
    return 1;
}

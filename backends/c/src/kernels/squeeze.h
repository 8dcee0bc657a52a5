/* Bits of a set's points pushed together: the same text in all kernels, for vectors of any width.
 * Of one column, PEXT squeezes a word at once, if processors have it that is quick.
 */
#pragma once

#include "kernel.h"

#ifdef __BMI2__
#define PEXT __builtin_ia32_pext_di
#else
#define PEXT(x, set) (x)
#endif

static inline uint64_t moved(const corels_squeeze *s, uint64_t x) {
    x &= s->set;
    for (int i = 0; i < 6; i++) {
        uint64_t moving = x & s->moves[i];
        x = (x ^ moving) | moving >> (1 << i);
    }
    return x;
}

/* `columns`, at most 8, and `by_pext` are constants if this is inlined. */
static inline __attribute__((always_inline)) void
squeeze_columns(const corels_squeeze *by, size_t words, const uint64_t *from, size_t columns,
                int by_pext, uint64_t *to) {
    uint64_t held[8] = {0}, at = 0; /* bits that do not fill a word yet, and how many */
    for (size_t w = 0; w < words; w++) {
        const corels_squeeze *s = by + w;
        uint64_t next = at + s->ones, full = next >> 6, keep = full - 1;
        for (size_t c = 0; c < columns; c++) {
            uint64_t x =
                by_pext ? PEXT(from[w * columns + c], s->set) : moved(s, from[w * columns + c]);
            to[c] = held[c] | x << at;
            held[c] = (to[c] & keep) | (x >> 1 >> (63 - at) & ~keep);
        }
        to += full * columns;
        at = next & 63;
    }
    for (size_t c = 0; c < columns; c++) to[c] = held[c];
}

static void squeeze(const corels_squeeze *by, size_t words, const uint64_t *from, size_t columns,
                    uint64_t *to) {
    if (columns == 8) squeeze_columns(by, words, from, 8, 0, to);
#ifdef __BMI2__
    else if (atomic_load_explicit(&corels_quick_pext, memory_order_relaxed))
        squeeze_columns(by, words, from, 1, 1, to);
#endif
    else
        squeeze_columns(by, words, from, 1, 0, to);
}

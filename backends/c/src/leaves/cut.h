/* Columns of bits, cut to some of the points. */
#ifndef LEAVES_CUT_H
#define LEAVES_CUT_H

#include <stddef.h>
#include <stdint.h>

/* The n columns at `from`, of `words` words each, without the points outside of `set`. Those at
 * `to`, of `cut_words` words each, are 0 before. 0: no memory. */
int cut_columns(uint64_t *to, size_t cut_words, const uint64_t *from, size_t words,
                const uint64_t *set, size_t n);

#endif

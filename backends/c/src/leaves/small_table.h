/* Some points of a table, copied out so that counts read no others.
 *
 * A table has the columns of the antecedents from `first` on, and behind them the digits of what
 * points give and take: the same table without the points that a set lacks is these columns, cut.
 */
#pragma once

#include "digits.h"
#include "store.h"

typedef struct {
    store arrays;
    uint64_t *columns; /* [antecedents from `first` on, and digits][words] */
    digit *digits;     /* `start` is not used */
    int32_t antecedents, first, points, words, n_digits;
} small_table;

/* The n columns at `from`, of `words` words each, without the points outside of `set`: those at
 * `to`, of `cut_words` words each and one more behind the last. 0: no memory. */
int cut_columns(uint64_t *to, size_t cut_words, const uint64_t *from, size_t words,
                const uint64_t *set, size_t n);

/* Room for so many digits, and for the antecedents from `first` on, of `antecedents` in all. 0: no
 * memory. */
int small_table_new(small_table *, int32_t antecedents, int32_t points, int32_t first,
                    int32_t n_digits);
/* The antecedents from `first` on, on the so many points of `set`. 0: no memory. */
int small_table_copy(small_table *to, const small_table *from, const uint64_t *set, int32_t points,
                     int32_t first);
/* It is all zeros then. */
void small_table_free(small_table *);

static inline uint64_t *small_column(const small_table *t, int32_t antecedent) {
    return t->columns + (size_t)(antecedent - t->first) * (size_t)t->words;
}

static inline uint64_t *small_digit(const small_table *t, int32_t k) {
    return small_column(t, t->antecedents + k);
}

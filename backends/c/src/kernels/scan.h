/* Loops over the counts of a node, one lane an antecedent. Plain C, included by every kernel file,
 * so that the compiler vectorises them with that file's instruction set.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

static inline int32_t lesser(int32_t x, int32_t y) {
    return x < y ? x : y;
}

static inline int32_t greater(int32_t x, int32_t y) {
    return x > y ? x : y;
}

static int32_t scan_two(const int32_t *restrict a, const int32_t *restrict b, size_t n,
                        int32_t all_a, int32_t all_b, int32_t *restrict errors,
                        int32_t *restrict saved, int32_t *restrict closing) {
    int32_t least = INT32_MAX;
    for (size_t r = 0; r < n; r++) {
        int32_t here = lesser(a[r], b[r]);
        int32_t closed = here + lesser(all_a - a[r], all_b - b[r]);
        errors[r] = here;
        saved[r] = greater(a[r], b[r]);
        closing[r] = closed;
        least = lesser(least, closed);
    }
    return least;
}

static size_t keep_most(const int32_t *restrict values, size_t n, int32_t most, int32_t mark,
                        int32_t *restrict out, int32_t *fewest) {
    int32_t most_room = INT32_MAX - *fewest, left = 0; /* the least value, as a greatest number */
    for (size_t r = 0; r < n; r++) {
        int32_t was = out[r], value = values[r];
        int32_t hit = -((was == 0) & (value > most)); /* a mask */
        most_room = greater(most_room, (INT32_MAX - value) & hit);
        was |= mark & hit;
        out[r] = was;
        left += was == 0;
    }
    *fewest = INT32_MAX - most_room;
    return (size_t)left;
}

static size_t keep_above(const int32_t *restrict values, size_t n, int32_t most, int32_t mark,
                         int32_t *restrict out) {
    int32_t gone = 0;
    for (size_t r = 0; r < n; r++) {
        int32_t was = out[r];
        was |= mark & -((was == 0) & (values[r] <= most));
        out[r] = was;
        gone += was != 0;
    }
    return n - (size_t)gone;
}

/* The fewest errors that one can tell of the rule with regrets a, b. */
static inline int32_t last_errors(int32_t a, int32_t b, const corels_behind *at) {
    int32_t ones = greater(0, at->left[0] - a) + greater(0, b - at->gone[1]);
    int32_t zeros = greater(0, at->left[1] - b) + greater(0, a - at->gone[0]);
    return lesser(ones, zeros);
}

/* Few are listed, so antecedents are first looked at in groups. */
static size_t list_last(const int32_t *restrict a, const int32_t *restrict b, size_t n,
                        const corels_behind *behind, int32_t *restrict list) {
    enum { GROUP = 64 };
    const corels_behind at = *behind;
    size_t kept = 0;
    for (size_t from = 0; from < n; from += GROUP) {
        size_t to = n - from < GROUP ? n : from + GROUP;
        int32_t least = INT32_MAX;
        for (size_t q = from; q < to; q++) least = lesser(least, last_errors(a[q], b[q], &at));
        if (least > at.most) continue;
        for (size_t q = from; q < to; q++) {
            list[kept] = (int32_t)q;
            kept += last_errors(a[q], b[q], &at) <= at.most;
        }
    }
    return kept;
}

static size_t select_zero(const int32_t *values, size_t n, int32_t *list) {
    size_t kept = 0;
    for (size_t r = 0; r < n; r++) {
        list[kept] = (int32_t)r;
        kept += values[r] == 0;
    }
    return kept;
}

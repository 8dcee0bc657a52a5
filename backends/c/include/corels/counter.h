/* The counter: how much weight does every antecedent capture of a set of points, all at once.
 *
 * A search over rule lists asks one question of its data at every node: given the set of points
 * that no rule has captured yet, what does each antecedent capture of each measure (a class, the
 * regrets of predicting a class, a count of rows)? The counter answers it for all antecedents in
 * one call. It holds its own copy of the data, and takes one population count for every binary
 * digit of the weights, eight antecedents side by side.
 *
 * Points may stand in any order. The order matters for speed only: the words are skipped in which a
 * digit of a measure is zero everywhere, so points are best sorted by the measure in which they
 * weigh, then by falling weight.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/status.h"

/* cffi: begin */
typedef struct corels_counter corels_counter;

/* Require: `masks` is [antecedents][words] row-major, words = (points + 63) / 64, bit i = point i,
 * no bit at or beyond `points`; `weights` is [measures][points], non-negative, the total of each
 * measure fits int32.
 * Ensure: CORELS_OK and a counter that needs none of the arguments any more; or CORELS_NO_MEMORY;
 * or CORELS_BAD_ARGUMENT for sizes below one (points may be 0), or if CORELS_KERNEL names no kernel
 * of this machine. */
int corels_counter_new(corels_counter **out, const uint64_t *masks, int32_t antecedents,
                       int32_t points, const int32_t *weights, int32_t measures);
/* The same in pieces, for data so large that laying it out takes a while: `masks` and `weights`
 * must live until the counter is complete, and it can be asked for nothing before. */
int corels_counter_begin(corels_counter **out, const uint64_t *masks, int32_t antecedents,
                         int32_t points, const int32_t *weights, int32_t measures);
/* Lay out one piece more (some ten thousand words). CORELS_OK: there are more; CORELS_DONE: it is
 * complete; CORELS_NO_MEMORY: it can only be freed. */
int corels_counter_build(corels_counter *counter);
void corels_counter_free(corels_counter *counter);

/* Antecedents rounded up to a multiple of 16: the length of one measure's row of counts. */
int32_t corels_counter_stride(const corels_counter *counter);
/* Bytes of 64-byte aligned scratch that a thread needs to count. */
size_t corels_counter_scratch(const corels_counter *counter);
/* The name of its kernel, "avx2" for one. */
const char *corels_counter_kernel(const corels_counter *counter);
/* Bytes of memory held. */
size_t corels_counter_bytes(const corels_counter *counter);

/* counts[k * stride + r] = sum of weights k over the points of `set` that antecedent r captures
 * (0 for r >= antecedents); totals[k] = the same over all points of `set`. Thread-safe. */
void corels_counter_count(const corels_counter *counter, const uint64_t *set, void *scratch,
                          int32_t *counts, int32_t *totals);
/* The same of n sets, with everything n times: sets[n][words], counts[n][measures][stride],
 * totals[n][measures], and scratch. If the data is too large for a cache, each piece of it is
 * read once instead of n times. */
void corels_counter_count_some(const corels_counter *counter, int32_t n, const uint64_t *sets,
                               void *scratch, int32_t *counts, int32_t *totals);
/* How many sets are best counted together: 1 if the data fits a cache, at most
 * CORELS_COUNTED_TOGETHER. */
enum { CORELS_COUNTED_TOGETHER = 4 };
int32_t corels_counter_together(const corels_counter *counter);
/* A counter within `points`: for subsets of `points`, a set as `of` counts them, with columns of
 * these alone, which are numbered anew, in their order. It counts what `of` does, in the same
 * scratch, and in less time if `points` are few. `of` must outlive it. Require: `of` is complete
 * and not within others itself. Ensure: CORELS_OK; or CORELS_NO_MEMORY; or CORELS_BAD_ARGUMENT.
 */
int corels_counter_within(corels_counter **out, const corels_counter *of, const uint64_t *points);
/* Words of a set that it counts. */
int32_t corels_counter_words(const corels_counter *counter);
/* `to` = those points of `set`, a set of all points, that a counter within points has, as it is to
 * be given them. Of `to` as many words are written as `set` has, and one more, at most.  */
void corels_counter_squeeze(const corels_counter *inner, const uint64_t *set, uint64_t *to);
/* `to` = those points of such a counter that none of these antecedents captures, as it is to be
 * given them; sooner than to squeeze them, for a few antecedents. */
void corels_counter_left(const corels_counter *inner, const int32_t *antecedents, int32_t n,
                         uint64_t *to);
/* If counters within points can be made, an antecedent and its complement have one row. The
 * number of rows, a multiple of eight; the row of an antecedent; and the antecedent whose points a
 * row has.
 */
int32_t corels_counter_rows(const corels_counter *counter);
int32_t corels_counter_row(const corels_counter *counter, int32_t antecedent);
int32_t corels_counter_first(const corels_counter *counter, int32_t row);
/* In two steps what corels_counter_count does: sums[k * rows + i] is measure k of what row i has of
 * the set (they live in the scratch); and such sums as counts and totals. */
const int32_t *corels_counter_sums(const corels_counter *counter, const uint64_t *set,
                                   void *scratch);
void corels_counter_hand_out(const corels_counter *counter, const int32_t *sums, int32_t *counts,
                             int32_t *totals);
/* cffi: end */

/* For the engine alone: the digits of the weights, one measure after another. They are the
 * counter's, and there from the beginning. */
struct digits;
const struct digits *corels_counter_digits(const corels_counter *counter);

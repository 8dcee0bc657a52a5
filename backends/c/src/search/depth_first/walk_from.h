/* Questions about sets, for other parts of the engine (walk_from.c): what goes with
 * corels_search_walk_from. */
#pragma once

#include "corels/search.h"
#include "tuning.h"

/* Before the first step: the search will only be asked, and, unless `lengths`, nobody will know how
 * many rules came before a set. */
void walk_from_expect(corels_search *, int lengths);
/* How many numbers the counts of a set are, counts[class * stride + antecedent]; *totals[class] are
 * those of the set that was counted last. */
size_t walk_from_numbers(const corels_search *, int32_t *stride, int32_t **totals);
void walk_from_count(corels_search *, const uint64_t *set, int32_t *counts);
/* The same of the set of the last question, if that is what was counted last; else 0. */
int walk_from_counted(const corels_search *, int32_t *counts);
/* Lists, in rising order, the rules behind which some list that goes on by at least one rule may
 * cost less than `need`. `set` is that of the last question, whose answer was not yes. */
int32_t walk_from_open(corels_search *, const uint64_t *set, const int32_t *counts, int64_t need,
                       int32_t *list);
/* The tuning values of the search. */
const tuning *walk_from_tuning(const corels_search *);
/* Bytes that it holds, and may hold from now on (0: no limit). */
size_t walk_from_bytes(const corels_search *);
void walk_from_limit(corels_search *, size_t bytes);

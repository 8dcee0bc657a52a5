/* One rule for effort: when work that is not the walk itself comes next.
 *
 * A *technique* is such work: building price tables, retraining them, improving the incumbent,
 * trying what tables drop. Each has a row in tuning.def, `effort_...`: of a thousand ticks of the
 * walk, how many the technique may take. So work of so many ticks is due after ticks * 1000 /
 * per_mille ticks of the walk; with 0, never. Whether work of a kind helps differs from search to
 * search, so each technique has a *delay*: all of its work comes 2^delay times as late. The delay
 * rises by one when the work was useless, and falls by one when it was useful.
 *
 * A tick is any unit that the caller counts in for both sides: a count of a set, or a microsecond
 * as estimated from sizes. No tick is read from a clock, so runs repeat.
 */
#pragma once

#include <stdint.h>

typedef struct {
    int64_t per_mille;
    double delay, least, most; /* the delay stays within these two */
} technique;

/* Ticks of the walk before work of so many ticks; INFINITY: it never comes. */
double effort_wait(const technique *, double ticks);
/* Ticks of work that so many ticks of the walk allow. */
double effort_allows(const technique *, double walked);
void effort_learn(technique *, int useful);
/* Beside so many threads that walk: no more than one thread can do while they do. */
technique effort_beside(technique, int64_t threads);

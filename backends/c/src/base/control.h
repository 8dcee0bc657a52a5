/* When a step must come back: it is interrupted, or its time is up.
 *
 * The flag is an atomic number without a lock, so a signal handler or another thread may raise it
 * at any time. Long loops ask `control_cut`, which costs a load. Between whole pieces of work the
 * step asks `control_due`, which also reads the clock, but only now and then (`pace`): a look at
 * the clock every 50 microseconds or so costs nothing beside the work.
 *
 * The first look of a thread in a step never ends the step: however short a step is, and however
 * long its threads take to start, somebody does a piece of work. Otherwise a search in very short
 * steps could stand still.
 *
 * What a loop does when it is cut: it leaves its result unused, and its caller does the
 * piece again later or leaves it open. So results never depend on where steps end.
 */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

typedef struct {
    atomic_int interrupted;
    int64_t until; /* nanoseconds of the monotonic clock; 0: no limit */
    int64_t step;  /* counts the steps */
} control;

/* One for each thread: how many pieces to do between two looks at the clock. */
typedef struct {
    int32_t left, pieces;
    int64_t last, step; /* when it last looked, and in which step */
} pace;

/* Nanoseconds since some moment in the past. */
int64_t clock_now(void);

/* `seconds` <= 0: no limit. */
void control_begin(control *, double seconds);
/* An interrupt is for one step. */
void control_end(control *);

static inline int control_cut(const control *c) {
    return c && atomic_load_explicit(&((control *)c)->interrupted, memory_order_relaxed);
}

int control_look(const control *, pace *);

/* Whether the step has to come back: to be asked after each piece of work. */
static inline int control_due(const control *c, pace *p) {
    if (control_cut(c)) return 1;
    return c && --p->left < 0 && control_look(c, p);
}

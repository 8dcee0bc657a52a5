#include "team.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "control.h"
#include "threads.h"

/* Pieces of a loop for each member; and how long one looks out before going to sleep: about what it
 * takes to wake a thread. */
enum { PIECES = 4, PATIENCE_NS = 50000 };

typedef struct {
    struct team *team;
    int32_t part;
    unsigned seen; /* the last loop that it knows of */
    thread_task task;
} member;

/* The lock guards all that is not atomic. `call` to `parts` say what the loop is; they change while
 * nobody is in. */
struct team {
    lock lock;
    condition begin, end;
    range_call call;
    void *argument;
    int32_t n, piece, parts;
    atomic_llong next;  /* the first index that no member has taken */
    atomic_uint loops;  /* begun so far */
    atomic_int inside;  /* members that are in the loop, without the caller */
    int open;           /* whether others may still come in */
    int asleep, ending; /* members that wait for a loop; whether they are to go home */
    int32_t threads, started;
    int patient; /* every thread has a processor, so looking out costs no other its time */
    member members[];
};

team *team_new(int32_t threads) {
    team *t = calloc(1, sizeof *t + (size_t)threads * sizeof *t->members);
    if (!t) return NULL;
    t->threads = threads;
    t->patient = t->threads <= thread_processors();
    t->lock = NEW_LOCK;
    t->begin = t->end = NEW_CONDITION;
    return t;
}

void team_free(team *t) {
    if (!t) return;
    team_rest(t);
    condition_free(&t->end);
    condition_free(&t->begin);
    lock_free(&t->lock);
    free(t);
}

int32_t team_size(const team *t) {
    return t ? t->threads : 1;
}

void team_rest(team *t) {
    if (!t || !t->started) return;
    lock_take(&t->lock);
    t->ending = 1;
    condition_wake(&t->begin);
    lock_leave(&t->lock);
    /* A thread that still looks out is woken by a loop that no thread may enter. */
    atomic_fetch_add(&t->loops, 1);
    for (int32_t i = 0; i < t->started; i++) thread_join(&t->members[i].task);
    t->started = t->ending = 0;
}

/* Takes one piece after another. */
static void take_part(team *t, int32_t part) {
    for (;;) {
        long long from = atomic_fetch_add(&t->next, t->piece), to = from + t->piece;
        if (from >= t->n) return;
        t->call(t->argument, part, (int32_t)from, (int32_t)(to < t->n ? to : t->n));
    }
}

/* Looks out for the next loop, then sleeps until it comes. 0: there will be none. Otherwise *in
 * says whether the member is in. */
static int wait_for_loop(member *m, int *in) {
    team *t = m->team;
    int64_t until = t->patient ? clock_now() + PATIENCE_NS : 0;
    while (until && atomic_load(&t->loops) == m->seen)
        if (clock_now() > until) until = 0;
    lock_take(&t->lock);
    while (!t->ending && atomic_load(&t->loops) == m->seen) {
        t->asleep++;
        condition_wait(&t->begin, &t->lock);
        t->asleep--;
    }
    int goes_on = !t->ending;
    m->seen = atomic_load(&t->loops);
    *in = goes_on && t->open && m->part < t->parts;
    if (*in) atomic_fetch_add(&t->inside, 1);
    lock_leave(&t->lock);
    return goes_on;
}

static void serve(void *member_) {
    member *m = member_;
    team *t = m->team;
    int in;
    while (wait_for_loop(m, &in)) {
        if (!in) continue;
        take_part(t, m->part);
        lock_take(&t->lock);
        if (atomic_fetch_sub(&t->inside, 1) == 1 && !t->open) condition_wake(&t->end);
        lock_leave(&t->lock);
    }
}

static void start_threads(team *t, int32_t parts) {
    for (; t->started < parts - 1; t->started++) {
        member *m = t->members + t->started;
        *m = (member){.team = t, .part = t->started + 1, .seen = atomic_load(&t->loops) - 1};
        m->task = (thread_task){.call = serve, .argument = m};
        if (!thread_start(&m->task)) return;
    }
}

/* No worker joins any more; those at work are waited for. */
static void close_loop(team *t) {
    lock_take(&t->lock);
    t->open = 0;
    lock_leave(&t->lock);
    int64_t until = t->patient ? clock_now() + PATIENCE_NS : 0;
    while (until && atomic_load(&t->inside))
        if (clock_now() > until) until = 0;
    lock_take(&t->lock);
    while (atomic_load(&t->inside)) condition_wait(&t->end, &t->lock);
    lock_leave(&t->lock);
}

void team_ranges(team *t, int32_t parts, int32_t n, int32_t unit, range_call call, void *argument) {
    if (t && parts > t->threads) parts = t->threads;
    int32_t units = parts > 1 ? n / (PIECES * parts) / unit : 0, piece = (units ? units : 1) * unit;
    if (!t || parts < 2 || piece >= n) {
        if (n > 0) call(argument, 0, 0, n);
        return;
    }
    lock_take(&t->lock);
    t->call = call, t->argument = argument;
    t->n = n, t->piece = piece, t->parts = parts;
    atomic_store(&t->next, 0);
    t->open = 1;
    atomic_fetch_add(&t->loops, 1);
    if (t->asleep) condition_wake(&t->begin);
    lock_leave(&t->lock);
    start_threads(t, parts);
    take_part(t, 0);
    close_loop(t);
}

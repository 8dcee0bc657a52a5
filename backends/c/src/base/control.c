#ifndef _WIN32
#define _POSIX_C_SOURCE 199309L /* clock_gettime, also if the compiler is strict */
#endif

#include "control.h"

#include <time.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

enum { SHORT_NS = 30000, LONG_NS = 100000, MOST_PIECES = 16 };

int64_t clock_now(void) {
#ifdef _WIN32
    LARGE_INTEGER ticks, each;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&each);
    return (int64_t)((double)ticks.QuadPart / (double)each.QuadPart * 1e9);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

void control_begin(control *c, double seconds) {
    c->until = seconds > 0 ? clock_now() + (int64_t)(seconds * 1e9) : 0;
    c->step++;
}

void control_end(control *c) {
    atomic_store(&c->interrupted, 0);
}

int control_look(const control *c, pace *p) {
    if (!c->until) {
        p->left = MOST_PIECES;
        return 0;
    }
    int64_t now = clock_now(), took = now - p->last;
    p->last = now;
    if (p->step != c->step) { /* the time of the last look is not known */
        p->step = c->step;
        p->left = 0;
        return 0;
    }
    if (took < SHORT_NS && p->pieces < MOST_PIECES) p->pieces++;
    if (took > LONG_NS) p->pieces /= 2;
    p->left = p->pieces;
    return now >= c->until;
}

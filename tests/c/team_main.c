/* A team of threads by itself: loops of all sizes, pauses between them, rests. Every index is to be
 * visited once, and no part is to be in two ranges at a time. Built and run by test_team.py, and
 * under the sanitizers by `make test-sanitize-threads`; answers 0 if all is well.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "team.h"
#include "threads.h"

enum { LOOPS = 3000, MOST = 300, PARTS = 5 };

typedef struct {
    int32_t visits[MOST]; /* not atomic: only one part may be at an index */
    atomic_int inside[PARTS];
    atomic_int wrong;
    int32_t n, unit, parts;
} loop;

static void visit(void *loop_, int32_t part, int32_t from, int32_t to) {
    loop *of = loop_;
    if (part < 0 || part >= of->parts || from < 0 || to > of->n || from >= to ||
        (to < of->n && (to - from) % of->unit)) {
        atomic_store(&of->wrong, 1);
        return;
    }
    if (atomic_fetch_add(&of->inside[part], 1)) atomic_store(&of->wrong, 2);
    for (int32_t i = from; i < to; i++) of->visits[i]++;
    if (from % 7 == 3) thread_rest();
    atomic_fetch_sub(&of->inside[part], 1);
}

static uint64_t state = 88172645463325252u;

static int32_t draw(int32_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (int32_t)(state % (uint64_t)n);
}

static int one_loop(team *t, loop *of) {
    *of = (loop){.n = draw(MOST), .unit = 1 + draw(20), .parts = 1 + draw(PARTS)};
    team_ranges(t, of->parts, of->n, of->unit, visit, of);
    for (int32_t i = 0; i < MOST; i++)
        if (of->visits[i] != (i < of->n)) return 3;
    return atomic_load(&of->wrong);
}

int main(void) {
    static loop of;
    for (int32_t threads = 1; threads <= PARTS; threads++) {
        team *t = team_new(threads);
        if (!t) return 4;
        for (int32_t i = 0; i < LOOPS / PARTS; i++) {
            int wrong = one_loop(t, &of);
            if (wrong) return wrong;
            if (!draw(20)) team_rest(t);
            if (!draw(10)) thread_rest();
        }
        team_free(t);
    }
    team_free(NULL);
    return one_loop(NULL, &of);
}

/* A strong incumbent before the search: a beam.
 *
 * Keep the `WIDTH` best prefixes of each length, judged by the cost of closing them with a default
 * rule; extend each by every antecedent. One count gives all extensions of a prefix, so a level
 * costs WIDTH counts. Every extension is also a list, and the best of them all is the incumbent.
 * Two prefixes of equal cost and equal closing cost most often leave the same points: one is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"
#include "sort.h"

enum { WIDTH = 24, LONGEST = 32 };

typedef struct {
    int64_t cost;   /* of the prefix */
    int64_t closed; /* of the list that ends here */
    int32_t rules[LONGEST];
    int32_t parent;
} state;

typedef struct {
    struct corels_fast *fast;
    corels_walker *walker; /* for its scratch */
    state *now, *next;     /* [WIDTH] each */
    uint64_t *sets, *next_sets;
    int32_t n, n_next, length;
    int status;
} beam;

/* Puts an extension among the best of the next level, which are sorted by `closed`. */
static void consider(beam *b, const state *from, int32_t parent, int32_t r, int64_t cost,
                     int64_t closed) {
    if (b->n_next == WIDTH && closed >= b->next[WIDTH - 1].closed) return;
    int32_t at = b->n_next;
    while (at > 0 && b->next[at - 1].closed > closed) at--;
    for (int32_t i = at; i > 0 && b->next[i - 1].closed == closed; i--)
        if (b->next[i - 1].cost == cost) return;
    int32_t last = b->n_next < WIDTH ? b->n_next++ : WIDTH - 1;
    memmove(b->next + at + 1, b->next + at, (size_t)(last - at) * sizeof(state));
    state *fresh = b->next + at;
    fresh->cost = cost;
    fresh->closed = closed;
    fresh->parent = parent;
    memcpy(fresh->rules, from->rules, (size_t)b->length * sizeof(int32_t));
    fresh->rules[b->length] = r;
}

static void extend(beam *b, int32_t index) {
    struct corels_fast *fast = b->fast;
    corels_walker *w = b->walker;
    int32_t *counts = w->frames->counts; /* nobody walks yet */
    const state *from = b->now + index;
    const uint64_t *set = b->sets + (size_t)index * fast->words;
    corels_node node = {.kernel = fast->kernel,
                        .counts = counts,
                        .totals = w->totals,
                        .errors = w->errors,
                        .closing = w->closing,
                        .classes = fast->in.classes,
                        .stride = fast->stride};
    corels_counter_count(fast->counter, set, w->scratch, counts, w->totals);
    corels_node_scan(&node);
    w->seen.counts++;
    for (int32_t r = 0; r < fast->in.antecedents; r++) {
        int64_t cost = from->cost + fast->in.rule_cost + fast->in.unit * w->errors[r];
        int64_t closed = cost + fast->in.unit * (w->closing[r] - w->errors[r]);
        if (cost < corels_need(fast, 0)) consider(b, from, index, r, cost, closed);
    }
}

static void next_level(beam *b) {
    struct corels_fast *fast = b->fast;
    size_t words = (size_t)fast->words;
    for (int32_t i = 0; i < b->n_next; i++) {
        const state *s = b->next + i;
        const uint64_t *above = b->sets + (size_t)s->parent * words;
        const uint64_t *mask = fast->masks + (size_t)s->rules[b->length] * words;
        uint64_t *set = b->next_sets + (size_t)i * words;
        for (size_t w = 0; w < words; w++) set[w] = above[w] & ~mask[w];
    }
    state *states = b->now;
    uint64_t *sets = b->sets;
    b->now = b->next, b->next = states;
    b->sets = b->next_sets, b->next_sets = sets;
    b->n = b->n_next, b->n_next = 0;
    b->length++;
    if (b->n) b->status |= corels_offer(&fast->incumbent, b->now->closed, b->now->rules, b->length);
}

int corels_start(struct corels_fast *fast) {
    size_t words = (size_t)fast->words;
    beam b = {.fast = fast, .walker = fast->walkers, .n = 1};
    b.now = calloc(WIDTH + 1, sizeof(state));
    b.next = calloc(WIDTH + 1, sizeof(state));
    b.sets = calloc(WIDTH * words, sizeof(uint64_t));
    b.next_sets = calloc(WIDTH * words, sizeof(uint64_t));
    if (b.now && b.next && b.sets && b.next_sets) {
        for (int32_t i = 0; i < fast->in.points; i++) b.sets[i / 64] |= UINT64_C(1) << (i % 64);
        for (int idle = 0; b.n && idle < 3 && b.length < LONGEST && !b.status;) {
            int64_t before = corels_need(fast, 0);
            for (int32_t i = 0; i < b.n; i++) extend(&b, i);
            next_level(&b);
            idle = corels_need(fast, 0) < before ? 0 : idle + 1;
        }
    } else
        b.status = CORELS_NO_MEMORY;
    free(b.now);
    free(b.next);
    free(b.sets);
    free(b.next_sets);
    return b.status;
}

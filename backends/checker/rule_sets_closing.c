/* No set of some clauses costs less: takes the point with the fewest ways to treat it, and covers
 * it by each clause in turn, or leaves it. What that adds to the sum of closing.py is known at
 * once; a branch ends where the slack cannot pay for it. */
#include "rule_sets.h"

#include <stdlib.h>
#include <string.h>

/* extra: what each clause would add to the sum, if it were taken now. usable: clauses that may be
 * taken. todo: points that are neither covered nor left. slack, room: what may still be added.
 * choices: the clauses that cover the point of the branches, the cheapest first; the branches are
 * taken from the last one, which leaves the point if it is at `choice_count`. */
typedef struct {
    int64_t *extra, slack, room;
    uint8_t *usable;
    uint64_t *todo;
    int32_t *choices, choice_count, next, point;
} node;

struct corels_closing {
    corels_closing_problem p; /* without clauses that another one replaces */
    size_t words;
    uint64_t *cover;
    int64_t *reduced, *sizes;
    node *nodes; /* one for each branch on the way to the present one */
    int32_t depth, node_count;
    int64_t left; /* nodes that are still allowed */
    int32_t *ways;
};

static const uint64_t *cover_of(const corels_closing *s, int32_t clause) {
    return s->cover + (size_t)clause * s->words;
}

/* --- clauses that another one replaces ----------------------------------------------------------
 */

typedef struct {
    int64_t count, cost, size;
    int32_t clause;
} rank;

static int by_rank(const void *a, const void *b) {
    const rank *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->clause < y->clause ? -1 : 1;
}

static rank rank_of(const corels_closing_problem *p, size_t words, int32_t clause) {
    rank r = {0, p->reduced[clause] - p->price * p->sizes[clause], p->sizes[clause], clause};
    const uint64_t *cover = p->cover + (size_t)clause * words;
    for (size_t w = 0; w < words; w++) {
        r.count += __builtin_popcountll(cover[w]);
        for (uint64_t bits = cover[w]; bits; bits &= bits - 1)
            r.cost += p->duals[w * 64 + (size_t)__builtin_ctzll(bits)];
    }
    return r;
}

static int inside(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (a[w] & ~b[w]) return 0;
    return 1;
}

/* Keeps the clauses that no other one replaces: one that covers as much, neither costs more nor is
 * more complex. */
static void keep_best(corels_closing *s, rank *ranks) {
    const corels_closing_problem *given = &s->p;
    const size_t words = s->words;
    const int32_t all = given->clauses;
    int32_t kept = 0;
    for (int32_t i = 0; i < all; i++) ranks[i] = rank_of(given, words, i);
    qsort(ranks, (size_t)all, sizeof *ranks, by_rank);
    for (int32_t i = 0; i < all; i++) {
        const rank r = ranks[i];
        const uint64_t *cover = given->cover + (size_t)r.clause * words;
        int replaced = 0;
        for (int32_t k = 0; k < kept && !replaced; k++)
            replaced = ranks[k].cost <= r.cost && ranks[k].size <= r.size &&
                       inside(cover, cover_of(s, k), words);
        if (replaced) continue;
        memcpy(s->cover + (size_t)kept * words, cover, words * sizeof *cover);
        s->reduced[kept] = given->reduced[r.clause];
        s->sizes[kept] = given->sizes[r.clause];
        ranks[kept++] = r;
    }
    s->p.clauses = kept;
}

/* --- nodes --------------------------------------------------------------------------------------
 */

static int reach(corels_closing *s, int32_t depth) {
    if (depth < s->node_count) return 1;
    node *nodes = realloc(s->nodes, ((size_t)depth + 1) * sizeof *nodes);
    if (!nodes) return 0;
    s->nodes = nodes;
    s->node_count = depth + 1;
    node *n = &nodes[depth];
    const size_t clauses = (size_t)s->p.clauses + 1;
    memset(n, 0, sizeof *n);
    n->extra = calloc(clauses, sizeof *n->extra);
    n->usable = calloc(clauses, 1);
    n->todo = calloc(s->words + 1, sizeof *n->todo);
    n->choices = calloc(clauses, sizeof *n->choices);
    return n->extra && n->usable && n->todo && n->choices;
}

/* Points that no usable clause covers are left; 0 where the slack cannot pay. */
static int forced(corels_closing *s, node *n) {
    for (int32_t k = 0; k < s->p.clauses; k++)
        if (n->extra[k] > n->slack || s->sizes[k] > n->room) n->usable[k] = 0;
    for (size_t w = 0; w < s->words; w++) {
        uint64_t alone = n->todo[w];
        for (int32_t k = 0; k < s->p.clauses && alone; k++)
            if (n->usable[k]) alone &= ~cover_of(s, k)[w];
        n->todo[w] &= ~alone;
        for (; alone; alone &= alone - 1)
            n->slack -= s->p.leave[w * 64 + (size_t)__builtin_ctzll(alone)];
    }
    return n->slack >= 0;
}

/* The point with the fewest ways to treat it, the first one of them; -1 where nothing is to do. */
static int32_t point_of(corels_closing *s, const node *n) {
    int32_t best = -1;
    memset(s->ways, 0, ((size_t)s->p.points + 1) * sizeof *s->ways);
    for (int32_t k = 0; k < s->p.clauses; k++)
        for (size_t w = 0; n->usable[k] && w < s->words; w++)
            for (uint64_t bits = cover_of(s, k)[w] & n->todo[w]; bits; bits &= bits - 1)
                s->ways[w * 64 + (size_t)__builtin_ctzll(bits)]++;
    for (int32_t i = 0; i < s->p.points; i++) {
        if (!(n->todo[i / 64] >> i % 64 & 1)) continue;
        s->ways[i] += s->p.leave[i] <= n->slack;
        if (best < 0 || s->ways[i] < s->ways[best]) best = i;
    }
    return best;
}

/* Clauses that cover the point, the cheapest first; those that are equal in their order. */
static void choose(const corels_closing *s, node *n) {
    n->choice_count = 0;
    for (int32_t k = 0; k < s->p.clauses; k++) {
        if (!n->usable[k] || !(cover_of(s, k)[n->point / 64] >> n->point % 64 & 1)) continue;
        int32_t at = n->choice_count++;
        for (; at > 0 && n->extra[n->choices[at - 1]] > n->extra[k]; at--)
            n->choices[at] = n->choices[at - 1];
        n->choices[at] = k;
    }
    n->next = n->choice_count + (s->p.leave[n->point] <= n->slack);
}

/* The branch of a node that takes choice number `which`: later ones do without those before. */
static void cover(const corels_closing *s, const node *from, node *to, int32_t which) {
    const int32_t taken = from->choices[which];
    const uint64_t *own = cover_of(s, taken);
    to->slack = from->slack - from->extra[taken];
    to->room = from->room - s->sizes[taken];
    memcpy(to->usable, from->usable, (size_t)s->p.clauses);
    for (int32_t i = 0; i <= which; i++) to->usable[from->choices[i]] = 0;
    for (size_t w = 0; w < s->words; w++) to->todo[w] = from->todo[w] & ~own[w];
    for (int32_t k = 0; k < s->p.clauses; k++) {
        to->extra[k] = from->extra[k];
        for (size_t w = 0; to->usable[k] && w < s->words; w++)
            for (uint64_t bits = own[w] & from->todo[w] & cover_of(s, k)[w]; bits; bits &= bits - 1)
                to->extra[k] += s->p.duals[w * 64 + (size_t)__builtin_ctzll(bits)];
    }
}

/* The branch that leaves the point: clauses that cover it are not taken any more. */
static void leave(const corels_closing *s, const node *from, node *to) {
    memcpy(to->extra, from->extra, (size_t)s->p.clauses * sizeof *to->extra);
    memcpy(to->usable, from->usable, (size_t)s->p.clauses);
    for (int32_t i = 0; i < from->choice_count; i++) to->usable[from->choices[i]] = 0;
    memcpy(to->todo, from->todo, s->words * sizeof *to->todo);
    to->todo[from->point / 64] &= ~((uint64_t)1 << from->point % 64);
    to->slack = from->slack - s->p.leave[from->point];
    to->room = from->room;
}

/* A node that has just been made: its branches, or what it shows. */
static int enter(corels_closing *s, node *n) {
    n->next = n->choice_count = 0;
    if (!forced(s, n)) return CORELS_SETS_RUNNING;
    if (s->left-- <= 0) return CORELS_SETS_TOO_LARGE;
    n->point = point_of(s, n);
    if (n->point < 0)
        return s->p.price * n->room <= n->slack ? CORELS_SETS_REFUTED : CORELS_SETS_RUNNING;
    choose(s, n);
    return CORELS_SETS_RUNNING;
}

int corels_closing_step(corels_closing *s, size_t nodes) {
    while (s->depth >= 0) {
        node *n = &s->nodes[s->depth];
        if (n->next < 0) { /* the root */
            const int result = enter(s, n);
            if (result != CORELS_SETS_RUNNING) return result;
        }
        if (n->next == 0) {
            s->depth--;
            continue;
        }
        if (!nodes--) return CORELS_SETS_RUNNING;
        if (!reach(s, s->depth + 1)) return CORELS_SETS_MEMORY;
        node *from = &s->nodes[s->depth], *to = from + 1;
        if (--from->next == from->choice_count)
            leave(s, from, to);
        else
            cover(s, from, to, from->next);
        s->depth++;
        const int result = enter(s, to);
        if (result != CORELS_SETS_RUNNING) return result;
    }
    return CORELS_SETS_DONE;
}

corels_closing *corels_closing_open(const corels_closing_problem *problem) {
    corels_closing *s = calloc(1, sizeof *s);
    const size_t clauses = (size_t)problem->clauses + 1;
    if (!s) return NULL;
    s->p = *problem;
    s->left = problem->nodes;
    s->words = ((size_t)problem->points + 63) / 64;
    s->cover = calloc(clauses * (s->words + 1), sizeof *s->cover);
    s->reduced = calloc(clauses, sizeof *s->reduced);
    s->sizes = calloc(clauses, sizeof *s->sizes);
    s->ways = calloc((size_t)problem->points + 1, sizeof *s->ways);
    rank *ranks = calloc(clauses, sizeof *ranks);
    const int enough = s->cover && s->reduced && s->sizes && s->ways && ranks;
    if (enough) keep_best(s, ranks);
    free(ranks);
    if (!enough || !reach(s, 0)) {
        corels_closing_close(s);
        return NULL;
    }
    node *root = s->nodes;
    memcpy(root->extra, s->reduced, (size_t)s->p.clauses * sizeof *root->extra);
    memset(root->usable, 1, (size_t)s->p.clauses);
    for (int32_t i = 0; i < problem->points; i++) root->todo[i / 64] |= (uint64_t)1 << i % 64;
    root->slack = problem->slack;
    root->room = problem->room;
    root->next = -1;
    return s;
}

void corels_closing_close(corels_closing *s) {
    if (!s) return;
    for (int32_t i = 0; i < s->node_count; i++) {
        free(s->nodes[i].extra);
        free(s->nodes[i].usable);
        free(s->nodes[i].todo);
        free(s->nodes[i].choices);
    }
    free(s->nodes);
    free(s->cover);
    free(s->reduced);
    free(s->sizes);
    free(s->ways);
    free(s);
}

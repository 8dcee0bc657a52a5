/* The enumeration by inclusion and exclusion, in one pass for each number of antecedents.
 *
 * A pass goes through bases, sets of all but the last two of its antecedents, and for each base
 * through the antecedents behind it: a row is what all those behind this one capture together with
 * it and the base. The rows of a base lie one behind the other, a block, so that a pass reads the
 * blocks of the next base's subsets from beginning to end.
 */
#include "conjunctions.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "digits.h"
#include "kernel.h"
#include "numbers.h"
#include "ranked.h"
#include "small_table.h"
#include "store.h"

/* A base on its way down. */
typedef struct {
    small_table own;       /* if it has a table of its own, or all NULL */
    const small_table *in; /* the table of which `set` is a set */
    uint64_t *set;
} level;

/* For every subset of a few antecedents what they capture together, [2] measures. */
enum { GAIN, GIVES, SUBSETS = 1 << MOST_CONDITIONS };
typedef struct {
    int32_t of[2][SUBSETS];
} meeting;

enum { BETWEEN = -1 }; /* the depth of an enumerator between two branches */
/* In place of the first number of a row that nobody needs: no gain is so low. */
static const int32_t NO_ROW = INT32_MIN;

/* What one thread holds. Subsets are those of t[0] < t[1] < ..., bit i for t[i]. */
typedef struct {
    level levels[MOST_CONDITIONS];
    int32_t t[MOST_CONDITIONS], branch; /* branch: what t[0] is, and no other one */
    int32_t depth; /* t[depth] is the next one; those before are a base, or part of one */
    meeting met;
    size_t rank[SUBSETS];        /* of subsets of the base: their number, */
    int32_t behind[SUBSETS];     /* their last antecedent, behind which their rows begin, */
    const int32_t *row[SUBSETS]; /* [2][those behind] what these capture together with them, */
    int32_t *block[SUBSETS];     /* and the rows of them and one more */
    int32_t *may;                /* of what is behind the base: whether more may gain too much */
    int32_t *over;               /* of what is behind t[depth], which conjunctions do; or scratch */
    int32_t *last;               /* the row under way */
    uint64_t *both;              /* [words] scratch */
    pace pace;
    int status;
} enumerator;

struct conjunctions {
    conjunction_task task;
    store arrays;
    const corels_kernel_table *kernel;
    int32_t *order;   /* [antecedents] the smallest first: numbers inside are places here */
    small_table root; /* its columns in this order */
    int32_t *first;   /* the row of no antecedents */
    int32_t **blocks[MOST_CONDITIONS]; /* [n]: of each n antecedents; NULL: none so far */
    int32_t size, longest;             /* antecedents of the pass under way, and of the last one */
    int32_t threads, branch_room;
    enumerator *enumerators;
    found *branches; /* [antecedents]: what each first one has led to */
    atomic_int next, done;
    atomic_llong work;
    const control *control;
};

/* A branch keeps so many times its even share of the room, and some more. */
enum { SHARE = FOUND_TIMES / 2, LEAST_ROOM = 64 };

/* Sets of k of n antecedents. */
static size_t choose(int32_t n, int32_t k) {
    size_t sets = 1;
    for (int32_t i = 0; i < k; i++) sets = sets * (size_t)(n - i) / (size_t)(i + 1);
    return sets;
}

/* How many antecedents come behind this one; -1: behind none. */
static int32_t behind(const conjunctions *c, int32_t last) {
    return c->task.antecedents - 1 - last;
}

/* Where in the block of a set with this last antecedent the row of t begins: the rows of the k-th
 * antecedent behind it have two numbers less than those of the one before. */
static size_t row_start(const conjunctions *c, int32_t last, int32_t t) {
    return (size_t)(t - last - 1) * (size_t)(behind(c, last) + behind(c, t));
}

static int32_t **block_of(const conjunctions *c, const enumerator *e, uint32_t subset) {
    return c->blocks[corels_ones(subset)] + e->rank[subset];
}

/* Sets of antecedents are numbered in the order of their last ones (the combinatorial number
 * system). The base grows by t[n - 1], and so do its subsets. */
static void join(const conjunctions *c, enumerator *e, int32_t n) {
    uint32_t own = 1U << (n - 1);
    int32_t t = e->t[n - 1];
    for (uint32_t s = 0; s < own; s++) {
        e->rank[own | s] = e->rank[s] + choose(t, corels_ones(s) + 1);
        e->row[own | s] = e->block[s] + row_start(c, e->behind[s], t);
        e->behind[own | s] = t;
    }
    for (uint32_t s = 0; s < own; s++)
        e->block[own | s] = corels_ones(s) + 3 < c->longest ? *block_of(c, e, own | s) : NULL;
}

/* What the antecedents behind `after` capture together with those of the subset. */
static const int32_t *part_of_row(const conjunctions *c, const enumerator *e, uint32_t subset,
                                  int32_t after, int measure) {
    int32_t last = e->behind[subset];
    return e->row[subset] + measure * behind(c, last) + (after - last);
}

/* What subsets capture together that have t[n] and others of the first n. */
static void meet(const conjunctions *c, enumerator *e, int32_t n) {
    for (uint32_t s = 0; s < 1U << n; s++)
        for (int k = 0; k < 2; k++)
            e->met.of[k][s | 1U << n] = *part_of_row(c, e, s, e->t[n] - 1, k);
}

/* What a conjunction gains or gives: of all points, or those of antecedent `with` (one bit, or 0),
 * those that no antecedent of `without` captures. */
static int32_t without(const meeting *m, int measure, uint32_t with, uint32_t without) {
    uint32_t sum = 0, s = without;
    for (;; s = (s - 1) & without) {
        uint32_t of = (uint32_t)m->of[measure][with | s];
        sum += corels_ones(s) % 2 ? 0 - of : of;
        if (!s) return (int32_t)sum;
    }
}

/* What is captured by none of the first n of t, and by each of them alone. */
static void measure_alone(const enumerator *e, int32_t n, int measure, int32_t *alone) {
    uint32_t all = (1U << n) - 1;
    alone[0] = without(&e->met, measure, 0, all);
    for (int32_t i = 0; i < n; i++)
        alone[i + 1] = without(&e->met, measure, 1U << i, all & ~(1U << i));
}

/* Which conjunctions of the first n of t and one antecedent behind them have more than `most`: all
 * conditions but at most one are negated. Bit 0 is the one of negations alone, which is all that a
 * default leaf can be. */
static void exclude(const conjunctions *c, const enumerator *e, int32_t n,
                    const int32_t *const *rows, int measure, int32_t *over) {
    int32_t alone[MOST_CONDITIONS], most = (int32_t)lesser(c->task.most, INT32_MAX);
    measure_alone(e, n, measure, alone);
    int32_t later = behind(c, n ? e->t[n - 1] : -1);
    c->kernel->exclude(rows, n, (size_t)later, alone, most, over);
    for (int32_t d = 0; !c->task.of_rules && d < later; d++) over[d] &= 1;
}

/* The conditions of a conjunction, in rising order. */
static void list_conditions(const conjunctions *c, const int32_t *t, uint32_t with, uint32_t out,
                            conjunction *to) {
    for (uint32_t bits = with | out; bits; bits &= bits - 1) {
        int32_t i = corels_lowest(bits), at = to->n++;
        int32_t condition = 2 * c->order[t[i]] + !(with >> i & 1);
        for (; at && to->conditions[at - 1] > condition; at--)
            to->conditions[at] = to->conditions[at - 1];
        to->conditions[at] = condition;
    }
}

/* Whether one condition less makes the same set, which has been enumerated before. */
static int superfluous(const meeting *m, uint32_t with, uint32_t out, int64_t gain, int64_t gives) {
    if (with && out && gives == without(m, GIVES, 0, out) && gain == without(m, GAIN, 0, out))
        return 1;
    for (uint32_t bits = out; bits; bits &= bits - 1) {
        uint32_t less = out & ~(bits & (~bits + 1));
        if ((with | less) && gives == without(m, GIVES, with, less) &&
            gain == without(m, GAIN, with, less))
            return 1;
    }
    return 0;
}

/* A conjunction that gains too much. 0: no memory. */
static int keep(conjunctions *c, const enumerator *e, uint32_t with, uint32_t out) {
    int64_t gives = without(&e->met, GIVES, with, out), gain = without(&e->met, GAIN, with, out);
    if (superfluous(&e->met, with, out, gain, gives)) return 1;
    int64_t takes = (gives - gain) / c->task.scale;
    double scale = (double)(c->task.most + c->task.scale * takes) / (double)gives;
    conjunction one = {.takes = takes, .gain = gain};
    list_conditions(c, e->t, with, out, &one);
    atomic_fetch_add_explicit(&c->work, c->task.tune->leaves_keeping, memory_order_relaxed);
    return found_add(c->branches + e->t[0], &one, scale, c->branch_room);
}

/* Keeps of the conjunctions of the first n of t and one behind them what gains too much. rows[s]:
 * what each of those behind captures together with subset s. 0: no memory. */
static int look(conjunctions *c, enumerator *e, int32_t n, const int32_t **rows) {
    int32_t after = n ? e->t[n - 1] : -1;
    uint32_t every = (2U << n) - 1;
    exclude(c, e, n, rows, GAIN, e->over);
    for (int32_t d = 0; d < behind(c, after); d++) {
        if (!e->over[d]) continue;
        e->t[n] = after + 1 + d;
        for (uint32_t s = 0; s < 1U << n; s++) {
            int32_t last = n && s >> (n - 1) ? after : e->behind[s];
            e->met.of[GAIN][s | 1U << n] = rows[s][d];
            e->met.of[GIVES][s | 1U << n] = rows[s][d + behind(c, last)];
        }
        if ((e->over[d] & 1) && !keep(c, e, 0, every)) return 0;
        for (int32_t i = 0; i <= n; i++)
            if ((e->over[d] >> (i + 1) & 1) && !keep(c, e, 1U << i, every & ~(1U << i))) return 0;
    }
    return 1;
}

/* What each antecedent behind them captures together with the first n of t: the row under way. */
static void count_row(conjunctions *c, enumerator *e, int32_t n) {
    const level *l = e->levels + (n ? n - 1 : 0);
    const small_table *in = l->in;
    int32_t after = n ? e->t[n - 1] : -1, later = behind(c, after);
    int32_t *gain = e->last, *gives = gain + later, *takes = e->over;
    memset(gives, 0, (size_t)later * sizeof *gives);
    memset(takes, 0, (size_t)later * sizeof *takes);
    for (int32_t k = 0; k < in->n_digits; k++) {
        const digit *of = in->digits + k;
        size_t words = of->high - of->low;
        const uint64_t *ones = small_digit(in, k) + of->low, *set = l->set + of->low;
        const uint64_t *own = n ? small_column(in, after) + of->low : set;
        for (size_t w = 0; w < words; w++) e->both[w] = ones[w] & set[w] & own[w];
        c->kernel->popcount_columns(e->both, words, small_column(in, after + 1) + of->low,
                                    (size_t)in->words, (size_t)later, of->shift,
                                    of->measure ? takes : gives);
        atomic_fetch_add_explicit(&c->work, (int64_t)words * later, memory_order_relaxed);
    }
    for (int32_t d = 0; d < later; d++) gain[d] = gives[d] - c->task.scale * takes[d];
    atomic_fetch_add_explicit(&c->work, (int64_t)later << n, memory_order_relaxed);
}

/* The first pass. 0: no memory. */
static int take_first_row(conjunctions *c, enumerator *e) {
    size_t bytes = 2 * (size_t)c->task.antecedents * sizeof *c->first;
    count_row(c, e, 0);
    memcpy(c->first, e->last, bytes);
    return look(c, e, 0, (const int32_t *[]){e->last});
}

/* The row of the base and t[n]. 0: no memory. */
static int take_row(conjunctions *c, enumerator *e, int32_t n) {
    const int32_t *rows[SUBSETS];
    int32_t t = e->t[n];
    uint32_t base = (1U << n) - 1, own = 1U << n;
    count_row(c, e, n + 1);
    meet(c, e, n);
    for (uint32_t s = 0; s <= base; s++) {
        rows[s] = part_of_row(c, e, s, t, GAIN);
        rows[s | own] = s == base ? e->last : e->block[s] + row_start(c, e->behind[s], t);
    }
    if (e->block[base])
        memcpy(e->block[base] + row_start(c, e->behind[base], t), e->last,
               2 * (size_t)behind(c, t) * sizeof *e->last);
    return look(c, e, n + 1, rows);
}

/* A block without rows. 0: no memory. */
static int new_block(const conjunctions *c, int32_t last, int32_t **block) {
    int32_t m = c->task.antecedents;
    *block = malloc((row_start(c, last, m - 1) + CORELS_LANES) * sizeof **block);
    for (int32_t t = last + 1; *block && t < m - 1; t++) (*block)[row_start(c, last, t)] = NO_ROW;
    return *block != NULL;
}

/* Of the pass: one for each first antecedent. */
static int32_t branches_of(const conjunctions *c) {
    return c->size == 1 ? 1 : c->task.antecedents - c->size + 1;
}

/* The base of n antecedents is complete: which of those behind it may lead to more. A conjunction
 * of more antecedents has part of what one of fewer has. 0: no memory. */
static int begin_base(conjunctions *c, enumerator *e, int32_t n) {
    const int32_t *rows[SUBSETS];
    int32_t after = n ? e->t[n - 1] : -1;
    uint32_t base = (1U << n) - 1;
    for (uint32_t s = 0; s <= base; s++) rows[s] = part_of_row(c, e, s, after, GIVES);
    exclude(c, e, n, rows, GIVES, e->may);
    if (!n || c->size == c->longest) return 1;
    int32_t **block = block_of(c, e, base);
    if (!new_block(c, after, block)) return 0;
    e->block[base] = *block;
    return 1;
}

/* The points of the base, in a table of their own where many counts in it will follow. 0: no
 * memory. */
static int descend(conjunctions *c, enumerator *e) {
    level *l = e->levels + e->depth;
    const small_table *in = l[-1].in;
    int32_t last = e->t[e->depth - 1], later = behind(c, last);
    const uint64_t *with = small_column(in, last);
    for (int32_t w = 0; w < in->words; w++) l->set[w] = l[-1].set[w] & with[w];
    l->in = in;
    small_table_free(&l->own);
    int32_t points = (int32_t)c->kernel->ops.popcount(l->set, (size_t)in->words);
    double counts = (double)choose(later, c->size - e->depth);
    double saved = counts * (double)(in->words - words_for(points)) * 2;
    double copying = (double)later * (double)in->words * (double)c->task.tune->leaves_copying;
    if (saved <= copying) return 1;
    if (!small_table_copy(&l->own, in, l->set, points, last + 1)) return 0;
    atomic_fetch_add_explicit(&c->work, (int64_t)copying, memory_order_relaxed);
    l->in = &l->own;
    fill_bits(l->set, points);
    return 1;
}

/* t[depth] joins the base, unless nothing follows from it. 0: no memory. */
static int go_down(conjunctions *c, enumerator *e) {
    int32_t i = e->depth;
    uint32_t base = (1U << i) - 1;
    if (e->block[base][row_start(c, e->behind[base], e->t[i])] == NO_ROW) {
        e->t[i]++;
        return 1;
    }
    meet(c, e, i);
    join(c, e, ++e->depth);
    e->t[e->depth] = e->t[i] + 1;
    return descend(c, e) && (e->depth < c->size - 2 || begin_base(c, e, e->depth));
}

/* The next row of the base. 0: no memory. */
static int next_row(conjunctions *c, enumerator *e, int32_t end) {
    int32_t n = e->depth, *t = e->t + n;
    const int32_t *may = e->may - (n ? t[-1] + 1 : 0);
    while (*t < end && !may[*t]) ++*t;
    int ok = *t == end || take_row(c, e, n);
    if (*t < end) ++*t;
    return ok;
}

/* 0: no memory. */
static int begin_branch(conjunctions *c, enumerator *e) {
    e->t[0] = e->branch;
    if (c->size > 1) {
        e->depth = 0;
        return c->size > 2 || begin_base(c, e, 0);
    }
    atomic_fetch_add(&c->done, 1);
    return take_first_row(c, e);
}

/* Back to the antecedent before, or out of the branch. */
static void go_up(conjunctions *c, enumerator *e) {
    if (e->depth-- > 0)
        e->t[e->depth]++;
    else
        atomic_fetch_add(&c->done, 1);
}

/* The next row of the branch under way, or one antecedent more or less in the base. 0: no memory.
 */
static int go_on(conjunctions *c, enumerator *e) {
    int32_t i = e->depth, end = i ? c->task.antecedents - c->size + i + 1 : e->branch + 1;
    if (e->t[i] < end) return i < c->size - 2 ? go_down(c, e) : next_row(c, e, end);
    go_up(c, e);
    return 1;
}

/* 0: there is none left, or no memory. */
static int one_piece(conjunctions *c, enumerator *e) {
    if (e->depth == BETWEEN && (e->branch = atomic_fetch_add(&c->next, 1)) >= branches_of(c))
        return 0;
    int ok = e->depth == BETWEEN ? begin_branch(c, e) : go_on(c, e);
    if (!ok) e->status = CORELS_NO_MEMORY;
    return ok;
}

/* At least one piece each, however short the step is. */
static void work_range(void *c_, int32_t part, int32_t from, int32_t to) {
    conjunctions *c = c_;
    (void)part;
    for (int32_t i = from; i < to; i++) {
        enumerator *e = c->enumerators + i;
        while (!conjunctions_given_up(c) && one_piece(c, e) && !control_due(c->control, &e->pace))
            continue;
    }
}

/* Small antecedents first: a set is counted in the table of the smallest. 0: no memory. */
static int sort_antecedents(conjunctions *c) {
    const conjunction_task *t = &c->task;
    size_t m = (size_t)t->antecedents, words = (size_t)words_for(t->points);
    ranked *by = malloc((m + 1) * sizeof *by);
    if (!by) return 0;
    for (size_t r = 0; r < m; r++)
        by[r] = (ranked){(int64_t)c->kernel->ops.popcount(t->masks + r * words, words), (int32_t)r};
    sort_ranked(by, m);
    for (size_t r = 0; r < m; r++) c->order[r] = by[r].at;
    free(by);
    return 1;
}

static int digits_of_task(const conjunction_task *t, digits *of) {
    size_t points = (size_t)t->points;
    int32_t *weights = malloc((2 * points + 1) * sizeof *weights);
    *of = (digits){0};
    if (!weights) return 0;
    memcpy(weights, t->gives, points * sizeof *weights);
    memcpy(weights + points, t->takes, points * sizeof *weights);
    int ok = digits_new(of, weights, t->points, 2);
    free(weights);
    return ok;
}

static int make_root(conjunctions *c) {
    const conjunction_task *t = &c->task;
    small_table *root = &c->root;
    digits of;
    int ok = digits_of_task(t, &of) &&
             small_table_new(root, t->antecedents, t->points, 0, (int32_t)of.n);
    size_t words = (size_t)root->words;
    for (int32_t r = 0; ok && r < t->antecedents; r++)
        memcpy(small_column(root, r), t->masks + (size_t)c->order[r] * words,
               words * sizeof(uint64_t));
    for (int32_t k = 0; ok && k < root->n_digits; k++) {
        const digit *d = root->digits + k;
        root->digits[k] = of.all[k];
        memcpy(small_digit(root, k) + d->low, of.words + of.all[k].start,
               (d->high - d->low) * sizeof(uint64_t));
    }
    digits_free(&of);
    return ok;
}

static int new_enumerator(conjunctions *c, enumerator *e) {
    size_t words = (size_t)c->root.words, m = (size_t)c->task.antecedents;
    store *all = &c->arrays;
    e->both = store_take(all, words, sizeof *e->both);
    e->last = store_take(all, 2 * m + CORELS_LANES, sizeof *e->last);
    e->over = store_take(all, m + CORELS_LANES, sizeof *e->over);
    e->may = store_take(all, m + CORELS_LANES, sizeof *e->may);
    for (int32_t d = 0; d < c->longest; d++)
        e->levels[d].set = store_take(all, words, sizeof(uint64_t));
    if (all->failed) return 0;
    e->depth = BETWEEN;
    e->behind[0] = -1;
    e->row[0] = c->first;
    e->block[0] = c->blocks[0] ? *c->blocks[0] : NULL;
    for (int32_t x = 0; x < c->task.points; x++) {
        e->met.of[GIVES][0] += c->task.gives[x];
        e->met.of[GAIN][0] += c->task.gives[x] - c->task.scale * c->task.takes[x];
    }
    e->levels[0].in = &c->root;
    fill_bits(e->levels[0].set, c->task.points);
    return 1;
}

static int prepare(conjunctions *c) {
    size_t m = (size_t)c->task.antecedents;
    store *all = &c->arrays;
    c->order = store_take(all, m, sizeof *c->order);
    c->first = store_take(all, 2 * m + CORELS_LANES, sizeof *c->first);
    c->enumerators = store_take(all, (size_t)c->threads, sizeof *c->enumerators);
    c->branches = store_take(all, m, sizeof *c->branches);
    if (all->failed || !sort_antecedents(c) || !make_root(c)) return 0;
    for (int32_t n = 0; n + 2 < c->longest; n++) /* the last pass keeps no rows */
        c->blocks[n] = store_take(all, choose(c->task.antecedents, n), sizeof **c->blocks);
    if (all->failed || (c->blocks[0] && !new_block(c, -1, c->blocks[0]))) return 0;
    for (int32_t i = 0; i < c->threads; i++)
        if (!new_enumerator(c, c->enumerators + i)) return 0;
    return 1;
}

conjunctions *conjunctions_new(const conjunction_task *task, int32_t threads) {
    conjunctions *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->task = *task;
    c->threads = threads;
    c->kernel = corels_kernel_table_current();
    c->size = 1;
    c->longest = task->longest < task->antecedents ? task->longest : task->antecedents;
    c->branch_room = SHARE * (task->room / task->antecedents) + LEAST_ROOM;
    if (prepare(c)) return c;
    conjunctions_free(c);
    return NULL;
}

static void free_blocks(conjunctions *c) {
    for (int32_t n = 0; n + 2 < c->longest; n++) {
        size_t all = c->blocks[n] ? choose(c->task.antecedents, n) : 0;
        for (size_t i = 0; i < all; i++) free(c->blocks[n][i]);
    }
}

void conjunctions_free(conjunctions *c) {
    if (!c) return;
    free_blocks(c);
    for (int32_t i = 0; c->enumerators && i < c->threads; i++)
        for (int32_t d = 0; d < MOST_CONDITIONS; d++)
            small_table_free(&c->enumerators[i].levels[d].own);
    for (int32_t i = 0; c->branches && i < c->task.antecedents; i++) free(c->branches[i].kept);
    small_table_free(&c->root);
    store_free(&c->arrays);
    free(c);
}

/* A pass is over when all its branches are. */
int conjunctions_work(conjunctions *c, team *t, const control *control) {
    c->control = control;
    team_ranges(t, c->threads, c->threads, 1, work_range, c);
    for (int32_t i = 0; i < c->threads; i++)
        if (c->enumerators[i].status != CORELS_OK) return c->enumerators[i].status;
    if (conjunctions_given_up(c)) return CORELS_DONE;
    if (atomic_load(&c->done) < branches_of(c)) return CORELS_OK;
    if (c->size == c->longest) return CORELS_DONE;
    c->size++;
    atomic_store(&c->next, 0);
    atomic_store(&c->done, 0);
    return CORELS_OK;
}

int conjunctions_given_up(const conjunctions *c) {
    return atomic_load_explicit(&c->work, memory_order_relaxed) > c->task.budget;
}

int conjunctions_gather(const conjunctions *c, found *to) {
    return found_merge(to, c->branches, c->task.antecedents, c->task.room);
}

size_t conjunctions_found_bytes(const conjunctions *c) {
    return 2 * found_bytes(c->branches, c->task.antecedents);
}

int64_t conjunctions_work_done(const conjunctions *c) {
    return atomic_load(&c->work);
}

/* By how many sets of antecedents there are. */
double conjunctions_share(const conjunctions *c) {
    int32_t m = c->task.antecedents, next = atomic_load(&c->next);
    double all = 0, done = 0;
    for (int32_t s = 1; s <= c->longest; s++) {
        double sets = (double)choose(m, s);
        all += sets;
        if (s < c->size) done += sets;
        if (s == c->size && next < m) done += sets - (double)choose(m - next, s);
    }
    return done / (all + 1);
}

/* The enumeration by inclusion and exclusion, in one pass for each number of antecedents. */
#include "conjunctions.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "corels/memory.h"
#include "digits.h"
#include "kernel.h"
#include "ranked.h"
#include "store.h"

/* Points that the antecedents of a prefix have in common, copied out of the table above. */
typedef struct {
    store arrays;
    uint64_t *masks; /* [antecedents from `first` on][words] */
    digits digits;   /* of what the points give and take */
    int32_t *weights;
    int32_t first, points, words;
} small_table;

/* One prefix t[0] < t[1] < ... on its way down. */
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

/* What one thread holds. */
typedef struct {
    level levels[MOST_CONDITIONS];
    int32_t t[MOST_CONDITIONS], depth; /* 0: between branches */
    size_t rank[SUBSETS];              /* of the row of each subset of the prefix, */
    int32_t behind[SUBSETS];           /* and the antecedent behind which it begins */
    uint64_t *both;                    /* [words] scratch */
    int32_t *last;                     /* [2][antecedents] the counts of the longest, not kept */
    uint32_t *sums;                    /* [MOST_CONDITIONS][antecedents] */
    pace pace;
    int status;
} enumerator;

struct conjunctions {
    conjunction_task task;
    store arrays;
    const corels_kernel_table *kernel;
    int32_t *order;   /* [antecedents] the smallest first: numbers inside are places here */
    small_table root; /* its columns in this order */
    int32_t totals[2];
    int32_t **rows[MOST_CONDITIONS]; /* [n]: of each n antecedents what each later one captures
                                        together with them, [2][later ones]; NULL: no need */
    size_t *choose;                  /* [antecedents + 1][MOST_CONDITIONS + 1] binomials */
    int32_t size, longest;           /* antecedents of the pass under way, and of the last one */
    int32_t threads, branch_room;
    enumerator *enumerators;
    found *branches; /* [antecedents]: what each first one has led to */
    atomic_int next, done;
    atomic_llong work;
    const control *control;
    conjunction *merged;
};

/* Work that takes as long as keeping a conjunction, and copying a word of a column. */
enum { KEEPING = 500, COPYING = 16 };
/* A branch keeps so many times its even share of the room, and some more. */
enum { SHARE = 8, LEAST_ROOM = 64 };

static size_t choose(const conjunctions *c, int32_t n, int32_t k) {
    return c->choose[(size_t)n * (MOST_CONDITIONS + 1) + (size_t)k];
}

static int count_choices(conjunctions *c) {
    size_t n = (size_t)c->task.antecedents + 1, wide = MOST_CONDITIONS + 1;
    c->choose = store_take(&c->arrays, n * wide, sizeof *c->choose);
    if (!c->choose) return 0;
    for (size_t i = 0; i < n; i++) {
        c->choose[i * wide] = 1;
        for (size_t k = 1; i && k < wide; k++)
            c->choose[i * wide + k] =
                c->choose[(i - 1) * wide + k] + c->choose[(i - 1) * wide + k - 1];
    }
    return 1;
}

int cut_columns(uint64_t *to, size_t cut_words, const uint64_t *from, size_t words,
                const uint64_t *set, size_t n) {
    const corels_kernel_table *kernel = corels_kernel_table_current();
    corels_squeeze *by = malloc((words + 1) * sizeof *by);
    if (!by) return 0;
    for (size_t w = 0; w < words; w++) by[w] = corels_squeeze_of(set[w]);
    for (size_t r = 0; r < n; r++)
        kernel->squeeze(by, words, from + r * words, 1, to + r * cut_words);
    free(by);
    return 1;
}

static void table_free(small_table *t) {
    store_free(&t->arrays);
    digits_free(&t->digits);
    *t = (small_table){0};
}

static const uint64_t *column(const small_table *t, int32_t at) {
    return t->masks + (size_t)(at - t->first) * (size_t)t->words;
}

/* The antecedents from `first` on, on the points of `set`. 0: no memory. */
static int table_copy(const conjunctions *c, small_table *to, const small_table *from,
                      const uint64_t *set, int32_t points, int32_t first) {
    size_t m = (size_t)(c->task.antecedents - first);
    to->first = first;
    to->points = points;
    to->words = words_for(points);
    to->masks = store_take(&to->arrays, m * (size_t)to->words + 1, sizeof *to->masks);
    to->weights = store_take(&to->arrays, 2 * (size_t)points, sizeof *to->weights);
    if (to->arrays.failed || !cut_columns(to->masks, (size_t)to->words, column(from, first),
                                          (size_t)from->words, set, m))
        return 0;
    int32_t at = 0;
    for (int32_t w = 0; w < from->words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1, at++) {
            int32_t x = 64 * w + corels_lowest(bits);
            to->weights[at] = from->weights[x];
            to->weights[points + at] = from->weights[from->points + x];
        }
    return digits_new(&to->digits, to->weights, points, 2);
}

/* The row of some of the prefix's antecedents, as it is kept. */
static int32_t **row_of(const conjunctions *c, const enumerator *e, uint32_t subset) {
    return c->rows[corels_ones(subset)] + e->rank[subset];
}

/* The last antecedent of the first n of the prefix is a new one: which rows it has part in. Sets of
 * antecedents are numbered in the order of their last ones (the combinatorial number system). */
static void join(const conjunctions *c, enumerator *e, int32_t n) {
    uint32_t own = 1U << (n - 1);
    for (uint32_t s = 0; s < own; s++)
        e->rank[own | s] = e->rank[s] + choose(c, e->t[n - 1], corels_ones(s) + 1);
    for (uint32_t s = 0; s < own; s++) e->behind[own | s] = e->t[n - 1];
}

/* What each later antecedent captures together with those of `subset` of the prefix, for those
 * behind `after`; NULL where nobody needs it. */
static const int32_t *part_of_row(const conjunctions *c, const enumerator *e, uint32_t subset,
                                  int32_t after, int measure) {
    int32_t last = e->behind[subset];
    const int32_t *row = *row_of(c, e, subset);
    return row ? row + measure * (c->task.antecedents - last - 1) + (after - last) : NULL;
}

/* What every subset of the first n of the prefix captures together. 0: some of that nobody needs.
 */
static int meet(const conjunctions *c, const enumerator *e, int32_t n, meeting *m) {
    for (int k = 0; k < 2; k++) m->of[k][0] = c->totals[k];
    for (int32_t i = 0; i < n; i++)
        for (uint32_t s = 0; s < 1U << i; s++)
            for (int k = 0; k < 2; k++) {
                const int32_t *row = part_of_row(c, e, s, e->t[i] - 1, k);
                if (!row) return 0;
                m->of[k][s | 1U << i] = *row;
            }
    return 1;
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

/* Whether some conjunction of these antecedents, all but at most one of them negated, gives enough:
 * if not, none of more antecedents does. */
static int may_gain(const conjunctions *c, const meeting *m, int32_t n) {
    uint32_t all = (1U << n) - 1;
    if (without(m, GIVES, 0, all) > c->task.most) return 1;
    for (uint32_t bits = all; bits; bits &= bits - 1) {
        uint32_t with = bits & (~bits + 1);
        if (without(m, GIVES, with, all & ~with) > c->task.most) return 1;
    }
    return 0;
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

/* A conjunction, if it gains too much. 0: no memory. */
static int keep_if(conjunctions *c, const int32_t *t, const meeting *m, uint32_t with,
                   uint32_t out) {
    int64_t gives = without(m, GIVES, with, out), gain = without(m, GAIN, with, out);
    if (gain <= c->task.most || superfluous(m, with, out, gain, gives)) return 1;
    int64_t takes = (gives - gain) / c->task.scale;
    double scale = (double)(c->task.most + c->task.scale * takes) / (double)gives;
    conjunction one = {.takes = takes, .gain = gain};
    list_conditions(c, t, with, out, &one);
    atomic_fetch_add_explicit(&c->work, KEEPING, memory_order_relaxed);
    return found_add(c->branches + t[0], &one, scale, c->branch_room);
}

/* What the conjunctions of the first n of the prefix and one later antecedent gain: sums[i][d], of
 * the later one number d: what t[i] captures and no other one of these, i < n; what only the later
 * one captures, i = n. Inclusion and exclusion, a row at a time; sums wrap around on the way. */
static void add_up(const conjunctions *c, const enumerator *e, int32_t n, const meeting *m,
                   const int32_t *row, uint32_t *sums[]) {
    int32_t after = n ? e->t[n - 1] : -1, later = c->task.antecedents - after - 1;
    uint32_t all = (1U << n) - 1;
    for (int32_t i = 0; i <= n; i++) {
        uint32_t with = 1U << i;
        uint32_t start = i < n ? (uint32_t)without(m, GAIN, with, all & ~with) : 0;
        sums[i] = e->sums + (size_t)i * (size_t)c->task.antecedents;
        for (int32_t d = 0; d < later; d++) sums[i][d] = start;
    }
    for (uint32_t s = 0; s <= all; s++) {
        const int32_t *of = s == all ? row : part_of_row(c, e, s, after, GAIN);
        uint32_t sign = corels_ones(s) % 2 ? ~0U : 1;
        for (uint32_t bits = s | 1U << n; bits; bits &= bits - 1) {
            uint32_t *to = sums[corels_lowest(bits)];
            for (int32_t d = 0; d < later; d++) to[d] += sign * (uint32_t)of[d];
        }
    }
}

/* Keeps of these conjunctions, and of those that negate all of them, what gains too much. 0: no
 * memory. */
static int look(conjunctions *c, enumerator *e, int32_t n, meeting *m, const int32_t *row) {
    int32_t after = n ? e->t[n - 1] : -1, later = c->task.antecedents - after - 1;
    uint32_t all = (1U << n) - 1, every = all | 1U << n, *sums[MOST_CONDITIONS];
    int64_t left = without(m, GAIN, 0, all), most = c->task.most;
    add_up(c, e, n, m, row, sums);
    for (int32_t d = 0; d < later; d++) {
        int any = left - (int32_t)sums[n][d] > most;
        for (int32_t i = 0; i <= n; i++) any |= (int32_t)sums[i][d] > most;
        if (!any) continue;
        e->t[n] = after + 1 + d;
        for (uint32_t s = 0; s <= all; s++)
            for (int k = 0; k < 2; k++)
                m->of[k][s | 1U << n] =
                    s == all ? row[k * later + d] : part_of_row(c, e, s, after, k)[d];
        if (!keep_if(c, e->t, m, 0, every)) return 0;
        for (int32_t i = 0; i <= n; i++)
            if (!keep_if(c, e->t, m, 1U << i, every & ~(1U << i))) return 0;
    }
    return 1;
}

/* What each later antecedent captures together with the prefix: row[2][later]. */
static void count_row(conjunctions *c, enumerator *e, int32_t n, int32_t *row) {
    const level *l = e->levels + (n ? n - 1 : 0);
    const small_table *in = l->in;
    int32_t after = n ? e->t[n - 1] : -1, later = c->task.antecedents - after - 1;
    memset(row, 0, 2 * (size_t)later * sizeof *row);
    for (uint32_t k = 0; k < in->digits.n; k++) {
        const digit *of = in->digits.all + k;
        size_t words = of->high - of->low;
        const uint64_t *plane = in->digits.words + of->start, *set = l->set + of->low;
        const uint64_t *own = n ? column(in, after) + of->low : set;
        for (size_t w = 0; w < words; w++) e->both[w] = plane[w] & set[w] & own[w];
        for (int32_t d = 0; d < later; d++) {
            const uint64_t *with = column(in, after + 1 + d) + of->low;
            int32_t sum = (int32_t)(c->kernel->ops.popcount_and(e->both, with, words) << of->shift);
            row[d] += of->measure ? -c->task.scale * sum : sum;
            if (!of->measure) row[later + d] += sum;
        }
        atomic_fetch_add_explicit(&c->work, (int64_t)words * later, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&c->work, (int64_t)later << n, memory_order_relaxed);
}

/* The row of a whole prefix. 0: no memory. */
static int take_row(conjunctions *c, enumerator *e) {
    int32_t n = c->size - 1, later = c->task.antecedents - (n ? e->t[n - 1] : -1) - 1;
    meeting m;
    if (n) join(c, e, n);
    if (!meet(c, e, n, &m) || !may_gain(c, &m, n)) return 1;
    int32_t *row = e->last;
    if (c->size < c->longest) {
        row = malloc(2 * (size_t)later * sizeof *row);
        if (!row) return 0;
        *row_of(c, e, (1U << n) - 1) = row;
    }
    count_row(c, e, n, row);
    return look(c, e, n, &m, row);
}

/* The points of the prefix, in a table of their own where many counts in it will follow. 0: no
 * memory. */
static int descend(conjunctions *c, enumerator *e) {
    level *l = e->levels + e->depth;
    const small_table *in = l[-1].in;
    int32_t last = e->t[e->depth - 1], later = c->task.antecedents - last - 1;
    const uint64_t *with = column(in, last);
    for (int32_t w = 0; w < in->words; w++) l->set[w] = l[-1].set[w] & with[w];
    l->in = in;
    table_free(&l->own);
    int32_t points = (int32_t)c->kernel->ops.popcount(l->set, (size_t)in->words);
    double counts = (double)choose(c, later, c->size - e->depth);
    double saved = counts * (double)(in->words - words_for(points)) * 2;
    double copying = (double)later * (double)in->words * COPYING;
    if (saved <= copying) return 1;
    if (!table_copy(c, &l->own, in, l->set, points, last + 1)) return 0;
    atomic_fetch_add_explicit(&c->work, (int64_t)copying, memory_order_relaxed);
    l->in = &l->own;
    fill_bits(l->set, points);
    return 1;
}

/* To the next prefix beside the present one, or above. */
static void go_on(const conjunctions *c, enumerator *e) {
    while (--e->depth > 0)
        if (++e->t[e->depth] <= c->task.antecedents - c->size + e->depth) {
            e->depth++;
            return;
        }
}

/* The next row of a branch, or the next branch. 0: there is none left, or no memory. */
static int one_piece(conjunctions *c, enumerator *e) {
    int ok = 1;
    if (!e->depth) {
        int32_t first = atomic_fetch_add(&c->next, 1);
        if (first > (c->size == 1 ? 0 : c->task.antecedents - c->size)) return 0;
        e->t[0] = first;
        e->depth = c->size > 1;
    }
    int above = e->depth < c->size - 1; /* it is a part of the prefixes of this pass */
    if (above) join(c, e, e->depth);
    if (above && *row_of(c, e, (1U << e->depth) - 1)) {
        ok = descend(c, e);
        e->t[e->depth] = e->t[e->depth - 1] + 1;
        e->depth++;
    } else {
        if (!above) ok = take_row(c, e);
        if (e->depth) go_on(c, e);
    }
    if (!ok) e->status = CORELS_NO_MEMORY;
    if (!e->depth) atomic_fetch_add(&c->done, 1);
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

/* Small antecedents first: a set is counted in the table of the smallest. */
static int make_root(conjunctions *c) {
    const conjunction_task *t = &c->task;
    size_t m = (size_t)t->antecedents, points = (size_t)t->points;
    small_table *root = &c->root;
    root->points = t->points;
    root->words = words_for(t->points);
    size_t words = (size_t)root->words;
    ranked *by = malloc((m + 1) * sizeof *by);
    root->masks = store_take(&root->arrays, m * words, sizeof *root->masks);
    root->weights = store_take(&root->arrays, 2 * points, sizeof *root->weights);
    if (!by || root->arrays.failed) {
        free(by);
        return 0;
    }
    for (size_t r = 0; r < m; r++)
        by[r] = (ranked){(int64_t)c->kernel->ops.popcount(t->masks + r * words, words), (int32_t)r};
    sort_ranked(by, m);
    for (size_t r = 0; r < m; r++) {
        c->order[r] = by[r].at;
        memcpy(root->masks + r * words, t->masks + (size_t)by[r].at * words, words * 8);
    }
    free(by);
    memcpy(root->weights, t->gives, points * sizeof(int32_t));
    memcpy(root->weights + points, t->takes, points * sizeof(int32_t));
    for (size_t x = 0; x < points; x++) {
        c->totals[GIVES] += t->gives[x];
        c->totals[GAIN] += t->gives[x] - t->scale * t->takes[x];
    }
    return digits_new(&root->digits, root->weights, t->points, 2);
}

static int new_enumerator(conjunctions *c, enumerator *e) {
    size_t words = (size_t)c->root.words, m = (size_t)c->task.antecedents;
    store *all = &c->arrays;
    e->both = store_take(all, words, sizeof *e->both);
    e->last = store_take(all, 2 * m, sizeof *e->last);
    e->sums = store_take(all, MOST_CONDITIONS * m, sizeof *e->sums);
    for (int32_t d = 0; d < c->longest; d++)
        e->levels[d].set = store_take(all, words, sizeof(uint64_t));
    if (all->failed) return 0;
    e->behind[0] = -1;
    e->levels[0].in = &c->root;
    fill_bits(e->levels[0].set, c->task.points);
    return 1;
}

static int prepare(conjunctions *c) {
    size_t m = (size_t)c->task.antecedents;
    c->order = store_take(&c->arrays, m, sizeof *c->order);
    c->enumerators = store_take(&c->arrays, (size_t)c->threads, sizeof *c->enumerators);
    c->branches = store_take(&c->arrays, m, sizeof *c->branches);
    if (c->arrays.failed || !count_choices(c) || !make_root(c)) return 0;
    for (int32_t n = 0; n + 1 < c->longest; n++) /* the last pass keeps none */
        c->rows[n] = store_take(&c->arrays, choose(c, c->task.antecedents, n), sizeof *c->rows[n]);
    if (c->arrays.failed) return 0;
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

static void free_rows(conjunctions *c) {
    for (int32_t n = 0; n + 1 < c->longest; n++) {
        size_t all = c->rows[n] ? choose(c, c->task.antecedents, n) : 0;
        for (size_t i = 0; i < all; i++) free(c->rows[n][i]);
    }
}

void conjunctions_free(conjunctions *c) {
    if (!c) return;
    free_rows(c);
    for (int32_t i = 0; c->enumerators && i < c->threads; i++)
        for (int32_t d = 0; d < MOST_CONDITIONS; d++) table_free(&c->enumerators[i].levels[d].own);
    for (int32_t i = 0; c->branches && i < c->task.antecedents; i++) free(c->branches[i].kept);
    free(c->merged);
    table_free(&c->root);
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
    int32_t branches = c->size == 1 ? 1 : c->task.antecedents - c->size + 1;
    if (atomic_load(&c->done) < branches) return CORELS_OK;
    if (c->size == c->longest) return CORELS_DONE;
    c->size++;
    atomic_store(&c->next, 0);
    atomic_store(&c->done, 0);
    return CORELS_OK;
}

int conjunctions_given_up(const conjunctions *c) {
    return atomic_load_explicit(&c->work, memory_order_relaxed) > c->task.budget;
}

double conjunctions_scale(const conjunctions *c) {
    double least = 1;
    for (int32_t i = 0; i < c->task.antecedents; i++)
        if (c->branches[i].number && c->branches[i].scale < least) least = c->branches[i].scale;
    return least;
}

int64_t conjunctions_found(const conjunctions *c) {
    int64_t number = 0;
    for (int32_t i = 0; i < c->task.antecedents; i++) number += c->branches[i].number;
    return number;
}

const conjunction *conjunctions_kept(conjunctions *c, int32_t *n) {
    free(c->merged);
    return c->merged = found_merge(c->branches, c->task.antecedents, c->task.room, n);
}

int conjunctions_complete(const conjunctions *c) {
    int complete = conjunctions_found(c) <= c->task.room;
    for (int32_t i = 0; i < c->task.antecedents; i++) complete &= !c->branches[i].let_go;
    return complete;
}

int64_t conjunctions_work_done(const conjunctions *c) {
    return atomic_load(&c->work);
}

/* By how many sets of antecedents there are. */
double conjunctions_share(const conjunctions *c) {
    int32_t m = c->task.antecedents, next = atomic_load(&c->next);
    double all = 0, done = 0;
    for (int32_t s = 1; s <= c->longest; s++) {
        double sets = (double)choose(c, m, s);
        all += sets;
        if (s < c->size) done += sets;
        if (s == c->size && next < m) done += sets - (double)choose(c, m - next, s);
    }
    return done / (all + 1);
}

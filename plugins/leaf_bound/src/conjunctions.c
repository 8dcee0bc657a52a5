/* The enumeration by inclusion and exclusion, in one pass for each number of antecedents.
 *
 * A pass goes through bases, sets of all but the last two of its antecedents, and for each base
 * through the antecedents behind it: a row is what all those behind this one capture together with
 * it and the base. The rows of a base lie one behind the other, a block, so that a pass reads the
 * blocks of the next base's subsets from beginning to end.
 */
#include "conjunctions.h"

#include <stdlib.h>

#include "corels/kernels.h"
#include "corels/store.h"
#include "exclusion.h"
#include "planes.h"
#include "sets.h"

/* A base on its way down. */
typedef struct {
    table own;       /* if it has a table of its own, or all zeros */
    const table *in; /* `set` is a set of its points */
    uint64_t *set;
} level;

/* For every subset of a few antecedents what they capture together, [2] measures. */
enum { GAIN, GIVES, SUBSETS = 1 << MOST_CONDITIONS };
typedef struct {
    int32_t of[2][SUBSETS];
} meeting;

/* In place of the first number of a row that is not needed: no gain is so low. */
static const int32_t NO_ROW = INT32_MIN;
/* Of the planes of the root. */
enum { OF_GIVES = 0, OF_TAKES = 1 };
/* Words that are counted in the time of copying one of a column. */
enum { COPYING = 16 };

/* Subsets are those of t[0] < t[1] < ..., bit i for t[i]. */
struct conjunctions {
    store arrays;
    conjunction_task task;
    const corels_kernel *kernel;
    int32_t *order; /* [antecedents] the smallest first: numbers inside are places here */
    table root;     /* its columns in this order */
    int32_t *first; /* the row of no antecedents */
    int32_t **blocks[MOST_CONDITIONS];  /* [n]: of each n antecedents; NULL: none so far */
    int32_t antecedents, size, longest; /* size: antecedents of the pass under way */
    level levels[MOST_CONDITIONS];
    int32_t t[MOST_CONDITIONS];
    int32_t depth; /* t[depth] is the next one; those before are a base, or part of one; < 0: a pass
                      begins */
    meeting met;
    size_t rank[SUBSETS];        /* of subsets of the base: their number, */
    int32_t behind[SUBSETS];     /* their last antecedent, behind which their rows begin, */
    const int32_t *row[SUBSETS]; /* [2][those behind] what these capture together with them, */
    int32_t *block[SUBSETS];     /* and the rows of them and one more */
    int32_t *may;                /* of what is behind the base: whether more may gain too much */
    int32_t *over;               /* of what is behind t[depth], which conjunctions do; or scratch */
    int32_t *last;               /* the row under way */
    uint64_t *both;              /* [words] scratch */
};

static int greater_gain(const void *x, const void *y) {
    const conjunction *a = x, *b = y;
    if (a->gain != b->gain) return a->gain < b->gain ? 1 : -1;
    if (a->n != b->n) return a->n - b->n;
    for (int32_t i = 0; i < a->n; i++)
        if (a->conditions[i] != b->conditions[i]) return a->conditions[i] - b->conditions[i];
    return a->takes < b->takes ? -1 : a->takes > b->takes;
}

void found_sort(found *f) {
    if (f->n) qsort(f->kept, (size_t)f->n, sizeof *f->kept, greater_gain);
    if (f->n > f->most) f->n = f->most;
}

/* Room for one more. 0: no memory. */
static int make_room(found *f) {
    if (f->n < f->room) return 1;
    if (f->room >= 2 * f->most) {
        found_sort(f);
        return 1;
    }
    int32_t room = f->room ? 2 * f->room : 64;
    conjunction *kept = realloc(f->kept, (size_t)room * sizeof *kept);
    if (!kept) return 0;
    f->kept = kept;
    f->room = room;
    return 1;
}

static int found_add(found *f, const conjunction *one, double scale) {
    if (!f->number++ || scale < f->scale) f->scale = scale;
    if (!make_room(f)) return 0;
    f->kept[f->n++] = *one;
    return 1;
}

double choices(int32_t antecedents, int64_t n) {
    double all = 1;
    for (int64_t k = 1; k <= n; k++) all *= (double)(antecedents - k + 1) / (double)k;
    return all > 0 ? all : 0;
}

double rows_bytes(int32_t antecedents, int64_t longest) {
    double bytes = 0;
    for (int64_t n = 0; n < longest; n++) /* the numbers, and what a block takes beside them */
        bytes += choices(antecedents, n) * (n + 2 < longest ? 128 : 16);
    return bytes;
}

/* Sets of k of n antecedents. */
static size_t choose(int32_t n, int32_t k) {
    size_t sets = 1;
    for (int32_t i = 0; i < k; i++) sets = sets * (size_t)(n - i) / (size_t)(i + 1);
    return sets;
}

/* How many antecedents come behind this one; -1: behind none. */
static int32_t behind(const conjunctions *c, int32_t last) {
    return c->antecedents - 1 - last;
}

/* Where in the block of a set with this last antecedent the row of t begins: the rows of the k-th
 * antecedent behind it have two numbers less than those of the one before. */
static size_t row_start(const conjunctions *c, int32_t last, int32_t t) {
    return (size_t)(t - last - 1) * (size_t)(behind(c, last) + behind(c, t));
}

static int32_t **block_of(const conjunctions *c, uint32_t subset) {
    return c->blocks[corels_ones(subset)] + c->rank[subset];
}

/* Sets of antecedents are numbered in the order of their last ones (the combinatorial number
 * system). The base grows by t[n - 1], and so do its subsets. */
static void join(conjunctions *c, int32_t n) {
    uint32_t own = 1U << (n - 1);
    int32_t t = c->t[n - 1];
    for (uint32_t s = 0; s < own; s++) {
        c->rank[own | s] = c->rank[s] + choose(t, corels_ones(s) + 1);
        c->row[own | s] = c->block[s] + row_start(c, c->behind[s], t);
        c->behind[own | s] = t;
    }
    for (uint32_t s = 0; s < own; s++)
        c->block[own | s] = corels_ones(s) + 3 < c->longest ? *block_of(c, own | s) : NULL;
}

/* What the antecedents behind `after` capture together with those of the subset. */
static const int32_t *part_of_row(const conjunctions *c, uint32_t subset, int32_t after,
                                  int measure) {
    int32_t last = c->behind[subset];
    return c->row[subset] + measure * behind(c, last) + (after - last);
}

/* What subsets capture together that have t[n] and others of the first n. */
static void meet(conjunctions *c, int32_t n) {
    for (uint32_t s = 0; s < 1U << n; s++)
        for (int k = 0; k < 2; k++) c->met.of[k][s | 1U << n] = *part_of_row(c, s, c->t[n] - 1, k);
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

/* Which conjunctions of the first n of t and one antecedent behind them have more than `most`: all
 * conditions but at most one are negated. Bit 0 is the one of negations alone, which is all that a
 * default leaf can be. */
static void exclude(const conjunctions *c, int32_t n, const int32_t *const *rows, int measure,
                    int32_t *over) {
    int32_t alone[MOST_CONDITIONS], most = (int32_t)lesser(c->task.most, INT32_MAX);
    uint32_t all = (1U << n) - 1;
    alone[0] = without(&c->met, measure, 0, all);
    for (int32_t i = 0; i < n; i++)
        alone[i + 1] = without(&c->met, measure, 1U << i, all & ~(1U << i));
    int32_t later = behind(c, n ? c->t[n - 1] : -1);
    exclude_rows(rows, n, (size_t)later, alone, most, over);
    for (int32_t d = 0; !c->task.of_rules && d < later; d++) over[d] &= 1;
}

/* The conditions of a conjunction, in rising order. */
static void list_conditions(const conjunctions *c, uint32_t with, uint32_t out, conjunction *to) {
    for (uint32_t bits = with | out; bits; bits &= bits - 1) {
        int32_t i = corels_lowest(bits), at = to->n++;
        int32_t condition = 2 * c->order[c->t[i]] + !(with >> i & 1);
        for (; at && to->conditions[at - 1] > condition; at--)
            to->conditions[at] = to->conditions[at - 1];
        to->conditions[at] = condition;
    }
}

/* A conjunction that gains too much. 0: no memory. */
static int keep(conjunctions *c, uint32_t with, uint32_t out) {
    int64_t gives = without(&c->met, GIVES, with, out), gain = without(&c->met, GAIN, with, out);
    int64_t takes = (gives - gain) / c->task.scale;
    double scale = (double)(c->task.most + c->task.scale * takes) / (double)gives;
    conjunction one = {.takes = takes, .gain = gain};
    list_conditions(c, with, out, &one);
    return found_add(c->task.to, &one, scale);
}

/* Keeps of the conjunctions of the first n of t and one behind them what gains too much. rows[s]:
 * what each of those behind captures together with subset s. 0: no memory. */
static int look(conjunctions *c, int32_t n, const int32_t **rows) {
    int32_t after = n ? c->t[n - 1] : -1;
    uint32_t every = (2U << n) - 1;
    exclude(c, n, rows, GAIN, c->over);
    for (int32_t d = 0; d < behind(c, after); d++) {
        if (!c->over[d]) continue;
        c->t[n] = after + 1 + d;
        for (uint32_t s = 0; s < 1U << n; s++) {
            int32_t last = n && s >> (n - 1) ? after : c->behind[s];
            c->met.of[GAIN][s | 1U << n] = rows[s][d];
            c->met.of[GIVES][s | 1U << n] = rows[s][d + behind(c, last)];
        }
        if ((c->over[d] & 1) && !keep(c, 0, every)) return 0;
        for (int32_t i = 0; i <= n; i++)
            if ((c->over[d] >> (i + 1) & 1) && !keep(c, 1U << i, every & ~(1U << i))) return 0;
    }
    return 1;
}

/* What each antecedent behind them captures together with the first n of t: the row under way. */
static void count_row(conjunctions *c, int32_t n) {
    const level *l = c->levels + (n ? n - 1 : 0);
    const table *in = l->in;
    int32_t after = n ? c->t[n - 1] : -1, later = behind(c, after);
    int32_t *gain = c->last, *gives = gain + later, *takes = c->over;
    memset(gives, 0, (size_t)later * sizeof *gives);
    memset(takes, 0, (size_t)later * sizeof *takes);
    for (int32_t k = 0; k < in->n_planes; k++) {
        const plane *of = in->planes + k;
        size_t words = (size_t)(of->high - of->low);
        const uint64_t *ones = words_of(in, k) + of->low, *set = l->set + of->low;
        const uint64_t *own = n ? column_of(in, after) + of->low : set;
        for (size_t w = 0; w < words; w++) c->both[w] = ones[w] & set[w] & own[w];
        c->kernel->popcount_columns(c->both, words, column_of(in, after + 1) + of->low,
                                    (size_t)in->words, (size_t)later, (uint32_t)of->shift,
                                    of->measure == OF_TAKES ? takes : gives);
    }
    for (int32_t d = 0; d < later; d++) gain[d] = gives[d] - c->task.scale * takes[d];
}

/* The first pass. 0: no memory. */
static int take_first_row(conjunctions *c) {
    count_row(c, 0);
    memcpy(c->first, c->last, 2 * (size_t)c->antecedents * sizeof *c->first);
    return look(c, 0, (const int32_t *[]){c->last});
}

/* The row of the base and t[n]. 0: no memory. */
static int take_row(conjunctions *c, int32_t n) {
    const int32_t *rows[SUBSETS];
    int32_t t = c->t[n];
    uint32_t base = (1U << n) - 1, own = 1U << n;
    count_row(c, n + 1);
    meet(c, n);
    for (uint32_t s = 0; s <= base; s++) {
        rows[s] = part_of_row(c, s, t, GAIN);
        rows[s | own] = s == base ? c->last : c->block[s] + row_start(c, c->behind[s], t);
    }
    if (c->block[base])
        memcpy(c->block[base] + row_start(c, c->behind[base], t), c->last,
               2 * (size_t)behind(c, t) * sizeof *c->last);
    return look(c, n + 1, rows);
}

/* A block without rows. 0: no memory. */
static int new_block(conjunctions *c, int32_t last, int32_t **block) {
    int32_t m = c->antecedents;
    *block = store_take(&c->arrays, row_start(c, last, m - 1) + LANES, sizeof **block);
    for (int32_t t = last + 1; *block && t < m - 1; t++) (*block)[row_start(c, last, t)] = NO_ROW;
    return *block != NULL;
}

/* The base of n antecedents is complete: which of those behind it may lead to more. A conjunction
 * of more antecedents has part of what one of fewer has. 0: no memory. */
static int begin_base(conjunctions *c, int32_t n) {
    const int32_t *rows[SUBSETS];
    int32_t after = n ? c->t[n - 1] : -1;
    uint32_t base = (1U << n) - 1;
    for (uint32_t s = 0; s <= base; s++) rows[s] = part_of_row(c, s, after, GIVES);
    exclude(c, n, rows, GIVES, c->may);
    if (!n || c->size == c->longest) return 1;
    int32_t **block = block_of(c, base);
    if (!new_block(c, after, block)) return 0;
    c->block[base] = *block;
    return 1;
}

/* The points of the base, in a table of their own if many counts in it will follow. 0: no
 * memory. */
static int descend(conjunctions *c) {
    level *l = c->levels + c->depth;
    const table *in = l[-1].in;
    int32_t last = c->t[c->depth - 1], later = behind(c, last);
    const uint64_t *with = column_of(in, last);
    for (int32_t w = 0; w < in->words; w++) l->set[w] = l[-1].set[w] & with[w];
    l->in = in;
    table_free(&l->own);
    int32_t points = (int32_t)c->kernel->popcount(l->set, (size_t)in->words);
    double saved = (double)choose(later, c->size - c->depth) * 2;
    saved *= (double)(in->words - corels_words(points));
    double copying = (double)later * (double)in->words * COPYING;
    if (saved <= copying) return 1;
    if (!table_cut(&l->own, in, l->set, points, last + 1)) return 0;
    l->in = &l->own;
    corels_fill(l->set, points);
    return 1;
}

/* t[depth] joins the base, unless nothing follows from it. 0: no memory. */
static int go_down(conjunctions *c) {
    int32_t i = c->depth;
    uint32_t base = (1U << i) - 1;
    if (c->block[base][row_start(c, c->behind[base], c->t[i])] == NO_ROW) {
        c->t[i]++;
        return 1;
    }
    meet(c, i);
    join(c, ++c->depth);
    c->t[c->depth] = c->t[i] + 1;
    return descend(c) && (c->depth < c->size - 2 || begin_base(c, c->depth));
}

/* The next row of the base. 0: no memory. */
static int next_row(conjunctions *c, int32_t end) {
    int32_t n = c->depth, *t = c->t + n;
    const int32_t *may = c->may - (n ? t[-1] + 1 : 0);
    while (*t < end && !may[*t]) ++*t;
    int ok = *t == end || take_row(c, n);
    if (*t < end) ++*t;
    return ok;
}

/* A pass is over when t[0] has come to its end. */
static void end_pass(conjunctions *c) {
    c->size++;
    c->depth = -1;
}

/* 0: no memory. */
static int begin_pass(conjunctions *c) {
    if (c->size == 1) {
        int ok = take_first_row(c);
        end_pass(c);
        return ok;
    }
    c->depth = c->t[0] = 0;
    return c->size > 2 || begin_base(c, 0);
}

/* The next row, or one antecedent more or less in the base. 0: no memory. */
static int one_piece(conjunctions *c) {
    if (c->depth < 0) return begin_pass(c);
    int32_t i = c->depth, end = c->antecedents - c->size + i + 1;
    if (c->t[i] < end) return i < c->size - 2 ? go_down(c) : next_row(c, end);
    if (!i)
        end_pass(c);
    else
        c->t[--c->depth]++;
    return 1;
}

typedef struct {
    int64_t points;
    int32_t at;
} sized;

static int smaller(const void *x, const void *y) {
    const sized *a = x, *b = y;
    if (a->points != b->points) return a->points < b->points ? -1 : 1;
    return a->at - b->at;
}

/* Small antecedents first: a set is counted in the table of the smallest. 0: no memory. */
static int sort_antecedents(conjunctions *c) {
    size_t m = (size_t)c->antecedents, words = (size_t)corels_words(c->task.in->points);
    sized *by = malloc((m + 1) * sizeof *by);
    if (!by) return 0;
    for (size_t r = 0; r < m; r++)
        by[r] =
            (sized){(int64_t)c->kernel->popcount(c->task.in->masks + r * words, words), (int32_t)r};
    qsort(by, m, sizeof *by, smaller);
    for (size_t r = 0; r < m; r++) c->order[r] = by[r].at;
    free(by);
    return 1;
}

static int32_t *row_room(conjunctions *c, size_t numbers) {
    return store_take(&c->arrays, numbers * (size_t)c->antecedents + LANES, sizeof(int32_t));
}

static int prepare(conjunctions *c) {
    const corels_instance *in = c->task.in;
    const int32_t *weights[] = {c->task.gives, c->task.takes};
    c->order = row_room(c, 1);
    c->first = row_room(c, 2);
    c->last = row_room(c, 2);
    c->over = row_room(c, 1);
    c->may = row_room(c, 1);
    if (c->arrays.failed || !sort_antecedents(c) ||
        !table_new(&c->root, in->masks, c->order, c->antecedents, in->points, weights, 2))
        return 0;
    size_t words = (size_t)c->root.words;
    c->both = store_take(&c->arrays, words, sizeof *c->both);
    for (int32_t n = 0; n + 2 < c->longest; n++) /* the last pass keeps no rows */
        c->blocks[n] = store_take(&c->arrays, choose(c->antecedents, n), sizeof **c->blocks);
    for (int32_t d = 0; d < c->longest; d++)
        c->levels[d].set = store_take(&c->arrays, words, sizeof(uint64_t));
    return !c->arrays.failed && (!c->blocks[0] || new_block(c, -1, c->blocks[0]));
}

static void begin(conjunctions *c) {
    c->behind[0] = c->depth = -1;
    c->size = 1;
    c->row[0] = c->first;
    c->block[0] = c->blocks[0] ? *c->blocks[0] : NULL;
    for (int32_t x = 0; x < c->task.in->points; x++) {
        c->met.of[GIVES][0] += c->task.gives[x];
        c->met.of[GAIN][0] += c->task.gives[x] - c->task.scale * c->task.takes[x];
    }
    c->levels[0].in = &c->root;
    corels_fill(c->levels[0].set, c->task.in->points);
}

conjunctions *conjunctions_new(const conjunction_task *task) {
    conjunctions *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->task = *task;
    c->kernel = corels_kernel_current();
    c->antecedents = task->in->antecedents;
    c->longest = (int32_t)lesser(task->longest, c->antecedents);
    if (prepare(c)) {
        begin(c);
        return c;
    }
    conjunctions_free(c);
    return NULL;
}

void conjunctions_free(conjunctions *c) {
    if (!c) return;
    for (int32_t d = 0; d < MOST_CONDITIONS; d++) table_free(&c->levels[d].own);
    table_free(&c->root);
    store_free(&c->arrays);
    free(c);
}

int conjunctions_work(conjunctions *c, const corels_building *b) {
    while (c->size <= c->longest) {
        if (!one_piece(c)) return CORELS_NO_MEMORY;
        if (b->over(b)) return CORELS_OK;
    }
    return CORELS_DONE;
}

/* By how many sets of antecedents there are. */
double conjunctions_share(const conjunctions *c) {
    double all = 0, done = 0;
    for (int32_t s = 1; s <= c->longest; s++) {
        double sets = choices(c->antecedents, s);
        all += sets;
        if (s < c->size) done += sets;
        if (s == c->size && c->depth >= 0) done += sets - choices(c->antecedents - c->t[0], s);
    }
    return done / (all + 1);
}

/* The enumeration: a stack of conjunctions for each thread. */
#include "conjunctions.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "corels/kernels.h"
#include "corels/memory.h"

/* Points of a conjunction, copied out of the table above. */
typedef struct {
    corels_counter *counter;
    uint64_t *masks;  /* [antecedents][words] */
    int32_t *weights; /* [2][points] gives, takes */
    void *scratch;    /* of the counter */
    int32_t points, words;
} small_table;

/* One conjunction on the stack. */
typedef struct {
    small_table own;       /* if it has a table of its own, or all NULL */
    const small_table *in; /* the table of which `set` is a set */
    uint64_t *set;
    int32_t *counts; /* [2][stride] of what each antecedent captures of it */
    int32_t totals[2];
    int32_t condition, next;
} level;

/* What one thread holds. */
typedef struct {
    level levels[MOST_CONDITIONS];
    int32_t depth; /* of the top; 0: between branches */
    void *root_scratch;
    pace pace;
    int status;
} enumerator;

/* What one first condition has led to. */
typedef struct {
    conjunction *kept;
    int32_t n, room, let_go; /* let_go: some were not kept */
    int64_t found;
    double scale;
} branch;

struct conjunctions {
    conjunction_task task;
    small_table root;
    int32_t *root_counts, root_totals[2];
    uint64_t *all;
    int32_t stride, conditions, threads, branch_room;
    enumerator *enumerators;
    branch *branches; /* [conditions] */
    atomic_int next, done;
    atomic_llong work;
    const control *control;
    conjunction *merged;
    int32_t n_merged;
};

/* Copying pays if the set is a smaller part of the table than this, in percent. */
enum { SMALLER = 40, LEAST_WORDS = 4 };
/* Work that takes as long as keeping a conjunction, and copying a word of a column. */
enum { KEEPING = 2000, COPYING = 4 };
/* A branch keeps so many times its even share of the room, and some more. */
enum { SHARE = 8, LEAST_ROOM = 64 };

static void table_free(small_table *t) {
    corels_counter_free(t->counter);
    corels_memory_free(t->masks);
    corels_memory_free(t->weights);
    corels_memory_free(t->scratch);
    *t = (small_table){0};
}

/* The moves that bring the members of a word's set together at its low end (Warren, Hacker's
 * Delight, 7-4). */
static void compress_moves(uint64_t set, uint64_t moves[6]) {
    uint64_t count = ~set << 1;
    for (int i = 0; i < 6; i++) {
        uint64_t parity = count;
        for (int s = 1; s < 64; s *= 2) parity ^= parity << s;
        moves[i] = parity & set;
        set = (set ^ moves[i]) | moves[i] >> (1 << i);
        count &= ~parity;
    }
}

static uint64_t compress(uint64_t x, uint64_t set, const uint64_t moves[6]) {
    x &= set;
    for (int i = 0; i < 6; i++) {
        uint64_t t = x & moves[i];
        x = (x ^ t) | t >> (1 << i);
    }
    return x;
}

static int count_members(const uint64_t *set, int32_t words) {
    int32_t n = 0;
    for (int32_t w = 0; w < words; w++) n += corels_ones(set[w]);
    return n;
}

/* The columns of `from`, cut to `set`. */
static void copy_columns(const conjunctions *c, small_table *to, const small_table *from,
                         const uint64_t *set, const uint64_t (*moves)[6]) {
    for (int32_t r = 0; r < c->task.antecedents; r++) {
        const uint64_t *column = from->masks + (size_t)r * (size_t)from->words;
        uint64_t *out = to->masks + (size_t)r * (size_t)to->words;
        int32_t at = 0;
        for (int32_t w = 0; w < from->words; w++) {
            if (!set[w]) continue;
            uint64_t bits = compress(column[w], set[w], moves[w]);
            out[at / 64] |= bits << (at % 64);
            int32_t n = corels_ones(set[w]);
            if (at % 64 + n > 64) out[at / 64 + 1] |= bits >> (64 - at % 64);
            at += n;
        }
    }
}

static int table_count_with(small_table *t, int32_t antecedents) {
    if (corels_counter_new(&t->counter, t->masks, antecedents, t->points, t->weights, 2, NULL) !=
        CORELS_OK)
        return 0;
    t->scratch = corels_memory_new(corels_counter_scratch(t->counter), 1);
    return t->scratch != NULL;
}

/* 0: no memory. */
static int table_copy(const conjunctions *c, small_table *to, const small_table *from,
                      const uint64_t *set) {
    size_t m = (size_t)c->task.antecedents;
    to->points = count_members(set, from->words);
    to->words = words_for(to->points);
    to->masks = corels_memory_new(m * (size_t)to->words + 1, sizeof *to->masks);
    to->weights = corels_memory_new(2 * (size_t)to->points, sizeof *to->weights);
    uint64_t (*moves)[6] = malloc((size_t)from->words * sizeof *moves);
    int ok = to->masks && to->weights && moves;
    if (ok) {
        for (int32_t w = 0; w < from->words; w++) compress_moves(set[w], moves[w]);
        copy_columns(c, to, from, set, (const uint64_t (*)[6])moves);
        int32_t at = 0;
        for (int32_t w = 0; w < from->words; w++)
            for (uint64_t bits = set[w]; bits; bits &= bits - 1, at++) {
                int32_t x = 64 * w + corels_lowest(bits);
                to->weights[at] = from->weights[x];
                to->weights[to->points + at] = from->weights[from->points + x];
            }
    }
    free(moves);
    return ok && table_count_with(to, c->task.antecedents);
}

/* What a condition makes of a counted set. */
static void apply(const level *l, int32_t stride, int32_t condition, int64_t *gives,
                  int64_t *takes) {
    int32_t r = condition / 2, a = l->counts[r], b = l->counts[stride + r];
    *gives = condition % 2 ? l->totals[0] - a : a;
    *takes = condition % 2 ? l->totals[1] - b : b;
}

/* Whether the condition does nothing to the set, or makes the last one superfluous. */
static int superfluous(const enumerator *e, int32_t stride, int32_t condition, int64_t gives,
                       int64_t takes) {
    const level *top = e->levels + e->depth;
    if (gives == top->totals[0] && takes == top->totals[1]) return 1;
    if (!e->depth) return 0;
    int64_t above_gives, above_takes;
    apply(top - 1, stride, condition, &above_gives, &above_takes);
    return gives == above_gives && takes == above_takes;
}

static int greater_gain(const void *x, const void *y) {
    const conjunction *a = x, *b = y;
    if (a->gain != b->gain) return a->gain < b->gain ? 1 : -1;
    if (a->n != b->n) return a->n - b->n;
    for (int32_t i = 0; i < a->n; i++)
        if (a->conditions[i] != b->conditions[i]) return a->conditions[i] - b->conditions[i];
    return 0;
}

/* 0: no memory. */
static int keep_conjunction(conjunctions *c, enumerator *e, int32_t condition, int64_t gives,
                            int64_t takes) {
    branch *b = c->branches + (e->depth ? e->levels[1].condition : condition);
    double scale = (double)(c->task.most + c->task.scale * takes) / (double)gives;
    if (!b->found++ || scale < b->scale) b->scale = scale;
    atomic_fetch_add_explicit(&c->work, KEEPING, memory_order_relaxed);
    if (b->n == b->room && b->room >= 2 * c->branch_room) {
        qsort(b->kept, (size_t)b->n, sizeof *b->kept, greater_gain);
        b->n = c->branch_room;
        b->let_go = 1;
    } else if (b->n == b->room) {
        int32_t room = b->room ? 2 * b->room : 16;
        conjunction *more = realloc(b->kept, (size_t)room * sizeof *more);
        if (!more) return 0;
        b->kept = more;
        b->room = room;
    }
    conjunction *to = b->kept + b->n++;
    *to = (conjunction){.gives = gives, .takes = takes, .n = e->depth + 1};
    to->gain = gives - c->task.scale * takes;
    for (int32_t d = 1; d <= e->depth; d++) to->conditions[d - 1] = e->levels[d].condition;
    to->conditions[e->depth] = condition;
    return 1;
}

static int much_smaller(const small_table *in, const uint64_t *set) {
    uint64_t n = corels_kernel_current()->popcount(set, (size_t)in->words);
    return n * 100 < (uint64_t)in->points * SMALLER;
}

/* The set of the top with one condition more, as the next level. 0: no memory. */
static int descend(conjunctions *c, enumerator *e, int32_t condition) {
    const level *top = e->levels + e->depth;
    level *l = e->levels + e->depth + 1;
    const small_table *in = top->in;
    const uint64_t *mask = in->masks + (size_t)(condition / 2) * (size_t)in->words;
    if (condition % 2)
        take_bits(l->set, top->set, mask, in->words);
    else
        for (int32_t w = 0; w < in->words; w++) l->set[w] = top->set[w] & mask[w];
    l->in = in;
    l->condition = condition;
    l->next = condition + 1;
    table_free(&l->own);
    int more = c->task.longest - e->depth - 1; /* conditions that may follow */
    if (more >= 2 && in->words > LEAST_WORDS && much_smaller(in, l->set)) {
        if (!table_copy(c, &l->own, in, l->set)) return 0;
        atomic_fetch_add(&c->work, (int64_t)in->words * c->task.antecedents * COPYING);
        l->in = &l->own;
        fill_bits(l->set, l->own.points);
    }
    void *scratch = l->in == &c->root ? e->root_scratch : l->in->scratch;
    corels_counter_count(l->in->counter, l->set, scratch, l->counts, l->totals);
    atomic_fetch_add(&c->work, (int64_t)l->in->words * c->task.antecedents);
    e->depth++;
    return 1;
}

/* Goes through the conditions of the top until the next count, or back up. */
static int one_count(conjunctions *c, enumerator *e) {
    level *top = e->levels + e->depth;
    while (top->next < c->conditions) {
        int32_t condition = top->next++;
        int64_t gives, takes;
        apply(top, c->stride, condition, &gives, &takes);
        if (gives <= c->task.most) continue;
        if (superfluous(e, c->stride, condition, gives, takes)) continue;
        if (gives - c->task.scale * takes > c->task.most &&
            !keep_conjunction(c, e, condition, gives, takes))
            return 0;
        if (e->depth + 1 < c->task.longest) return descend(c, e, condition);
    }
    e->depth--;
    return 1;
}

/* The first condition of the next branch, as the whole of level 0 for that. */
static int begin_branch(conjunctions *c, enumerator *e, int32_t condition) {
    level *root = e->levels;
    *root = (level){.in = &c->root, .set = c->all, .counts = c->root_counts};
    memcpy(root->totals, c->root_totals, sizeof root->totals);
    int64_t gives, takes;
    e->depth = 0;
    apply(root, c->stride, condition, &gives, &takes);
    if (gives <= c->task.most || superfluous(e, c->stride, condition, gives, takes)) return 1;
    if (gives - c->task.scale * takes > c->task.most &&
        !keep_conjunction(c, e, condition, gives, takes))
        return 0;
    return c->task.longest < 2 || descend(c, e, condition);
}

/* The next count of a branch, or the next branch. 0: there is none left. */
static int one_piece(conjunctions *c, enumerator *e) {
    int ok;
    if (e->depth) {
        ok = one_count(c, e);
    } else {
        int32_t condition = atomic_fetch_add(&c->next, 1);
        if (condition >= c->conditions) return 0;
        ok = begin_branch(c, e, condition);
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

static int new_enumerator(const conjunctions *c, enumerator *e) {
    e->root_scratch = corels_memory_new(corels_counter_scratch(c->root.counter), 1);
    int ok = e->root_scratch != NULL;
    for (int32_t d = 1; d < c->task.longest; d++) {
        e->levels[d].set = corels_memory_new((size_t)c->root.words, sizeof(uint64_t));
        e->levels[d].counts = corels_memory_new(2 * (size_t)c->stride, sizeof(int32_t));
        ok = ok && e->levels[d].set && e->levels[d].counts;
    }
    return ok;
}

static int prepare(conjunctions *c) {
    const conjunction_task *t = &c->task;
    size_t points = (size_t)t->points;
    c->root.points = t->points;
    c->root.words = words_for(t->points);
    c->root.masks = (uint64_t *)t->masks;
    c->root.weights = corels_memory_new(2 * points, sizeof(int32_t));
    c->all = corels_memory_new((size_t)c->root.words, sizeof *c->all);
    c->enumerators = calloc((size_t)c->threads, sizeof *c->enumerators);
    c->branches = calloc((size_t)c->conditions, sizeof *c->branches);
    if (!c->root.weights || !c->all || !c->enumerators || !c->branches) return 0;
    memcpy(c->root.weights, t->gives, points * sizeof(int32_t));
    memcpy(c->root.weights + points, t->takes, points * sizeof(int32_t));
    fill_bits(c->all, t->points);
    if (!table_count_with(&c->root, t->antecedents)) return 0;
    c->stride = corels_counter_stride(c->root.counter);
    c->root_counts = corels_memory_new(2 * (size_t)c->stride, sizeof(int32_t));
    if (!c->root_counts) return 0;
    corels_counter_count(c->root.counter, c->all, c->root.scratch, c->root_counts, c->root_totals);
    for (int32_t i = 0; i < c->threads; i++)
        if (!new_enumerator(c, c->enumerators + i)) return 0;
    return 1;
}

conjunctions *conjunctions_new(const conjunction_task *task, int32_t threads) {
    conjunctions *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->task = *task;
    c->threads = threads;
    c->conditions = 2 * task->antecedents;
    c->branch_room = SHARE * (task->room / c->conditions) + LEAST_ROOM;
    if (prepare(c)) return c;
    conjunctions_free(c);
    return NULL;
}

void conjunctions_free(conjunctions *c) {
    if (!c) return;
    for (int32_t i = 0; c->enumerators && i < c->threads; i++) {
        enumerator *e = c->enumerators + i;
        corels_memory_free(e->root_scratch);
        for (int32_t d = 1; d < MOST_CONDITIONS; d++) {
            table_free(&e->levels[d].own);
            corels_memory_free(e->levels[d].set);
            corels_memory_free(e->levels[d].counts);
        }
    }
    for (int32_t i = 0; c->branches && i < c->conditions; i++) free(c->branches[i].kept);
    free(c->enumerators);
    free(c->branches);
    free(c->merged);
    corels_memory_free(c->root_counts);
    corels_memory_free(c->all);
    c->root.masks = NULL;
    table_free(&c->root);
    free(c);
}

int conjunctions_work(conjunctions *c, team *t, const control *control) {
    c->control = control;
    team_ranges(t, c->threads, c->threads, 1, work_range, c);
    for (int32_t i = 0; i < c->threads; i++)
        if (c->enumerators[i].status != CORELS_OK) return c->enumerators[i].status;
    int done = conjunctions_given_up(c) || atomic_load(&c->done) == c->conditions;
    return done ? CORELS_DONE : CORELS_OK;
}

int conjunctions_given_up(const conjunctions *c) {
    return atomic_load_explicit(&c->work, memory_order_relaxed) > c->task.budget;
}

double conjunctions_scale(const conjunctions *c) {
    double least = 1;
    for (int32_t i = 0; i < c->conditions; i++)
        if (c->branches[i].found && c->branches[i].scale < least) least = c->branches[i].scale;
    return least;
}

int64_t conjunctions_found(const conjunctions *c) {
    int64_t found = 0;
    for (int32_t i = 0; i < c->conditions; i++) found += c->branches[i].found;
    return found;
}

const conjunction *conjunctions_kept(conjunctions *c, int32_t *n) {
    size_t all = 0, at = 0;
    for (int32_t i = 0; i < c->conditions; i++) all += (size_t)c->branches[i].n;
    free(c->merged);
    *n = 0;
    c->merged = malloc((all + 1) * sizeof *c->merged);
    if (!c->merged) return NULL;
    for (int32_t i = 0; i < c->conditions; i++) {
        const branch *b = c->branches + i;
        if (b->n) memcpy(c->merged + at, b->kept, (size_t)b->n * sizeof *b->kept);
        at += (size_t)b->n;
    }
    qsort(c->merged, all, sizeof *c->merged, greater_gain);
    *n = all < (size_t)c->task.room ? (int32_t)all : c->task.room;
    return c->merged;
}

int conjunctions_complete(const conjunctions *c) {
    int complete = conjunctions_found(c) <= c->task.room;
    for (int32_t i = 0; i < c->conditions; i++) complete &= !c->branches[i].let_go;
    return complete;
}

int64_t conjunctions_work_done(const conjunctions *c) {
    return atomic_load(&c->work);
}

double conjunctions_share(const conjunctions *c) {
    return (double)atomic_load(&c->done) / (double)(c->conditions + 1);
}

/* Rows as sets of the points that give anything; the solver; and exact feasibility. */
#include "fit.h"

#include <stdlib.h>

#include "corels/memory.h"
#include "sets.h"

/* Iterations each time that the program is solved, and of how many the mean is taken; how often at
 * most; rows that join each time, and that it has; and the part of a rule's cost by which rows that
 * do not join may exceed theirs. */
enum { ITERATIONS = 400, OF_MEAN = 200, SOLVED = 8, JOINING = 200, ACTIVE = 1500 };
static const double TOLERANCE = 0.002;

typedef struct {
    uint64_t *set; /* [words] of the points that give anything */
    int64_t most;  /* that c may sum up to */
    double dual;
    int32_t active;
} fit_row;

/* The active rows over groups of points: row i has the groups member[first[i]] .. first[i + 1]. */
typedef struct {
    int32_t *group; /* [points] of each that gives anything */
    double *full;   /* [groups] what they give */
    int32_t n;
    int32_t first[ACTIVE + 1], *member;
    double *x, *next, *mean, *back, *steps; /* [groups]: the parts; the prices that rows ask */
    double y[ACTIVE], rises[ACTIVE];        /* duals of the rows, and their step sizes */
} program;

struct fit {
    conjunction_task task;
    int32_t points, words;
    uint64_t *giving; /* [words] the points that give anything */
    int32_t *full;    /* [points] what they give */
    double *part;     /* [points] c as a part of that */
    fit_row *rows;
    int32_t n_rows, room;
    int32_t active[ACTIVE], n_active;
    program *under_way; /* or NULL */
    int32_t iterations; /* of it */
    int32_t solved;     /* times since rows were added */
};

/* A loop over the points of a set. */
#define EACH_POINT(f, of_set, i)                                                                   \
    for (int32_t w_ = 0, i = 0; w_ < (f)->words; w_++)                                             \
        for (uint64_t bits_ = (of_set)[w_]; bits_ && (i = 64 * w_ + corels_lowest(bits_), 1);      \
             bits_ &= bits_ - 1)

static double row_sum(const fit *f, const fit_row *r, const double *part) {
    double sum = 0;
    EACH_POINT(f, r->set, i) sum += part[i] * f->full[i];
    return sum;
}

fit *fit_new(const conjunction_task *task) {
    fit *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->task = *task;
    f->points = task->in->points;
    f->words = words_for(f->points);
    f->giving = corels_memory_new((size_t)f->words, sizeof *f->giving);
    f->full = corels_memory_new((size_t)f->points, sizeof *f->full);
    f->part = corels_memory_new((size_t)f->points, sizeof *f->part);
    if (!f->giving || !f->full || !f->part) {
        fit_free(f);
        return NULL;
    }
    for (int32_t i = 0; i < f->points; i++) {
        f->full[i] = task->gives[i];
        f->part[i] = 1;
        f->giving[i / 64] |= (uint64_t)(task->gives[i] > 0) << (i % 64);
    }
    return f;
}

static void program_free(program *p) {
    if (!p) return;
    free(p->group);
    free(p->full);
    free(p->member);
    free(p->x);
    free(p);
}

void fit_free(fit *f) {
    if (!f) return;
    for (int32_t i = 0; i < f->n_rows; i++) corels_memory_free(f->rows[i].set);
    free(f->rows);
    program_free(f->under_way);
    corels_memory_free(f->giving);
    corels_memory_free(f->full);
    corels_memory_free(f->part);
    free(f);
}

size_t fit_rows_bytes(const fit *f) {
    return (size_t)f->n_rows * (size_t)f->words * sizeof *f->rows->set +
           (size_t)f->room * sizeof *f->rows;
}

static void row_set(const fit *f, const conjunction *of, uint64_t *set) {
    memcpy(set, f->giving, (size_t)f->words * sizeof *set);
    for (int32_t k = 0; k < of->n; k++) {
        const uint64_t *mask =
            f->task.in->masks + (size_t)(of->conditions[k] / 2) * (size_t)f->words;
        uint64_t flip = of->conditions[k] % 2 ? ~UINT64_C(0) : 0;
        for (int32_t w = 0; w < f->words; w++) set[w] &= mask[w] ^ flip;
    }
}

int fit_add(fit *f, const conjunction *rows, int32_t n) {
    if (f->n_rows + n > f->room) {
        fit_row *more = realloc(f->rows, (size_t)(f->n_rows + n) * sizeof *more);
        if (!more) return 0;
        f->rows = more;
        f->room = f->n_rows + n;
    }
    f->solved = 0;
    for (int32_t i = 0; i < n; i++) {
        uint64_t *set = corels_memory_new((size_t)f->words, sizeof *set);
        if (!set) return 0;
        row_set(f, rows + i, set);
        f->rows[f->n_rows++] =
            (fit_row){.set = set, .most = f->task.most + f->task.scale * rows[i].takes};
    }
    return 1;
}

typedef struct {
    uint64_t rows; /* a number that tells in which active rows the point lies */
    int32_t at;
} grouped;

static int by_rows(const void *x, const void *y) {
    const grouped *a = x, *b = y;
    if (a->rows != b->rows) return a->rows < b->rows ? -1 : 1;
    return a->at - b->at;
}

/* Groups points by the active rows that they lie in. 0: no memory. */
static int make_groups(const fit *f, program *p) {
    size_t points = (size_t)f->points;
    grouped *all = calloc(points + 1, sizeof *all);
    p->group = calloc(points + 1, sizeof *p->group);
    p->full = calloc(points + 1, sizeof *p->full);
    if (!all || !p->group || !p->full) {
        free(all);
        return 0;
    }
    for (int32_t i = 0; i < f->points; i++) all[i].at = i;
    for (int32_t k = 0; k < f->n_active; k++) EACH_POINT(f, f->rows[f->active[k]].set, i)
    all[i].rows = corels_mix(all[i].rows + (uint64_t)k + 1);
    qsort(all, points, sizeof *all, by_rows);
    for (int32_t i = 0; i < f->points; i++) {
        if (!i || all[i].rows != all[i - 1].rows) p->n++;
        p->group[all[i].at] = p->n - 1;
        p->full[p->n - 1] += f->full[all[i].at];
    }
    free(all);
    return 1;
}

/* The groups of each row. 0: no memory. */
static int list_members(const fit *f, program *p) {
    int32_t *seen = calloc((size_t)p->n + 1, sizeof *seen), n = 0;
    size_t room = 0;
    for (int32_t k = 0; seen && k < f->n_active; k++) {
        if ((size_t)(n + p->n) > room) {
            room = 2 * (size_t)(n + p->n);
            int32_t *more = realloc(p->member, room * sizeof *more);
            if (!more) break;
            p->member = more;
        }
        p->first[k] = n;
        EACH_POINT(f, f->rows[f->active[k]].set, i) {
            int32_t g = p->group[i];
            if (seen[g] != k + 1) p->member[n++] = g;
            seen[g] = k + 1;
        }
        p->first[k + 1] = n;
    }
    int ok = seen && p->member && p->first[f->n_active] == n;
    free(seen);
    return ok;
}

/* The steps of Pock and Chambolle: one over the sums of the columns and of the rows. */
static void set_steps(const fit *f, program *p) {
    for (int32_t k = 0; k < f->n_active; k++) {
        double sum = 0;
        for (int32_t i = p->first[k]; i < p->first[k + 1]; i++) {
            sum += p->full[p->member[i]];
            p->steps[p->member[i]] += 1;
        }
        p->rises[k] = sum > 0 ? 1 / sum : 0;
    }
    for (int32_t g = 0; g < p->n; g++) p->steps[g] = p->steps[g] > 0 ? 1 / p->steps[g] : 0;
}

/* NULL: no memory. */
static program *make_program(const fit *f) {
    program *p = calloc(1, sizeof *p);
    if (!p || !make_groups(f, p) || !list_members(f, p) ||
        !(p->x = calloc(5 * (size_t)p->n, sizeof *p->x))) {
        program_free(p);
        return NULL;
    }
    p->next = p->x + p->n;
    p->mean = p->next + p->n;
    p->back = p->mean + p->n;
    p->steps = p->back + p->n;
    set_steps(f, p);
    for (int32_t i = 0; i < f->points; i++) p->x[p->group[i]] = f->part[i];
    for (int32_t k = 0; k < f->n_active; k++) p->y[k] = f->rows[f->active[k]].dual;
    return p;
}

static double between(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* One iteration: parts go along the price that is not paid, duals along what rows have too much. */
static void iterate(const fit *f, program *p) {
    for (int32_t g = 0; g < p->n; g++) p->back[g] = 0;
    for (int32_t k = 0; k < f->n_active; k++)
        for (int32_t i = p->first[k]; p->y[k] > 0 && i < p->first[k + 1]; i++)
            p->back[p->member[i]] += p->y[k];
    for (int32_t g = 0; g < p->n; g++) {
        double x = p->steps[g] > 0 ? between(p->x[g] + p->steps[g] * (1 - p->back[g])) : 1;
        p->next[g] = 2 * x - p->x[g];
        p->x[g] = x;
    }
    for (int32_t k = 0; k < f->n_active; k++) {
        double sum = 0;
        for (int32_t i = p->first[k]; i < p->first[k + 1]; i++)
            sum += p->full[p->member[i]] * p->next[p->member[i]];
        double y = p->y[k] + p->rises[k] * (sum - (double)f->rows[f->active[k]].most);
        p->y[k] = y > 0 ? y : 0;
    }
}

/* The program is solved as well as it will be: parts and duals are taken from it. */
static void take_solution(fit *f) {
    program *p = f->under_way;
    for (int32_t i = 0; i < f->points; i++) f->part[i] = p->mean[p->group[i]] / OF_MEAN;
    for (int32_t k = 0; k < f->n_active; k++) f->rows[f->active[k]].dual = p->y[k];
    program_free(p);
    f->under_way = NULL;
    f->solved++;
}

typedef struct {
    double excess;
    int32_t row;
} exceeded;

static int most_first(const void *a, const void *b) {
    const exceeded *x = a, *y = b;
    if (x->excess != y->excess) return x->excess < y->excess ? 1 : -1;
    return x->row - y->row;
}

/* So that the row is not exceeded. */
static int scale_row(const fit *f, const fit_row *r, double *part) {
    double sum = row_sum(f, r, part), by = (double)r->most / sum;
    if (sum <= (double)r->most) return 0;
    EACH_POINT(f, r->set, i) part[i] *= by;
    return 1;
}

static double *copy_of_parts(const fit *f) {
    double *part = malloc(((size_t)f->points + 1) * sizeof *part);
    if (part) memcpy(part, f->part, (size_t)f->points * sizeof *part);
    return part;
}

/* Rows that are not active and exceeded, the worst first; each that is still exceeded when those
 * before it have been scaled down joins. Returns how many; < 0: no memory. */
static int32_t let_join(fit *f) {
    exceeded *list = malloc(((size_t)f->n_rows + 1) * sizeof *list);
    double *part = copy_of_parts(f), most = TOLERANCE * (double)f->task.most;
    int32_t n = 0, joined = list && part ? 0 : -1;
    for (int32_t i = 0; !joined && i < f->n_rows; i++) {
        const fit_row *r = f->rows + i;
        double excess = r->active ? 0 : row_sum(f, r, f->part) - (double)r->most;
        if (excess > most) list[n++] = (exceeded){excess, i};
    }
    if (n) qsort(list, (size_t)n, sizeof *list, most_first);
    for (int32_t i = 0; i < n && joined < JOINING && f->n_active < ACTIVE; i++) {
        fit_row *r = f->rows + list[i].row;
        if (!scale_row(f, r, part)) continue;
        r->active = 1;
        f->active[f->n_active++] = list[i].row;
        joined++;
    }
    free(list);
    free(part);
    return joined;
}

/* The next program. CORELS_DONE: there is none. */
static int begin(fit *f) {
    if (f->solved >= SOLVED) return CORELS_DONE;
    int32_t joined = let_join(f);
    if (!joined) return CORELS_DONE;
    if (joined > 0) f->under_way = make_program(f);
    f->iterations = 0;
    return f->under_way ? CORELS_OK : CORELS_NO_MEMORY;
}

int fit_work(fit *f, const corels_building *b) {
    int status = CORELS_OK;
    while (status == CORELS_OK) {
        program *p = f->under_way;
        if (!p)
            status = begin(f);
        else if (f->iterations == ITERATIONS)
            take_solution(f);
        else {
            iterate(f, p);
            for (int32_t g = 0; f->iterations >= ITERATIONS - OF_MEAN && g < p->n; g++)
                p->mean[g] += p->x[g];
            f->iterations++;
        }
        if (b->over(b)) return status;
    }
    return status;
}

static int64_t whole_sum(const fit *f, const fit_row *r, const int32_t *c) {
    int64_t sum = 0;
    EACH_POINT(f, r->set, i) sum += c[i];
    return sum;
}

/* Takes one part at a time from the points of a row, until it is not exceeded. */
static void lower_row(const fit *f, const fit_row *r, int32_t *c) {
    int64_t excess = whole_sum(f, r, c) - r->most;
    while (excess > 0) EACH_POINT(f, r->set, i)
    if (c[i] > 0 && excess > 0) c[i]--, excess--;
}

/* Raises c, point by point, if all rows of the point have room; a word of points at a time, with
 * the rows' words of it side by side. */
static void fill_up(const fit *f, int32_t *c, int64_t *room, uint64_t *column) {
    for (int32_t k = 0; k < f->n_rows; k++)
        room[k] = f->rows[k].most - whole_sum(f, f->rows + k, c);
    for (int32_t w = 0; w < f->words; w++) {
        uint64_t open = 0;
        for (int32_t i = 64 * w; i < 64 * w + 64 && i < f->points; i++)
            open |= (uint64_t)(c[i] < f->full[i]) << (i % 64);
        for (int32_t k = 0; open && k < f->n_rows; k++) column[k] = f->rows[k].set[w];
        for (; open; open &= open - 1) {
            uint64_t bit = open & (~open + 1);
            int32_t i = 64 * w + corels_lowest(open);
            int64_t more = f->full[i] - c[i];
            for (int32_t k = 0; k < f->n_rows; k++)
                if (column[k] & bit) more = lesser(more, room[k]);
            for (int32_t k = 0; k < f->n_rows && more; k++)
                if (column[k] & bit) room[k] -= more;
            c[i] += (int32_t)more;
        }
    }
}

int fit_weights(fit *f, int32_t *c) {
    size_t rows = (size_t)f->n_rows + 1;
    double *part = copy_of_parts(f);
    int64_t *room = malloc(rows * sizeof *room);
    uint64_t *column = malloc(rows * sizeof *column);
    int ok = part && room && column;
    for (int32_t k = 0; ok && k < f->n_rows; k++) scale_row(f, f->rows + k, part);
    for (int32_t i = 0; ok && i < f->points; i++) c[i] = (int32_t)(part[i] * f->full[i]);
    for (int32_t k = 0; ok && k < f->n_rows; k++) lower_row(f, f->rows + k, c);
    if (ok) fill_up(f, c, room, column);
    free(part);
    free(room);
    free(column);
    return ok;
}

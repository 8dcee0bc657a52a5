/* Rows as sets of the points that give anything; the solver; and exact feasibility. */
#include "fit.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "corels/memory.h"
#include "ranked.h"
#include "small_table.h"
#include "store.h"

typedef struct {
    uint64_t *set; /* [words] of the points that give anything */
    int64_t most;  /* that c may sum up to */
    int32_t active;
} fit_row;

struct fit {
    conjunction_task task;
    store arrays;
    int32_t *point; /* [n] the points that give anything */
    int32_t *full;  /* [n] what they give */
    double *part;   /* [n] c as a part of `full` */
    int32_t n, words;
    uint64_t *columns; /* [antecedents][words], cut to those points */
    fit_row *rows;
    int32_t n_rows, room;
    int32_t *table; /* of rows by their sets; 0: none, else 1 + row */
    size_t table_size;
    int32_t *active, n_active;
    double *dual;           /* [room] by row */
    int32_t solved, joined; /* times since rows were added; whether rows have joined since */
    int64_t work;
};

static double row_sum(const fit *f, const fit_row *r, const double *part) {
    double sum = 0;
    for (int32_t w = 0; w < f->words; w++)
        for (uint64_t bits = r->set[w]; bits; bits &= bits - 1) {
            int32_t i = 64 * w + corels_lowest(bits);
            sum += part[i] * f->full[i];
        }
    return sum;
}

/* The columns, cut to the points that give anything. 0: no memory. */
static int make_columns(fit *f) {
    const conjunction_task *t = &f->task;
    size_t words = (size_t)words_for(t->points), m = (size_t)t->antecedents;
    uint64_t *giving = calloc(words + 1, sizeof *giving);
    f->columns = store_take(&f->arrays, m * (size_t)f->words + 1, sizeof *f->columns);
    int ok = giving && f->columns;
    for (int32_t i = 0; ok && i < f->n; i++) set_bit(giving, f->point[i]);
    ok = ok && cut_columns(f->columns, (size_t)f->words, t->masks, words, giving, m);
    free(giving);
    return ok;
}

fit *fit_new(const conjunction_task *task) {
    fit *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->task = *task;
    size_t points = (size_t)task->points;
    f->point = store_take(&f->arrays, points, sizeof *f->point);
    f->full = store_take(&f->arrays, points, sizeof *f->full);
    f->part = store_take(&f->arrays, points, sizeof *f->part);
    f->active = store_take(&f->arrays, (size_t)task->tune->leaves_active, sizeof *f->active);
    if (f->arrays.failed) {
        fit_free(f);
        return NULL;
    }
    for (int32_t x = 0; x < task->points; x++) {
        if (!task->gives[x]) continue;
        f->point[f->n] = x;
        f->full[f->n] = task->gives[x];
        f->part[f->n++] = 1;
    }
    f->words = words_for(f->n);
    if (make_columns(f)) return f;
    fit_free(f);
    return NULL;
}

void fit_free(fit *f) {
    if (!f) return;
    for (int32_t i = 0; i < f->n_rows; i++) corels_memory_free(f->rows[i].set);
    free(f->rows);
    free(f->table);
    free(f->dual);
    store_free(&f->arrays);
    free(f);
}

size_t fit_rows_bytes(const fit *f) {
    return (size_t)f->n_rows * (size_t)f->words * sizeof *f->rows->set +
           (size_t)f->room * (sizeof *f->rows + sizeof *f->dual) + f->table_size * sizeof *f->table;
}

int64_t fit_work(const fit *f) {
    return f->work;
}

static void row_set(const fit *f, const conjunction *of, uint64_t *set) {
    fill_bits(set, f->n);
    for (int32_t k = 0; k < of->n; k++) {
        const uint64_t *column = f->columns + (size_t)(of->conditions[k] / 2) * (size_t)f->words;
        uint64_t flip = of->conditions[k] % 2 ? ~UINT64_C(0) : 0;
        for (int32_t w = 0; w < f->words; w++) set[w] &= column[w] ^ flip;
    }
}

static int rehash(fit *f) {
    size_t size = f->table_size ? 2 * f->table_size : 1024;
    int32_t *table = calloc(size, sizeof *table);
    if (!table) return 0;
    for (int32_t i = 0; i < f->n_rows; i++) {
        size_t at = corels_hash(f->rows[i].set, (size_t)f->words) % size;
        while (table[at]) at = (at + 1) % size;
        table[at] = i + 1;
    }
    free(f->table);
    f->table = table;
    f->table_size = size;
    return 1;
}

/* A set with the row's points is there: of the two the stricter one counts. */
static int join_rows(fit *f, const uint64_t *set, int64_t most, size_t *at) {
    size_t bytes = (size_t)f->words * 8;
    *at = corels_hash(set, (size_t)f->words) % f->table_size;
    for (; f->table[*at]; *at = (*at + 1) % f->table_size) {
        fit_row *there = f->rows + f->table[*at] - 1;
        if (memcmp(there->set, set, bytes)) continue;
        if (most < there->most) there->most = most;
        return 1;
    }
    return 0;
}

static int room_for_row(fit *f) {
    if (2 * (size_t)(f->n_rows + 1) > f->table_size && !rehash(f)) return 0;
    if (f->n_rows < f->room) return 1;
    int32_t room = f->room ? 2 * f->room : 256;
    fit_row *rows = realloc(f->rows, (size_t)room * sizeof *rows);
    if (rows) f->rows = rows;
    double *dual = realloc(f->dual, (size_t)room * sizeof *dual);
    if (dual) f->dual = dual;
    if (!rows || !dual) return 0;
    f->room = room;
    return 1;
}

int fit_add(fit *f, const conjunction *rows, int32_t n) {
    f->solved = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!room_for_row(f)) return 0;
        uint64_t *set = corels_memory_new((size_t)f->words, sizeof *set);
        if (!set) return 0;
        row_set(f, rows + i, set);
        int64_t most = f->task.most + f->task.scale * rows[i].takes;
        size_t at;
        if (join_rows(f, set, most, &at)) {
            corels_memory_free(set);
            continue;
        }
        f->dual[f->n_rows] = 0;
        f->rows[f->n_rows++] = (fit_row){.set = set, .most = most};
        f->table[at] = f->n_rows;
    }
    return 1;
}

/* The active rows over groups of points: row i has the groups member[first[i]] .. first[i + 1]. */
typedef struct {
    store arrays;   /* all but `member`, which grows */
    int32_t *group; /* [n] of each point */
    double *full;   /* [groups] what they give */
    int32_t n;
    int32_t *first, *member;
    double *x, *next, *mean, *back; /* [groups]: the parts; the prices that rows ask */
    double *steps, *rises;          /* [groups], [active]: step sizes */
    double *y;                      /* [active] duals */
} program;

static void program_free(program *p) {
    store_free(&p->arrays);
    free(p->member);
}

/* Groups points by the active rows that they lie in, of which a number tells. 0: no memory. */
static int make_groups(const fit *f, program *p) {
    ranked *all = store_take(&p->arrays, (size_t)f->n, sizeof *all);
    p->group = store_take(&p->arrays, (size_t)f->n, sizeof *p->group);
    p->full = store_take(&p->arrays, (size_t)f->n + 1, sizeof *p->full);
    if (p->arrays.failed) return 0;
    for (int32_t i = 0; i < f->n; i++) all[i] = (ranked){0, i};
    for (int32_t k = 0; k < f->n_active; k++) {
        const uint64_t *set = f->rows[f->active[k]].set;
        for (int32_t w = 0; w < f->words; w++)
            for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
                int64_t *number = &all[64 * w + corels_lowest(bits)].number;
                *number = (int64_t)corels_mix((uint64_t)*number + (uint64_t)k + 1);
            }
    }
    sort_ranked(all, (size_t)f->n);
    for (int32_t i = 0; i < f->n; i++) {
        if (i && all[i].number != all[i - 1].number) p->n++;
        p->group[all[i].at] = p->n;
        p->full[p->n] += f->full[all[i].at];
    }
    p->n += f->n > 0;
    return 1;
}

static int list_members(const fit *f, program *p) {
    size_t room = 1024, n = 0;
    int32_t *seen = store_take(&p->arrays, (size_t)p->n, sizeof *seen);
    p->first = store_take(&p->arrays, (size_t)f->n_active + 1, sizeof *p->first);
    p->member = malloc(room * sizeof *p->member);
    int ok = !p->arrays.failed && p->member;
    for (int32_t k = 0; ok && k < f->n_active; k++) {
        p->first[k] = (int32_t)n;
        const uint64_t *set = f->rows[f->active[k]].set;
        if (n + (size_t)p->n > room) {
            room = 2 * (n + (size_t)p->n);
            int32_t *more = realloc(p->member, room * sizeof *more);
            ok = more != NULL;
            if (ok) p->member = more;
        }
        for (int32_t w = 0; ok && w < f->words; w++)
            for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
                int32_t g = p->group[64 * w + corels_lowest(bits)];
                if (seen[g] == k + 1) continue;
                seen[g] = k + 1;
                p->member[n++] = g;
            }
    }
    if (ok) p->first[f->n_active] = (int32_t)n;
    return ok;
}

/* The steps of Pock and Chambolle: one over the sums of the columns and of the rows. */
static void set_steps(const fit *f, program *p) {
    for (int32_t g = 0; g < p->n; g++) p->steps[g] = 0;
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

static int make_program(const fit *f, program *p) {
    if (!make_groups(f, p) || !list_members(f, p)) return 0;
    size_t n = (size_t)p->n, rows = (size_t)f->n_active;
    double **of_groups[] = {&p->x, &p->next, &p->mean, &p->back, &p->steps};
    for (int i = 0; i < 5; i++) *of_groups[i] = store_take(&p->arrays, n, sizeof(double));
    p->y = store_take(&p->arrays, rows, sizeof *p->y);
    p->rises = store_take(&p->arrays, rows, sizeof *p->rises);
    if (p->arrays.failed) return 0;
    set_steps(f, p);
    for (int32_t i = 0; i < f->n; i++) p->x[p->group[i]] = f->part[i];
    for (int32_t k = 0; k < f->n_active; k++) p->y[k] = f->dual[f->active[k]];
    return 1;
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

static int solve(fit *f, const control *c) {
    program p = {0};
    if (!make_program(f, &p)) {
        program_free(&p);
        return CORELS_NO_MEMORY;
    }
    int64_t all = f->task.tune->leaves_iterations, first = all / 2;
    for (int64_t i = 0; i < all && !control_cut(c); i++) {
        iterate(f, &p);
        for (int32_t g = 0; i >= first && g < p.n; g++) p.mean[g] += p.x[g];
    }
    if (!control_cut(c)) { /* else all of it is done again, and counted then */
        f->work += all * 2 * p.first[f->n_active];
        for (int32_t i = 0; i < f->n; i++) f->part[i] = p.mean[p.group[i]] / (double)(all - first);
        for (int32_t k = 0; k < f->n_active; k++) f->dual[f->active[k]] = p.y[k];
        f->joined = 0;
        f->solved++;
    }
    program_free(&p);
    return CORELS_OK;
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

static void scale_row(const fit *f, const fit_row *r, double *part, double by) {
    for (int32_t w = 0; w < f->words; w++)
        for (uint64_t bits = r->set[w]; bits; bits &= bits - 1)
            part[64 * w + corels_lowest(bits)] *= by;
}

/* Rows that are not active and exceeded, the worst first; each that is still exceeded when those
 * before it have been scaled down joins. Returns how many; < 0: no memory. */
static int32_t let_join(fit *f) {
    exceeded *list = malloc(((size_t)f->n_rows + 1) * sizeof *list);
    double *part = malloc(((size_t)f->n + 1) * sizeof *part);
    const tuning *t = f->task.tune;
    double most = t->leaves_tolerance * (double)f->task.most;
    int32_t n = 0, joined = 0;
    f->work += (int64_t)f->n_rows * f->words * 8;
    for (int32_t i = 0; list && part && i < f->n_rows; i++) {
        const fit_row *r = f->rows + i;
        if (r->active) continue;
        double excess = row_sum(f, r, f->part) - (double)r->most;
        if (excess > most) list[n++] = (exceeded){excess, i};
    }
    if (list && part) {
        qsort(list, (size_t)n, sizeof *list, most_first);
        memcpy(part, f->part, (size_t)f->n * sizeof *part);
    }
    for (int32_t i = 0; i < n && joined < t->leaves_join && f->n_active < t->leaves_active; i++) {
        fit_row *r = f->rows + list[i].row;
        double sum = row_sum(f, r, part);
        if (sum <= (double)r->most) continue;
        scale_row(f, r, part, (double)r->most / sum);
        r->active = 1;
        f->active[f->n_active++] = list[i].row;
        joined++;
    }
    int ok = list && part;
    free(list);
    free(part);
    return ok ? joined : -1;
}

int fit_round(fit *f, const control *c) {
    if (f->solved >= f->task.tune->leaves_solved) return CORELS_DONE;
    if (!f->joined) {
        int32_t joined = let_join(f);
        if (joined < 0) return CORELS_NO_MEMORY;
        if (!joined) return CORELS_DONE;
        f->joined = 1;
    }
    return solve(f, c);
}

static int64_t whole_sum(const fit *f, const fit_row *r, const int32_t *c) {
    int64_t sum = 0;
    for (int32_t w = 0; w < f->words; w++)
        for (uint64_t bits = r->set[w]; bits; bits &= bits - 1)
            sum += c[64 * w + corels_lowest(bits)];
    return sum;
}

/* Takes one part at a time from the points of a row, those that have most left first in turn, until
 * it is not exceeded. */
static void lower_row(const fit *f, const fit_row *r, int32_t *c, int64_t excess) {
    while (excess > 0)
        for (int32_t w = 0; excess > 0 && w < f->words; w++)
            for (uint64_t bits = r->set[w]; excess > 0 && bits; bits &= bits - 1) {
                int32_t *x = c + 64 * w + corels_lowest(bits);
                if (*x > 0) --*x, --excess;
            }
}

/* Raises c, point by point, where all rows of the point have room; a word of points at a time, with
 * the rows' words of it side by side. */
static void fill_up(const fit *f, int32_t *c, int64_t *room, uint64_t *column) {
    for (int32_t k = 0; k < f->n_rows; k++)
        room[k] = f->rows[k].most - whole_sum(f, f->rows + k, c);
    for (int32_t w = 0; w < f->words; w++) {
        uint64_t open = 0;
        for (int32_t i = 64 * w; i < 64 * w + 64 && i < f->n; i++)
            open |= (uint64_t)(c[i] < f->full[i]) << (i % 64);
        for (int32_t k = 0; open && k < f->n_rows; k++) column[k] = f->rows[k].set[w];
        for (; open; open &= open - 1) {
            uint64_t bit = open & (~open + 1);
            int32_t i = 64 * w + corels_lowest(open);
            int64_t more = f->full[i] - c[i];
            for (int32_t k = 0; k < f->n_rows; k++)
                if ((column[k] & bit) && room[k] < more) more = room[k];
            for (int32_t k = 0; k < f->n_rows && more; k++)
                if (column[k] & bit) room[k] -= more;
            c[i] += (int32_t)more;
        }
    }
}

int fit_weights(fit *f, int32_t *weights) {
    memset(weights, 0, (size_t)f->task.points * sizeof *weights);
    size_t n = (size_t)f->n, rows = (size_t)f->n_rows;
    store scratch = {0};
    double *part = store_take(&scratch, n, sizeof *part);
    int32_t *c = store_take(&scratch, n, sizeof *c);
    int64_t *room = store_take(&scratch, rows, sizeof *room);
    uint64_t *column = store_take(&scratch, rows, sizeof *column);
    int ok = !scratch.failed;
    if (ok) {
        memcpy(part, f->part, (size_t)f->n * sizeof *part);
        for (int32_t k = 0; k < f->n_rows; k++) {
            const fit_row *r = f->rows + k;
            double sum = row_sum(f, r, part);
            if (sum > (double)r->most) scale_row(f, r, part, (double)r->most / sum);
        }
        for (int32_t i = 0; i < f->n; i++) c[i] = (int32_t)(part[i] * f->full[i]);
        for (int32_t k = 0; k < f->n_rows; k++) {
            const fit_row *r = f->rows + k;
            lower_row(f, r, c, whole_sum(f, r, c) - r->most);
        }
        fill_up(f, c, room, column);
        for (int32_t i = 0; i < f->n; i++) weights[f->point[i]] = c[i];
    }
    store_free(&scratch);
    return ok;
}

/* Rows as sets of the points that give anything, and weights that exceed none. */
#include "fit.h"

#include <stdlib.h>

#include "corels/store.h"
#include "sets.h"

typedef struct {
    uint64_t *set; /* [words] of the points that give anything */
    int64_t most;  /* that c may sum up to */
} fit_row;

struct fit {
    store arrays;
    conjunction_task task;
    int32_t points, words;
    uint64_t *giving; /* [words] the points that give anything */
    int32_t *full;    /* [points] what they give */
    fit_row *rows;
    int64_t n_rows, room;
};

/* A loop over the points of a set. */
#define EACH_POINT(f, of_set, i)                                                                   \
    for (int32_t w_ = 0, i = 0; w_ < (f)->words; w_++)                                             \
        for (uint64_t bits_ = (of_set)[w_]; bits_ && (i = 64 * w_ + corels_lowest(bits_), 1);      \
             bits_ &= bits_ - 1)

fit *fit_new(const conjunction_task *task) {
    fit *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->task = *task;
    f->points = task->in->points;
    f->words = corels_words(f->points);
    f->giving = store_take(&f->arrays, (size_t)f->words, sizeof *f->giving);
    f->full = store_take(&f->arrays, (size_t)f->points, sizeof *f->full);
    if (f->arrays.failed) {
        fit_free(f);
        return NULL;
    }
    for (int32_t i = 0; i < f->points; i++) {
        f->full[i] = task->gives[i];
        f->giving[i / 64] |= (uint64_t)(task->gives[i] > 0) << (i % 64);
    }
    return f;
}

void fit_free(fit *f) {
    if (!f) return;
    free(f->rows);
    store_free(&f->arrays);
    free(f);
}

size_t fit_rows_bytes(const fit *f) {
    return f->arrays.bytes + (size_t)f->room * sizeof *f->rows;
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
    for (int32_t i = 0; i < n; i++) {
        fit_row *more = grow_array(f->rows, &f->room, f->n_rows + 1, sizeof *more);
        if (!more) return 0;
        f->rows = more;
        uint64_t *set = store_take(&f->arrays, (size_t)f->words, sizeof *set);
        if (!set) return 0;
        row_set(f, rows + i, set);
        f->rows[f->n_rows++] =
            (fit_row){.set = set, .most = f->task.most + f->task.scale * rows[i].takes};
    }
    return 1;
}

/* Scales down the points of each row that is exceeded. */
static void scale_rows(const fit *f, double *c) {
    for (const fit_row *r = f->rows; r < f->rows + f->n_rows; r++) {
        double sum = 0;
        EACH_POINT(f, r->set, i) sum += c[i];
        if (sum <= (double)r->most) continue;
        EACH_POINT(f, r->set, i) c[i] *= (double)r->most / sum;
    }
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
    for (int64_t k = 0; k < f->n_rows; k++)
        room[k] = f->rows[k].most - whole_sum(f, f->rows + k, c);
    for (int32_t w = 0; w < f->words; w++) {
        uint64_t open = 0;
        for (int32_t i = 64 * w; i < 64 * w + 64 && i < f->points; i++)
            open |= (uint64_t)(c[i] < f->full[i]) << (i % 64);
        for (int64_t k = 0; open && k < f->n_rows; k++) column[k] = f->rows[k].set[w];
        for (; open; open &= open - 1) {
            uint64_t bit = open & (~open + 1);
            int32_t i = 64 * w + corels_lowest(open);
            int64_t more = f->full[i] - c[i];
            for (int64_t k = 0; k < f->n_rows; k++)
                if (column[k] & bit) more = lesser(more, room[k]);
            for (int64_t k = 0; k < f->n_rows && more; k++)
                if (column[k] & bit) room[k] -= more;
            c[i] += (int32_t)more;
        }
    }
}

int fit_weights(fit *f, int32_t *c) {
    store scratch = {0};
    size_t rows = (size_t)f->n_rows;
    double *scaled = store_take(&scratch, (size_t)f->points, sizeof *scaled);
    int64_t *room = store_take(&scratch, rows, sizeof *room);
    uint64_t *column = store_take(&scratch, rows, sizeof *column);
    int ok = !scratch.failed;
    for (int32_t i = 0; ok && i < f->points; i++) scaled[i] = f->full[i];
    if (ok) scale_rows(f, scaled);
    for (int32_t i = 0; ok && i < f->points; i++) c[i] = (int32_t)scaled[i];
    for (int64_t k = 0; ok && k < f->n_rows; k++) lower_row(f, f->rows + k, c);
    if (ok) fill_up(f, c, room, column);
    store_free(&scratch);
    return ok;
}

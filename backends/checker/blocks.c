/* Blocks: parts of the points, with weights that add up to no more than the regrets. For each
 * subset of a block a row says the least errors that 0 .. 7 rules leave of it
 * (docs/internals/blocks.md). */
#include "inner.h"

enum { LANES = 8, BLOCK_ITEMS = 16, SUBSETS = 1 << BLOCK_ITEMS };

/* Eight numbers at once: lane k is for k rules. */
typedef uint16_t lanes __attribute__((vector_size(2 * LANES)));

typedef struct {
    int64_t unit, rule_cost;
    int32_t blocks, shift; /* errors are shifted down, where 16 bits would be too few */
    size_t *start;         /* [blocks + 1]: of a block's rows */
    lanes *rows;           /* block after block, subset after subset */
    uint16_t *keep;        /* [antecedents][blocks]: the items that r does not capture */
} partition;

/* Scratch for one block after another. */
typedef struct {
    items of;
    lanes later[SUBSETS]; /* rows, one lane further */
    int64_t sums[SUBSETS];
    uint16_t alone[SUBSETS], cuts[SUBSETS];
    uint8_t seen[SUBSETS];
} scratch;

static void begin(const void *tables, void *view) {
    memset(view, 255, (size_t)((const partition *)tables)->blocks * sizeof(uint16_t));
}

static void enter(const void *tables, int32_t r, void *view) {
    const partition *p = tables;
    uint16_t *left = view;
    for (int32_t b = 0; b < p->blocks; b++)
        left[b] &= p->keep[(size_t)r * (size_t)p->blocks + (size_t)b];
}

/* Whether k = 1, 2, .. rules and the errors that they leave in all blocks cost `need` or more. */
static int shows(const void *tables, const void *view, int32_t r, int64_t need) {
    const partition *p = tables;
    const uint16_t *left = view, *keep = p->keep + (size_t)r * (size_t)p->blocks;
    lanes goals = {0}, sums = {0};
    if (LANES * p->rule_cost < need) return 0;
    for (int k = 1; k < LANES; k++) {
        int64_t errors = need - k * p->rule_cost; /* rounded up, in the tables' unit */
        errors = errors > 0 ? ((errors - 1) / p->unit >> p->shift) + 1 : 0;
        if (errors > 65535) return 0;
        goals[k] = (uint16_t)errors;
    }
    for (int32_t b = 0; b < p->blocks; b++) {
        sums += p->rows[p->start[b] + (left[b] & keep[b])];
        if (b % 4 < 3 && b + 1 < p->blocks) continue;
        typedef uint64_t words __attribute__((vector_size(16)));
        words open = (words)(lanes)(sums < goals);
        if (!(open[0] | open[1])) return 1;
    }
    return 0;
}

static void release(void *tables) {
    partition *p = tables;
    free(p->start), aligned_free(p->rows), free(p->keep), free(p);
}

/* The errors of each subset as one cell. */
static void fill_alone(scratch *s, uint32_t subsets, int32_t classes, int32_t shift) {
    for (int32_t k = 0; k < classes; k++) {
        s->sums[0] = 0;
        for (uint32_t x = 0; x < subsets; x++) {
            if (x)
                s->sums[x] = s->sums[x & (x - 1)] + s->of.weights[__builtin_ctz(x) * classes + k];
            int64_t here = s->sums[x] >> shift;
            s->alone[x] =
                k && s->alone[x] <= here ? s->alone[x] : (uint16_t)(here < 65535 ? here : 65535);
        }
    }
}

/* A cut is not needed where predicting some class errs nowhere on it, nor on another cut that
 * contains it: the other one leaves less, at no error either. */
static int useless(const scratch *s, int32_t i, int32_t n, int32_t classes) {
    for (int32_t k = 0; k < classes; k++) {
        uint32_t wrong = 0;
        for (int32_t j = 0; j < s->of.n; j++)
            wrong |= (uint32_t)(s->of.weights[j * classes + k] > 0) << j;
        for (int32_t j = 0; j < n && !(s->cuts[i] & wrong); j++)
            if (j != i && !(s->cuts[i] & ~s->cuts[j]) && !(s->cuts[j] & wrong)) return 1;
    }
    return 0;
}

/* The distinct cuts of the antecedents with the block that are needed. */
static int32_t find_cuts(scratch *s, int32_t antecedents, int32_t classes) {
    int32_t n = 0, kept = 0;
    memset(s->seen, 0, sizeof s->seen);
    for (int32_t r = 0; r < antecedents; r++) {
        uint16_t trace = (uint16_t)s->of.traces[r];
        if (trace && !s->seen[trace]) s->seen[trace] = 1, s->cuts[n++] = trace;
    }
    for (int32_t i = 0; i < n; i++) s->seen[i] = (uint8_t)useless(s, i, n, classes);
    for (int32_t i = 0; i < n; i++)
        if (!s->seen[i]) s->cuts[kept++] = s->cuts[i];
    return kept;
}

/* rows[t][k]: t as one cell, or the best first rule and k - 1 for what it leaves. Nothing
 * overflows: two cells cost no more than both as one. */
static void fill_rows(scratch *s, lanes *rows, uint32_t subsets, int32_t n) {
    for (uint32_t t = 0; t < subsets; t++) {
        lanes best = (lanes){0} + s->alone[t];
        s->later[t] = best; /* for a cut that takes out nothing */
        for (int32_t i = 0; i < n; i++) {
            uint32_t cut = t & s->cuts[i];
            lanes here = s->later[t & ~cut] + s->alone[cut], less = (lanes)(here < best);
            best = (here & less) | (best & ~less);
        }
        best[0] = s->alone[t]; /* no rule */
        rows[t] = best;
        s->later[t] =
            (lanes){s->alone[t], best[0], best[1], best[2], best[3], best[4], best[5], best[6]};
    }
}

/* What a whole block costs as one cell. */
static int64_t least_of(const items *of, int32_t classes) {
    int64_t least = INT64_MAX;
    for (int32_t k = 0; k < classes; k++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < of->n; i++) sum += of->weights[i * classes + k];
        least = sum < least ? sum : least;
    }
    return least;
}

/* One pass over the blocks: the first sums up the sizes, the second fills the tables. */
static int read_pass(partition *p, const corels_check_table *in, reader *from, scratch *s) {
    int64_t total = 0;
    for (int32_t i = 0; i < in->classes * in->points; i++) s->of.left[i] = in->regrets[i];
    for (int32_t b = 0; b < p->blocks; b++) {
        int result = items_read(&s->of, in, from, BLOCK_ITEMS);
        if (result) return result;
        uint32_t subsets = 1u << s->of.n;
        p->start[b + 1] = p->start[b] + subsets;
        total += least_of(&s->of, in->classes);
        if (!p->rows) continue;
        for (int32_t r = 0; r < in->antecedents; r++)
            p->keep[(size_t)r * (size_t)p->blocks + (size_t)b] =
                (uint16_t)(~s->of.traces[r] & (subsets - 1));
        fill_alone(s, subsets, in->classes, p->shift);
        fill_rows(s, p->rows + p->start[b], subsets, find_cuts(s, in->antecedents, in->classes));
    }
    while (total >> p->shift > 65535) p->shift++; /* less sharp, and the sums fit 16 bits */
    return CORELS_CHECK_HOLDS;
}

static int read_into(partition *p, const corels_check_table *in, reader *from, size_t *room,
                     scratch *s) {
    reader again = *from;
    int result = read_pass(p, in, &again, s);
    if (result) return result;
    size_t bytes = (p->start[p->blocks] * sizeof(lanes) + 64) / 64 * 64;
    if (bytes > *room) return CORELS_CHECK_DATA;
    *room -= bytes;
    p->rows = aligned_new(bytes);
    return p->rows ? read_pass(p, in, from, s) : CORELS_CHECK_MEMORY;
}

int blocks_read(given *out, const corels_check_table *in, reader *from, size_t *room) {
    /* A block takes a byte at least: no more are believed than there are bytes left. */
    int32_t blocks = (int32_t)next_below(from, from->end - from->at + 1);
    size_t bytes = ((size_t)blocks + 1) * (size_t)in->antecedents * sizeof(uint16_t);
    if (from->bad) return CORELS_CHECK_MALFORMED;
    if (bytes > *room) return CORELS_CHECK_DATA;
    *room -= bytes;
    partition *p = calloc(1, sizeof *p);
    if (!p) return CORELS_CHECK_MEMORY;
    *p = (partition){.unit = in->unit, .rule_cost = in->rule_cost, .blocks = blocks};
    p->start = array((size_t)blocks + 1, sizeof *p->start);
    p->keep = array(bytes, 1);
    *out = (given){.view_bytes = (size_t)blocks * sizeof(uint16_t),
                   .begin = begin,
                   .enter = enter,
                   .shows = shows,
                   .free = release,
                   .tables = p};
    scratch *s = aligned_new((sizeof *s + 63) / 64 * 64);
    int ok = s && items_new(&s->of, in) && p->start && p->keep;
    int result = ok ? read_into(p, in, from, room, s) : CORELS_CHECK_MEMORY;
    if (s) items_free(&s->of);
    aligned_free(s);
    return result;
}

/* The local search for a good partition.
 *
 * Exchange two items of different blocks; keep the exchange if the two blocks' scores together
 * rise, or if they are equal and the blocks' items come closer to each other. Most exchanges are
 * bad, and what shows it is a list that makes few errors in one of the new blocks. Such lists are
 * kept as *witnesses*: a list that refuted one exchange refutes the next one, too, more often than
 * not, and costs a few additions where the exact score costs a search. They change no decision.
 *
 * The score is of the whole block; or, where the partition is to serve certain sets, of what these
 * have of the block, summed up. Several sets mostly have the same of a block.
 */
#include "score.h"

enum { WITNESSES = 16 };

/* What so many of the sets have of a block, and the best lists for it. */
typedef struct {
    uint32_t items;
    int32_t times;
    corels_best best;
} part;

/* A block's witnesses, as antecedents (-1: no more rules); the oldest is replaced. */
typedef struct {
    int32_t list[WITNESSES][CORELS_SCORE_RULES], n, oldest;
} witnesses;

/* A block as it is or would be: its traces are those of `block`, but for item `bit`. */
typedef struct {
    int32_t block, bit;
    const uint8_t *captures; /* [antecedents]: which capture the new item */
    corels_cells cells;
    part *parts; /* [sets] */
    int32_t n;
    int64_t score;
} trial;

/* What the search keeps beside the partition, and scratch. */
typedef struct corels_climb {
    corels_partition *partition;
    const corels_block_data *data;
    uint8_t *captures; /* [points + 1][antecedents]; the last row, of empty places, is zero */
    uint16_t *traces;  /* [blocks][antecedents] */
    int64_t *scores;   /* [blocks] */
    witnesses *lists;  /* [blocks] */
    uint16_t *changed, *distinct; /* [antecedents] */
    corels_score score;
    trial trials[2];
    int32_t at; /* how far it has been prepared: antecedents, places, blocks */
} climb;

static uint16_t *traces_of(const climb *c, int32_t block) {
    return c->traces + (size_t)block * (size_t)c->data->antecedents;
}

static uint32_t trace_of(const climb *c, const trial *t, int32_t r) {
    uint32_t bit = 1u << t->bit;
    return (traces_of(c, t->block)[r] & ~bit) | (uint32_t)t->captures[r] << t->bit;
}

static uint32_t whole(const climb *c) {
    return (1u << c->partition->bits) - 1;
}

/* The items of the block whose points are in the set. */
static uint32_t items_of(const climb *c, int32_t block, const uint64_t *set) {
    const int32_t *points = c->partition->point + (size_t)block * (size_t)c->partition->bits;
    uint32_t items = 0;
    for (int32_t i = 0; i < c->partition->bits; i++)
        if (points[i] >= 0) items |= (uint32_t)(set[points[i] / 64] >> (points[i] % 64) & 1) << i;
    return items;
}

/* Items of one class make no errors, whatever the rules. */
static void add_part(trial *t, uint32_t items) {
    uint32_t alone = corels_errors_of(&t->cells, items);
    int32_t i = 0;
    while (i < t->n && t->parts[i].items != items) i++;
    if (i < t->n) t->parts[i].times++;
    if (i < t->n || !alone) return;
    t->parts[t->n++] = (part){.items = items, .times = 1};
    for (int32_t k = 0; k <= CORELS_SCORE_RULES; k++) t->parts[i].best.errors[k] = alone;
}

static int64_t score_of(const climb *c, const trial *t) {
    int64_t sum = 0;
    for (int32_t i = 0; i < t->n; i++)
        sum += t->parts[i].times * corels_score_of(&c->score, &t->parts[i].best);
    return sum;
}

/* Looks at the block of `place` as the partition is now. */
static void look(climb *c, trial *t, int32_t place) {
    int32_t point = c->partition->point[place];
    t->block = place / c->partition->bits;
    t->bit = place % c->partition->bits;
    t->captures =
        c->captures + (size_t)(point < 0 ? c->data->points : point) * c->data->antecedents;
    corels_cells_fill(&t->cells, c->partition, t->block, c->data->classes);
    t->n = 0;
    for (int32_t i = 0; i < c->data->set_count; i++)
        add_part(t, items_of(c, t->block, c->data->sets + (size_t)i * (size_t)c->data->words));
    if (!c->data->set_count) add_part(t, whole(c));
    t->score = score_of(c, t);
}

/* The errors that one list of antecedents makes with its first 1, 2, .. rules. */
static void try_list(const climb *c, const trial *t, part *of, const int32_t *list) {
    uint32_t left = of->items, errors = 0, least = of->best.errors[0];
    for (int32_t k = 1; k <= c->score.rules; k++) {
        uint32_t cut = list[k - 1] < 0 ? 0 : left & trace_of(c, t, list[k - 1]);
        left ^= cut;
        errors += corels_errors_of(&t->cells, cut);
        uint32_t closed = errors + corels_errors_of(&t->cells, left);
        if (closed < least) least = closed;
        if (least < of->best.errors[k]) of->best.errors[k] = least;
    }
}

/* What the witness that is `back` before the newest one says: a lower upper bound of the score. */
static void try_witness(const climb *c, trial *t, int32_t back) {
    const witnesses *of = c->lists + t->block;
    if (back >= of->n) return;
    const int32_t *list = of->list[(of->oldest + WITNESSES - 1 - back) % WITNESSES];
    for (int32_t i = 0; i < t->n; i++) try_list(c, t, t->parts + i, list);
    t->score = score_of(c, t);
}

/* Keeps the best list of at most k rules that the exact score has found. */
static void remember(climb *c, const trial *t, const part *of, int32_t k) {
    witnesses *to = c->lists + t->block;
    int32_t *list = to->list[to->oldest];
    uint32_t left = of->items;
    if (!of->best.length[k]) return;
    to->oldest = (to->oldest + 1) % WITNESSES;
    if (to->n < WITNESSES) to->n++;
    for (int32_t i = 0; i < CORELS_SCORE_RULES; i++) {
        uint16_t cut = i < of->best.length[k] ? of->best.cuts[k][i] : 0;
        int32_t r = 0;
        while (cut && (trace_of(c, t, r) & left) != cut) r++;
        list[i] = cut ? r : -1;
        left ^= cut;
    }
}

static void change(const climb *c, const trial *t, uint16_t *traces) {
    const uint16_t *from = traces_of(c, t->block);
    uint32_t bit = 1u << t->bit;
    for (int32_t r = 0; r < c->data->antecedents; r++)
        traces[r] = (uint16_t)((from[r] & ~bit) | (uint32_t)t->captures[r] << t->bit);
}

/* The exact score, or any number below `least` where it is below that. */
static void score_exactly(climb *c, trial *t, int64_t least) {
    corels_score *score = &c->score;
    change(c, t, c->changed);
    int32_t n =
        corels_distinct_cuts(c->changed, c->data->antecedents, whole(c), c->distinct, score->seen);
    score->scored++;
    t->score = score_of(c, t);
    for (int32_t i = 0; i < t->n && t->score >= least; i++) {
        part *of = t->parts + i;
        int64_t most = corels_score_of(score, &of->best), over = t->score - least;
        int64_t enough = most - over / of->times; /* below this, all together are below `least` */
        most -= corels_score_exact(score, &t->cells, of->items, c->distinct, n, enough, &of->best);
        t->score -= of->times * most;
        for (int32_t k = score->rules; t->score < least && k > 0 && k > score->rules - 2; k--)
            remember(c, t, of, k);
    }
}

static void swap_items(corels_partition *partition, int32_t classes, int32_t x, int32_t y) {
    int32_t point = partition->point[x];
    partition->point[x] = partition->point[y];
    partition->point[y] = point;
    for (int32_t c = 0; c < classes; c++) {
        int32_t *regret = partition->regret + (size_t)c * partition->places, keep = regret[x];
        regret[x] = regret[y];
        regret[y] = keep;
    }
}

/* The distances of `point` to the items of the block around `place`, without the one there. */
static int64_t distance_to(const climb *c, int32_t point, int32_t place) {
    const corels_partition *partition = c->partition;
    int32_t begin = place / partition->bits * partition->bits;
    int64_t sum = 0;
    for (int32_t at = begin; point >= 0 && at < begin + partition->bits; at++) {
        int32_t other = partition->point[at];
        if (at == place || other < 0) continue;
        sum += other == point ? CORELS_APART : corels_distance(c->data, point, other);
    }
    return sum;
}

/* Whether the items at x and y, after their exchange, are nearer to their blocks than before. */
static int nearer(const climb *c, int32_t x, int32_t y) {
    int32_t p = c->partition->point[x], q = c->partition->point[y];
    return distance_to(c, p, x) + distance_to(c, q, y) <
           distance_to(c, q, x) + distance_to(c, p, y);
}

/* Whether the exchange of x and y, already made, is to be kept. */
static int accepted(climb *c, int32_t x, int32_t y) {
    trial *t = c->trials;
    int32_t place[2] = {x, y};
    for (int i = 0; i < 2; i++) look(c, t + i, place[i]);
    int64_t goal = c->scores[t[0].block] + c->scores[t[1].block];
    for (int32_t back = 0; back < WITNESSES && t[0].score + t[1].score >= goal; back++)
        for (int i = 0; i < 2; i++) try_witness(c, t + i, back);
    if (t[0].score + t[1].score < goal) return 0;
    goal += !nearer(c, x, y);
    for (int i = 0; i < 2 && t[0].score + t[1].score >= goal; i++)
        score_exactly(c, t + i, goal - t[1 - i].score);
    return t[0].score + t[1].score >= goal;
}

static void try_exchange(climb *c, int32_t x, int32_t y) {
    corels_partition *partition = c->partition;
    if (x / partition->bits == y / partition->bits || partition->point[x] == partition->point[y])
        return;
    swap_items(partition, c->data->classes, x, y);
    if (!accepted(c, x, y)) {
        swap_items(partition, c->data->classes, x, y);
        return;
    }
    for (int i = 0; i < 2; i++) {
        c->scores[c->trials[i].block] = c->trials[i].score;
        change(c, c->trials + i, traces_of(c, c->trials[i].block));
    }
}

static void fill_captures(climb *c, int32_t r) {
    const corels_block_data *data = c->data;
    const uint64_t *mask = data->masks + (size_t)r * (size_t)data->words;
    for (int32_t i = 0; i < data->points; i++)
        c->captures[(size_t)i * (size_t)data->antecedents + (size_t)r] =
            (uint8_t)(mask[i / 64] >> (i % 64) & 1);
}

corels_climb *corels_climb_new(corels_partition *partition, const corels_block_data *data,
                               const int32_t *weights, store *all) {
    climb *c = store_take(all, 1, sizeof *c);
    if (!c) return NULL;
    size_t m = (size_t)data->antecedents, blocks = (size_t)partition->blocks;
    *c = (climb){.partition = partition, .data = data};
    size_t sets = data->set_count ? (size_t)data->set_count : 1;
    corels_score_new(&c->score, weights, data->antecedents, partition->bits, all);
    for (int i = 0; i < 2; i++) corels_cells_new(&c->trials[i].cells, data->classes, all);
    for (int i = 0; i < 2; i++) c->trials[i].parts = store_take(all, sets, sizeof(part));
    c->captures = store_take(all, (size_t)data->points + 1, m);
    c->traces = store_take(all, blocks * m, sizeof *c->traces);
    c->scores = store_take(all, blocks, sizeof *c->scores);
    c->lists = store_take(all, blocks, sizeof *c->lists);
    c->changed = store_take(all, m, sizeof *c->changed);
    c->distinct = store_take(all, m, sizeof *c->distinct);
    return c;
}

int corels_climb_prepare(corels_climb *c) {
    int32_t m = c->data->antecedents, places = c->partition->places, at = c->at++;
    if (at < m)
        fill_captures(c, at);
    else if (at < m + places) {
        look(c, c->trials, at - m);
        change(c, c->trials, traces_of(c, c->trials->block));
    } else if (at < m + places + c->partition->blocks) {
        int32_t b = at - m - places;
        look(c, c->trials, b * c->partition->bits);
        score_exactly(c, c->trials, 0);
        c->scores[b] = c->trials->score;
    } else
        return CORELS_DONE;
    return CORELS_OK;
}

void corels_climb_try(corels_climb *c, uint64_t *random) {
    int32_t x = (int32_t)(next_random(random) % (uint64_t)c->partition->places);
    int32_t y = (int32_t)(next_random(random) % (uint64_t)c->partition->places);
    try_exchange(c, x, y);
}

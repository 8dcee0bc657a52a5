/* Better prices: what the cells' cheapest lists use becomes dearer there, and cheaper elsewhere.
 *
 * F(S) is concave in prices and shares; if a cell's cheapest list uses the trace t with class c,
 * the derivative by that price is 1, and if it errs on a point, the derivative by the point's
 * share is the point's regret. The ascent is multiplicative: a price used m times (m between 0 and
 * 1: which part of the sample's sets use it) grows by the factor exp(step * m); then all prices of
 * an antecedent are scaled so that they add up to the cost of a rule again. Antecedents of one
 * trace share one price, so it is scaled by the one of them that has least to spare. Shares
 * likewise.
 *
 * Most prices are used by less than one in a hundred of a sample's sets. So steps are larger there,
 * and go by a mean of the last few iterations, since what a single one finds leaps to and fro.
 *
 * An iteration: walk the cells' cheapest lists downwards from the sample's states (charge), scale
 * (balance), round down and fill the tables (fill). Prices never become 0: a cell whose value is 0
 * today may need them tomorrow.
 *
 * Each cell is charged, priced and filled by itself, so these go over the cells in as many ranges
 * as there are threads; and the sums of some antecedents do not need those of others. Whatever is
 * added up is added up in one order, so the tables are the same for any number of threads.
 */
#include <stdlib.h>
#include <string.h>

#include "cell.h"

struct price_ascent {
    corels_prices *prices;
    store arrays;
    int32_t *values; /* [states]: as those of the tables */
    float *mass;     /* [states]: how much of the sample is there */
    float *used;     /* as wishes: how much the lists use each price, see above */
    void *scratch;   /* [threads], of `share` bytes each: of filling, and what states err alone */
    size_t share;
    double step; /* of the iteration under way */
    float stays; /* part of the mean of what is used that an iteration leaves; 0: no sample */
    price_scale scale;
    int32_t *by_points; /* [cells]: those of fewest points first, to be filled beside their like */
};

void price_ascent_free(price_ascent *a) {
    if (!a) return;
    store_free(&a->arrays);
    free(a);
}

size_t price_ascent_bytes(const price_ascent *a) {
    return sizeof *a + a->arrays.bytes;
}

static void sort_by_points(price_ascent *a) {
    int32_t *to = a->by_points;
    for (int16_t points = 0; points <= PRICE_POINTS; points++)
        for (int32_t i = 0; i < a->prices->n; i++)
            if (a->prices->cells[i].points == points) *to++ = i;
}

price_ascent *price_ascent_new(corels_prices *p, const corels_sample *sample, size_t most) {
    size_t classes = (size_t)p->in.classes, threads = (size_t)team_size(p->team);
    price_ascent *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->prices = p;
    a->arrays.most = most;
    a->share = (price_fill_bytes(p) + 63) / 64 * 64; /* as much as gain_of needs */
    a->values = store_take(&a->arrays, p->states_n, sizeof *a->values);
    a->mass = store_take(&a->arrays, p->states_n, sizeof *a->mass);
    a->used = store_take(&a->arrays, p->traces_n * classes, sizeof *a->used);
    a->scratch =
        store_take(&a->arrays, threads < PRICE_THREADS ? threads : PRICE_THREADS, a->share);
    a->by_points = store_take(&a->arrays, (size_t)p->n, sizeof *a->by_points);
    if (!price_scale_new(&a->scale, p, &a->arrays)) {
        price_ascent_free(a);
        return NULL;
    }
    sort_by_points(a);
    memcpy(a->values, p->values, p->states_n * sizeof *a->values);
    price_place_sample(p, sample, a->mass);
    if (sample && sample->n) a->stays = (float)p->tune->prices_stays;
    return a;
}

/* About exp, by squaring, the same on every machine. */
static inline float grown(float x) {
    float y = 1 + x / 64;
    for (int i = 0; i < 6; i++) y *= y;
    return y;
}

/* Charges the points between two states that predicting c errs on. */
static void charge_points(price_ascent *a, const price_cell *cell, size_t from, size_t to, size_t c,
                          float mass, float *errors) {
    const corels_prices *p = a->prices;
    for (size_t i = 0; i < (size_t)cell->points; i++)
        if ((from & ~to) >> i & 1 && p->weights[(cell->member + i) * (size_t)p->in.classes + c])
            errors[i] += mass;
}

/* What the cheapest list does in state s: the trace and class of its first rule; -1 and the class
 * of the default if it has none. gain: of each class, what states cost less what they err alone.
 */
static int32_t choice(const price_ascent *a, const price_cell *cell, const int32_t *gain, size_t s,
                      size_t *class) {
    const corels_prices *p = a->prices;
    const int32_t *price = p->prices + cell->trace * (size_t)p->in.classes;
    int32_t t = -1;
    for (size_t c = 0; c < (size_t)p->in.classes && t < 0; c++, price += cell->traces) {
        *class = c;
        if (!gain[s]) return -1;
        t = p->kernel->first_step(p->traces + cell->trace, price, cell->traces, gain, s);
        gain += cell->states;
    }
    return t;
}

/* Whether none of sixteen states has anything of the sample; masses are not negative. */
static int none_there(const float *work) {
    uint64_t words[8], any = 0;
    memcpy(words, work, sizeof words);
    for (int i = 0; i < 8; i++) any |= words[i];
    return !any;
}

static void subtract_from(const int32_t *restrict values, size_t n, int32_t *restrict of) {
    for (size_t i = 0; i < n; i++) of[i] = values[i] - of[i];
}

/* What the cell's states cost, less what they err alone. */
static const int32_t *gain_of(price_ascent *a, const price_cell *cell, int32_t part) {
    const corels_prices *p = a->prices;
    size_t states = (size_t)cell->states, n = states * (size_t)p->in.classes;
    int32_t *gain = (int32_t *)((char *)a->scratch + (size_t)part * a->share);
    price_alone(p, cell, gain);
    for (size_t from = 0; from < n; from += states)
        subtract_from(a->values + cell->state, states, gain + from);
    return gain;
}

/* Walks the cell's cheapest lists from where the sample is, and adds up what they use. */
static void walk_cell(price_ascent *a, const price_cell *cell, const int32_t *gain, float *used,
                      float *errors) {
    const corels_prices *p = a->prices;
    size_t traces = (size_t)cell->traces;
    float work[PRICE_STATES], part = 1 - a->stays; /* how much comes by each state */
    memcpy(work, a->mass + cell->state, (size_t)cell->states * sizeof *work);
    for (size_t s = (size_t)cell->states; s-- > 1;) {
        size_t c = 0;
        if (s % 16 == 15 && none_there(work + s - 15)) {
            s -= 15;
            if (!s) break;
            continue;
        }
        if (work[s] <= 0) continue;
        int32_t t = choice(a, cell, gain, s, &c);
        size_t rest = 0; /* that the list's first rule leaves, or its default */
        if (t >= 0) {
            rest = s & ~(size_t)p->traces[cell->trace + (size_t)t];
            work[rest] += work[s];
            used[c * traces + (size_t)t] += part * work[s];
        }
        if (a->scale.shared) charge_points(a, cell, s, rest, c, work[s], errors);
    }
}

/* Prices and shares grow by use. */
static void charge(price_ascent *a, const price_cell *cell, int32_t part) {
    corels_prices *p = a->prices;
    size_t classes = (size_t)p->in.classes, n = (size_t)cell->traces * classes;
    float errors[PRICE_POINTS] = {0}, *used = a->used + cell->trace * classes;
    float *wishes = p->wishes + cell->trace * classes;
    for (size_t k = 0; k < n; k++) used[k] *= a->stays;
    walk_cell(a, cell, gain_of(a, cell, part), used, errors);
    for (size_t k = 0; k < n; k++) wishes[k] *= grown((float)a->step * used[k]);
    for (int32_t i = 0; a->scale.shared && i < cell->points; i++)
        p->shares[cell->member + (size_t)i] *= grown((float)a->step * errors[i]);
}

static void charge_range(void *ascent, int32_t part, int32_t from, int32_t to) {
    price_ascent *a = ascent;
    for (int32_t i = from; i < to; i++) charge(a, a->prices->cells + i, part);
}

static void fill_range(void *ascent, int32_t part, int32_t from, int32_t to) {
    price_ascent *a = ascent;
    price_fill(a->prices, a->by_points + from, to - from, a->values,
               (char *)a->scratch + (size_t)part * a->share);
}

void price_refill(price_ascent *a) {
    const corels_prices *p = a->prices;
    team_ranges(p->team, PRICE_THREADS, p->n, CORELS_PRICE_LANES, fill_range, a);
}

void price_ascend(price_ascent *a, double step) {
    corels_prices *p = a->prices;
    a->step = step;
    if (step > 0) team_ranges(p->team, PRICE_THREADS, p->n, 1, charge_range, a);
    if (step <= 0 || a->scale.shared) price_scale_shares(&a->scale);
    price_scale_prices(&a->scale);
    price_refill(a);
}

void price_hand_over(const price_ascent *a) {
    memcpy(a->prices->values, a->values, a->prices->states_n * sizeof *a->values);
}

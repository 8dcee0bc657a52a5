/* From a group of points to a cell: its traces, and the states that rules can leave of it.
 *
 * States are found breadth first from the whole cell, taking out one trace after another, and kept
 * apart by a small hash table. They are then numbered by their size, so that a rule leads to a
 * lower number; the last one is the whole cell. Small tables need the traces alone.
 */
#include <string.h>

#include "bits.h"
#include "cover.h"

enum { SLOTS = 4 * PRICE_STATES, TRACES = 256 };

struct price_scratch {
    uint64_t trace[TRACES];
    uint8_t number[TRACES]; /* of a trace that is less than TRACES */
    int32_t traces, states;
    uint8_t *of;                       /* [stride] */
    uint64_t subset[PRICE_STATES + 1]; /* as found */
    uint64_t sorted[PRICE_STATES + 1]; /* by size */
    uint64_t key[SLOTS];
    int16_t slot[SLOTS]; /* the number of the state in the slot, -1: none */
    uint64_t *captured;  /* [antecedents]: of the group */
};

price_scratch *price_scratch_new(const corels_prices *prices, store *all) {
    price_scratch *s = store_take(all, 1, sizeof *s);
    if (!s) return NULL;
    s->of = store_take(all, (size_t)prices->stride, 1);
    s->captured = store_take(all, (size_t)prices->in.antecedents, sizeof *s->captured);
    memset(s->slot, 0xff, sizeof s->slot);
    return s;
}

size_t price_scratch_bytes(const corels_prices *prices) {
    return sizeof(price_scratch) + (size_t)prices->stride +
           ((size_t)prices->in.antecedents + 1) * sizeof(uint64_t);
}

/* What the members of a chain capture of the group, the lowest first: more points with each. */
static void capture_chain(const chains *by, int32_t chain, price_scratch *s,
                          const price_group *group, uint64_t all) {
    const int32_t *member = by->member + by->first[chain];
    int32_t n = by->first[chain + 1] - by->first[chain], k = 0;
    for (uint64_t inside = 0; k < n;) {
        int32_t next = n; /* from here on a further point is inside */
        for (int32_t i = 0; i < group->points; i++) {
            int32_t rank = by->rank[(size_t)group->point[i] * (size_t)by->n + (size_t)chain];
            if (rank <= k)
                inside |= UINT64_C(1) << i;
            else if (rank < next)
                next = rank;
        }
        for (; k < next; k++)
            s->captured[member[k] < 0 ? ~member[k] : member[k]] =
                member[k] < 0 ? all & ~inside : inside;
    }
}

static void capture(const price_cover *cover, price_scratch *s, const price_group *group,
                    uint64_t all) {
    const chains *by = &cover->chains;
    for (int32_t k = 0; k < by->n; k++) capture_chain(by, k, s, group, all);
    for (int32_t k = 0; k < by->rest_n; k++) s->captured[by->rest[k]] = 0;
    for (int32_t i = 0; i < group->points; i++)
        for (size_t w = 0; w < cover->words; w++)
            for (uint64_t left = cover->patterns[(size_t)group->point[i] * cover->words + w]; left;
                 left &= left - 1)
                s->captured[by->rest[64 * w + (size_t)corels_lowest(left)]] |= UINT64_C(1) << i;
}

/* The number of a trace that is known, or as many as there are. Those of few points stand in a
 * table by themselves: numbers left there from a group before name another trace now, or none. */
static int32_t known_trace(price_scratch *s, uint64_t trace) {
    int32_t t = 0;
    if (trace < TRACES) {
        t = s->number[trace];
        return t < s->traces && s->trace[t] == trace ? t : s->traces;
    }
    while (t < s->traces && s->trace[t] != trace) t++;
    return t;
}

/* The number of a trace, new or known; -1 where there are too many. */
static int32_t trace_number(price_scratch *s, uint64_t trace) {
    int32_t t = known_trace(s, trace);
    if (t < s->traces) return t;
    if (t == PRICE_TRACES) return -1;
    s->trace[t] = trace;
    if (trace < TRACES) s->number[trace] = (uint8_t)t;
    return s->traces++;
}

static int find_traces(const corels_prices *prices, price_scratch *s, uint64_t all) {
    int many = corels_ones(all) > PRICE_BITS;
    s->traces = 0;
    for (int32_t r = 0; r < prices->in.antecedents; r++) {
        uint64_t captured = s->captured[r];
        if (!captured || captured == all) continue;
        int32_t t = trace_number(s, captured);
        if (t < 0 || (many && t + 1 >= PRICE_BITS)) return 0;
        s->of[r] = (uint8_t)t;
    }
    for (int32_t r = 0; r < prices->in.antecedents; r++)
        if (!s->captured[r] || s->captured[r] == all)
            s->of[r] = (uint8_t)(s->traces + (s->captured[r] == all));
    for (int32_t r = prices->in.antecedents; r < prices->stride; r++) s->of[r] = 0;
    return 1;
}

static uint32_t slot_of(const price_scratch *s, uint64_t subset) {
    uint32_t at = (uint32_t)((subset * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % SLOTS;
    while (s->slot[at] >= 0 && s->key[at] != subset) at = (at + 1) % SLOTS;
    return at;
}

/* False where there are too many states. */
static int add_state(price_scratch *s, uint64_t subset) {
    uint32_t at = slot_of(s, subset);
    if (s->slot[at] >= 0) return 1;
    if (s->states == PRICE_STATES) return 0;
    s->key[at] = subset;
    s->slot[at] = (int16_t)s->states;
    s->subset[s->states++] = subset;
    return 1;
}

static void forget_states(price_scratch *s) {
    if (s->states * 8 > SLOTS)
        memset(s->slot, 0xff, sizeof s->slot);
    else
        for (int32_t i = s->states; i-- > 0;) /* the last first: no search passes a gap */
            s->slot[slot_of(s, s->subset[i])] = -1;
    s->states = 0;
}

static int find_states(price_scratch *s, uint64_t all) {
    int fits = add_state(s, all) && add_state(s, 0);
    for (int32_t i = 0; fits && i < s->states; i++)
        for (int32_t t = 0; fits && t < s->traces; t++)
            fits = add_state(s, s->subset[i] & ~s->trace[t]);
    return fits;
}

/* Numbers the states by their size. */
static void sort_states(price_scratch *s) {
    int32_t first[66] = {0};
    for (int32_t i = 0; i < s->states; i++) first[corels_ones(s->subset[i]) + 1]++;
    for (int32_t i = 0; i < 65; i++) first[i + 1] += first[i];
    for (int32_t i = 0; i < s->states; i++)
        s->sorted[first[corels_ones(s->subset[i])]++] = s->subset[i];
    for (int32_t i = 0; i < s->states; i++) s->slot[slot_of(s, s->sorted[i])] = (int16_t)i;
}

static void store_states(corels_prices *p, const price_scratch *s) {
    uint16_t *next = p->next + p->used[N_NEXT];
    memcpy(p->of + (size_t)p->n * (size_t)p->stride, s->of, (size_t)p->stride);
    memcpy(p->subsets + p->used[N_SUBSETS], s->sorted, (size_t)s->states * sizeof *p->subsets);
    for (int32_t i = 0; i < s->states; i++)
        for (int32_t t = 0; t < s->traces; t++)
            *next++ = (uint16_t)s->slot[slot_of(s, s->sorted[i] & ~s->trace[t])];
}

static void store_captures(corels_prices *p, const price_scratch *s) {
    uint8_t *of = p->of + (size_t)p->n * (size_t)p->stride;
    memset(of, 0, (size_t)p->stride);
    for (int32_t r = 0; r < p->in.antecedents; r++) of[r] = (uint8_t)s->captured[r];
}

/* The group as a cell, in which every point has its whole weight. 0: no memory. */
static int append(corels_prices *p, const price_scratch *s, const price_group *group) {
    int32_t states = p->small ? 1 << group->points : s->states;
    if (p->small && states < SMALL_LEAST) states = SMALL_LEAST;
    price_cell whole = {.points = group->points, .traces = s->traces, .states = states};
    price_sizes sizes;
    const price_cell *cell = price_reserve(p, whole, sizes, 0);
    if (!cell) return 0;
    if (p->small)
        store_captures(p, s);
    else
        store_states(p, s);
    memcpy(p->members + cell->member, group->point, sizes[N_MEMBERS] * sizeof *p->members);
    if (s->traces) /* there may be none so far, and then no memory for them */
        memcpy(p->traces + cell->trace, s->trace, sizes[N_TRACES] * sizeof *p->traces);
    for (size_t i = 0; i < sizes[N_MEMBERS]; i++) p->shares[cell->member + i] = 1;
    size_t classes = (size_t)p->in.classes;
    for (size_t i = 0; i < sizes[N_TRACES] * classes; i++) p->wishes[cell->trace * classes + i] = 1;
    price_added(p, sizes);
    return 1;
}

/* Whether predicting one class errs nowhere. */
static int of_one_class(const corels_prices *prices, const price_group *group) {
    for (int32_t c = 0; c < prices->in.classes; c++) {
        int64_t sum = 0;
        for (int32_t i = 0; i < group->points; i++)
            sum += prices->in.regrets[(size_t)c * prices->in.points + group->point[i]];
        if (!sum) return 1;
    }
    return 0;
}

int price_add_cell(corels_prices *prices, price_scratch *s, const price_group *whole,
                   const price_cover *cover) {
    price_group group = *whole;
    for (; group.points > 1 && !of_one_class(prices, &group); group.points--) {
        uint64_t all = all_of_word(group.points, 0);
        capture(cover, s, &group, all);
        int fits = find_traces(prices, s, all) && (prices->small || find_states(s, all)), done = 1;
        if (fits) {
            sort_states(s);
            done = append(prices, s, &group);
        }
        forget_states(s);
        if (fits) return done;
    }
    return 1;
}

/* From a group of points to a cell: its traces, and the states that rules can leave of it.
 *
 * States are found breadth first from the whole cell, taking out one trace after another, and kept
 * apart by a small hash table. They are then numbered by their size, so that a rule leads to a
 * lower number; the last one is the whole cell. Small tables need the traces alone.
 */
#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "cover.h"

enum { SLOTS = 4 * PRICE_STATES, TRACES = 256 };

struct price_scratch {
    store arrays;
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

price_scratch *price_scratch_new(const corels_prices *prices) {
    price_scratch *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->of = store_take(&s->arrays, (size_t)prices->stride, 1);
    s->captured = store_take(&s->arrays, (size_t)prices->in.antecedents, sizeof *s->captured);
    memset(s->slot, 0xff, sizeof s->slot);
    if (!s->arrays.failed) return s;
    price_scratch_free(s);
    return NULL;
}

void price_scratch_free(price_scratch *s) {
    if (s) store_free(&s->arrays);
    free(s);
}

size_t price_scratch_bytes(const corels_prices *prices) {
    return sizeof(price_scratch) + (size_t)prices->stride +
           ((size_t)prices->in.antecedents + 1) * sizeof(uint64_t);
}

static uint64_t all_of(int32_t points) {
    return points == 64 ? ~UINT64_C(0) : (UINT64_C(1) << points) - 1;
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
    uint16_t *next = p->next + p->next_n;
    memcpy(p->of + (size_t)p->n * (size_t)p->stride, s->of, (size_t)p->stride);
    memcpy(p->subsets + p->subsets_n, s->sorted, (size_t)s->states * sizeof *p->subsets);
    for (int32_t i = 0; i < s->states; i++)
        for (int32_t t = 0; t < s->traces; t++)
            *next++ = (uint16_t)s->slot[slot_of(s, s->sorted[i] & ~s->trace[t])];
}

static void store_captures(corels_prices *p, const price_scratch *s) {
    uint8_t *of = p->of + (size_t)p->n * (size_t)p->stride;
    memset(of, 0, (size_t)p->stride);
    for (int32_t r = 0; r < p->in.antecedents; r++) of[r] = (uint8_t)s->captured[r];
}

static price_sizes sizes_of(const corels_prices *p, const price_scratch *s,
                            const price_group *group) {
    price_sizes sizes = {.points = (size_t)group->points, .traces = (size_t)s->traces};
    if (p->small) {
        sizes.states = (size_t)1 << group->points;
        if (sizes.states < SMALL_LEAST) sizes.states = SMALL_LEAST;
    } else {
        sizes.states = sizes.subsets = (size_t)s->states;
        sizes.next = (size_t)s->states * (size_t)s->traces;
        sizes.records = price_records(sizes.traces, sizes.states);
    }
    return sizes;
}

static void append(corels_prices *p, const price_scratch *s, const price_group *group,
                   const price_sizes *sizes) {
    p->cells[p->n] =
        (price_cell){group->points, s->traces, (int32_t)sizes->states, p->members_n, p->traces_n,
                     p->states_n,   p->next_n};
    if (p->small)
        store_captures(p, s);
    else
        store_states(p, s);
    memcpy(p->members + p->members_n, group->point, (size_t)group->points * sizeof *p->members);
    if (s->traces) /* there may be none so far, and then no memory for them */
        memcpy(p->traces + p->traces_n, s->trace, (size_t)s->traces * sizeof *p->traces);
    for (int32_t i = 0; i < group->points; i++) p->shares[p->members_n + (size_t)i] = 1;
    for (int32_t i = 0; i < s->traces * p->in.classes; i++)
        p->wishes[p->traces_n * (size_t)p->in.classes + (size_t)i] = 1;
    price_added(p, sizes);
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
        uint64_t all = all_of(group.points);
        capture(cover, s, &group, all);
        int fits = find_traces(prices, s, all) && (prices->small || find_states(s, all)), room = 0;
        if (fits) {
            price_sizes sizes = sizes_of(prices, s, &group);
            sort_states(s);
            room = price_reserve(prices, &sizes, 0);
            if (room) append(prices, s, &group, &sizes);
        }
        forget_states(s);
        if (fits) return room;
    }
    return 1;
}

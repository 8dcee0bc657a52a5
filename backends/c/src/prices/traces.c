/* From a group of points to a cell: its parts, what each antecedent takes of it, and its traces. */
#include <string.h>

#include "corels/bits.h"
#include "cover.h"

struct price_scratch {
    uint32_t part[PRICE_BITS]; /* sets of points, bit i = the group's point i; as `captured` */
    int32_t parts;
    uint8_t trace[PRICE_TRACES];
    int32_t traces;
    uint32_t *captured; /* [antecedents] */
    uint8_t *of;        /* [stride]: the parts that each antecedent takes */
};

price_scratch *price_scratch_new(const corels_prices *prices, store *all) {
    price_scratch *s = store_take(all, 1, sizeof *s);
    if (!s) return NULL;
    s->captured = store_take(all, (size_t)prices->stride, sizeof *s->captured);
    s->of = store_take(all, (size_t)prices->stride, 1);
    return s;
}

static void capture(const price_cover *cover, price_scratch *s, const price_group *group) {
    memset(s->captured, 0, (size_t)cover->prices->in.antecedents * sizeof *s->captured);
    for (int32_t i = 0; i < group->points; i++)
        for (size_t w = 0; w < cover->words; w++)
            for (uint64_t left = cover->patterns[(size_t)group->point[i] * cover->words + w]; left;
                 left &= left - 1)
                s->captured[64 * w + (size_t)corels_lowest(left)] |= UINT32_C(1) << i;
}

/* The parts: the points, or sets of them where there are more, which group.c has seen to be few. */
static void find_parts(price_scratch *s, const price_group *group, int32_t antecedents) {
    if (group->points > PRICE_BITS) {
        s->parts =
            price_parts(s->captured, antecedents, UINT32_MAX >> (32 - group->points), s->part);
        return;
    }
    s->parts = group->points;
    for (int32_t i = 0; i < s->parts; i++) s->part[i] = UINT32_C(1) << i;
}

/* The parts that each antecedent takes: those that lie in what it captures. */
static void find_taken(price_scratch *s, int32_t antecedents) {
    memset(s->of, 0, (size_t)antecedents);
    for (int32_t k = 0; k < s->parts; k++)
        for (int32_t r = 0; r < antecedents; r++)
            s->of[r] |= (uint8_t)(!(s->part[k] & ~s->captured[r]) << k);
}

/* The traces, in the order of the antecedents that make them. */
static void find_traces(price_scratch *s, int32_t antecedents) {
    uint8_t known[PRICE_STATES] = {[0] = 1};
    known[(1 << s->parts) - 1] = 1; /* neither splits the cell */
    s->traces = 0;
    for (int32_t r = 0; r < antecedents; r++) {
        uint8_t of = s->of[r];
        if (!known[of]) s->trace[s->traces++] = of;
        known[of] = 1;
    }
}

/* The parts that contain the group's point i. */
static uint8_t needed(const price_scratch *s, size_t i) {
    uint8_t found = 0;
    for (int32_t k = 0; k < s->parts; k++) found |= (uint8_t)((s->part[k] >> i & 1) << k);
    return found;
}

/* The group as a cell, in which every point has its whole weight. 0: no memory. */
static int append(corels_prices *p, const price_scratch *s, const price_group *group) {
    price_cell whole = {.points = (int16_t)group->points,
                        .parts = (int16_t)s->parts,
                        .traces = (int16_t)s->traces,
                        .states = (int16_t)price_states(s->parts)};
    price_sizes sizes;
    const price_cell *cell = price_reserve(p, whole, sizes, 0);
    if (!cell) return 0;
    memcpy(p->of + (size_t)p->n * (size_t)p->stride, s->of, (size_t)p->stride);
    memcpy(p->members + cell->member, group->point, sizes[N_MEMBERS] * sizeof *p->members);
    if (s->traces) /* there may be none so far, and then no memory for them */
        memcpy(p->traces + cell->trace, s->trace, sizes[N_TRACES] * sizeof *p->traces);
    for (size_t i = 0; i < sizes[N_MEMBERS]; i++) {
        p->needs[cell->member + i] = needed(s, i);
        p->shares[cell->member + i] = 1;
    }
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

int price_add_cell(corels_prices *prices, price_scratch *s, const price_group *group,
                   const price_cover *cover) {
    if (group->points < 2 || of_one_class(prices, group)) return 1;
    capture(cover, s, group);
    find_parts(s, group, prices->in.antecedents);
    find_taken(s, prices->in.antecedents);
    find_traces(s, prices->in.antecedents);
    return append(prices, s, group);
}

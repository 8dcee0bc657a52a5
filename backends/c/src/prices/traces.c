/* From a group of points to a cell: what each antecedent captures of it, and its traces. */
#include <string.h>

#include "bits.h"
#include "cover.h"

struct price_scratch {
    uint8_t trace[PRICE_TRACES];
    int32_t traces;
    uint8_t *captured; /* [stride]: of the group */
};

price_scratch *price_scratch_new(const corels_prices *prices, store *all) {
    price_scratch *s = store_take(all, 1, sizeof *s);
    if (!s) return NULL;
    s->captured = store_take(all, (size_t)prices->stride, 1);
    return s;
}

size_t price_scratch_bytes(const corels_prices *prices) {
    return sizeof(price_scratch) + (size_t)prices->stride;
}

static void capture(const price_cover *cover, price_scratch *s, const price_group *group) {
    memset(s->captured, 0, (size_t)cover->prices->in.antecedents);
    for (int32_t i = 0; i < group->points; i++)
        for (size_t w = 0; w < cover->words; w++)
            for (uint64_t left = cover->patterns[(size_t)group->point[i] * cover->words + w]; left;
                 left &= left - 1)
                s->captured[64 * w + (size_t)corels_lowest(left)] |= (uint8_t)(1 << i);
}

/* The traces, in the order of the antecedents that make them. */
static void find_traces(const corels_prices *prices, price_scratch *s, uint8_t all) {
    uint8_t known[PRICE_STATES] = {[0] = 1};
    known[all] = 1; /* neither splits the cell */
    s->traces = 0;
    for (int32_t r = 0; r < prices->in.antecedents; r++) {
        uint8_t captured = s->captured[r];
        if (!known[captured]) s->trace[s->traces++] = captured;
        known[captured] = 1;
    }
}

/* The group as a cell, in which every point has its whole weight. 0: no memory. */
static int append(corels_prices *p, const price_scratch *s, const price_group *group) {
    price_cell whole = {.points = (int16_t)group->points,
                        .traces = (int16_t)s->traces,
                        .states = (int16_t)price_states(group->points)};
    price_sizes sizes;
    const price_cell *cell = price_reserve(p, whole, sizes, 0);
    if (!cell) return 0;
    memcpy(p->of + (size_t)p->n * (size_t)p->stride, s->captured, (size_t)p->stride);
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

int price_add_cell(corels_prices *prices, price_scratch *s, const price_group *group,
                   const price_cover *cover) {
    uint8_t all = (uint8_t)all_of_word(group->points, 0);
    if (group->points < 2 || of_one_class(prices, group)) return 1;
    capture(cover, s, group);
    find_traces(prices, s, all);
    return append(prices, s, group);
}

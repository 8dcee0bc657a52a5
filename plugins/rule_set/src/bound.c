#include "bound.h"

/* Longest list of eliminations kept. If it is too short, what is left counts as eliminated free
 * of charge, which is a weaker bound and still a bound. */
enum { LONGEST = 32 };

typedef struct {
    int64_t values[LONGEST]; /* falling */
    uint32_t chains[LONGEST];
    uint32_t count;
} largest;

/* The place that a new value takes from an older one: that of its own chain, or the last; count
 * if there is room for one more, limit if it is too small. */
static uint32_t place_for(const largest *list, int64_t value, uint32_t chain, uint32_t limit) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->chains[i] == chain) return value > list->values[i] ? i : limit;
    if (list->count < limit) return list->count;
    return value > list->values[limit - 1] ? limit - 1 : limit;
}

static void insert(largest *list, int64_t value, uint32_t chain, uint32_t limit) {
    uint32_t i = place_for(list, value, chain, limit);
    if (i == limit) return;
    if (i == list->count) list->count++;
    for (; i > 0 && list->values[i - 1] < value; i--) {
        list->values[i] = list->values[i - 1];
        list->chains[i] = list->chains[i - 1];
    }
    list->values[i] = value;
    list->chains[i] = chain;
}

/* The most that further conditions can save: elimination times scale minus their cost, t >= 1. */
static int64_t best_saving(const largest *list, int64_t negative, const bound_context *c) {
    int64_t saving = 0, left = negative;
    for (uint32_t t = 0; t < list->count; t++) {
        int64_t taken = list->values[t] < left ? list->values[t] : left;
        int64_t gain = taken * c->scale - c->condition_cost;
        if (t > 0 && gain <= 0) return saving;
        saving += gain;
        left -= taken;
    }
    if (list->count == LONGEST && c->room > LONGEST) saving += left * c->scale;
    return saving;
}

void bound_children(child *children, uint32_t count, const bound_context *c) {
    largest list = {.count = 0};
    uint32_t limit = c->room < LONGEST ? c->room : LONGEST;
    for (uint32_t i = 0; i < count; i++) {
        child *ch = &children[i];
        ch->rank = i;
        ch->bound = INT64_MAX;
        if (i > 0)
            ch->bound =
                ch->negative * c->scale - best_saving(&list, ch->negative, c) - ch->duals + c->base;
        insert(&list, c->negatives - ch->negative, c->chain[ch->feature], limit);
    }
}

/* Blocks of similar points: where the search for a partition begins.
 *
 * A list errs within a block where its rules cannot tell the block's points apart. So the points of
 * a block should differ in few antecedents, and should not agree on a class. Each block begins with
 * the heaviest item that is left; then comes, again and again, the item that is nearest to the ones
 * there, by the sum of the distances, among those that the block's best class has wrong.
 *
 * That costs a distance for each pair of items, a few words each.
 */
#include <string.h>

#include "private.h"

int corels_patterns_new(corels_block_data *data, const tuning *tune) {
    int32_t most = (int32_t)tune->blocks_pattern_words * 64;
    data->pattern_step = (data->antecedents + most - 1) / most;
    data->pattern_words = (data->antecedents / data->pattern_step + 63) / 64;
    if (!data->pattern_words) data->pattern_words = 1;
    size_t points = (size_t)data->points, words = points * (size_t)data->pattern_words;
    data->patterns = store_take(&data->arrays, words, sizeof *data->patterns);
    data->pattern_ones = store_take(&data->arrays, points, sizeof *data->pattern_ones);
    return data->arrays.failed ? CORELS_NO_MEMORY : CORELS_OK;
}

int corels_patterns_add(corels_block_data *data, int32_t at) {
    if (at >= data->antecedents / data->pattern_step) return CORELS_DONE;
    const uint64_t *mask = data->masks + (size_t)at * (size_t)data->pattern_step * data->words;
    for (int32_t i = 0; i < data->points; i++) {
        uint64_t bit = mask[i / 64] >> (i % 64) & 1;
        data->patterns[(size_t)i * data->pattern_words + at / 64] |= bit << (at % 64);
        data->pattern_ones[i] += (int32_t)bit;
    }
    return CORELS_OK;
}

static void swap(corels_gathering *g, int64_t i, int64_t j) {
    corels_item item = g->items[i];
    int64_t far = g->far[i];
    g->items[i] = g->items[j], g->far[i] = g->far[j];
    g->items[j] = item, g->far[j] = far;
}

static void take(corels_gathering *g, int64_t i) {
    swap(g, g->end, i);
    const corels_item *last = g->items + g->end++;
    for (int32_t c = 0; c < g->data->classes; c++)
        g->sums[c] += corels_item_regret(g->data, last, c);
    for (i = g->end; i < g->n; i++)
        g->far[i] += g->items[i].point == last->point
                         ? CORELS_APART
                         : corels_distance(g->data, g->items[i].point, last->point);
}

static int64_t heaviest(const corels_gathering *g) {
    int64_t best = g->end;
    for (int64_t i = g->end + 1; i < g->n; i++)
        if (g->items[i].weight > g->items[best].weight) best = i;
    return best;
}

/* The nearest item that the block's best class has wrong, or else the nearest of all. */
static int64_t nearest(const corels_gathering *g) {
    int32_t best_class = 0;
    int64_t best = -1;
    for (int32_t c = 1; c < g->data->classes; c++)
        if (g->sums[c] <= g->sums[best_class]) best_class = c;
    for (int all = 0; best < 0 && all < 2; all++)
        for (int64_t i = g->end; i < g->n; i++) {
            if (!all && !corels_item_regret(g->data, g->items + i, best_class)) continue;
            if (best < 0 || g->far[i] < g->far[best]) best = i;
        }
    return best;
}

void corels_gathering_new(corels_gathering *g, const corels_block_data *data, corels_item *items,
                          int64_t n, store *scratch) {
    *g = (corels_gathering){.data = data, .items = items, .n = n};
    g->far = store_take(scratch, (size_t)n, sizeof *g->far);
    g->sums = store_take(scratch, (size_t)data->classes, sizeof *g->sums);
}

void corels_gathering_add(corels_gathering *g, int64_t size) {
    g->begin = g->end;
    memset(g->far, 0, (size_t)g->n * sizeof *g->far);
    memset(g->sums, 0, (size_t)g->data->classes * sizeof *g->sums);
    if (size) take(g, heaviest(g));
    while (g->end < g->begin + size) take(g, nearest(g));
}

/* The partition: which points share a block.
 *
 * A random partition proves next to nothing: the points of a block must be hard to tell apart for
 * the antecedents, so that few rules leave errors within it. So it begins with blocks of similar
 * points (similar.c), and a local search makes them better (improve.c). Both count steps, not time,
 * and draw from a seeded generator, so that runs repeat.
 *
 * A heavy point pays in its block only up to what the lighter ones there can set against it.
 * Points heavier than `heavy` are therefore split into items of near-equal weight that may lie in
 * different blocks: the bound only asks that the items of a point weigh no more than the point.
 */
#include <stdlib.h>
#include <string.h>

#include "score.h"

static int32_t weight_of(const corels_block_data *data, int32_t point) {
    int64_t sum = 0;
    for (int32_t c = 0; c < data->classes; c++)
        sum += data->regrets[(size_t)c * data->points + point];
    return (int32_t)(sum < INT32_MAX ? sum : INT32_MAX);
}

static int32_t parts_of(int32_t weight, int32_t heavy) {
    int64_t parts = heavy > 0 ? ((int64_t)weight + heavy - 1) / heavy : 1;
    return (int32_t)(parts < 1 ? 1 : parts > 32 ? 32 : parts);
}

/* The heaviest items first, among equals in random order. */
static int falling(const void *x, const void *y) {
    const corels_item *a = x, *b = y;
    if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
    return (a->draw > b->draw) - (a->draw < b->draw);
}

int64_t corels_partition_items(const corels_block_data *data, const corels_blocks_options *options,
                               uint64_t *random, corels_item *items) {
    int64_t n = 0;
    for (int32_t point = 0; point < data->points; point++) {
        int32_t weight = weight_of(data, point), parts = parts_of(weight, options->heavy);
        for (int32_t part = 0; weight && part < parts; part++, n++)
            if (items)
                items[n] = (corels_item){point, part, parts, weight / parts, next_random(random)};
    }
    return n;
}

static void put(corels_partition *partition, const corels_block_data *data, int32_t place,
                const corels_item *what) {
    partition->point[place] = what->point;
    for (int32_t c = 0; c < data->classes; c++)
        partition->regret[(size_t)c * partition->places + place] =
            corels_item_regret(data, what, c);
}

static int take_places(corels_partition *partition, int32_t classes, store *arrays) {
    size_t n = (size_t)partition->places, all = n * (size_t)classes;
    partition->point = store_take(arrays, n, sizeof *partition->point);
    partition->regret = store_take(arrays, all, sizeof *partition->regret);
    return !arrays->failed;
}

int corels_partition_new(corels_partition *partition, const corels_block_data *data,
                         const corels_blocks_options *options, uint64_t *random,
                         corels_items *items, store *arrays) {
    int64_t n = corels_partition_items(data, options, NULL, NULL), bits = options->block_points;
    int64_t most = bits * (int64_t)options->most_blocks;
    items->taken = n < most ? n : most;
    *partition = (corels_partition){.bits = (int32_t)bits};
    partition->blocks = (int32_t)((items->taken + bits - 1) / bits);
    partition->places = partition->blocks * (int32_t)bits;
    items->list = malloc((size_t)(n + 1) * sizeof *items->list);
    if (!items->list || !take_places(partition, data->classes, arrays)) return CORELS_NO_MEMORY;
    corels_partition_items(data, options, random, items->list);
    qsort(items->list, (size_t)n, sizeof *items->list, falling);
    for (int32_t i = 0; i < partition->places; i++) partition->point[i] = -1;
    return CORELS_OK;
}

int corels_partition_copy(corels_partition *partition, const corels_partition *from,
                          int32_t classes, store *arrays) {
    size_t points = (size_t)from->places * sizeof *from->point, regrets = points * (size_t)classes;
    *partition = *from;
    if (!take_places(partition, classes, arrays)) return 0;
    memcpy(partition->point, from->point, points);
    memcpy(partition->regret, from->regret, regrets);
    return 1;
}

void corels_partition_fill(corels_partition *partition, const corels_block_data *data,
                           const corels_items *items) {
    const corels_item *next = items->list;
    for (int64_t b = 0; b < partition->blocks; b++)
        for (int64_t at = 0; at < corels_block_size(items->taken, partition->blocks, b); at++)
            put(partition, data, (int32_t)(b * partition->bits + at), next++);
}

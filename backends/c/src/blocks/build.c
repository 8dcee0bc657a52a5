/* Building blocks, piece by piece.
 *
 * A building is a list of works: make the patterns of the points, choose the items, gather similar
 * ones, prepare the local search, exchange items, fill the tables. A piece is a small part of one
 * work: an antecedent, a block, an exchange. The result depends on the arguments alone, not on
 * where the pieces are cut.
 */
#include <stdlib.h>
#include <string.h>

#include "private.h"

struct corels_blocks_building {
    corels_blocks *blocks;
    corels_block_data data;
    corels_blocks_options options;
    uint64_t random;
    corels_items items;
    corels_gathering gathering;
    corels_climb *climb;
    corels_filling *filling;
    int work;
    int64_t at; /* pieces of the work that are done */
};

typedef corels_blocks_building building;

int corels_blocks_valid(const corels_instance *in, const corels_blocks_options *o) {
    int32_t bits = o->block_points;
    return in->antecedents > 0 && in->points > 0 && in->classes > 0 &&
           (bits == 4 || bits == 8 || bits == 12 || bits == 16) && o->most_blocks > 0 &&
           o->swaps >= 0 && o->set_count >= 0 && o->set_count <= o->sets_given &&
           (!o->from || o->from->bits == bits);
}

/* Errors are shifted down where the sum over all blocks would not fit 16 bits: less sharp, sound.
 */
static int32_t shift_for(const corels_partition *partition, int32_t classes) {
    int64_t total = 0;
    for (int64_t i = 0; i < (int64_t)partition->places * classes; i++)
        total += partition->regret[i];
    int32_t shift = 0;
    while (total >> shift > 65000) shift++;
    return shift;
}

/* What the works have taken is there. */
static int taken(const building *b) {
    return b->data.arrays.failed ? CORELS_NO_MEMORY : CORELS_OK;
}

/* The works, in their order. Each does its piece number `at`; CORELS_DONE: there was none left. */

static int make_patterns(building *b) {
    return corels_patterns_add(&b->data, (int32_t)b->at);
}

static int choose_items(building *b) {
    const corels_blocks *from = b->options.from;
    corels_partition *partition = &b->blocks->partition;
    store *all = &b->blocks->arrays;
    if (b->at) return CORELS_DONE;
    if (from) {
        int ok = corels_partition_copy(partition, &from->partition, b->data.classes, all);
        return ok ? CORELS_OK : CORELS_NO_MEMORY;
    }
    int status = corels_partition_new(partition, &b->data, &b->options, &b->random, &b->items, all);
    if (status != CORELS_OK) return status;
    corels_gathering_new(&b->gathering, &b->data, b->items.list, b->items.taken, &b->data.arrays);
    return taken(b);
}

static int gather(building *b) {
    corels_partition *partition = &b->blocks->partition;
    if (b->options.from) return CORELS_DONE;
    if (b->at == partition->blocks) {
        corels_partition_fill(partition, &b->data, &b->items);
        return CORELS_DONE;
    }
    corels_gathering_add(&b->gathering,
                         corels_block_size(b->items.taken, partition->blocks, b->at));
    return CORELS_OK;
}

static int climbs(const building *b) {
    return b->blocks->partition.blocks >= 2 && b->options.swaps > 0;
}

static int prepare_climb(building *b) {
    if (!climbs(b)) return CORELS_DONE;
    if (b->at) return corels_climb_prepare(b->climb);
    b->climb =
        corels_climb_new(&b->blocks->partition, &b->data, b->options.weights, &b->data.arrays);
    return taken(b);
}

static int exchange(building *b) {
    if (!climbs(b) || b->at == b->options.swaps) return CORELS_DONE;
    corels_climb_try(b->climb, &b->random);
    return CORELS_OK;
}

static int fill(building *b) {
    if (b->at) return corels_filling_add(b->filling);
    int32_t each = 64 / b->blocks->bits;
    b->blocks->words = (b->blocks->partition.blocks + each - 1) / each;
    b->blocks->shift = shift_for(&b->blocks->partition, b->data.classes);
    b->filling = corels_filling_new(b->blocks, &b->data, &b->data.arrays);
    return b->filling ? taken(b) : CORELS_NO_MEMORY;
}

static int (*const works[])(building *) = {make_patterns, choose_items, gather,
                                           prepare_climb, exchange,     fill};
enum { WORKS = sizeof works / sizeof *works };

/* 0: no memory. */
static int copy_sets(corels_block_data *data, const corels_blocks_options *o) {
    size_t words = (size_t)data->words;
    data->set_count = o->set_count;
    data->sets = store_take(&data->arrays, (size_t)o->set_count * words, sizeof *data->sets);
    for (int64_t i = 0; data->sets && i < o->set_count; i++) {
        const uint64_t *set = o->sets + (size_t)(i * o->sets_given / o->set_count) * words;
        memcpy(data->sets + (size_t)i * words, set, words * sizeof *set);
    }
    return data->sets != NULL;
}

int corels_blocks_begin(corels_blocks_building **out, const corels_instance *in,
                        const corels_blocks_options *options) {
    *out = NULL;
    const corels_kernel_table *kernel = corels_kernel_table_current();
    if (!kernel || !corels_blocks_valid(in, options)) return CORELS_BAD_ARGUMENT;
    building *b = calloc(1, sizeof *b);
    if (!b) return CORELS_NO_MEMORY;
    b->options = *options;
    if (!b->options.tune) b->options.tune = &tuning_defaults;
    b->data = (corels_block_data){.kernel = kernel,
                                  .masks = in->masks,
                                  .regrets = in->regrets,
                                  .antecedents = in->antecedents,
                                  .points = in->points,
                                  .words = (in->points + 63) / 64,
                                  .classes = in->classes};
    b->random = options->seed * 2 + 1;
    for (int i = 0; i < 8; i++) next_random(&b->random);
    b->blocks = calloc(1, sizeof *b->blocks);
    if (!b->blocks || !copy_sets(&b->data, options) ||
        corels_patterns_new(&b->data, b->options.tune) != CORELS_OK) {
        corels_blocks_cancel(b);
        return CORELS_NO_MEMORY;
    }
    b->blocks->kernel = kernel;
    b->blocks->bits = options->block_points;
    b->blocks->groups = (in->points + 3) / 4;
    b->blocks->antecedents = in->antecedents;
    b->blocks->classes = in->classes;
    *out = b;
    return CORELS_OK;
}

int corels_blocks_build(corels_blocks_building *b) {
    int status = works[b->work](b);
    b->at++;
    if (status != CORELS_DONE) return status;
    b->at = 0;
    return ++b->work == WORKS ? CORELS_DONE : CORELS_OK;
}

corels_blocks *corels_blocks_finish(corels_blocks_building *b) {
    corels_blocks *blocks = b->blocks;
    b->blocks = NULL;
    corels_blocks_cancel(b);
    return blocks;
}

void corels_blocks_cancel(corels_blocks_building *b) {
    if (!b) return;
    free(b->items.list);
    store_free(&b->data.arrays);
    corels_blocks_free(b->blocks);
    free(b);
}

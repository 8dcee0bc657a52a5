/* Staging: blocks only where they pay.
 *
 * An easy instance is solved before the first blocks could be built. So the search begins without
 * any, builds blocks of 12 points after a number of counts, and of 16 points, sharper for three and
 * more rules but sixteen times as large, after many more. It goes by counts, not by time.
 */
#include <string.h>

#include "fast.h"

enum { MOST_BLOCKS = 256 };

/* Small first; see docs/internals/blocks.md for how these numbers were found. */
static const struct {
    int32_t points;
    int64_t swaps; /* a block */
    int32_t weights[5];
} plans[2] = {
    {12, 50, {0, 0, 2, 4, 0}},
    {16, 150, {0, 0, 1, 4, 0}},
};

static corels_blocks_options options_for(const struct corels_fast *fast) {
    /* A point is heavy where it alone pays for a rule, and a little more. */
    int64_t rule = fast->in.rule_cost / fast->in.unit, heavy = rule + rule / 4;
    int64_t blocks = fast->in.points / plans[fast->stage].points + 1;
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    corels_blocks_options options = {
        .block_points = plans[fast->stage].points,
        .families = 1,
        .most_blocks = MOST_BLOCKS,
        .heavy = heavy > INT32_MAX ? INT32_MAX : (int32_t)heavy,
        .swaps = plans[fast->stage].swaps * blocks,
        .seed = fast->options.seed,
    };
    memcpy(options.weights[0], plans[fast->stage].weights, sizeof options.weights[0]);
    return options;
}

/* Whether the tables are worth building: they cover the points, and leave the memo its memory. */
static int worthwhile(const struct corels_fast *fast, const corels_blocks_options *options) {
    int64_t blocks = fast->in.points / options->block_points + 1;
    if (blocks > options->most_blocks) return 0;
    size_t bytes = (size_t)blocks * 16 << options->block_points;
    return !fast->options.memory || bytes < fast->options.memory / 2;
}

int corels_next_stage(struct corels_fast *fast) {
    corels_blocks_options options = options_for(fast);
    corels_blocks *blocks = NULL;
    if (!worthwhile(fast, &options)) {
        fast->stage++;
        return CORELS_OK;
    }
    int status = corels_blocks_new(&blocks, fast->masks, fast->in.antecedents, fast->in.points,
                                   fast->regrets, fast->in.classes, &options);
    if (status != CORELS_OK) return status;
    corels_blocks_free(fast->blocks);
    fast->blocks = blocks;
    fast->stage++;
    return CORELS_OK;
}

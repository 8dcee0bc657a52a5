/* Staging: blocks only where they pay.
 *
 * An easy instance is solved before the first blocks could be built. So the search begins without
 * any, builds blocks of 12 points after a number of counts, and of 16 points, sharper for three and
 * more rules but sixteen times as large, after many more. It goes by counts, not by time.
 */
#include "fast.h"

/* Whether the tables are worth building: they cover the points, and leave the memo its memory. */
static int worthwhile(const struct corels_fast *fast, const corels_blocks_options *options) {
    int64_t blocks = fast->in.points / options->block_points + 1;
    if (blocks > options->most_blocks) return 0;
    size_t bytes = (size_t)blocks * 16 << options->block_points;
    return !fast->options.memory || bytes < fast->options.memory / 2;
}

int corels_next_stage(struct corels_fast *fast) {
    corels_blocks_options options = corels_blocks_stage(
        fast->stage, fast->in.rule_cost, fast->in.unit, fast->in.points, fast->options.seed);
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

/* Staging: blocks only where they pay.
 *
 * An easy instance is solved before the first blocks could be built. So the search begins without
 * any, builds blocks of 12 points after a number of counts, and of 16 points, sharper for three and
 * more rules but sixteen times as large, after many more. It goes by counts, not by time.
 */
#include "fast.h"

static corels_blocks_options options_for(const struct corels_fast *fast) {
    int64_t errors = fast->in.unit ? fast->in.rule_cost / fast->in.unit : 0;
    int64_t heavy = errors + errors / 4;
    corels_blocks_options options = {
        .block_points = fast->stage ? 16 : 12,
        .families = 1,
        .most_blocks = 512,
        .heavy = heavy > INT32_MAX ? INT32_MAX : (int32_t)heavy,
        .swaps = fast->stage ? 6000 : 3000,
        .seed = fast->options.seed,
    };
    return options;
}

int corels_next_stage(struct corels_fast *fast) {
    corels_blocks_options options = options_for(fast);
    corels_blocks *blocks = NULL;
    int status = corels_blocks_new(&blocks, fast->masks, fast->in.antecedents, fast->in.points,
                                   fast->regrets, fast->in.classes, &options);
    if (status != CORELS_OK) return status;
    corels_blocks_free(fast->blocks);
    fast->blocks = blocks;
    fast->stage++;
    return CORELS_OK;
}

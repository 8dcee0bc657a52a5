/* Staging: blocks only where they pay.
 *
 * An easy instance is solved before the first blocks could be built. So the search begins without
 * any, builds blocks of 12 points after a number of counts, and of 16 points, sharper for three and
 * more rules but sixteen times as large, after many more. It goes by counts, not by time.
 */
#include "fast.h"

int corels_next_stage(struct corels_fast *fast) {
    corels_blocks_options options = corels_blocks_stage(
        fast->stage, fast->in.rule_cost, fast->in.unit, fast->in.points, fast->options.seed);
    corels_blocks *blocks = NULL;
    int status = corels_blocks_new(&blocks, fast->masks, fast->in.antecedents, fast->in.points,
                                   fast->regrets, fast->in.classes, &options);
    if (status != CORELS_OK) return status;
    corels_blocks_free(fast->blocks);
    fast->blocks = blocks;
    fast->stage++;
    return CORELS_OK;
}

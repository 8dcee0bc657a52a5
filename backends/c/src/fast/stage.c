/* Staging: blocks only where they pay.
 *
 * An easy instance is solved before the first blocks could be built. So the search begins without
 * any, builds blocks of 12 points after a number of counts, and of 16 points, sharper for three and
 * more rules but sixteen times as large, after many more. It goes by counts, not by time.
 */
#include "fast.h"

/* Whether there is memory to build the tables, and a quarter of the limit left for the rest. */
static int affordable(const struct corels_fast *fast, size_t held, size_t bytes) {
    size_t limit = fast->options.memory;
    return !limit || (bytes < limit / 4 * 3 && bytes + held < limit);
}

/* The tables must cover the points: what they do not cover counts nothing. */
static int worthwhile(const struct corels_fast *fast, const corels_blocks_options *options) {
    return fast->in.points / options->block_points < options->most_blocks;
}

/* Without memory the search goes on with the blocks that it has. */
static void build(struct corels_fast *fast, const corels_blocks_options *options) {
    corels_blocks *blocks = NULL;
    size_t held = corels_bytes_but_memo(fast);
    if (fast->memo) held += corels_memo_used(fast->memo).bytes;
    size_t bytes = corels_blocks_needed(fast->in.antecedents, fast->in.points, fast->regrets,
                                        fast->in.classes, options);
    if (!affordable(fast, held, bytes)) return;
    if (corels_blocks_new(&blocks, fast->masks, fast->in.antecedents, fast->in.points,
                          fast->regrets, fast->in.classes, options) != CORELS_OK)
        return;
    if (fast->record && corels_record_blocks(fast->record, blocks) != CORELS_OK) {
        corels_blocks_free(blocks);
        return;
    }
    corels_blocks_free(fast->blocks);
    fast->blocks = blocks;
    if (held + bytes > fast->peak_building) fast->peak_building = held + bytes;
}

void corels_next_stage(struct corels_fast *fast) {
    corels_blocks_options options = corels_blocks_stage(
        fast->stage, fast->in.rule_cost, fast->in.unit, fast->in.points, fast->options.seed);
    if (worthwhile(fast, &options)) build(fast, &options);
    fast->stage++;
    corels_share_memory(fast);
}

/* Blocks: drop a child where every number of rules that it can still afford makes too many errors.
 *
 * With k more rules a completion of T = S \ r costs at least k * rule_cost + unit * V_k(T). The
 * child is dropped where that reaches its need for every k >= 1 (k = 0 is the default rule alone,
 * whose cost the incumbent already knows). For k so large that k * rule_cost reaches the need,
 * nothing has to be proved; where that takes more than the tables' seven rules, nothing is dropped.
 *
 * The limit of lane k is ceil((need - (1 + k) * rule_cost) / unit) - errors[r]: one division a lane
 * and node, a subtraction a child.
 */
#include "blocks_bound.h"

#include <string.h>

enum { MOST_BLOCKS = 256 };

/* Small first; see docs/internals/blocks.md for how these numbers were found. */
static const struct {
    int32_t points;
    int64_t swaps; /* a block */
    int32_t weights[5];
} plans[2] = {
    {12, 60, {0, 0, 2, 4, 0}},
    {16, 800, {0, 0, 2, 4, 0}},
};

corels_blocks_options corels_blocks_stage(int stage, int64_t rule_cost, int64_t unit,
                                          int32_t points, uint64_t seed) {
    /* A point is heavy where it alone pays for a rule, and a little more. */
    int64_t rule = rule_cost / unit, heavy = rule + rule / 4;
    int64_t blocks = points / plans[stage].points + 1;
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    corels_blocks_options options = {
        .block_points = plans[stage].points,
        .families = 1,
        .most_blocks = MOST_BLOCKS,
        .heavy = heavy > INT32_MAX ? INT32_MAX : (int32_t)heavy,
        .swaps = plans[stage].swaps * blocks,
        .seed = seed,
    };
    memcpy(options.weights[0], plans[stage].weights, sizeof options.weights[0]);
    return options;
}

static int64_t ceiling(int64_t x, int64_t unit) {
    return x > 0 ? (x - 1) / unit + 1 : -(-x / unit);
}

int32_t corels_keep_blocks(corels_node *node, const corels_blocks *blocks, const uint64_t *view,
                           int64_t need, int32_t *list, int32_t n) {
    int64_t base[CORELS_BLOCK_LANES + 1], limits[CORELS_BLOCK_LANES];
    for (int k = 0; k <= CORELS_BLOCK_LANES; k++)
        base[k] = ceiling(need - (1 + k) * node->rule_cost, node->unit);
    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i], errors = node->errors[r];
        for (int k = 0; k < CORELS_BLOCK_LANES; k++) limits[k] = base[k] - errors;
        if (base[CORELS_BLOCK_LANES] > errors ||
            !corels_blocks_prove(blocks, view, r, limits, CORELS_BLOCK_LANES - 1))
            list[kept++] = r;
    }
    if (kept < n) corels_lower(&node->floor, need); /* no more is asked of the blocks */
    return kept;
}

int64_t corels_blocks_least(const corels_blocks *blocks, const uint64_t *view, int32_t r,
                            int64_t rule_cost, int64_t unit, int64_t most) {
    int64_t errors[CORELS_BLOCK_LANES], least = CORELS_BLOCK_LANES * rule_cost;
    corels_blocks_errors(blocks, view, r, errors);
    for (int k = 0; k < CORELS_BLOCK_LANES; k++) {
        int64_t cost = k * rule_cost + unit * errors[k];
        if (cost < least) least = cost;
    }
    return least < most ? least : most;
}

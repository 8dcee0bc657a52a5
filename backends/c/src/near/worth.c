/* What is ruled out: rules behind which nothing that goes on fits into what is left to spend.
 *
 * Only bounds on cost may be used here. Bounds that show that *another* list is as good (reduced
 * support, dominance, similar support) would remove lists that count. `left` is what the budget
 * leaves behind the rule, for at least one more rule and a default; a list that costs exactly the
 * budget counts, so a bound must exceed `left`. Proofs: docs/internals/near.md.
 *
 *   one more rule    costs rule_cost at least
 *   second rule      where two more do not fit: the best gain of any one rule, from these counts
 *   blocks           errors of any list of k rules, for every k that fits
 *   `least`          whatever further bound the caller has
 */
#include <stdlib.h>

#include "near.h"

enum { FIRST_BLOCKS = 2000, LARGER_BLOCKS = 40000, MOST_BLOCKS = 256, LANES = 7 };

/* Takes the fresh blocks if there is memory for their views. */
static void take(corels_near *near, corels_blocks *fresh, int32_t points) {
    uint64_t *view = malloc((size_t)corels_blocks_view_words(fresh) * sizeof *view);
    if (!view || near_hold(near, corels_blocks_bytes(fresh)) != CORELS_OK) {
        free(view);
        corels_blocks_free(fresh);
        return;
    }
    if (near->blocks) near_release(near, corels_blocks_bytes(near->blocks));
    corels_blocks_free(near->blocks);
    free(near->view);
    near->blocks = fresh;
    near->view = view;
    near->block_points = points;
}

static void build(corels_near *near, int32_t points, int64_t swaps) {
    int64_t rule = near->in.rule_cost / near->in.unit, heavy = rule + rule / 4;
    int64_t blocks = near->in.front / points + 1;
    corels_blocks *fresh = NULL;
    corels_blocks_options options = {.block_points = points,
                                     .families = 1,
                                     .most_blocks = MOST_BLOCKS,
                                     .heavy = heavy > INT32_MAX ? INT32_MAX : (int32_t)heavy,
                                     .swaps = swaps * blocks,
                                     .weights = {{0, 0, 1, 2, 4}},
                                     .seed = near->options.seed};
    if (!near->in.rule_cost || blocks >= MOST_BLOCKS) return;
    size_t bytes = corels_blocks_needed(near->in.antecedents, near->in.front, near->regrets,
                                        near->in.classes, &options);
    if (near_hold(near, bytes) != CORELS_OK) return; /* then without, or with those there are */
    int status = corels_blocks_new(&fresh, near->front, near->in.antecedents, near->in.front,
                                   near->regrets, near->in.classes, &options);
    near_release(near, bytes);
    if (status == CORELS_OK) take(near, fresh, points);
}

/* Blocks take milliseconds: only where many sets need them. They stay for later budgets. */
void near_blocks_if_due(corels_near *near) {
    if (!near_blocks_due(near)) return;
    if (near->stage++ == 0)
        build(near, 12, 60);
    else
        build(near, 16, 800);
    if (near->blocks) corels_blocks_view(near->blocks, near->set, near->view);
}

int near_blocks_due(const corels_near *near) {
    return near->stage < 2 && near->counts_made >= (near->stage ? LARGER_BLOCKS : FIRST_BLOCKS);
}

/* Whether no single further rule fits, told from the counts of the set before rule r. */
static int second_rule(const corels_near *near, const int32_t *a, const int32_t *totals, int32_t r,
                       int64_t left) {
    const int32_t *b = a + near->stride;
    int64_t most = (left - near->in.rule_cost) / near->in.unit;
    int32_t left_a = totals[0] - a[r], left_b = totals[1] - b[r];
    size_t n = (size_t)near->in.antecedents;
    if (left_a <= most || left_b <= most) return 0;
    if (left_a - near->kernel->best_gain(a, b, n, left_a, b[r]) <= most) return 0;
    return left_b - near->kernel->best_gain(b, a, n, left_b, a[r]) > most;
}

static int blocks(const corels_near *near, const uint64_t *view, int32_t r, int64_t left) {
    int64_t limits[CORELS_BLOCK_LANES] = {0}, rule = near->in.rule_cost;
    int32_t lanes = 0;
    if (!rule || left / rule > LANES) return 0;
    for (int64_t k = 1; k * rule <= left; k++, lanes++)
        limits[k] = (left - k * rule) / near->in.unit + 1;
    return corels_blocks_prove(near->blocks, view, r, limits, lanes);
}

int near_worth(const corels_near *near, const int32_t *counts, const int32_t *totals,
               const uint64_t *view, int32_t r, int64_t left) {
    int64_t rule = near->in.rule_cost;
    if (left < rule) return 0;
    if (near->blocks && blocks(near, view, r, left)) return 0;
    return near->in.classes != 2 || left >= 2 * rule || !second_rule(near, counts, totals, r, left);
}

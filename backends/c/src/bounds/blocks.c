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
#include <math.h>
#include <stdlib.h>

#include "bounds.h"
#include "corels/blocks.h"

enum { STAGES = MOST_STAGES, FIRST = 2 };

/* Small first; in a long search large ones are made again and again, for sets that it has met. See
 * docs/internals/blocks.md for how the numbers were found. */
static int32_t points_of(int stage) {
    return stage ? 16 : 12;
}

typedef struct {
    tables head;
    tables_data data;
    corels_blocks *blocks;
    corels_blocks_building *building;
} block_tables;

static const corels_blocks *of(const tables *head) {
    return ((const block_tables *)head)->blocks;
}

static int64_t blocks_in(const tables_data *data, int stage) {
    return data->in.points / points_of(stage) + 1;
}

static int64_t swaps_of(const tuning *t, int stage) {
    if (!stage) return t->blocks_swaps;
    return stage < FIRST ? t->blocks_larger_swaps : t->blocks_best_swaps;
}

static corels_blocks_options options_of(const tables_data *data, int stage) {
    const tuning *t = data->tune;
    /* A point is heavy where it alone pays for a rule, and a little more. */
    int64_t rule = data->in.rule_cost / data->in.unit, heavy = rule + rule / 4;
    int64_t blocks = blocks_in(data, stage);
    if (blocks > t->blocks_most) blocks = t->blocks_most;
    return (corels_blocks_options){
        .block_points = points_of(stage),
        .most_blocks = (int32_t)t->blocks_most,
        .heavy = heavy > INT32_MAX ? INT32_MAX : (int32_t)heavy,
        .swaps = swaps_of(t, stage) * blocks,
        .weights = {0, 0, (int32_t)t->blocks_weight_2,
                    stage < FIRST ? (int32_t)t->blocks_weight_3 : 0, 0},
        .seed = data->seed,
        .tune = t,
    };
}

/* The tables must cover the points: what they do not cover counts nothing. */
static int worthwhile(const tables_data *data, int stage) {
    return data->in.antecedents > 0 && data->in.points > 0 &&
           data->in.points / points_of(stage) < data->tune->blocks_most;
}

static void free_blocks(tables *head) {
    block_tables *t = (block_tables *)head;
    if (t->building) corels_blocks_cancel(t->building);
    corels_blocks_free(t->blocks);
    free(t);
}

static size_t bytes(const tables *head) {
    return sizeof(block_tables) + (of(head) ? corels_blocks_bytes(of(head)) : 0);
}

static void view_of(const tables *head, const view_source *from, uint64_t *view) {
    if (from->above)
        corels_blocks_child(of(head), from->above, from->r, view);
    else
        corels_blocks_view(of(head), from->set, view);
}

static int64_t ceiling(int64_t x, int64_t unit) {
    return x > 0 ? (x - 1) / unit + 1 : -(-x / unit);
}

static int64_t least(const tables *head, const uint64_t *view, int32_t r, int64_t most) {
    const tables_data *data = &((const block_tables *)head)->data;
    int64_t errors[CORELS_BLOCK_LANES], found = CORELS_BLOCK_LANES * data->in.rule_cost;
    corels_blocks_errors(of(head), view, r, errors);
    for (int k = 0; k < CORELS_BLOCK_LANES; k++) {
        int64_t cost = k * data->in.rule_cost + data->in.unit * errors[k];
        if (cost < found) found = cost;
    }
    return found < most ? found : most;
}

static int32_t keep(const tables *head, const uint64_t *view, node_view *node, int32_t *list,
                    int32_t n) {
    const tuning *t = node->tune;
    int64_t base[CORELS_BLOCK_LANES + 1], limits[CORELS_BLOCK_LANES];
    for (int k = 0; k <= CORELS_BLOCK_LANES; k++)
        base[k] = ceiling(node->need - (1 + k) * node->rule_cost, node->unit);
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t r = list[i], errors = node->errors[r];
        for (int k = 0; k < CORELS_BLOCK_LANES; k++) limits[k] = base[k] - errors;
        if (base[CORELS_BLOCK_LANES] > errors || !corels_blocks_prove(of(head), view, r, limits))
            list[kept++] = r;
    }
    if (kept < n) lower(&node->floor, node->need); /* no more is asked of the blocks */
    node->said = least(head, view, -1, INT64_MAX);
    node->looked =
        (n + 1) * (t->blocks_look_child + t->blocks_look_block * corels_blocks_count(of(head)));
    return kept;
}

static int begin(block_tables *t, int stage, const build_budget *budget) {
    const tables_data *d = &t->data;
    if (!worthwhile(d, stage)) return CORELS_BAD_ARGUMENT;
    corels_blocks_options options = options_of(d, stage);
    if (stage >= FIRST) { /* for sets that the search has met, from the blocks that there are */
        int64_t all = budget->sample.n, most = d->tune->blocks_best_sets;
        if (!all) return CORELS_BAD_ARGUMENT;
        options.sets = budget->sample.sets;
        options.sets_given = all;
        options.set_count = (int32_t)(all < most ? all : most);
        options.from = t->blocks;
    }
    size_t needed = corels_blocks_needed(&d->in, &options);
    if (needed > budget->room) return CORELS_NO_MEMORY;
    int status = corels_blocks_begin(&t->building, &d->in, &options);
    if (status == CORELS_OK) t->head.reserved = needed;
    return status;
}

static void take(block_tables *t, const build_budget *budget) {
    corels_blocks_free(t->blocks);
    t->blocks = corels_blocks_finish(t->building);
    t->building = NULL;
    t->head.view_words = corels_blocks_view_words(t->blocks);
    if (budget->proof) t->head.unrecorded = !corels_blocks_record(t->blocks, budget->proof);
}

static int build(tables *head, int stage, const build_budget *budget) {
    block_tables *t = (block_tables *)head;
    int status = t->building ? CORELS_OK : begin(t, stage, budget);
    if (status != CORELS_OK) return status;
    do status = corels_blocks_build(t->building);
    while (status == CORELS_OK && !control_due(budget->control, budget->pace));
    if (status == CORELS_DONE)
        take(t, budget);
    else if (status != CORELS_OK) {
        corels_blocks_cancel(t->building);
        t->building = NULL;
    }
    return status;
}

/* Large blocks take long: so many counts of the walk for each of them come first, at least. Where
 * none will be built the usual count does: thresholds do not rise before the stage is passed. They
 * do not wait for blocks made again, which are due after so much time of the walk, estimated from
 * its counts, for each exchange, and each further time after so many times as many counts. */
static int64_t due(const tables_data *data, int stage) {
    const tuning *t = data->tune;
    if (!stage) return t->blocks_after;
    if (stage >= FIRST)
        return (int64_t)(t->blocks_best_after * pow(t->blocks_best_later, stage - FIRST) *
                         (double)(swaps_of(t, stage) * blocks_in(data, stage)) /
                         counting_time(data->in.points, data->in.antecedents));
    int64_t least = t->blocks_larger_counts * blocks_in(data, stage),
            usual = t->blocks_larger_after;
    return least > usual && worthwhile(data, stage) ? least : usual;
}

/* Thresholds rise once these stages are there, or passed over. They do not wait for blocks that
 * come only after a long time of the walk: a count of many antecedents takes long. */
static int stages_awaited(const tables_data *data) {
    double time = counting_time(data->in.points, data->in.antecedents);
    int stages = 0;
    while (stages < FIRST && (!worthwhile(data, stages) ||
                              (double)due(data, stages) * time <= data->tune->blocks_awaited))
        stages++;
    return stages;
}

static const tables_ops ops = {build, free_blocks, bytes, view_of, least, keep, NULL};

tables *blocks_new(const tables_data *data) {
    block_tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->data = *data;
    t->head = (tables){.ops = &ops,
                       .stages = STAGES,
                       .first = FIRST,
                       .settles = stages_awaited(data),
                       .trial = (int)data->tune->blocks_trial,
                       .provable = 1,
                       .one_thread = 1,
                       .widens = 1,
                       .done = -1};
    for (int i = 0; i < STAGES; i++) t->head.due[i] = due(data, i);
    return &t->head;
}

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
#include <string.h>

#include "bounds.h"
#include "corels/blocks.h"

enum { MOST_BLOCKS = 256, COUNTS = 230 };

/* Small first; see docs/internals/blocks.md for how these numbers were found. */
static const struct {
    int32_t points;
    int64_t swaps; /* a block */
    int32_t weights[5];
} plans[2] = {
    {12, 60, {0, 0, 2, 4, 0}},
    {16, 800, {0, 0, 2, 4, 0}},
};

static corels_blocks_options options_of(const tables_data *data, int stage) {
    /* A point is heavy where it alone pays for a rule, and a little more. */
    int64_t rule = data->rule_cost / data->unit, heavy = rule + rule / 4;
    int64_t blocks = data->points / plans[stage].points + 1;
    if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
    corels_blocks_options options = {
        .block_points = plans[stage].points,
        .families = 1,
        .most_blocks = MOST_BLOCKS,
        .heavy = heavy > INT32_MAX ? INT32_MAX : (int32_t)heavy,
        .swaps = plans[stage].swaps * blocks,
        .seed = data->seed,
    };
    memcpy(options.weights[0], plans[stage].weights, sizeof options.weights[0]);
    return options;
}

/* The tables must cover the points: what they do not cover counts nothing. */
static int worthwhile(const tables_data *data, int stage) {
    return data->antecedents > 0 && data->points > 0 &&
           data->points / plans[stage].points < MOST_BLOCKS;
}

static size_t needed(const tables_data *data, int stage) {
    corels_blocks_options options = options_of(data, stage);
    return corels_blocks_needed(data->antecedents, data->points, data->regrets, data->classes,
                                &options);
}

static int begin(void **building, const tables_data *data, int stage, const void *built) {
    (void)built;
    corels_blocks_options options = options_of(data, stage);
    corels_blocks_building *begun = NULL;
    int status = corels_blocks_begin(&begun, data->masks, data->antecedents, data->points,
                                     data->regrets, data->classes, &options);
    *building = begun;
    return status;
}

static int build(void *building, const control *c, pace *p) {
    int status = CORELS_OK;
    do status = corels_blocks_build(building);
    while (status == CORELS_OK && !control_due(c, p));
    return status;
}

static void *finish(void *building, void *before) {
    (void)before;
    return corels_blocks_finish(building);
}

static void cancel(void *building) {
    corels_blocks_cancel(building);
}

static void free_blocks(void *blocks) {
    corels_blocks_free(blocks);
}

static size_t bytes(const void *blocks) {
    return corels_blocks_bytes(blocks);
}

static int32_t view_words(const void *blocks) {
    return corels_blocks_view_words(blocks);
}

static void root(const void *blocks, const uint64_t *set, uint64_t *view) {
    corels_blocks_view(blocks, set, view);
}

static void child(const void *blocks, const uint64_t *view, int32_t r, uint64_t *to) {
    corels_blocks_child(blocks, view, r, to);
}

static int64_t ceiling(int64_t x, int64_t unit) {
    return x > 0 ? (x - 1) / unit + 1 : -(-x / unit);
}

static int32_t keep(node_view *node, const void *blocks, const uint64_t *view, int32_t *list,
                    int32_t n) {
    int64_t base[CORELS_BLOCK_LANES + 1], limits[CORELS_BLOCK_LANES];
    for (int k = 0; k <= CORELS_BLOCK_LANES; k++)
        base[k] = ceiling(node->need - (1 + k) * node->rule_cost, node->unit);
    int32_t kept = 0;
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t r = list[i], errors = node->errors[r];
        for (int k = 0; k < CORELS_BLOCK_LANES; k++) limits[k] = base[k] - errors;
        if (base[CORELS_BLOCK_LANES] > errors ||
            !corels_blocks_prove(blocks, view, r, limits, CORELS_BLOCK_LANES - 1))
            list[kept++] = r;
    }
    if (kept < n) lower(&node->floor, node->need); /* no more is asked of the blocks */
    return kept;
}

static int64_t least(const void *blocks, const uint64_t *view, int32_t r, int64_t rule_cost,
                     int64_t unit, int64_t most) {
    int64_t errors[CORELS_BLOCK_LANES], found = CORELS_BLOCK_LANES * rule_cost;
    corels_blocks_errors(blocks, view, r, errors);
    for (int k = 0; k < CORELS_BLOCK_LANES; k++) {
        int64_t cost = k * rule_cost + unit * errors[k];
        if (cost < found) found = cost;
    }
    return found < most ? found : most;
}

static int put_family(const corels_blocks *blocks, int32_t family, record *to) {
    const int32_t *points, *regrets;
    int32_t classes, places = corels_blocks_items(blocks, family, &points, &regrets, &classes);
    int32_t count = corels_blocks_count(blocks), bits = count ? places / count : 0;
    if (!record_begin(to, (size_t)places * (size_t)(classes + 2) + 2)) return 0;
    record_put(to, RECORD_BLOCKS);
    record_put(to, (uint64_t)count);
    for (int32_t at = 0; at < places; at += bits) {
        int32_t items = 0;
        for (int32_t i = at; i < at + bits; i++) items += points[i] >= 0;
        record_put(to, (uint64_t)items);
        for (int32_t i = at; i < at + bits; i++) {
            if (points[i] < 0) continue; /* an empty place */
            record_put(to, (uint64_t)record_point(to, points[i]));
            for (int32_t c = 0; c < classes; c++)
                record_put(to, (uint64_t)regrets[(size_t)c * (size_t)places + (size_t)i]);
        }
    }
    record_end(to);
    return 1;
}

static int put(const void *built, record *to) {
    const corels_blocks *blocks = built;
    int ok = 1;
    for (int32_t f = 0; ok && f < corels_blocks_families(blocks); f++)
        ok = put_family(blocks, f, to);
    return ok;
}

/* Large blocks take long: so many counts of the walk for each of them come first, at least. Where
 * none will be built the usual count does: thresholds do not rise before the stage is passed. */
static int64_t due(const tables_data *data, int stage) {
    static const int64_t after[2] = {2000, 14000};
    int64_t blocks = data->points / plans[stage].points + 1, least = stage ? COUNTS * blocks : 0;
    return after[stage] > least || !worthwhile(data, stage) ? after[stage] : least;
}

const tables_face blocks_tables = {
    .stages = 2,
    .first = 2,
    .due = due,
    .worthwhile = worthwhile,
    .needed = needed,
    .begin = begin,
    .build = build,
    .finish = finish,
    .cancel = cancel,
    .free = free_blocks,
    .bytes = bytes,
    .view_words = view_words,
    .root = root,
    .child = child,
    .keep = keep,
    .least = least,
    .record = put,
};

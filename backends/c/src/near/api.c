/* The face: make, begin with a budget, step, look, free. */
#include <stdlib.h>
#include <string.h>

#include "near.h"

static void *copy(const void *from, size_t bytes) {
    void *to = malloc(bytes + 1);
    if (to && bytes) memcpy(to, from, bytes);
    return to;
}

/* Masks without the points that have no regret, for the counter and the blocks. */
static int copy_masks(corels_near *near, const corels_near_instance *in) {
    size_t m = (size_t)in->antecedents, words = (size_t)near->words;
    size_t front = (size_t)near->front_words;
    near->masks = copy(in->masks, m * words * sizeof(uint64_t));
    near->front = malloc(m * front * sizeof(uint64_t) + 1);
    if (!near->masks || !near->front) return CORELS_NO_MEMORY;
    for (size_t r = 0; front && r < m; r++)
        memcpy(near->front + r * front, near->masks + r * words, front * sizeof(uint64_t));
    return CORELS_OK;
}

static int copy_options(corels_near *near, const corels_near_options *o) {
    near->options = *o;
    near->prefix = copy(o->prefix, (size_t)o->prefix_length * sizeof(int32_t));
    near->required = copy(o->required, (size_t)o->required_count * sizeof(int32_t));
    if (o->avoided) {
        near->avoided = copy(o->avoided, (size_t)near->in.antecedents);
        if (!near->avoided) return CORELS_NO_MEMORY;
    }
    return near->prefix && near->required ? CORELS_OK : CORELS_NO_MEMORY;
}

static int make_counter(corels_near *near) {
    const corels_near_instance *in = &near->in;
    near->stride = (in->antecedents + 15) / 16 * 16;
    if (in->front) {
        int status = corels_counter_new(&near->counter, near->front, in->antecedents, in->front,
                                        near->regrets, in->classes, NULL);
        if (status != CORELS_OK) return status;
        near->stride = corels_counter_stride(near->counter);
    }
    size_t scratch = near->counter ? corels_counter_scratch(near->counter) : 0;
    near->scratch = corels_memory_new(scratch, 1);
    size_t counts = (size_t)in->classes * (size_t)near->stride * sizeof(int32_t);
    near->counts = corels_memory_new(counts, 1);
    near->totals = calloc((size_t)in->classes, sizeof(int32_t));
    near->last = malloc((size_t)in->antecedents * sizeof *near->last);
    near->bins = calloc(NEAR_BINS, sizeof *near->bins);
    near->set = calloc(3 * (size_t)near->words + (size_t)near->key_words, sizeof(uint64_t));
    if (!near->last || !near->bins || !near->set) return CORELS_NO_MEMORY;
    if (!near->scratch || !near->counts || !near->totals) return CORELS_NO_MEMORY;
    near->child = near->set + near->words;
    near->all = near->child + near->words;
    near->key = near->all + near->words;
    for (int32_t i = 0; i < in->points; i++)
        if (i < in->front || i >= near->front_words * 64)
            near->all[i / 64] |= UINT64_C(1) << (i % 64);
    return CORELS_OK;
}

static int valid(const corels_near_instance *in, const corels_near_options *o) {
    return in->antecedents > 0 && in->points > 0 && in->front >= 0 && in->front <= in->points &&
           in->classes >= 1 && in->classes <= UINT16_MAX && in->unit >= 1 && in->rule_cost >= 0 &&
           o->required_count >= 0 && o->required_count <= 64 && o->prefix_length >= 0 &&
           (o->max_rules < 0 || o->prefix_length <= o->max_rules);
}

static int prepare(corels_near *near, const corels_near_instance *in,
                   const corels_near_options *options) {
    near->in = *in;
    near->kernel = corels_kernel_table_current();
    near->words = (in->points + 63) / 64;
    near->front_words = (in->front + 63) / 64;
    int32_t closure = (in->antecedents + 63) / 64;
    near->by_closure = 2 * closure < near->words;
    near->set_words = near->by_closure ? closure : near->words;
    near->key_words = near->set_words + (options->required_count > 0) + (options->max_rules >= 0);
    near->regrets = copy(in->regrets, (size_t)in->classes * (size_t)in->front * sizeof(int32_t));
    if (!near->kernel) return CORELS_BAD_ARGUMENT;
    if (!near->regrets) return CORELS_NO_MEMORY;
    int status = copy_masks(near, in);
    if (status == CORELS_OK) status = copy_options(near, options);
    if (status == CORELS_OK) status = make_counter(near);
    near->in.masks = NULL, near->in.regrets = NULL;
    return status;
}

int32_t corels_near_bits(void) {
    return (int32_t)sizeof(near_number) * 8;
}

int corels_near_new(corels_near **out, const corels_near_instance *in,
                    const corels_near_options *options) {
    *out = NULL;
    if (!valid(in, options)) return CORELS_BAD_ARGUMENT;
    corels_near *near = calloc(1, sizeof *near);
    if (!near) return CORELS_NO_MEMORY;
    int status = prepare(near, in, options);
    if (status == CORELS_OK)
        *out = near;
    else
        corels_near_free(near);
    return status;
}

static void clear(corels_near *near) {
    near_graph_end(near);
    near_sums_end(near);
    corels_near_classes_begin(near, -1);
    near_cursor_end(near);
    free(near->levels);
    free(near->scales);
    near->levels = NULL, near->scales = NULL;
    near->level_count = near->longest = near->counted = near->alive = 0;
    near->phase = 0;
}

void corels_near_free(corels_near *near) {
    if (!near) return;
    clear(near);
    near_claims_free(near);
    corels_counter_free(near->counter);
    corels_blocks_free(near->blocks);
    near_prices_free(near);
    free(near->masks);
    free(near->front);
    free(near->regrets);
    free(near->prefix);
    free(near->required);
    free(near->avoided);
    corels_memory_free(near->scratch);
    corels_memory_free(near->counts);
    free(near->totals);
    free(near->set);
    free(near->view);
    free(near->last);
    free(near->bins);
    free(near);
}

/* Walk down the prefix: its cost, what it leaves, whether it may stand alone. */
static int begin_root(corels_near *near) {
    uint64_t pending = 0;
    int32_t root;
    near->root_cost = 0;
    for (int32_t i = 0; i < near->options.required_count; i++) pending |= UINT64_C(1) << i;
    near_root_set(near);
    for (int32_t i = 0; i < near->options.prefix_length; i++) {
        const uint64_t *mask = near_mask(near, near->prefix[i]);
        uint16_t prediction;
        if (!near_meets(near->set, mask, near->words)) return CORELS_BAD_ARGUMENT;
        near_count_of(near, near->set);
        near->root_cost +=
            near->in.rule_cost + near->in.unit * near_best(near, near->counts + near->prefix[i],
                                                           near->stride, &prediction);
        for (int32_t w = 0; w < near->words; w++) near->set[w] &= ~mask[w];
        pending = near_use(near, pending, near->prefix[i]);
    }
    near_count_of(near, near->set);
    near->root_closing = near_best(near, near->totals, 1, &near->root_class);
    if (pending) near->root_closing = -1;
    near->level = near->words * 64;
    return near_enter(near, near->set, pending, near->rules, near->root_cost, &root);
}

int corels_near_begin(corels_near *near, int64_t budget, const int64_t *scales) {
    clear(near);
    int64_t most = near->options.max_rules, rule = near->in.rule_cost;
    near->budget = budget;
    near->rules = most < 0 || (rule && budget / rule <= most)
                      ? INT32_MAX
                      : near->options.max_rules - near->options.prefix_length;
    if (scales) {
        near->scales = copy(scales, (size_t)near->in.antecedents * sizeof *scales);
        if (!near->scales) return CORELS_NO_MEMORY;
    }
    int status = near_graph_begin(near);
    if (status == CORELS_OK) status = near_sums_begin(near);
    return status == CORELS_OK ? begin_root(near) : status;
}

static int count_next(corels_near *near) {
    if (near->counted == near->order.count) return CORELS_DONE;
    int64_t at = near->order.count - ++near->counted;
    int32_t node = ((int32_t *)near->order.items)[at];
    int status = near_table(near, node);
    near->alive += near_node_at(near, node)->entries > 0;
    return status;
}

int corels_near_step(corels_near *near, int64_t sets) {
    int status = CORELS_OK;
    if (near->phase == 2) return CORELS_DONE;
    near_prices_review(near);
    while (status == CORELS_OK && sets-- > 0) {
        if (!near->phase && near_prices_due(near)) {
            near_prices_build(near);
            continue;
        }
        status = near->phase ? count_next(near) : near_process(near);
        if (status == CORELS_DONE && near->phase++ == 0) status = CORELS_OK;
    }
    if (status != CORELS_DONE) return status;
    status = near_close_tables(near);
    return status == CORELS_OK ? CORELS_DONE : status;
}

void corels_near_look(const corels_near *near, corels_near_progress *progress) {
    *progress = (corels_near_progress){.sets = near->nodes.count,
                                       .processed = near->order.count,
                                       .edges = near->edges.count,
                                       .counted = near->counted,
                                       .alive = near->alive,
                                       .entries = near->entries.count,
                                       .counts = near->counts_made,
                                       .claims = near->claims.used,
                                       .given_up = near->given_up,
                                       .phase = near->phase,
                                       .blocks = near->block_points,
                                       .prices = near_priced(near) ? near->prices.stage : 0,
                                       .memory = near->held,
                                       .peak_memory = near->peak};
}

int64_t corels_near_levels(const corels_near *near, corels_near_level *levels, int64_t capacity) {
    int64_t n = near->level_count < capacity ? near->level_count : capacity;
    for (int64_t i = 0; i < n; i++) {
        const near_entry *from = near->levels + i;
        uint64_t upto[2];
        near_write(upto, from->upto);
        levels[i] = (corels_near_level){from->cost, from->rules, upto[0], upto[1]};
    }
    return near->level_count;
}

/* The interface: make, begin with a budget, step, look, free. */
#include <stdlib.h>
#include <string.h>

#include "near.h"

/* The search of the points with regret, ready to be asked. Without a limit of rules, prefixes of
 * any number may leave a set. */
static int make_search(corels_near *near, const uint64_t *front) {
    const corels_near_instance *in = &near->in;
    corels_instance data = {.antecedents = in->antecedents,
                            .points = in->front,
                            .classes = in->classes,
                            .for_rules = in->for_rules,
                            .barred = in->barred,
                            .masks = front,
                            .regrets = in->regrets,
                            .unit = in->unit,
                            .rule_cost = in->rule_cost};
    corels_search_options options = *near->options.asked;
    options.memory = near->options.memory / 2;
    options.max_rules = near->options.max_rules;
    int status = corels_search_new(&near->search, &data, &options);
    if (status != CORELS_OK) return status;
    walk_from_expect(near->search, options.max_rules >= 0);
    return corels_search_step(near->search, 0, 0);
}

/* Masks without the points that have no regret, for the search. */
static int copy_masks(corels_near *near, const corels_near_instance *in) {
    size_t m = (size_t)in->antecedents, words = (size_t)near->words;
    size_t front = (size_t)near->front_words;
    near->masks = store_copy(&near->arrays, in->masks, m * words, sizeof(uint64_t));
    uint64_t *masks = malloc(m * front * sizeof(uint64_t) + 1);
    int status = near->masks && masks ? CORELS_OK : CORELS_NO_MEMORY;
    for (size_t r = 0; status == CORELS_OK && front && r < m; r++)
        memcpy(masks + r * front, near->masks + r * words, front * sizeof(uint64_t));
    if (status == CORELS_OK) status = make_search(near, masks);
    free(masks);
    return status;
}

static int copy_options(corels_near *near, const corels_near_options *o) {
    store *all = &near->arrays;
    near->options = *o;
    near->prefix = store_copy(all, o->prefix, (size_t)o->prefix_length, sizeof(int32_t));
    near->predictions = store_take(all, (size_t)o->prefix_length, sizeof *near->predictions);
    near->required = store_copy(all, o->required, (size_t)o->required_count, sizeof(int32_t));
    near->avoided = store_copy(all, o->avoided, (size_t)near->in.antecedents, 1);
    return all->failed ? CORELS_NO_MEMORY : CORELS_OK;
}

static int make_scratch(corels_near *near) {
    const corels_near_instance *in = &near->in;
    size_t words = (size_t)near->words;
    store *all = &near->arrays;
    size_t n = walk_from_numbers(near->search, &near->stride, &near->totals);
    near->counts = store_take(all, n, sizeof *near->counts);
    near->open = store_take(all, (size_t)in->antecedents, sizeof *near->open);
    near->last = store_take(all, (size_t)in->antecedents, sizeof *near->last);
    near->set = store_take(all, words, sizeof *near->set);
    near->child = store_take(all, words, sizeof *near->child);
    near->all = store_take(all, words, sizeof *near->all);
    near->key = store_take(all, (size_t)near->key_words, sizeof *near->key);
    if (all->failed) return CORELS_NO_MEMORY;
    for (int32_t i = 0; i < in->points; i++)
        if (i < in->front || i >= near->front_words * 64)
            near->all[i / 64] |= UINT64_C(1) << (i % 64);
    return CORELS_OK;
}

static int valid(const corels_near_instance *in, const corels_near_options *o) {
    return o->asked && in->antecedents >= 0 && in->points > 0 && in->front >= 0 &&
           in->front <= in->points && in->classes >= 1 && in->classes <= UINT16_MAX &&
           in->for_rules >= 0 && in->for_rules <= in->classes && in->unit >= 1 &&
           in->rule_cost >= 0 && o->required_count >= 0 && o->required_count <= 64 &&
           o->prefix_length >= 0 && (o->max_rules < 0 || o->prefix_length <= o->max_rules);
}

static int prepare(corels_near *near, const corels_near_instance *in,
                   const corels_near_options *options) {
    near->in = *in;
    if (!in->for_rules) near->in.for_rules = in->classes;
    near->kernel = corels_kernel_table_current();
    near->words = (in->points + 63) / 64;
    near->front_words = (in->front + 63) / 64;
    int32_t closure = (in->antecedents + 63) / 64;
    near->by_closure = closure && 2 * closure < near->words;
    near->set_words = near->by_closure ? closure : near->words;
    near->key_words = near->set_words + (options->required_count > 0) + (options->max_rules >= 0);
    size_t cells = (size_t)in->antecedents * (size_t)in->classes;
    if (in->barred) near->in.barred = store_copy(&near->arrays, in->barred, cells, 1);
    int status = copy_options(near, options);
    if (status == CORELS_OK) status = copy_masks(near, in);
    if (status == CORELS_OK) status = make_scratch(near);
    near->in.masks = NULL, near->in.regrets = NULL, near->options.asked = NULL;
    near->held = near->peak = sizeof *near + near->arrays.bytes;
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
    if (near->asking) corels_search_walk_no_further(near->search);
    near->asking = 0;
    near_cursor_end(near);
    free(near->levels);
    near->levels = NULL;
    near->level_count = near->longest = near->counted = 0;
    near->entries.count = 0;
    near_graph_end(near);
    near_sums_end(near);
    near->phase = 0;
}

void corels_near_free(corels_near *near) {
    if (!near) return;
    clear(near);
    corels_search_free(near->search);
    store_free(&near->arrays);
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
        if (!meets(near->set, mask, near->words)) return CORELS_BAD_ARGUMENT;
        near_count_of(near, near->set);
        near->root_cost += near->in.rule_cost +
                           near->in.unit * near_best(near, near->prefix[i], near->predictions + i);
        take_bits(near->set, near->set, mask, near->words);
        pending = near_use(near, pending, near->prefix[i]);
    }
    near_count_of(near, near->set);
    near->root_closing = near_default(near, &near->root_class);
    if (pending) near->root_closing = -1;
    near->level = near->words * 64;
    return near_enter(near, near->set, pending, near->rules, near->root_cost, &root);
}

int corels_near_begin(corels_near *near, int64_t budget) {
    clear(near);
    int64_t most = near->options.max_rules, rule = near->in.rule_cost;
    near->budget = budget;
    near->rules = most < 0 || (rule && budget / rule <= most)
                      ? INT32_MAX
                      : near->options.max_rules - near->options.prefix_length;
    int status = near_graph_begin(near);
    if (status == CORELS_OK) status = near_sums_begin(near);
    return status == CORELS_OK ? begin_root(near) : status;
}

static int count_next(corels_near *near) {
    if (near->counted == near->order.count) return CORELS_DONE;
    int64_t at = near->order.count - ++near->counted;
    return near_table(near, ((int32_t *)near->order.items)[at]);
}

int corels_near_step(corels_near *near, int64_t sets) {
    int status = CORELS_OK;
    if (near->phase == 2) return CORELS_DONE;
    while (status == CORELS_OK && sets-- > 0) {
        status = near->phase ? count_next(near) : near_process(near);
        if (status == CORELS_DONE && near->phase++ == 0) status = CORELS_OK;
    }
    if (status != CORELS_DONE) return status;
    status = near_close_tables(near);
    return status == CORELS_OK ? CORELS_DONE : status;
}

void corels_near_look(const corels_near *near, corels_near_progress *progress) {
    corels_report asked;
    corels_search_look(near->search, &asked);
    size_t most = near->held + (size_t)asked.peak_memory; /* also while tables were built */
    *progress = (corels_near_progress){.sets = near->nodes.count,
                                       .processed = near->order.count,
                                       .counted = near->counted,
                                       .expanded = asked.expanded,
                                       .building = asked.building,
                                       .memory = near->held + walk_from_bytes(near->search),
                                       .peak_memory = near->peak > most ? near->peak : most};
}

int32_t corels_near_stages(const corels_near *near, int32_t bound) {
    return corels_search_stages(near->search, bound);
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

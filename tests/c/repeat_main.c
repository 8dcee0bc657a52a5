/* The engine without Python, on random instances: both frontiers, proofs, cells of the price bound
 * of both kinds and made again, and all good lists. It prints a number for each thing done,
 * which depends on all that was found, in which order, and on nothing else: not on what memory held
 * before, and not on the number of threads if the engine promises so.
 *
 *     repeat FIRST COUNT      instances FIRST .. FIRST + COUNT - 1
 *
 * `make test-sanitize-memory` runs it with memory filled in several ways, and under tools that know
 * which memory was never written.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corels/memory.h"
#include "corels/near.h"
#include "corels/prices.h"
#include "set_bounds.h"

enum { FEW_POINTS = 300, FEW_RULES = 14, MOST_POINTS = 4500, MOST_RULES = 40, MOST_CLASSES = 4 };
enum { WORDS = (MOST_POINTS + 63) / 64 };

static uint64_t state;

static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static int32_t below(int32_t n) {
    return (int32_t)((draw() >> 20) % (uint64_t)n);
}

/* least .. most, small numbers more often than large ones. */
static int32_t size_below(int32_t least, int32_t most) {
    int32_t range = 1 + below(most - least);
    return least + below(range);
}

/* --- what was found --------------------------------------------------------------------------- */

static uint64_t seen;

static void see(int64_t number) {
    if (number == INT64_MIN) exit(9); /* a branch, for tools that look at branches alone */
    seen = (seen ^ (uint64_t)number) * UINT64_C(0x9e3779b97f4a7c15);
    seen ^= seen >> 29;
}

static void see_bytes(const void *from, size_t n) {
    const unsigned char *bytes = from;
    for (size_t i = 0; i < n; i++) see(bytes[i]);
}

static void tell(uint64_t number, const char *what) {
    printf("%" PRIu64 " %s %016" PRIx64 "\n", number, what, seen);
    fflush(stdout);
    seen = 0;
}

/* --- instances -------------------------------------------------------------------------------- */

static uint64_t masks[MOST_RULES * WORDS];
static int32_t regrets[MOST_CLASSES * MOST_POINTS];
static int32_t points, antecedents, classes, words;

static int captures(int32_t r, int32_t i) {
    return (int)(masks[r * words + i / 64] >> (i % 64) & 1);
}

/* Antecedents by themselves, or conjunctions of a few flags: then many points are alike. */
static void make_masks(void) {
    int32_t flags = below(2) ? 3 + below(6) : 0, share[MOST_RULES];
    static uint32_t drawn[MOST_POINTS];
    for (int32_t r = 0; r < antecedents; r++) share[r] = 3 + below(60);
    for (int32_t i = 0; i < points; i++) drawn[i] = (uint32_t)draw();
    memset(masks, 0, sizeof masks);
    for (int32_t r = 0; r < antecedents; r++) {
        int32_t one = flags ? below(flags) : 0, other = flags ? below(flags) : 0;
        for (int32_t i = 0; i < points; i++) {
            int in = flags ? drawn[i] >> one & drawn[i] >> other & 1 : below(100) < share[r];
            masks[r * words + i / 64] |= (uint64_t)(in != 0) << (i % 64);
        }
    }
}

/* One class is right at a point, or every class has a cost of its own. Every point costs something.
 */
static void make_regrets(void) {
    int32_t most = 1 + size_below(0, 30), of_class = below(2);
    for (int32_t i = 0; i < points; i++) {
        int32_t right = captures(0, i) && below(4) ? 0 : below(classes);
        int32_t weight = 1 + below(most), costly = (right + 1) % classes;
        for (int32_t c = 0; c < classes; c++)
            regrets[c * points + i] = of_class || c == costly ? weight : below(weight + 1);
        regrets[right * points + i] = 0;
    }
}

static void make(uint64_t number) {
    state = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    points = size_below(2, FEW_POINTS), antecedents = size_below(1, MOST_RULES);
    if (number % 10 == 9) /* so many points that the price bound has cells of many points first */
        points = MOST_POINTS - below(300), antecedents = FEW_RULES;
    classes = 2 + below(3) * below(2), words = (points + 63) / 64;
    for (int i = 0; i < 20; i++) draw();
    make_masks();
    make_regrets();
}

static int64_t all_errors(void) {
    int64_t sum = 0;
    for (int32_t i = 0; i < classes * points; i++) sum += regrets[i];
    return sum;
}

/* --- search ----------------------------------------------------------------------------------- */

static int32_t n_bounds;

static void see_proof(corels_search *search) {
    uint8_t bytes[4096];
    for (size_t n; (n = corels_search_proof(search, bytes, sizeof bytes)) > 0;) see_bytes(bytes, n);
}

static void see_report(corels_search *search) {
    corels_report r;
    int64_t pruned[MOST_BOUNDS];
    corels_search_look(search, &r);
    corels_search_pruned(search, pruned);
    const int64_t figures[] = {r.objective, r.lower_bound, r.expanded, r.counts,    r.children,
                               r.open,      r.cached,      r.merged,   r.forgotten, r.inserted,
                               r.length,    r.longest,     r.passes};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) see(figures[i]);
    for (int i = 0; i < n_bounds; i++) see(pruned[i]), see(corels_search_stages(search, i));
    int32_t rules[MOST_RULES];
    int32_t n = corels_search_best(search, rules);
    for (int32_t i = 0; i < n; i++) see(rules[i]);
}

static int walk(corels_search *search, int64_t budget, int proves) {
    int status = CORELS_OK, steps = 0;
    while (status == CORELS_OK && steps++ < 25) {
        const corels_event *events;
        status = corels_search_step(search, budget, 0);
        int64_t n = corels_search_events(search, &events);
        for (int64_t i = 0; i < n; i++) {
            see(events[i].kind), see(events[i].part), see(events[i].antecedent);
            see(events[i].length), see(events[i].node), see(events[i].count);
            see(events[i].lower_bound), see(events[i].objective);
        }
        see_report(search);
        see_proof(search);
    }
    if (proves && status == CORELS_OK) {
        see(corels_search_prove_open(search));
        see_proof(search);
    }
    return status;
}

/* Stages of tables, early; the slow ones mostly. */
static int64_t prices_at[8];

static corels_search_options random_options(corels_bound_choice *bounds) {
    static const char *const policies[] = {"objective", "lower_bound", "dfs", "stochastic"};
    corels_search_options o = {.bounds = bounds, .bound_count = n_bounds, .threads = 1};
    o.max_rules = below(2) ? -1 : below(6);
    o.frontier = below(3) ? CORELS_DEPTH_FIRST : CORELS_BEST_FIRST;
    o.start = (uint8_t)below(2);
    o.fine_events = (uint8_t)below(2);
    o.memory = below(3) ? 0 : (size_t)1 << (20 + below(4));
    o.seed = draw();
    o.policy = below(2) ? "objective" : policies[below(4)];
    o.map = o.frontier == CORELS_BEST_FIRST ? "captured" : "memo";
    for (int i = 0, at = 0; i < 8; i++) prices_at[i] = at += below(60);
    set_stages(bounds, n_bounds, "prices", prices_at, 8);
    return o;
}

static int search(uint64_t number) {
    corels_bound_choice bounds[MOST_BOUNDS] = {{0}};
    n_bounds = set_bounds(bounds);
    corels_instance in = {.antecedents = antecedents,
                          .points = points,
                          .classes = classes,
                          .masks = masks,
                          .regrets = regrets,
                          .total = all_errors()};
    in.unit = 1 + below(3);
    in.rule_cost = in.total * in.unit / (20 + below(200));
    corels_search_options options = random_options(bounds);
    static int32_t same[MOST_POINTS];
    int32_t turns = below(2) && options.frontier == CORELS_DEPTH_FIRST;
    for (int32_t i = 0; i < MOST_POINTS; i++) same[i] = i;
    if (turns) options.threads = 2 + below(2);
    corels_search *found = NULL;
    if (corels_search_new(&found, &in, &options) != CORELS_OK) return 1;
    if (turns) corels_search_take_turns(found, 1 + below(5));
    int proves = below(2) && corels_search_prove(found, same, same) == CORELS_OK;
    int status = walk(found, 1 + below(200), proves);
    corels_search_free(found);
    see(status);
    tell(number, "search");
    return status != CORELS_OK && status != CORELS_DONE && !options.memory;
}

/* --- tables ----------------------------------------------------------------------------------- */

/* The set that some rules leave. */
static void random_set(uint64_t *set) {
    int32_t n = below(4);
    memset(set, 0, (size_t)words * sizeof *set);
    for (int32_t i = 0; i < points; i++) set[i / 64] |= (uint64_t)1 << (i % 64);
    for (int32_t k = 0; k < n; k++) {
        int32_t r = below(antecedents);
        for (int32_t w = 0; w < words; w++) set[w] &= ~masks[r * words + w];
    }
}

static corels_prices *built(corels_prices_builder *builder) {
    int status, amount = 1 + below(4000);
    while ((status = corels_prices_build_step(builder, amount)) == CORELS_OK) continue;
    corels_prices *prices = status == CORELS_DONE ? corels_prices_build_end(builder) : NULL;
    corels_prices_builder_free(builder);
    return prices;
}

static void ask(const corels_prices *prices) {
    enum { SETS = 6 };
    uint64_t set[WORDS];
    void *view = corels_memory_new(1, corels_prices_view_bytes(prices));
    void *child = corels_memory_new(1, corels_prices_view_bytes(prices));
    for (int i = 0; view && child && i < SETS; i++) {
        random_set(set);
        corels_prices_view(prices, set, view);
        corels_prices_child(prices, view, below(antecedents), 0, child);
        for (int32_t r = 0; r < antecedents; r++) see(corels_prices_least(prices, child, r));
        corels_prices_child(prices, view, below(antecedents), 1, child);
        for (int32_t r = -1; r < antecedents; r++) see(corels_prices_least(prices, child, r));
    }
    see(corels_prices_cells(prices)), see(corels_prices_within_budget(prices));
    corels_memory_free(view);
    corels_memory_free(child);
}

static corels_prices_options random_cells(void) {
    corels_prices_options o = {.last_step = 0.1};
    o.most_points = 2 + below(7);
    o.most_splits = below(2) ? 1 + below(200) : 1 + below(12);
    o.covers = 1 + below(4);
    o.iterations = below(30);
    o.first_step = 0.5 + below(6);
    o.memory = below(4) ? 0 : 60000;
    o.seed = draw();
    return o;
}

static corels_instance data_at_hand(void) {
    return (corels_instance){.masks = masks,
                             .regrets = regrets,
                             .antecedents = antecedents,
                             .points = points,
                             .classes = classes};
}

/* Tables for all points, then twice made again on sets: with one thread and with three. */
static int prices(uint64_t number) {
    corels_instance in = data_at_hand();
    in.rule_cost = all_errors() / (20 + below(200));
    in.unit = 1;
    corels_prices_options options = random_cells();
    options.threads = below(2) ? 1 : 3;
    corels_prices_builder *builder = NULL;
    if (corels_prices_builder_new(&builder, &in, &options) != CORELS_OK) return 0;
    corels_prices *made = built(builder);
    for (int again = 0; made; again++) {
        enum { SETS = 5 };
        uint64_t sets[SETS * WORDS];
        ask(made);
        if (again == 2) break;
        for (int i = 0; i < SETS; i++) random_set(sets + i * words);
        corels_sample sample = {SETS, sets};
        options.iterations = 1 + below(12);
        int status = corels_prices_builder_again(&builder, made, &options, &sample);
        corels_prices *better = status == CORELS_OK ? built(builder) : NULL;
        if (!better) corels_prices_free(made);
        made = better;
    }
    see(made != NULL);
    corels_prices_free(made);
    tell(number, "prices");
    return 0;
}

/* --- all good lists --------------------------------------------------------------------------- */

static int see_lists(corels_near *near, int64_t levels) {
    enum { LISTS = 20 };
    corels_near_level last[64];
    levels = corels_near_levels(near, last, 64) < 64 ? levels : 64;
    int32_t longest = 0, lengths[LISTS];
    for (int64_t i = 0; i < levels; i++) {
        see(last[i].cost), see(last[i].rules), see((int64_t)last[i].low);
        if (last[i].rules > longest) longest = (int32_t)last[i].rules;
    }
    int64_t n = levels && last[levels - 1].low < LISTS ? (int64_t)last[levels - 1].low : LISTS;
    if (!levels || longest > MOST_RULES || levels == 64) return 0;
    static int32_t rules[LISTS * MOST_RULES];
    see(corels_near_lists(near, 0, 0, n, lengths, rules));
    for (int64_t i = 0; i < n; i++)
        for (int32_t k = 0; k < lengths[i]; k++) see(rules[i * longest + k]);
    return 0;
}

static void see_sums(corels_near *near) {
    static uint64_t uses[2 * MOST_RULES * MOST_CLASSES], first[2 * MOST_RULES];
    static uint64_t predicted[2 * MOST_CLASSES * MOST_POINTS];
    static int32_t scores[MOST_CLASSES * MOST_POINTS], rules[2 * MOST_POINTS];
    int32_t lengths[2];
    int64_t bounds[2];
    see(corels_near_shares(near, uses, first, predicted));
    see_bytes(uses, 2 * sizeof *uses * (size_t)(antecedents * classes));
    see_bytes(first, 2 * sizeof *first * (size_t)antecedents);
    see_bytes(predicted, 2 * sizeof *predicted * (size_t)(points * classes));
    for (int32_t i = 0; i < classes * points; i++) scores[i] = below(9);
    if (corels_near_range(near, scores, bounds, lengths, rules) != CORELS_OK) return;
    see(bounds[0]), see(bounds[1]), see(lengths[0]), see(lengths[1]);
}

static int near(uint64_t number) {
    corels_near_instance in = {antecedents, points, points, classes, masks, regrets, 1, 0, 0, NULL};
    int64_t total = all_errors();
    in.rule_cost = 1 + total / (15 + below(60));
    int32_t required = below(antecedents);
    corels_bound_choice bounds[MOST_BOUNDS] = {{0}};
    corels_search_options asked = {.frontier = CORELS_DEPTH_FIRST,
                                   .policy = "objective",
                                   .map = "memo",
                                   .bounds = bounds,
                                   .bound_count = set_bounds(bounds),
                                   .threads = 1};
    corels_near_options options = {
        .required = &required, .max_rules = -1, .memory = 1 << 26, .asked = &asked};
    options.required_count = below(3) == 0;
    asked.seed = draw();
    corels_near *found = NULL;
    if (corels_near_new(&found, &in, &options) != CORELS_OK) return 1;
    for (int again = 0; again < 2; again++) {
        int status = corels_near_begin(found, total / (3 + below(5)));
        int64_t most = (points > FEW_POINTS ? 3 : 40) * (1 + below(100));
        corels_near_progress p = {0};
        /* One at a time: a step that builds tables ends by the clock, and does no set. */
        while (status == CORELS_OK && p.processed + p.counted < most) {
            status = corels_near_step(found, 1);
            corels_near_look(found, &p);
        }
        see(status), see(p.sets);
        for (int32_t i = 0; i < asked.bound_count; i++) see(corels_near_stages(found, i));
        if (status != CORELS_DONE) continue;
        see_lists(found, corels_near_levels(found, NULL, 0));
        see_sums(found);
    }
    corels_near_free(found);
    tell(number, "near");
    return 0;
}

int main(int n, char **given) {
    uint64_t first = n > 1 ? strtoull(given[1], NULL, 10) : 0;
    uint64_t count = n > 2 ? strtoull(given[2], NULL, 10) : 20;
    for (uint64_t number = first; number < first + count; number++) {
        make(number);
        if (search(number) || prices(number) || near(number)) return 1;
    }
    return 0;
}

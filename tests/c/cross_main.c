/* The native code without Python, for other machines: every kernel against the portable one, and
 * searches whose figures must be the same everywhere and whose proofs the checker must accept.
 * Prints them; tools/cross.py compares.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../backends/checker/checker.h"
#include "corels_colgen/pricing.h"
#include "corels_falling/falling.h"
#include "kernel.h"
#include "set_bounds.h"

enum { POINTS = 150, ANTECEDENTS = 24, WORDS = (POINTS + 63) / 64, LONG = 131 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static uint64_t masks[ANTECEDENTS * WORDS];
static int32_t regrets[2 * POINTS];

static void make(void) {
    for (int i = 0; i < ANTECEDENTS * WORDS; i++) masks[i] = draw() & draw();
    for (int r = 0; r < ANTECEDENTS; r++)
        masks[r * WORDS + WORDS - 1] &= ((uint64_t)1 << (POINTS % 64)) - 1;
    for (int i = 0; i < POINTS; i++) {
        int32_t weight = (int32_t)(draw() % 9 + 1), label = (int32_t)(draw() & 1);
        regrets[i] = label ? weight : 0;
        regrets[POINTS + i] = label ? 0 : weight;
    }
}

/* --- kernels ---------------------------------------------------------------------------------- */

static int same_counts(const corels_kernel *one, const corels_kernel *other) {
    uint64_t a[LONG], b[LONG];
    for (int i = 0; i < LONG; i++) a[i] = draw(), b[i] = draw() | draw();
    for (size_t n = 0; n <= LONG; n++)
        if (one->popcount(a, n) != other->popcount(a, n) ||
            one->popcount_and(a, b, n) != other->popcount_and(a, b, n))
            return 0;
    return 1;
}

static int same_blocks(const corels_kernel_table *one, const corels_kernel_table *other) {
    uint64_t block[8 * LONG], bits[LONG];
    uint32_t index[LONG];
    int32_t x[16] = {0}, y[16] = {0};
    for (int i = 0; i < 8 * LONG; i++) block[i] = draw();
    for (uint32_t i = 0; i < LONG; i++) bits[i] = draw(), index[i] = LONG - 1 - i;
    const corels_plane_run runs[] = {{0, 100, 0, 0}, {100, 20, 3, 0}, {10, 121, 1, 8}};
    one->count_block(block, index, bits, runs, 3, x);
    other->count_block(block, index, bits, runs, 3, y);
    return memcmp(x, y, sizeof x) == 0;
}

/* Patterns of one word, of several, and of one more than registers hold. */
static int same_distances(const corels_kernel_table *one, const corels_kernel_table *other) {
    enum { N = 40, W = 17 };
    uint64_t patterns[N * W], seed[W], known[W];
    int32_t which[N], x[N], y[N];
    for (int i = 0; i < N * W; i++) patterns[i] = draw();
    for (int w = 0; w < W; w++) seed[w] = draw(), known[w] = draw() & draw();
    for (int i = 0; i < N; i++) which[i] = N - 1 - i;
    for (size_t words = 1; words <= W; words++) {
        one->distances(patterns, which, N, words, seed, known, x);
        other->distances(patterns, which, N, words, seed, known, y);
        if (memcmp(x, y, sizeof x) != 0) return 0;
    }
    return 1;
}

/* Moves between all kinds of states of a cell of eight points, and first steps of its lists. */
static int same_moves(const corels_kernel_table *one, const corels_kernel_table *other) {
    enum { STATES = 256, ROWS = 80, TRACES = 21, MOVES = 200 };
    static int32_t values[STATES], sums[2][ROWS];
    uint8_t index[ROWS], numbers[ROWS], traces[TRACES];
    int32_t price[TRACES];
    const uint16_t groups[] = {0, 2, 3, 4};
    const corels_kernel_table *both[] = {one, other};
    for (int s = 1; s < STATES; s++) values[s] = (int32_t)(draw() % 30);
    for (int r = 0; r < ROWS; r++) index[r] = (uint8_t)draw(), numbers[r] = index[r] % 16;
    for (int t = 0; t < TRACES; t++)
        traces[t] = (uint8_t)(draw() % 255 + 1), price[t] = (int32_t)(draw() % 9);
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < MOVES; i++) {
        uint64_t s = draw() & draw() & 255, state = i % 2 ? s : draw() & 255;
        int32_t before = i % 3 ? (int32_t)state : 0, after = (int32_t)(state & draw());
        int32_t n = (int32_t)(draw() % (TRACES + 1));
        for (int k = 0; k < 2; k++) {
            both[k]->move_cell(sums[k], index, groups, 4, values, before, after);
            both[k]->move_numbered(sums[k], numbers, groups, 4, traces, (size_t)(i % 15), values,
                                   before, after);
        }
        if (one->first_step(traces, price, n, values, state) !=
            other->first_step(traces, price, n, values, state))
            return 0;
    }
    return memcmp(sums[0], sums[1], sizeof *sums) == 0;
}

/* Filling sixteen cells at once. */
static int same_cells(const corels_kernel_table *one, const corels_kernel_table *other) {
    enum { BITS = 6, LANES = 16, STATES = 1 << BITS, CLASSES = 2, MOST = STATES * LANES };
    enum { ROWS = 64 };
    static int32_t price[CLASSES * MOST], work[3 * CLASSES * MOST], values[2][MOST];
    int32_t alone[STATES], sums[2][ROWS] = {{0}};
    uint64_t from;
    uint8_t index[ROWS];
    const uint16_t groups[] = {0, 1, 3};
    for (int i = 0; i < CLASSES * MOST; i++) price[i] = (int32_t)(draw() % 90);
    for (int r = 0; r < ROWS; r++) index[r] = (uint8_t)(draw() % STATES);
    const corels_kernel_table *both[] = {one, other};
    from = state;
    for (int k = 0; k < 2; k++) {
        state = from; /* the same weights for both, by the parts that points need */
        for (int i = 0; i < CLASSES * MOST; i++)
            work[i] = i % MOST < LANES || draw() % 4 ? 0 : (int32_t)(draw() % 70);
        both[k]->fill_cells(BITS, CLASSES, price, work, values[k]);
        for (int i = 0; i < STATES; i++) alone[i] = values[k][i * LANES + 3];
        both[k]->move_cell(sums[k], index, groups, 3, alone, 0, STATES - 1);
        both[k]->move_cell(sums[k], index, groups, 3, alone, STATES - 1, 21);
    }
    return memcmp(values[0], values[1], sizeof *values) == 0 &&
           memcmp(sums[0], sums[1], sizeof *sums) == 0;
}

static int check_kernels(void) {
    const char *names[] = {"popcnt", "avx2", "avx512", "neon"};
    const corels_kernel_table *plain = &corels_kernel_portable;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const corels_kernel_table *found = (const void *)corels_kernel_named(names[i]);
        if (!found) continue;
        int same = same_counts(&found->ops, &plain->ops) && same_blocks(found, plain) &&
                   same_distances(found, plain) && same_cells(found, plain) &&
                   same_moves(found, plain);
        fprintf(stderr, "kernel %s %s\n", names[i], same ? "agrees" : "DIFFERS");
        if (!same) return 0;
    }
    return 1;
}

/* --- searches --------------------------------------------------------------------------------- */

/* How much the compiled checker lets a single claim say of all lists: what stopping, another
 * antecedent, and the best single rule behind each antecedent show without tables. */
static int64_t most_claimed(const corels_instance *in) {
    enum { STRIDE = 32, BITS = 4 };
    static uint64_t sets[(ANTECEDENTS + 1) * WORDS], columns[WORDS * STRIDE], scratch[4][STRIDE];
    static corels_check_term terms[2 * WORDS * BITS];
    static int32_t tallies[2][5][2 * STRIDE], flags[2][STRIDE];
    static uint32_t slots[2];
    size_t first[3] = {0, WORDS * BITS, 2 * WORDS * BITS};
    memcpy(sets, masks, sizeof masks);
    for (int i = 0; i < POINTS; i++) {
        sets[ANTECEDENTS * WORDS + i / 64] |= (uint64_t)1 << i % 64;
        for (int t = 0; t < 2 * BITS; t++)
            terms[t * WORDS + i / 64].bits |=
                (uint64_t)(regrets[t / BITS * POINTS + i] >> t % BITS & 1) << i % 64;
    }
    for (uint32_t t = 0; t < 2 * WORDS * BITS; t++)
        terms[t].word = t % WORDS, terms[t].bit = t / WORDS % BITS;
    for (int i = 0; i < (ANTECEDENTS + 1) * WORDS; i++)
        columns[i % WORDS * STRIDE + i / WORDS] = sets[i];
    static int32_t barred[2 * STRIDE];
    corels_check_table table = {in->unit, in->rule_cost, ANTECEDENTS, POINTS, WORDS, 2, 2,
                                STRIDE,   sets,          columns,     terms,  first, 2, barred};
    int64_t starts[2] = {0, 0}, value = 0;
    const int64_t any = INT64_C(1) << 62; /* of lists with any number of rules */
    corels_check_proof proof = {.claims = 1, .starts = starts, .values = &value};
    proof.most = any, proof.levels = 1, proof.may = &any;
    corels_check_tables none = {.room = 0};
    corels_check_reason reasons[CHECK_REASONS] = {{0}};
    for (size_t i = 0; i < CHECK_REASONS; i++) reasons[i].number = i;
    corels_check_worker w = {.in = &table, .proof = &proof, .tables = &none, .slots = 2};
    w.slot = slots, w.digests = scratch[3], w.reasons = reasons;
    w.set = scratch[0], w.behind = scratch[1], w.other = scratch[2];
    static uint64_t sums[STRIDE];
    w.sums = sums, w.saves = flags[0], w.open = flags[1];
    w.here = (corels_check_tally){tallies[0][0], tallies[0][2], tallies[0][3], tallies[0][4], 0};
    w.next = (corels_check_tally){tallies[1][0], tallies[1][2], tallies[1][3], tallies[1][4], 0};
    const corels_checker *checker = corels_checker_here();
    for (value = 1; checker->claims(&w, 0, 1);) value++;
    return value - 1;
}

/* Of a search with threads only objective and bound are printed: the order of its work varies. */
static int search(int32_t frontier, const char *map, int32_t threads) {
    corels_bound_choice bounds[MOST_BOUNDS] = {{0}};
    int32_t n = set_bounds(bounds);
    static const int64_t at_once[] = {0};
    set_stages(bounds, n, "prices", at_once, 1);
    for (int32_t i = 0; i < n; i++)
        bounds[i].monotone = !strcmp(bounds[i].native, "reduced_support");
    corels_instance in = {0};
    in.antecedents = ANTECEDENTS, in.points = POINTS, in.classes = 2;
    in.masks = masks, in.regrets = regrets, in.unit = 1, in.rule_cost = 20;
    for (int i = 0; i < POINTS; i++) in.total += regrets[i] + regrets[POINTS + i];
    corels_search_options options = {.max_rules = -1};
    options.frontier = frontier, options.policy = "objective", options.map = map;
    options.bounds = bounds, options.bound_count = n, options.start = 1;
    options.threads = threads;
    corels_search *found = NULL;
    int32_t same[POINTS];
    for (int i = 0; i < POINTS; i++) same[i] = i;
    if (corels_search_new(&found, &in, &options) != CORELS_OK) return 0;
    int status = corels_search_prove(found, same, same);
    while (status == CORELS_OK) {
        const corels_event *events;
        status = corels_search_step(found, 500, 0);
        corels_search_events(found, &events);
    }
    corels_report report;
    corels_search_look(found, &report);
    printf("%s %s, %d threads: status %d objective %" PRId64 " bound %" PRId64,
           frontier == CORELS_DEPTH_FIRST ? "depth-first" : "best-first", map, (int)threads, status,
           report.objective, report.lower_bound);
    if (threads == 1)
        printf(" expanded %" PRId64 " children %" PRId64, report.expanded, report.children);
    int64_t claimed = most_claimed(&in);
    printf(" claimed %" PRId64 "\n", claimed);
    corels_search_free(found);
    return in.rule_cost <= claimed && claimed <= report.objective && status == CORELS_DONE;
}

static int falling(int64_t scale, int64_t violation) {
    uint32_t positives[POINTS], negatives[POINTS];
    for (int i = 0; i < POINTS; i++)
        positives[i] = (uint32_t)regrets[i], negatives[i] = (uint32_t)regrets[POINTS + i];
    corels_falling_problem problem = {POINTS,    ANTECEDENTS, positives,  negatives, masks,
                                      2 * scale, scale,       15 * scale, violation};
    corels_falling_options options = {0};
    options.bounds = 31, options.max_rules = 4, options.memory_limit = 1 << 22;
    int32_t status = 0;
    corels_falling *found = corels_falling_new(&problem, &options, &status);
    if (!found) return 0;
    corels_falling_event events[64];
    do {
        status = corels_falling_step(found, 1000);
        while (corels_falling_drain(found, events, 64) == 64) continue;
    } while (status == CORELS_FALLING_RUNNING || status == CORELS_FALLING_EVENTS_FULL);
    corels_falling_statistics figures = corels_falling_read(found);
    printf("falling: status %d cost %" PRId64 " visited %" PRIu64 "\n", (int)status,
           figures.best_cost, figures.visited);
    corels_falling_free(found);
    return status == CORELS_FALLING_DONE;
}

static int pricing(void) {
    int64_t duals[64], weights[POINTS];
    for (int i = 0; i < 64; i++) duals[i] = (int64_t)(draw() % 1000);
    for (int i = 0; i < POINTS; i++) weights[i] = (int64_t)(draw() % 5 + 1);
    uint64_t columns[ANTECEDENTS];
    for (int i = 0; i < ANTECEDENTS; i++) columns[i] = draw() | draw();
    corels_pricing_query query = {duals, 100, 10, 1000, 0, 0, 0, 3, 10, 0, NULL};
    corels_pricing *p = corels_pricing_new(ANTECEDENTS, 64, POINTS, columns, masks, weights);
    if (!p || corels_pricing_start(p, &query) != CORELS_PRICING_DONE) return 0;
    int status;
    do status = corels_pricing_step(p, 1000);
    while (status == CORELS_PRICING_MORE);
    corels_pricing_stats stats = corels_pricing_read(p);
    printf("pricing: status %d best %" PRId64 " nodes %" PRIu64 " children %" PRIu64 "\n", status,
           stats.best, stats.nodes, stats.children);
    corels_pricing_free(p);
    return status == CORELS_PRICING_DONE;
}

int main(void) {
    if (!check_kernels()) return 1;
    state = 88172645463325252u; /* the data do not depend on the kernels */
    for (int i = 0; i < 2; i++) {
        make();
        if (!search(CORELS_DEPTH_FIRST, "memo", 1) || !search(CORELS_DEPTH_FIRST, "memo", 3) ||
            !search(CORELS_BEST_FIRST, "captured", 1))
            return 2;
        if (!falling(1, -1) || !falling(1 << 20, 100 << 20)) return 3;
    }
    return pricing() ? 0 : 4;
}

/* Claims: a small certified search that shows of a set that nothing which goes on fits.
 *
 * Most sets that a near-optimal prefix reaches lead nowhere: kept as nodes, they would outnumber
 * the others a hundredfold. Let g(T) be the least cost of completing T by at least one rule. An
 * edge to T is of use only if g(T) <= left, and to prove g(T) > left one may use every argument
 * about the *best* completion: reduced support, dominance, the memo. None of them removes a list;
 * they only bound the cost of all. The search stops at the first completion that does fit, and
 * gives up after MOST_COUNTS counts; in both cases the set is kept, which is never wrong.
 *
 * Sets are cut to the points with regret, and rules that capture nothing are allowed for. This can
 * only lower g, and makes it monotone. Proofs: docs/internals/near.md.
 *
 * What was found of a set, g >= claim and some completion of cost `reached`, is kept for the next
 * prefix that asks, and for later budgets. It is no part of the result: where memory is short, it
 * is not kept.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"

/* FEW_COUNTS: where there is no memory left to keep what was found. */
enum { MOST_COUNTS = 4000, FEW_COUNTS = 100, FIRST_CLAIMS = 4096 };

/* A slot is the key, the claim (0: the slot is free; a true claim is at least 1) and `reached`. */
static uint64_t *slot_of(const near_claims *claims, const uint64_t *key) {
    uint64_t most = (uint64_t)claims->capacity - 1,
             at = corels_hash(key, (size_t)claims->words) & most;
    size_t size = (size_t)claims->words + 2;
    for (;; at = (at + 1) & most) {
        uint64_t *slot = claims->slots + at * size;
        if (!slot[claims->words] || !memcmp(slot, key, (size_t)claims->words * sizeof *key))
            return slot;
    }
}

static int widen(corels_near *near) {
    near_claims *claims = &near->claims, old = *claims;
    size_t size = ((size_t)old.words + 2) * sizeof(uint64_t);
    int64_t capacity = old.capacity ? 2 * old.capacity : FIRST_CLAIMS;
    size_t limit = near->options.memory;
    if (limit && (size_t)capacity * size > limit / 4) return 0; /* the graph comes first */
    if (near_hold(near, (size_t)capacity * size) != CORELS_OK) return 0;
    claims->slots = calloc((size_t)capacity, size);
    if (!claims->slots) {
        claims->slots = old.slots;
        near_release(near, (size_t)capacity * size);
        return 0;
    }
    claims->capacity = capacity;
    for (int64_t i = 0; i < old.capacity; i++) {
        const uint64_t *from = old.slots + (size_t)i * size / sizeof *from;
        if (from[old.words]) memcpy(slot_of(claims, from), from, size);
    }
    near_release(near, (size_t)old.capacity * size);
    free(old.slots);
    return 1;
}

static void remember(corels_near *near, const uint64_t *key, int64_t claim, int64_t reached) {
    near_claims *claims = &near->claims;
    if (4 * (claims->used + 1) > 3 * claims->capacity && !widen(near)) {
        claims->full = 1;
        if (8 * (claims->used + 1) > 7 * claims->capacity) return;
    }
    uint64_t *slot = slot_of(claims, key), *known = slot + claims->words;
    if (!*known) {
        memcpy(slot, key, (size_t)claims->words * sizeof *key);
        claims->used++;
        known[0] = 1;
        known[1] = INT64_MAX;
    }
    if (claim > (int64_t)known[0]) known[0] = (uint64_t)claim;
    if (reached < (int64_t)known[1]) known[1] = (uint64_t)reached;
}

static void recall(const corels_near *near, const uint64_t *key, int64_t *claim, int64_t *reached) {
    const near_claims *claims = &near->claims;
    *claim = 0, *reached = INT64_MAX;
    if (!claims->capacity) return;
    const uint64_t *known = slot_of(claims, key) + claims->words;
    if (*known) *claim = (int64_t)known[0], *reached = (int64_t)known[1];
}

void near_claims_free(corels_near *near) {
    near_claims *claims = &near->claims;
    near_release(near, (size_t)claims->capacity * ((size_t)claims->words + 2) * sizeof(uint64_t));
    free(claims->slots);
    claims->slots = NULL;
    claims->capacity = claims->used = 0;
    for (int32_t d = 0; d < near->frame_count; d++) near_frame_free(near->frames[d]);
    free(near->frames);
    near->frames = NULL;
    near->frame_count = 0;
}

void near_frame_free(near_frame *frame) {
    if (!frame) return;
    free(frame->set);
    free(frame->view);
    free(frame->price);
    corels_memory_free(frame->counts);
    free(frame->totals);
    free(frame);
}

near_frame *near_frame_new(const corels_near *near) {
    size_t m = (size_t)near->in.antecedents, words = (size_t)near->words;
    size_t counts = (size_t)near->in.classes * (size_t)near->stride * sizeof(int32_t);
    near_frame *frame = calloc(1, sizeof *frame);
    if (!frame) return NULL;
    frame->set = calloc(words + (size_t)near->key_words + words + 2, sizeof(uint64_t));
    frame->counts = corels_memory_new(counts, 1);
    frame->totals = calloc((size_t)near->in.classes + 5 * m, sizeof(int32_t));
    if (!frame->set || !frame->counts || !frame->totals) {
        near_frame_free(frame);
        return NULL;
    }
    frame->key = frame->set + words;
    frame->list = frame->totals + near->in.classes;
    frame->errors = frame->list + m;
    frame->closing = frame->errors + m;
    frame->size = frame->closing + m;
    frame->all = frame->size + m;
    return frame;
}

/* The frame of a depth; NULL where memory is short. */
static near_frame *frame_at(corels_near *near, int32_t depth) {
    if (depth >= near->frame_count) {
        near_frame **wider = realloc(near->frames, ((size_t)depth + 1) * sizeof *wider);
        if (!wider) return NULL;
        near->frames = wider;
        near->frames[near->frame_count++] = near_frame_new(near);
    }
    near_frame *frame = near->frames[depth];
    if (frame && frame->price_of != near->prices.version) {
        uint64_t *price = realloc(frame->price, near->prices.words * sizeof *price);
        if (!price) return NULL;
        frame->price = price;
        frame->price_of = near->prices.version;
    }
    if (frame && near->blocks && frame->view_of != near->blocks) {
        size_t bytes = (size_t)corels_blocks_view_words(near->blocks) * sizeof(uint64_t);
        uint64_t *view = realloc(frame->view, bytes);
        if (!view) return NULL;
        frame->view = view;
        frame->view_of = near->blocks;
    }
    return frame;
}

static void claim_key(const corels_near *near, const uint64_t *set, uint64_t *key) {
    if (!near->by_closure) {
        memcpy(key, set, (size_t)near->front_words * sizeof *key);
        return;
    }
    memset(key, 0, (size_t)near->set_words * sizeof *key);
    for (int32_t r = 0; r < near->in.antecedents; r++)
        if (!near_meets(set, near_mask(near, r), near->front_words))
            key[r / 64] |= UINT64_C(1) << (r % 64);
}

/* Per antecedent: errors of its cell, errors of the list that ends with it, the larger sum. */
static int32_t scan_two(const corels_near *near, near_frame *frame) {
    const int32_t *a = frame->counts, *b = a + near->stride;
    int32_t *errors = frame->errors, *closing = frame->closing, *size = frame->size;
    int32_t all_a = frame->totals[0], all_b = frame->totals[1], least = INT32_MAX;
    for (int32_t r = 0; r < near->in.antecedents; r++) {
        int32_t rest_a = all_a - a[r], rest_b = all_b - b[r];
        int32_t rest = rest_a < rest_b ? rest_a : rest_b;
        errors[r] = a[r] < b[r] ? a[r] : b[r];
        size[r] = a[r] < b[r] ? b[r] : a[r];
        closing[r] = errors[r] + rest;
        least = closing[r] < least ? closing[r] : least;
    }
    return least;
}

static int32_t scan_many(const corels_near *near, near_frame *frame) {
    int32_t least = INT32_MAX;
    for (int32_t r = 0; r < near->in.antecedents; r++) {
        int32_t errors = INT32_MAX, rest = INT32_MAX, most = 0;
        for (int32_t c = 0; c < near->in.classes; c++) {
            int32_t here = frame->counts[(size_t)c * near->stride + r];
            if (here < errors) errors = here;
            if (here > most) most = here;
            if (frame->totals[c] - here < rest) rest = frame->totals[c] - here;
        }
        frame->errors[r] = errors;
        frame->closing[r] = errors + rest;
        frame->size[r] = most;
        if (errors + rest < least) least = errors + rest;
    }
    return least;
}

/* Counts of the frame's set; the cost of the best completion by one rule. */
static int64_t scan(corels_near *near, near_frame *frame) {
    corels_counter_count(near->counter, frame->set, near->scratch, frame->counts, frame->totals);
    near->proving++;
    near->counts_made++;
    int32_t least = near->in.classes == 2 ? scan_two(near, frame) : scan_many(near, frame);
    return near->in.rule_cost + near->in.unit * least;
}

/* Lists the children that are looked at. Two classes: a cell saves `size` at most (reduced
 * support); more: every child whose cell has regret. Without a cell: the list without it has been
 * looked at. */
static int32_t worth_asking(const corels_near *near, near_frame *frame) {
    int32_t n = 0;
    for (int32_t r = 0; r < near->in.antecedents; r++) {
        int64_t saved = near->in.unit * frame->size[r];
        if (frame->size[r] && (near->in.classes != 2 || saved > near->in.rule_cost))
            frame->list[n++] = r;
    }
    return n;
}

/* Children that no bound rules out, and the least that the others cost. */
static int32_t viable(corels_near *near, near_frame *frame, int64_t need, int64_t *floor) {
    int64_t rule = near->in.rule_cost, unit = near->in.unit;
    int32_t n = 0, dropped = 0, asked = worth_asking(near, frame);
    if (near_priced(near)) prices_ask(near->prices.tables, frame->price, frame->list, asked);
    for (int32_t i = 0; i < asked; i++) {
        int32_t r = frame->list[i];
        int64_t cost = rule + unit * frame->errors[r], price = near_price(near, frame->price, r);
        dropped += cost + price >= need;
        if (price < rule) price = rule;
        if (cost + price >= need)
            lower(floor, cost + price);
        else if (!near_worth(near, frame->counts, frame->totals, frame->view, r, need - cost - 1))
            lower(floor, need);
        else
            frame->list[n++] = r;
    }
    if (near_priced(near)) near_prices_judge(near, asked, dropped);
    return n;
}

static int inside(const corels_near *near, const uint64_t *set, int32_t r, int32_t q) {
    const uint64_t *a = near_mask(near, r), *b = near_mask(near, q);
    for (int32_t w = 0; w < near->front_words; w++)
        if (set[w] & a[w] & ~b[w]) return 0;
    return 1;
}

/* Without those that capture part of what another captures with no more errors. */
static int32_t undominated(corels_near *near, near_frame *frame, int32_t n) {
    int32_t kept = 0, *list = frame->list;
    for (int32_t i = 0; i < n; i++) {
        int32_t r = list[i], dominated = 0;
        for (int32_t j = 0; j < n && !dominated; j++) {
            int32_t q = frame->all[j];
            if (q == r || frame->errors[q] > frame->errors[r] || frame->size[q] < frame->size[r])
                continue;
            dominated =
                inside(near, frame->set, r, q) && (q < r || !inside(near, frame->set, q, r));
        }
        if (!dominated) list[kept++] = r;
    }
    return kept;
}

static void by_closing(const near_frame *frame, int32_t *list, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        int32_t r = list[i], at = i;
        for (; at && frame->closing[list[at - 1]] > frame->closing[r]; at--)
            list[at] = list[at - 1];
        list[at] = r;
    }
}

static int64_t most_counts(const corels_near *near) {
    return near->claims.full ? FEW_COUNTS : MOST_COUNTS;
}

static int64_t prove(corels_near *near, int32_t depth, int64_t need, int64_t *reached);

/* The same for the set behind child r of the frame. */
static int64_t prove_child(corels_near *near, int32_t depth, int32_t r, int64_t need,
                           int64_t *reached) {
    near_frame *below = frame_at(near, depth + 1);
    const near_frame *frame = near->frames[depth];
    const uint64_t *mask = near_mask(near, r);
    if (!below) return 0;
    for (int32_t w = 0; w < near->front_words; w++) below->set[w] = frame->set[w] & ~mask[w];
    if (near_priced(near)) view_child(near->prices.tables, frame->price, r, 1, below->price);
    return prove(near, depth + 1, need, reached);
}

/* All children that are left. Answers the least that completions cost, or less than `need`. */
static int64_t prove_children(corels_near *near, int32_t depth, int64_t need, int64_t floor,
                              int64_t *reached) {
    near_frame *frame = near->frames[depth];
    int64_t rule = near->in.rule_cost, unit = near->in.unit;
    if (near->blocks) corels_blocks_view(near->blocks, frame->set, frame->view);
    int32_t n = viable(near, frame, need, &floor);
    memcpy(frame->all, frame->list, (size_t)n * sizeof *frame->list);
    n = undominated(near, frame, n);
    by_closing(frame, frame->list, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t r = frame->list[i];
        int64_t cost = rule + unit * frame->errors[r], found = INT64_MAX;
        int64_t rest = prove_child(near, depth, r, need - cost, &found);
        if (cost + rest < need) {
            if (found < INT64_MAX) *reached = cost + found;
            return 0;
        }
        lower(&floor, cost + rest);
    }
    return floor;
}

/* What completing the frame's set by at least one rule costs at least. Less than `need`: some
 * completion costs `*reached` (where that was changed), or the proof was given up. */
static int64_t prove(corels_near *near, int32_t depth, int64_t need, int64_t *reached) {
    near_frame *frame = near->frames[depth];
    int64_t claim, known, rule = near->in.rule_cost;
    if (need <= 2 * rule) { /* a second rule does not fit: one count says all */
        int64_t one = scan(near, frame);
        if (one < need) *reached = one;
        return one < 2 * rule ? one : 2 * rule;
    }
    claim_key(near, frame->set, frame->key);
    recall(near, frame->key, &claim, &known);
    if (claim >= need) return claim;
    if (known < need) *reached = known;
    if (known < need || near->proving >= most_counts(near) || near_blocks_due(near)) return claim;
    int64_t best = scan(near, frame);
    *reached = best < need ? best : INT64_MAX;
    claim = best < need ? 0 : prove_children(near, depth, need, best, reached);
    remember(near, frame->key, claim, claim < need ? *reached : INT64_MAX);
    return claim;
}

int near_dead(corels_near *near, const uint64_t *set, int64_t left) {
    if (!near->counter || !near->in.rule_cost) return 0;
    near->claims.words = near->by_closure ? near->set_words : near->front_words;
    int64_t claim, reached = INT64_MAX;
    do {
        near_blocks_if_due(near);
        near_frame *frame = frame_at(near, 0);
        if (!frame) return 0;
        near->proving = 0;
        memcpy(frame->set, set, (size_t)near->front_words * sizeof *set);
        if (near_priced(near))
            memcpy(frame->price, near->prices.view, near->prices.words * sizeof *frame->price);
        claim = prove(near, 0, left + 1, &reached);
    } while (claim <= left && near_blocks_due(near));
    near->given_up += near->proving >= most_counts(near);
    return claim > left;
}

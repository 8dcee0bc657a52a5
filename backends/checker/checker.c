/* The compiled checker: finds the records, fills the tables, indexes the claims, checks each.
 *
 * A claim (Z, v) says that whatever follows rules with the antecedents Z costs at least v. It is
 * about S, the points outside all of Z; so a claim is found by its set: a digest leads to it, and
 * comparing the sets decides. The claim holds if stopping costs v or more, and each antecedent r
 * that captures something of S is ruled out by one of the reasons in `check_claim` and `proven`. T
 * is S without what r captures. Claims lean on claims about smaller sets only, so that their order
 * does not matter.
 *
 * Claims are taken in the order of their antecedents, as a trie is walked: a level of the path
 * holds the set that its rules leave, and, where that was asked for, where it stands in the tables
 * that the proof gives.
 *
 * goals[k] are the errors that a list of k rules must make for its cost to be v or more.
 *
 * Nothing in the bytes is trusted: numbers are read with their limits, and work is bounded by the
 * number of records times the size of the table.
 */
#include "inner.h"

enum { MOST_PROBES = 64, MOST_GIVEN = 72, GOALS = 10 };
enum { CLAIM = 'c', EXPANDED = 'x', LIST = 'l', BLOCKS = 'b', PRICES = 'p', END = 'e' };

typedef struct {
    const int32_t *rules; /* in rising order */
    int32_t length;
    uint32_t number; /* in the file */
    int64_t value;
    uint64_t digest;
} claim;

struct corels_check {
    keeper keeper;
    const corels_check_table *in;
    counter counter;
    claim *claims;
    size_t n_claims, slots, most_depth;
    uint32_t *index; /* [slots]: claim + 1 */
    given *given[MOST_GIVEN];
    uint8_t priced[MOST_GIVEN];
    size_t n_given, room;         /* bytes that are left for tables */
    size_t views[MOST_GIVEN + 1]; /* where each one's view begins */
    int64_t bound;
};

/* One part of the work: a walk through the trie, and what is counted on the way. */
typedef struct {
    keeper keeper;
    const corels_check *of;
    int32_t *path;
    size_t depth, viewed, level_words; /* levels below `viewed` have no views */
    uint64_t *levels, *behind, *other; /* [most_depth + 1][level_words]: a set, then views */
    tally here, next;                  /* of the set that is checked, and of one behind it */
    int32_t goals[GOALS];
} walker;

/* ---- reading ---- */

static void read_claim(corels_check *c, reader *in, int32_t *rules, int relative) {
    claim *one = c->claims + c->n_claims;
    *one = (claim){.rules = rules, .number = (uint32_t)c->n_claims++};
    one->length = (int32_t)next_below(in, (int64_t)c->in->antecedents + 1);
    for (int32_t i = 0, rule = 0; i < one->length; i++)
        rules[i] = rule += (int32_t)next_below(in, c->in->antecedents - rule);
    if ((size_t)one->length > c->most_depth) c->most_depth = (size_t)one->length;
    one->value = next_below(in, MOST_COST);
    if (relative) one->value = -1 - one->value; /* until the bound is known */
}

/* Blocks or cells, unless these bytes were read before: a resumed search states them again. */
static void read_given(corels_check *c, reader *in, const uint8_t **before, int priced) {
    const uint8_t *record = in->at - 1;
    for (size_t i = 0; i < c->n_given; i++) {
        size_t length = (size_t)(before[2 * i + 1] - before[2 * i]);
        if (length > (size_t)(in->end - record) || memcmp(record, before[2 * i], length)) continue;
        in->at = record + length;
        return;
    }
    if (c->n_given == MOST_GIVEN) fail(&c->keeper, CORELS_CHECK_DATA);
    before[2 * c->n_given] = record;
    c->priced[c->n_given] = (uint8_t)priced;
    c->given[c->n_given] = given_read(c->in, in, priced, &c->room);
    c->views[c->n_given + 1] = c->views[c->n_given] + given_view(c->given[c->n_given]);
    before[2 * c->n_given++ + 1] = in->at;
}

static void read_records(corels_check *c, const uint8_t *records, size_t bytes) {
    reader in = {&c->keeper, records, records + bytes};
    const uint8_t *before[2 * MOST_GIVEN];
    int32_t *rules = keep(&c->keeper, bytes, sizeof *rules);    /* a rule takes a byte at least, */
    c->claims = keep(&c->keeper, bytes / 3, sizeof *c->claims); /* and a claim three */
    while (in.at < in.end) {
        int64_t kind = next_below(&in, 128);
        if (kind == CLAIM || kind == EXPANDED) {
            read_claim(c, &in, rules + (in.at - records), kind == EXPANDED);
        } else if (kind == BLOCKS || kind == PRICES) {
            read_given(c, &in, before, kind == PRICES);
        } else if (kind == LIST) {
            int64_t n = next_below(&in, (int64_t)c->in->antecedents + 1);
            while (n-- > 0) next_below(&in, c->in->antecedents);
            next_below(&in, MOST_COST);
        } else {
            c->bound = next_below(&in, kind == END ? MOST_COST : 0);
            if (in.at < in.end) fail(&c->keeper, CORELS_CHECK_MALFORMED);
        }
    }
    for (claim *one = c->claims; one < c->claims + c->n_claims;
         one++) /* of the best-first search */
        if (one->value < 0) one->value += (c->bound > 0 ? c->bound : 0) + 1;
}

/* ---- the walk ---- */

static void leave(const corels_check *c, int32_t rule, const uint64_t *from, uint64_t *set) {
    const uint64_t *mask = c->in->masks + (size_t)rule * c->counter.words;
    for (size_t w = 0; w < c->counter.words; w++) set[w] = from[w] & ~mask[w];
}

/* The set of a claim: up to what its path has in common with the one before, and down again. */
static const uint64_t *walk_to(walker *w, const claim *one) {
    size_t common = 0, length = (size_t)one->length;
    while (common < w->depth && common < length && w->path[common] == one->rules[common]) common++;
    if (w->viewed > common) w->viewed = common;
    for (w->depth = common; w->depth < length; w->depth++) {
        uint64_t *level = w->levels + w->depth * w->level_words;
        leave(w->of, w->path[w->depth] = one->rules[w->depth], level, level + w->level_words);
    }
    return w->levels + w->depth * w->level_words;
}

/* The views of the level at the end of the path. */
static const uint16_t *views(walker *w) {
    size_t set = w->of->counter.words;
    for (; w->viewed < w->depth; w->viewed++) {
        uint64_t *level = w->levels + w->viewed * w->level_words, *next = level + w->level_words;
        memcpy(next + set, level + set, (w->level_words - set) * sizeof *level);
        for (size_t i = 0; i < w->of->n_given; i++)
            given_enter(w->of->given[i], w->path[w->viewed],
                        (uint16_t *)(next + set) + w->of->views[i]);
    }
    return (const uint16_t *)(w->levels + w->depth * w->level_words + set);
}

static void walker_new(walker *w) {
    const corels_check *c = w->of;
    size_t words = c->counter.words;
    w->level_words = (words + c->views[c->n_given] / 4 + 8) / 8 * 8;
    w->levels = keep(&w->keeper, (c->most_depth + 1) * w->level_words, sizeof *w->levels);
    w->path = keep(&w->keeper, c->most_depth, sizeof *w->path);
    w->behind = keep(&w->keeper, words, 8), w->other = keep(&w->keeper, words, 8);
    tally_new(&w->here, &c->counter, &w->keeper), tally_new(&w->next, &c->counter, &w->keeper);
    for (size_t i = 0; i < (size_t)c->in->points; i++) w->levels[i / 64] |= UINT64_C(1) << i % 64;
    for (size_t i = 0; i < c->n_given; i++)
        given_begin(c->given[i], (uint16_t *)(w->levels + words) + c->views[i]);
}

/* ---- claims by their set ---- */

/* A digest of what r leaves of the set, or, where `counts` is NULL, of the set: some of its words,
 * and the regret in it, class by class. */
static uint64_t digest(const corels_check *c, const uint64_t *set, int32_t r, const tally *t,
                       const int32_t *counts) {
    const uint64_t *mask = c->in->masks + (size_t)r * c->counter.words;
    uint64_t h = 0;
    for (size_t w = 0; w < c->counter.words; w += c->counter.words / 16 + 1) {
        h = (h ^ (set[w] & ~(counts ? mask[w] : 0))) * 0xD6E8FEB86659FD93;
        h ^= h >> 32;
    }
    for (size_t k = 0; k < (size_t)c->in->classes; k++) {
        int64_t gone = counts ? counts[k * c->counter.stride + (size_t)r] : 0;
        h = (h ^ (uint64_t)(t->totals[k] - gone)) * 0x9E3779B97F4A7C15;
        h ^= h >> 29;
    }
    return h;
}

/* Whether the rules of a claim are those of the path and r. */
static int is_next(const walker *w, const claim *one, int32_t r) {
    size_t i = 0;
    if ((size_t)one->length != w->depth + 1) return 0;
    while (i < w->depth && w->path[i] < r && one->rules[i] == w->path[i]) i++;
    return one->rules[i] == r &&
           !memcmp(one->rules + i + 1, w->path + i, (w->depth - i) * sizeof *w->path);
}

/* The slot of the claim about this set, or the empty one where it would be; NULL where more
 * digests than chance allows stand in the way. */
static uint32_t *find(walker *w, const uint64_t *set, int32_t r, uint64_t h) {
    const corels_check *c = w->of;
    for (size_t probe = 0; probe < MOST_PROBES; probe++) {
        uint32_t *slot = c->index + ((h + probe) & (c->slots - 1));
        if (!*slot) return slot;
        const claim *one = c->claims + (*slot - 1);
        if (one->digest != h) continue;
        if (r >= 0 && is_next(w, one, r)) return slot;
        memcpy(w->other, w->levels, c->counter.words * sizeof *set);
        for (int32_t i = 0; i < one->length; i++) leave(c, one->rules[i], w->other, w->other);
        if (!memcmp(w->other, set, c->counter.words * sizeof *set)) return slot;
    }
    return NULL;
}

static int64_t claimed(walker *w, const uint64_t *set, int32_t r) {
    uint64_t h = digest(w->of, set, r, &w->here, w->here.counts);
    if (!w->of->index[h & (w->of->slots - 1)]) return 0;
    leave(w->of, r, set, w->behind);
    const uint32_t *slot = find(w, w->behind, r, h);
    return slot && *slot ? w->of->claims[*slot - 1].value : 0;
}

static int by_rules(const void *a, const void *b) {
    const claim *x = a, *y = b;
    for (int32_t i = 0; i < x->length && i < y->length; i++)
        if (x->rules[i] != y->rules[i]) return x->rules[i] < y->rules[i] ? -1 : 1;
    return x->length != y->length ? (x->length < y->length ? -1 : 1) : 0;
}

/* Of several claims about a set the one that says most is found. */
static void find_claims(walker *w, corels_check *c, size_t from, size_t to) {
    for (claim *one = c->claims + from; one < c->claims + to; one++) {
        if (one->value <= 0) continue;
        const uint64_t *set = walk_to(w, one);
        c->counter.totals(&c->counter, set, w->here.totals);
        one->digest = digest(c, set, 0, &w->here, NULL);
        uint32_t *slot = find(w, set, -1, one->digest);
        if (slot && (!*slot || c->claims[*slot - 1].value < one->value))
            *slot = (uint32_t)(one - c->claims + 1);
    }
}

/* ---- reasons ---- */

/* The best single rule behind r, where what it leaves errs `goal` times or more. */
static int by_one_rule(walker *w, const uint64_t *set, int32_t r, int64_t goal, int two_rules) {
    int32_t least = INT32_MAX, any = 0;
    leave(w->of, r, set, w->behind);
    w->of->counter.count(&w->of->counter, w->behind, &w->next);
    for (size_t q = 0; q < w->of->counter.stride; q++) {
        int32_t here = w->next.worst[q] ? w->next.ending[q] : INT32_MAX;
        least = here < least ? here : least;
        any |= w->next.worst[q];
    }
    return !any || (two_rules && least >= goal);
}

/* Two classes: the same, told from what is counted. A rule that saves no more than it costs is not
 * needed. */
static int by_gain(const walker *w, int32_t r, int64_t goal) {
    const counter *c = &w->of->counter;
    for (int of = 0; of < 2 && c->classes == 2; of++) {
        int64_t left = w->here.totals[of] - w->here.counts[(size_t)of * c->stride + (size_t)r];
        if (left - c->gain(c, &w->here, r, of) < goal) return 0;
    }
    return c->classes == 2;
}

/* Whether what r captures and q does not errs no more than `most`, whatever it is predicted. */
static int errs_at_most(const corels_check *c, const uint64_t *set, int32_t r, int32_t q,
                        int32_t most) {
    const uint64_t *in = c->in->masks + (size_t)r * c->counter.words;
    const uint64_t *out = c->in->masks + (size_t)q * c->counter.words;
    int64_t sum = 0;
    for (size_t w = 0; w < c->counter.words && sum <= most; w++)
        for (uint64_t left = set[w] & in[w] & ~out[w]; left; left &= left - 1)
            sum += greatest_regret(c->in, 64 * w + (size_t)__builtin_ctzll(left));
    return sum <= most;
}

/* Another antecedent does what r does, and comes first in the order of removals. */
static int instead(const walker *w, const uint64_t *set, int32_t r) {
    const int32_t *errors = w->here.errors, *worst = w->here.worst;
    for (int32_t q = 0; q < w->of->in->antecedents; q++) {
        int32_t room = errors[r] - errors[q];
        if (q == r || room < 0 || worst[r] - worst[q] > room) continue;
        if (!room && (worst[q] < worst[r] || (worst[q] == worst[r] && q > r))) continue;
        if (errs_at_most(w->of, set, r, q, room)) return 1;
    }
    return 0;
}

/* Whether tables show it, the last first: they are the largest. */
static int by_given(walker *w, int priced, int32_t r, int64_t need) {
    const corels_check *c = w->of;
    const uint16_t *view = views(w);
    for (size_t i = c->n_given; i-- > 0;)
        if (c->priced[i] == priced &&
            given_shows(c->given[i], view + c->views[i], r, w->goals + 1, w->here.errors[r], need))
            return 1;
    return 0;
}

/* Whether the antecedent r is ruled out: behind it, whatever follows costs `need` or more, or it is
 * not needed. */
static int proven(walker *w, const uint64_t *set, int32_t r, int64_t need) {
    const int32_t *goals = w->goals;
    int32_t errors = w->here.errors[r];
    /* Of what stopping behind r costs, only a claim and prices say more than that. */
    int stopping = w->here.ending[r] >= goals[1], two_rules = errors >= goals[3];
    if (stopping && errors >= goals[9] && by_given(w, 0, r, need)) return 1;
    if (stopping && two_rules && by_gain(w, r, goals[2] - errors)) return 1;
    if (claimed(w, set, r) >= need || by_given(w, 1, r, need) || instead(w, set, r)) return 1;
    return stopping && by_one_rule(w, set, r, goals[2] - errors, two_rules);
}

static int check_claim(walker *w, const claim *one, corels_check_report *report) {
    int64_t unit = w->of->in->unit, rule_cost = w->of->in->rule_cost;
    const uint64_t *set = walk_to(w, one);
    const tally *here = &w->here;
    w->of->counter.count(&w->of->counter, set, &w->here);
    *report = (corels_check_report){one->number, one->value, unit * here->stop, -1};
    for (int64_t k = 0; k < GOALS; k++) {
        int64_t rest = one->value - k * rule_cost, errors = rest > 0 ? (rest - 1) / unit + 1 : 0;
        w->goals[k] = errors < INT32_MAX ? (int32_t)errors : INT32_MAX;
    }
    if (here->stop < w->goals[0]) return CORELS_CHECK_FAILS;
    int32_t n = w->of->counter.open(&w->of->counter, &w->here, w->goals[1], w->goals[2]);
    for (int32_t i = 0; i < n; i++) {
        int32_t r = here->open[i];
        if (proven(w, set, r, one->value - rule_cost - unit * here->errors[r])) continue;
        report->antecedent = r;
        return CORELS_CHECK_FAILS;
    }
    return CORELS_CHECK_HOLDS;
}

/* Of these claims the one that fails and stands first in the file, or, if none does, whether one
 * of all claims is the conclusion. */
static int check_claims(walker *w, size_t from, size_t to, corels_check_report *report) {
    const corels_check *c = w->of;
    corels_check_report here;
    int result = CORELS_CHECK_HOLDS;
    *report = (corels_check_report){-1, c->bound, 0, -1};
    for (const claim *one = c->claims + from; one < c->claims + to; one++) {
        if (one->value <= 0 || (result && one->number > report->claim)) continue;
        if (check_claim(w, one, &here) != CORELS_CHECK_FAILS) continue;
        result = CORELS_CHECK_FAILS, *report = here;
    }
    if (result) return result;
    for (size_t i = 0; i < c->n_claims && !c->claims[i].length; i++)
        if (c->claims[i].value > report->stop) report->stop = c->claims[i].value;
    return report->stop >= c->bound ? CORELS_CHECK_HOLDS : CORELS_CHECK_FAILS;
}

/* ---- the whole ---- */

int corels_check_new(const corels_check_table *table, const uint8_t *records, size_t bytes,
                     corels_check **check) {
    corels_check *c = *check = calloc(1, sizeof *c);
    if (!c || bytes > UINT32_MAX) return CORELS_CHECK_MEMORY;
    c->in = table, c->bound = -1, c->room = (size_t)512 << 20;
    if (setjmp(c->keeper.out)) return c->keeper.result;
    counter_new(&c->counter, table, &c->keeper);
    read_records(c, records, bytes);
    qsort(c->claims, c->n_claims, sizeof *c->claims, by_rules);
    for (c->slots = 64; c->slots < 2 * c->n_claims;) c->slots *= 2;
    c->index = keep(&c->keeper, c->slots, sizeof *c->index);
    return CORELS_CHECK_HOLDS;
}

int corels_check_run(corels_check *c, int stage, size_t part, size_t parts,
                     corels_check_report *report) {
    walker *w = calloc(1, sizeof *w);
    volatile int result = CORELS_CHECK_HOLDS;
    if (!w) return CORELS_CHECK_MEMORY;
    w->of = c;
    if (setjmp(w->keeper.out)) {
        result = w->keeper.result;
    } else if (stage == CORELS_CHECK_FILL) {
        for (size_t i = 0; i < c->n_given; i++) given_fill(c->given[i], &w->keeper, part, parts);
    } else {
        walker_new(w);
        size_t from = c->n_claims * part / parts, to = c->n_claims * (part + 1) / parts;
        if (stage == CORELS_CHECK_FIND)
            find_claims(w, c, from, to);
        else
            result = check_claims(w, from, to, report);
    }
    keeper_free(&w->keeper);
    free(w);
    return result;
}

void corels_check_free(corels_check *c) {
    if (c) keeper_free(&c->keeper);
    free(c);
}

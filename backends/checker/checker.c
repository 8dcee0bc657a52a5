/* The compiled checker: indexes the claims, and checks each.
 *
 * A claim (Z, v) says that whatever follows rules with the antecedents Z costs at least v. It is
 * about S, the points outside all of Z; so a claim is found by its set: a digest leads to it, and
 * comparing the sets decides. The claim holds if stopping costs v or more, and each antecedent r
 * that captures something of S is ruled out by one of the reasons in `proven`. T is S without what
 * r captures. Claims lean on claims about smaller sets only, so that their order does not matter.
 *
 * goals[k] are the errors that a list of k rules must make for its cost to be v or more.
 *
 * Nothing in the bytes is trusted, and work is bounded by the number of records times the size of
 * the table. The files checker_*.c compile this one for other processors. */
#include "tables.h"

enum { MOST_PROBES = 64, GOALS = 10 };

struct corels_check {
    keeper keeper;
    const corels_check_table *in;
    const corels_check_proof *proof;
    counter counter;
    tables tables;
    uint64_t *digests; /* [claims] */
    size_t slots;
    uint32_t *index; /* [slots]: claim + 1, or 0 */
};

/* One part of the work: a claim at a time, and what is counted for it. */
typedef struct {
    keeper keeper;
    const corels_check *of;
    size_t claim;
    uint64_t *set, *behind, *other;
    uint16_t *view;   /* [cells]: the states that the set leaves */
    tally here, next; /* of the set, and of one behind it */
    int32_t *saves, *open;
    int32_t goals[GOALS];
} worker;

static void worker_new(worker *w) {
    const corels_check *c = w->of;
    size_t words = c->counter.words, stride = c->counter.stride;
    w->set = keep(&w->keeper, words, 8), w->behind = keep(&w->keeper, words, 8),
    w->other = keep(&w->keeper, words, 8);
    w->view = keep(&w->keeper, c->tables.cells, sizeof *w->view);
    w->saves = keep(&w->keeper, stride, sizeof *w->saves),
    w->open = keep(&w->keeper, stride, sizeof *w->open);
    tally_new(&w->here, &c->counter, &w->keeper), tally_new(&w->next, &c->counter, &w->keeper);
}

/* ---- sets ---- */

static void leave(const corels_check *c, int64_t rule, uint64_t *set) {
    const uint64_t *mask = c->in->masks + (size_t)rule * c->counter.words;
    for (size_t w = 0; w < c->counter.words; w++) set[w] &= ~mask[w];
}

/* What the rules of a claim leave. */
static void set_of(const corels_check *c, size_t claim, uint64_t *set) {
    for (size_t w = 0; w < c->counter.words; w++) set[w] = ~UINT64_C(0);
    set[c->counter.words - 1] >>= (64 - c->in->points % 64) % 64;
    for (int64_t i = c->proof->starts[claim]; i < c->proof->starts[claim + 1]; i++)
        leave(c, c->proof->rules[i], set);
}

/* What r leaves of the set. */
static const uint64_t *behind(const worker *w, size_t r) {
    const uint64_t *mask = w->of->in->masks + r * w->of->counter.words;
    for (size_t i = 0; i < w->of->counter.words; i++) w->behind[i] = w->set[i] & ~mask[i];
    return w->behind;
}

static uint64_t digest(const corels_check *c, const uint64_t *set) {
    uint64_t h = 0;
    for (size_t w = 0; w < c->counter.words; w++) {
        uint64_t x = (set[w] ^ set[w] >> 29) * (UINT64_C(0x9E3779B97F4A7C15) * (2 * w + 1));
        h += x ^ x >> 32;
    }
    return h;
}

/* Whether these are the rules of a claim and r; `from` the claim, or what is like it. */
static int is_next(const corels_check_proof *p, size_t claim, size_t from, int64_t r) {
    const int64_t *rule = p->rules + p->starts[claim], *end = p->rules + p->starts[claim + 1];
    const int64_t *old = p->rules + p->starts[from], *old_end = p->rules + p->starts[from + 1];
    for (int seen = 0; rule < end; rule++)
        if (!seen && *rule == r)
            seen = 1;
        else if (old == old_end || *rule != *old++)
            return 0;
    return old == old_end;
}

/* The slot of the claim about this set, or the empty one where it would be; NULL where more
 * digests than chance allows stand in the way. */
static uint32_t *find(const worker *w, const uint64_t *set, uint64_t h, int64_t r) {
    const corels_check *c = w->of;
    for (size_t probe = 0; probe < MOST_PROBES; probe++) {
        uint32_t *slot = c->index + ((h + probe) & (c->slots - 1));
        if (!*slot) return slot;
        if (c->digests[*slot - 1] != h) continue;
        if (is_next(c->proof, *slot - 1, w->claim, r)) return slot;
        set_of(c, *slot - 1, w->other);
        if (!memcmp(w->other, set, c->counter.words * sizeof *set)) return slot;
    }
    return NULL;
}

/* Of several claims about a set the one that says most is found. */
static void find_claims(worker *w, size_t from, size_t to) {
    const corels_check *c = w->of;
    for (size_t i = from; i < to; i++) {
        if (c->proof->values[i] <= 0) continue;
        set_of(c, w->claim = i, w->set);
        uint32_t *slot = find(w, w->set, c->digests[i] = digest(c, w->set), -1);
        if (slot && (!*slot || c->proof->values[*slot - 1] < c->proof->values[i]))
            *slot = (uint32_t)(i + 1);
    }
}

/* ---- reasons ---- */

static int by_claim(worker *w, size_t r, int64_t need) {
    const uint64_t *set = behind(w, r);
    const uint32_t *slot = find(w, set, digest(w->of, set), (int64_t)r);
    return slot && *slot && w->of->proof->values[*slot - 1] >= need;
}

/* Whether tables show it, the last first: they are the largest. */
static int by_tables(const worker *w, int priced, size_t r, int64_t need) {
    const tables *t = &w->of->tables;
    const uint16_t *left = t->left + r * t->cells;
    for (size_t i = t->proof->records; i-- > 0;)
        if (t->proof->given[i].priced == priced &&
            (priced ? by_prices(t, i, w->view, left, need)
                    : by_blocks(t, i, w->view, left, w->goals + 1, w->here.errors[r])))
            return 1;
    return 0;
}

/* The best single rule behind r, where what it leaves errs `goal` times or more. */
static int by_one_rule(worker *w, size_t r, int32_t goal, int two_rules) {
    int32_t least = INT32_MAX, any = 0;
    count(&w->of->counter, behind(w, r), &w->next);
    for (size_t q = 0; q < w->of->in->antecedents; q++) {
        int32_t ending = w->next.worst[q] ? w->next.ending[q] : INT32_MAX;
        least = ending < least ? ending : least;
        any |= w->next.worst[q];
    }
    return !any || (two_rules && least >= goal);
}

/* Two classes: the same, told from what is counted. A rule q behind r captures of class a at most
 * a_q and what r leaves of it, and of the other class at least b_q - b_r. */
static int by_gain(const worker *w, size_t r, int32_t goal) {
    size_t n = w->of->counter.stride;
    for (size_t of = 0; of < 2; of++) {
        const int32_t *a = w->here.counts + of * n, *b = w->here.counts + (1 - of) * n;
        int32_t left = a[w->of->in->antecedents] - a[r], behind = b[r], best = 0;
        for (size_t q = 0; q < n; q++) {
            int32_t gain = a[q] < left ? a[q] : left, lost = b[q] > behind ? b[q] - behind : 0;
            int32_t here = w->saves[q] & (gain - lost);
            best = here > best ? here : best;
        }
        if (left - best < goal) return 0;
    }
    return 1;
}

/* Whether what r captures and q does not errs no more than `most`, whatever it is predicted. */
static int errs_at_most(const worker *w, size_t r, size_t q, int64_t most) {
    const counter *c = &w->of->counter;
    const uint64_t *in = c->in->masks + r * c->words, *out = c->in->masks + q * c->words;
    const term *t = c->terms + c->first[c->in->rows == c->in->classes ? 0 : c->in->classes];
    for (; t < c->terms + c->first[c->in->rows] && most >= 0; t++) {
        uint64_t here = t->bits & w->set[t->word] & in[t->word] & ~out[t->word];
        most -= (int64_t)__builtin_popcountll(here) << t->bit;
    }
    return most >= 0;
}

/* Another antecedent does what r does, and comes first in the order of removals. */
static int by_another(const worker *w, size_t r) {
    const int32_t *errors = w->here.errors, *worst = w->here.worst;
    for (size_t q = 0; q < w->of->in->antecedents; q++) {
        int32_t room = errors[r] - errors[q];
        if (room < 0 || worst[r] - worst[q] > room) continue;
        if (!room && (worst[q] < worst[r] || (worst[q] == worst[r] && q >= r))) continue;
        if (errs_at_most(w, r, q, room)) return 1;
    }
    return 0;
}

/* Whether the antecedent r is ruled out: behind it, whatever follows costs `need` or more, or it is
 * not needed. Cheap reasons first. */
static int proven(worker *w, size_t r, int64_t need) {
    const int32_t *goals = w->goals;
    int32_t errors = w->here.errors[r];
    /* Of what stopping behind r costs, only a claim and prices say more than that. */
    int stopping = w->here.ending[r] >= goals[1], two_rules = stopping && errors >= goals[3];
    if (stopping && errors >= goals[9] && by_tables(w, 0, r, need)) return 1;
    if (two_rules && w->of->in->classes == 2 && by_gain(w, r, goals[2] - errors)) return 1;
    if (by_claim(w, r, need) || by_tables(w, 1, r, need) || by_another(w, r)) return 1;
    return stopping && by_one_rule(w, r, goals[2] - errors, two_rules);
}

/* The antecedents that save more than a rule costs, and whose rule is not ruled out by its errors:
 * as the last rule, or as one before another. How many they are. */
static size_t find_open(worker *w) {
    const corels_check_table *in = w->of->in;
    int64_t least = in->rule_cost / in->unit + 1;
    int32_t saves = least < INT32_MAX ? (int32_t)least : INT32_MAX;
    size_t n = 0;
    for (size_t r = 0; r < w->of->counter.stride; r++) {
        w->saves[r] = -(w->here.worst[r] - w->here.errors[r] >= saves); /* all ones, or 0 */
        w->open[r] =
            w->saves[r] & ((w->here.ending[r] < w->goals[1]) | (w->here.errors[r] < w->goals[2]));
    }
    for (size_t r = 0; r < in->antecedents; r++) {
        int32_t open = w->open[r];
        w->open[n] = (int32_t)r, n += open & 1;
    }
    return n;
}

static int check_claim(worker *w, size_t claim, corels_check_report *report) {
    const corels_check *c = w->of;
    int64_t unit = c->in->unit, rule_cost = c->in->rule_cost, value = c->proof->values[claim];
    set_of(c, w->claim = claim, w->set);
    memset(w->view, 255, c->tables.cells * sizeof *w->view);
    for (int64_t i = c->proof->starts[claim]; i < c->proof->starts[claim + 1]; i++)
        for (size_t j = 0; j < c->tables.cells; j++)
            w->view[j] &= c->tables.left[(size_t)c->proof->rules[i] * c->tables.cells + j];
    count(&c->counter, w->set, &w->here);
    *report = (corels_check_report){(int64_t)claim, value, unit * w->here.stop, -1};
    for (int64_t k = 0; k < GOALS; k++) {
        int64_t rest = value - k * rule_cost, errors = rest > 0 ? (rest - 1) / unit + 1 : 0;
        w->goals[k] = errors < INT32_MAX ? (int32_t)errors : INT32_MAX;
    }
    if (w->here.stop < w->goals[0]) return CORELS_CHECK_FAILS;
    for (size_t i = 0, n = find_open(w); i < n; i++) {
        int32_t r = w->open[i];
        if (proven(w, (size_t)r, value - rule_cost - unit * w->here.errors[r])) continue;
        report->antecedent = r;
        return CORELS_CHECK_FAILS;
    }
    return CORELS_CHECK_HOLDS;
}

/* The first of these claims that fails, or, if none does, whether one of all is the conclusion. */
static int check_claims(worker *w, size_t from, size_t to, corels_check_report *report) {
    const corels_check_proof *proof = w->of->proof;
    for (size_t i = from; i < to; i++)
        if (proof->values[i] > 0 && check_claim(w, i, report)) return CORELS_CHECK_FAILS;
    *report = (corels_check_report){-1, proof->bound, 0, -1};
    for (size_t i = 0; i < proof->claims; i++)
        if (proof->starts[i] == proof->starts[i + 1] && proof->values[i] > report->stop)
            report->stop = proof->values[i];
    return report->stop >= proof->bound ? CORELS_CHECK_HOLDS : CORELS_CHECK_FAILS;
}

/* ---- the whole ---- */

static int start(const corels_check_table *table, const corels_check_proof *proof,
                 corels_check **check) {
    corels_check *c = *check = calloc(1, sizeof *c);
    if (!c || proof->claims >= UINT32_MAX) return CORELS_CHECK_MEMORY;
    int result = setjmp(c->keeper.out);
    if (result) return result;
    c->in = table, c->proof = proof;
    counter_new(&c->counter, table, &c->keeper);
    tables_new(&c->tables, table, proof, &c->keeper);
    for (c->slots = 64; c->slots < 2 * proof->claims;) c->slots *= 2;
    c->index = keep(&c->keeper, c->slots, sizeof *c->index);
    c->digests = keep(&c->keeper, proof->claims, sizeof *c->digests);
    return CORELS_CHECK_HOLDS;
}

static int run(corels_check *c, int stage, size_t from, size_t to, corels_check_report *report) {
    worker *w = calloc(1, sizeof *w);
    if (!w) return CORELS_CHECK_MEMORY;
    w->of = c;
    volatile int result = setjmp(w->keeper.out);
    if (!result && stage == CORELS_CHECK_FILL) {
        fill(&c->tables, from, to);
    } else if (!result) {
        worker_new(w);
        if (stage == CORELS_CHECK_FIND)
            find_claims(w, from, to);
        else
            result = check_claims(w, from, to, report);
    }
    keeper_free(&w->keeper);
    free(w);
    return result;
}

static void end(corels_check *c) {
    if (c) keeper_free(&c->keeper);
    free(c);
}

#ifndef CHECKER
#define CHECKER corels_checker_plain
#endif
extern const corels_checker CHECKER;
const corels_checker CHECKER = {start, run, end};

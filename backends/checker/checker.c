/* The compiled checker: counts, finds claims by their sets, and checks each.
 *
 * A claim (Z, v) says that whatever follows rules with the antecedents Z costs at least v. It is
 * about S, the points outside all of Z; so a claim is found by its set: a digest leads to it, and
 * comparing the sets decides. If lists have so many rules at most, it is about what has no more
 * rules than Z leaves of them, and is found by that number, too. The claim holds if stopping costs
 * v or more, and each antecedent r that captures something of S is ruled out by one of the reasons
 * in `proven`. T is S without what r captures. Claims lean only on claims with less room, that is,
 * what all points of their set cost at worst less what they say; so their order does not matter.
 * The files checker_*.c compile this one for other processors. */
#include "leaves.h"
#include "tables.h"

enum { MOST_PROBES = 64, GOALS = 10 };
#define ANY_NUMBER ((int64_t)1 << 62) /* of rules */

static void count(const worker *w, const uint64_t *set, corels_check_tally *t) {
    const corels_check_table *in = w->in;
    int32_t *restrict errors = t->errors, *restrict ending = t->ending, *restrict worst = t->worst;
    t->stop = INT32_MAX;
    for (size_t row = 0; row < in->rows; row++) {
        int32_t *restrict counts = t->counts + row * in->stride, first = row == 0;
        const int32_t *restrict barred = in->barred + row * in->stride;
        add(w, in->terms + in->first[row], in->terms + in->first[row + 1], set, w->sums);
        for (size_t r = 0; r < in->stride; r++) {
            counts[r] = (int32_t)w->sums[r];
            worst[r] = counts[r] + (in->rows == 2 && !first ? worst[r] : 0);
        }
        int32_t total = counts[in->antecedents];
        if (row == in->classes) break; /* that row is of the worst classes */
        t->stop = total < t->stop ? total : t->stop;
        for (size_t r = 0; r < in->stride; r++) {
            int32_t allowed = counts[r] | barred[r];
            errors[r] = first || allowed < errors[r] ? allowed : errors[r];
            ending[r] = first || total - counts[r] < ending[r] ? total - counts[r] : ending[r];
        }
    }
    for (size_t r = 0; r < in->stride; r++) ending[r] += errors[r];
}

/* What the rules of a claim leave, all but the rule `but`; a claim may name a rule twice. -1: of
 * all its rules. */
static void set_without(const worker *w, size_t claim, int64_t but, uint64_t *set) {
    size_t words = w->in->words;
    memcpy(set, w->in->masks + w->in->antecedents * words, words * sizeof *set);
    for (int64_t i = w->proof->starts[claim]; i < w->proof->starts[claim + 1]; i++) {
        int64_t rule = w->proof->rules[i];
        const uint64_t *mask = w->in->masks + (size_t)rule * words;
        for (size_t j = 0; j < words && rule != but; j++) set[j] &= ~mask[j];
    }
}

/* What r leaves of a set. */
static uint64_t *leave(const worker *w, const uint64_t *set, size_t r, uint64_t *left) {
    const uint64_t *mask = w->in->masks + r * w->in->words;
    for (size_t i = 0; i < w->in->words; i++) left[i] = set[i] & ~mask[i];
    return left;
}

static const uint64_t *behind(const worker *w, size_t r) {
    return leave(w, w->set, r, w->behind);
}

/* Of a set, and of how many rules may follow at most. */
static uint64_t digest(const worker *w, const uint64_t *set, int64_t may) {
    uint64_t h = 0;
    for (size_t i = 0; i < w->in->words; i++) {
        uint64_t x = (set[i] ^ set[i] >> 29) * (UINT64_C(0x9E3779B97F4A7C15) * (2 * i + 1));
        h += x ^ x >> 32;
    }
    return h ^ (uint64_t)may * UINT64_C(0x9E3779B97F4A7C15);
}

/* How many rules may follow those of a claim at most. */
static int64_t may_of(const corels_check_proof *p, size_t claim) {
    return p->most == ANY_NUMBER ? ANY_NUMBER : p->most - (p->starts[claim + 1] - p->starts[claim]);
}

/* The slot of the claim about this set and so many rules, or the empty one where it would be; NULL
 * if more digests than chance allows stand in the way. */
static uint32_t *find(const worker *w, const uint64_t *set, int64_t may) {
    uint64_t h = digest(w, set, may);
    for (size_t probe = 0; probe < MOST_PROBES; probe++) {
        uint32_t *slot = w->slot + ((h + probe) & (w->slots - 1));
        if (!*slot) return slot;
        if (w->digests[*slot - 1] != h || may_of(w->proof, *slot - 1) != may) continue;
        set_without(w, *slot - 1, -1, w->other);
        if (!memcmp(w->other, set, w->in->words * sizeof *set)) return slot;
    }
    return NULL;
}

/* Of several claims about a set the one that says most is found. */
static int find_claims(worker *w, size_t from, size_t to) {
    const int64_t *values = w->proof->values;
    for (size_t i = from; i < to; i++) {
        if (values[i] <= 0) continue;
        set_without(w, i, -1, w->set);
        int64_t may = may_of(w->proof, i);
        w->digests[i] = digest(w, w->set, may);
        uint32_t *slot = find(w, w->set, may);
        if (slot && (!*slot || values[*slot - 1] < values[i])) *slot = (uint32_t)(i + 1);
    }
    return 1;
}

/* The most that a claim says of what costs this set by at most `left` rules, or 0. One
 * about fewer rules says of more what it says, or what one rule more than the fewer costs. */
static int64_t said_of(const worker *w, const uint64_t *set, int64_t left) {
    int64_t most = 0;
    for (size_t k = 0; k < w->proof->levels; k++) {
        int64_t may = w->proof->may[k];
        const uint32_t *slot = find(w, set, may);
        int64_t said = slot && *slot ? w->proof->values[*slot - 1] : 0;
        if (left > may && said > (may + 1) * w->in->rule_cost) said = (may + 1) * w->in->rule_cost;
        most = said > most ? said : most;
    }
    return most;
}

/* The best single rule behind r, if what it leaves errs `goal` times or more. */
static int by_one_rule(worker *w, size_t r, int32_t goal, int two_rules) {
    int holds = 1;
    count(w, behind(w, r), &w->next);
    for (size_t q = 0; q < w->in->antecedents; q++)
        holds &= (w->next.worst[q] == 0) | (two_rules & (w->next.ending[q] >= goal));
    return holds;
}

/* Two classes: the same, from what is counted. A rule q behind r captures of class a at most
 * a_q and what r leaves of it, and of the other class at least b_q - b_r. */
static int by_gain(const worker *w, size_t r, int32_t goal) {
    for (size_t of = 0; of < 2; of++) {
        const int32_t *a = w->here.counts + of * w->in->stride;
        const int32_t *b = w->here.counts + (1 - of) * w->in->stride;
        int32_t left = a[w->in->antecedents] - a[r], behind_r = b[r], best = 0;
        for (size_t q = 0; q < w->in->stride; q++) {
            int32_t gain = a[q] < left ? a[q] : left, lost = b[q] > behind_r ? b[q] - behind_r : 0;
            int32_t here = w->saves[q] & (gain - lost);
            best = here > best ? here : best;
        }
        if (left - best < goal) return 0;
    }
    return 1;
}

/* Whether what r captures of a set and q does not errs no more than `most`, whatever it is
 * predicted. */
static int errs_at_most(const worker *w, const uint64_t *set, size_t r, size_t q, int64_t most) {
    const corels_check_table *in = w->in;
    const uint64_t *in_r = in->masks + r * in->words, *in_q = in->masks + q * in->words;
    size_t i = in->first[in->rows == in->classes ? 0 : in->classes];
    for (; i < in->first[in->rows] && most >= 0; i++) {
        term t = in->terms[i];
        uint64_t missed = t.bits & set[t.word] & in_r[t.word] & ~in_q[t.word];
        most -= (int64_t)__builtin_popcountll(missed) << t.bit;
    }
    return most >= 0;
}

/* Another antecedent does what r does, and comes first in the order of removals. */
static int by_another(const worker *w, size_t r) {
    const int32_t *errors = w->here.errors, *worst = w->here.worst;
    for (size_t q = 0; q < w->in->antecedents; q++) {
        int32_t room = errors[r] - errors[q], more = worst[q] - worst[r];
        if ((room < 0) | (room + more < 0)) continue;
        if ((room > 0 || more > 0 || q < r) && errs_at_most(w, w->set, r, q, room)) return 1;
    }
    return 0;
}

/* Whether a reason rules out r: whatever follows it costs `need` or more, or it is not needed. Of
 * what stopping behind r costs, only a claim and prices say more than `stopping`. */
static int holds_by(worker *w, size_t reason, size_t r, int64_t need) {
    const record *given = w->proof->given + reason;
    const int32_t *goals = w->goals, errors = w->here.errors[r];
    int stopping = w->here.ending[r] >= goals[1];
    int two_rules = stopping && (errors >= goals[3] || w->may <= 2); /* more rules cost as much */
    if (reason < w->proof->records) return by_prices(w, given, r, need);
    reason -= w->proof->records;
    if (reason == CHECK_CLAIM) return said_of(w, behind(w, r), w->may - 1) >= need;
    if (reason == CHECK_GAIN)
        return two_rules && w->in->classes == 2 && by_gain(w, r, goals[2] - errors);
    if (reason == CHECK_ANOTHER) return by_another(w, r);
    if (reason == CHECK_LEAVES) return stopping && by_leaves(w, r, need);
    return stopping && by_one_rule(w, r, goals[2] - errors, two_rules);
}

static int proven(worker *w, size_t r, int64_t need) {
    size_t n = w->proof->records + CHECK_REASONS;
    for (corels_check_reason *reason = w->reasons; reason < w->reasons + n; reason++) {
        reason->asked++;
        if (holds_by(w, reason->number, r, need)) return ++reason->held > 0;
    }
    return 0;
}

/* Whether a claim holds. Open are the antecedents that save more than a rule costs and whose rule
 * is not ruled out by its errors: as the last rule, or as one before another. */
static int holds(worker *w, size_t claim) {
    int64_t unit = w->in->unit, rule_cost = w->in->rule_cost, value = w->proof->values[claim];
    size_t n = 0;
    const int32_t *errors = w->here.errors, *ending = w->here.ending, *worst = w->here.worst;
    set_without(w, claim, -1, w->set);
    memset(w->view, 255, w->proof->cells * sizeof *w->view);
    for (int64_t i = w->proof->starts[claim]; i < w->proof->starts[claim + 1]; i++) {
        const uint8_t *left = w->tables->left + (size_t)w->proof->rules[i] * w->proof->cells;
        for (size_t j = 0; j < w->proof->cells; j++) w->view[j] &= left[j];
    }
    count(w, w->set, &w->here);
    w->may = may_of(w->proof, claim);
    w->claim = (int64_t)claim, w->value = value, w->stop = unit * w->here.stop, w->antecedent = -1;
    w->weighed = 0;
    for (int64_t k = 0; k < GOALS; k++) {
        int64_t rest = value - k * rule_cost, least = rest > 0 ? (rest - 1) / unit + 1 : 0;
        w->goals[k] = least < INT32_MAX ? (int32_t)least : INT32_MAX;
    }
    if (w->here.stop < w->goals[0]) return 0;
    for (size_t r = 0; r < w->in->stride; r++) { /* all ones, or 0 */
        w->saves[r] = -(unit * (worst[r] - errors[r]) > rule_cost);
        int longer = (errors[r] < w->goals[2]) & (w->may > 1);
        w->open[r] = w->saves[r] & -(((ending[r] < w->goals[1]) | longer) & (w->may > 0));
    }
    for (size_t r = 0; r < w->in->antecedents; r++) {
        int32_t open = w->open[r];
        w->open[n] = (int32_t)r, n += open & 1;
    }
    for (size_t i = 0; i < n; i++) {
        w->antecedent = w->open[i];
        if (!proven(w, (size_t)w->open[i], value - rule_cost - unit * errors[w->open[i]])) return 0;
    }
    return 1;
}

static int check_claims(worker *w, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        if (w->proof->values[i] > 0 && !holds(w, i)) return 0;
    return 1;
}

#ifdef CHECKER
extern const corels_checker CHECKER;
const corels_checker CHECKER = {fill, verify_leaves, find_claims, check_claims};
#else
extern const corels_checker corels_checker_avx2, corels_checker_avx512;
static const corels_checker plain = {fill, verify_leaves, find_claims, check_claims};

const corels_checker *corels_checker_here(void) {
#ifdef CORELS_X86_WIDE
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bw"))
        return &corels_checker_avx512;
    if (__builtin_cpu_supports("avx2")) return &corels_checker_avx2;
#endif
    return &plain;
}
#endif

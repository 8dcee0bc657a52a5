/* The compiled checker: one pass to find the records, one to index the claims, one to check each.
 *
 * A claim (Z, v) says that whatever follows rules with the antecedents Z costs at least v. It is
 * about S, the points outside all of Z; so a claim is found by its set: a digest of the words of S
 * leads to it, and comparing the sets decides. The claim holds if stopping costs v or more, and
 * each antecedent r that captures something of S is ruled out by one of the reasons in `check_at`
 * and `proven`. T is S without what r captures; `need` is what T must then be shown to cost. Claims
 * lean on claims about smaller sets only, so that their order does not matter.
 *
 * Claims are taken in the order of their antecedents, as a trie is walked: a level of the path
 * holds the set that its rules leave, and where it stands in the tables that the proof gives.
 *
 * Nothing in the bytes is trusted: numbers are read with their limits, and work is bounded by the
 * number of records times the size of the table.
 */
#include "inner.h"

enum { MOST_PROBES = 64, MOST_GIVEN = 72 };
enum { CLAIM = 'c', EXPANDED = 'x', LIST = 'l', BLOCKS = 'b', PRICES = 'p', END = 'e' };

typedef struct {
    int32_t *rules; /* in rising order */
    int32_t length;
    uint32_t number; /* in the file */
    int64_t value;
    uint64_t digest;
} claim;

/* What is counted of a set, of each antecedent r: what it captures of each class's regret; the
 * errors of the rule; the errors of the list that ends with it; and what errs if it predicts the
 * worst class everywhere. */
typedef struct {
    int32_t *counts, *errors, *ending, *worst; /* [rows][stride]; [stride] */
    int64_t *totals;                           /* [rows] */
    int64_t stop;                              /* what no rule at all costs */
} tally;

typedef struct {
    const corels_check_table *in;
    size_t words, stride; /* of a set; of a row of counts */
    counter *counter;
    claim *claims;
    int32_t *rules; /* of all claims */
    size_t n_claims, claim_room, n_rules, slots;
    uint32_t *index; /* [slots]: claim + 1 */
    given given[MOST_GIVEN];
    const uint8_t *records[MOST_GIVEN]; /* each one's bytes, so that the same are read once */
    size_t lengths[MOST_GIVEN], table_room;
    int32_t n_given;
    int64_t bound;
    int32_t *path, depth, most_depth; /* the rules above the present level */
    uint8_t **levels;                 /* [most_depth + 1]: a set, then the views of `given` */
    size_t level_bytes;
    uint64_t *behind, *other, *none;
    tally here, next;      /* of the set that is checked, and of one behind it */
    int32_t *saves, *open; /* [stride]: flags of the antecedents */
} checker;

/* ---- reading ---- */

static int read_claim(checker *c, reader *in, int relative) {
    if (c->n_claims == c->claim_room) {
        size_t room = c->claim_room ? 2 * c->claim_room : 1024;
        claim *wider = room > UINT32_MAX / 4 ? NULL : realloc(c->claims, room * sizeof *wider);
        if (!wider) return CORELS_CHECK_MEMORY;
        c->claims = wider, c->claim_room = room;
    }
    claim *one = c->claims + c->n_claims;
    *one = (claim){.rules = c->rules + c->n_rules, .number = (uint32_t)c->n_claims++};
    int32_t length = (int32_t)next_below(in, (int64_t)c->in->antecedents + 1), rule = 0;
    for (; one->length < length && !in->bad; one->length++) {
        rule += (int32_t)next_below(in, c->in->antecedents - rule);
        one->rules[one->length] = rule;
    }
    c->n_rules += (size_t)one->length;
    if (one->length > c->most_depth) c->most_depth = one->length;
    one->value = next_below(in, MOST_COST);
    if (relative) one->value = -1 - one->value; /* until the bound is known */
    return CORELS_CHECK_HOLDS;
}

static void read_list(const checker *c, reader *in) {
    int32_t length = (int32_t)next_below(in, (int64_t)c->in->antecedents + 1);
    for (int32_t i = 0; i < length && !in->bad; i++) next_below(in, c->in->antecedents);
    next_below(in, MOST_COST);
}

/* Blocks or cells; a search that was resumed states them again. */
static int read_given(checker *c, reader *in, const uint8_t *record, int blocks) {
    for (int32_t i = 0; i < c->n_given; i++) {
        if ((size_t)(in->end - record) < c->lengths[i]) continue;
        if (memcmp(record, c->records[i], c->lengths[i])) continue;
        in->at = record + c->lengths[i];
        return CORELS_CHECK_HOLDS;
    }
    if (c->n_given == MOST_GIVEN) return CORELS_CHECK_DATA;
    given *one = c->given + c->n_given;
    int result = (blocks ? blocks_read : cells_read)(one, c->in, in, &c->table_room);
    one->is_blocks = blocks;
    c->records[c->n_given] = record, c->lengths[c->n_given++] = (size_t)(in->at - record);
    return result;
}

static int read_record(checker *c, reader *in) {
    const uint8_t *record = in->at;
    int64_t kind = next_below(in, 128);
    if (kind == CLAIM || kind == EXPANDED) return read_claim(c, in, kind == EXPANDED);
    if (kind == BLOCKS || kind == PRICES) return read_given(c, in, record, kind == BLOCKS);
    if (kind == LIST) {
        read_list(c, in);
    } else if (kind == END) {
        c->bound = next_below(in, MOST_COST);
        in->bad |= in->at < in->end;
    } else {
        in->bad = 1;
    }
    return CORELS_CHECK_HOLDS;
}

static int read_records(checker *c, const uint8_t *records, size_t bytes) {
    reader in = {records, records + bytes, 0};
    int result = CORELS_CHECK_HOLDS;
    c->rules = array(bytes, sizeof *c->rules); /* a rule takes a byte at least */
    if (!c->rules) return CORELS_CHECK_MEMORY;
    while (in.at < in.end && !result) {
        result = read_record(c, &in);
        if (in.bad && result != CORELS_CHECK_MEMORY) return CORELS_CHECK_MALFORMED;
    }
    for (size_t i = 0; i < c->n_claims; i++) /* of the best-first search: relative to the bound */
        if (c->claims[i].value < 0) c->claims[i].value += (c->bound > 0 ? c->bound : 0) + 1;
    return result;
}

/* ---- sets, and claims by their set ---- */

static void leave(const checker *c, int32_t rule, const uint64_t *from, uint64_t *set) {
    const uint64_t *mask = c->in->masks + (size_t)rule * c->words;
    for (size_t w = 0; w < c->words; w++) set[w] = from[w] & ~mask[w];
}

/* The level at the end of the path. */
static uint64_t *level_of(const checker *c) {
    return (uint64_t *)c->levels[c->depth];
}

/* The level of a claim: up to what its path has in common with the one before, and down again;
 * where `views`, with the views of all tables. NULL without memory. */
static uint64_t *walk_to(checker *c, const claim *one, int views) {
    int32_t common = 0;
    while (common < c->depth && common < one->length && c->path[common] == one->rules[common])
        common++;
    for (c->depth = common; c->depth < one->length;) {
        int32_t rule = c->path[c->depth] = one->rules[c->depth];
        const uint8_t *above = c->levels[c->depth++];
        uint8_t **level = c->levels + c->depth;
        if (!*level) *level = array(c->level_bytes, 1);
        if (!*level) return NULL;
        leave(c, rule, (const uint64_t *)above, (uint64_t *)*level);
        for (int32_t i = 0; i < c->n_given && views; i++) {
            const given *of = c->given + i;
            memcpy(*level + of->at, above + of->at, of->view_bytes);
            of->enter(of->tables, rule, *level + of->at);
        }
    }
    return level_of(c);
}

/* A digest of a set: some of its words, and the regret in it, class by class. */
static uint64_t sampled(const checker *c, const uint64_t *set, const uint64_t *without) {
    uint64_t h = 0;
    for (size_t w = 0; w < c->words; w += c->words / 16 + 1) {
        h = (h ^ (set[w] & ~without[w])) * 0xD6E8FEB86659FD93;
        h ^= h >> 32;
    }
    return h;
}

static uint64_t with_total(uint64_t h, int64_t total) {
    h = (h ^ (uint64_t)total) * 0x9E3779B97F4A7C15;
    return h ^ h >> 29;
}

/* Whether a claim is about what r leaves of the level: most often its rules are those of the path
 * and r; else its set says it. */
static int is_about(checker *c, const claim *one, const uint64_t *set, const uint64_t *without) {
    for (size_t w = 0; w < c->words; w++) c->behind[w] = set[w] & ~without[w];
    memcpy(c->other, c->levels[0], c->words * sizeof *set);
    for (int32_t i = 0; i < one->length; i++) leave(c, one->rules[i], c->other, c->other);
    return !memcmp(c->other, c->behind, c->words * sizeof *set);
}

static int is_next(const checker *c, const claim *one, int32_t r) {
    int32_t i = 0;
    if (one->length != c->depth + 1) return 0;
    while (i < c->depth && c->path[i] < r && one->rules[i] == c->path[i]) i++;
    if (one->rules[i] != r) return 0;
    return !memcmp(one->rules + i + 1, c->path + i, (size_t)(c->depth - i) * sizeof *c->path);
}

/* The slot of the claim about what r leaves of this set, or the empty one where it would be; NULL
 * where more digests than chance allows stand in the way. r = -1: about the set. */
static uint32_t *find(checker *c, const uint64_t *set, int32_t r, uint64_t h) {
    const uint64_t *without = r < 0 ? c->none : c->in->masks + (size_t)r * c->words;
    for (size_t probe = 0; probe < MOST_PROBES; probe++) {
        uint32_t *slot = c->index + ((h + probe) & (c->slots - 1));
        if (!*slot) return slot;
        const claim *one = c->claims + (*slot - 1);
        if (one->digest != h) continue;
        if ((r >= 0 && is_next(c, one, r)) || is_about(c, one, set, without)) return slot;
    }
    return NULL;
}

static int64_t claimed(checker *c, const uint64_t *set, int32_t r) {
    uint64_t h = sampled(c, set, c->in->masks + (size_t)r * c->words);
    for (size_t k = 0; k < (size_t)c->in->classes; k++)
        h = with_total(h, c->here.totals[k] - c->here.counts[k * c->stride + (size_t)r]);
    uint32_t *slot = find(c, set, r, h);
    return slot && *slot ? c->claims[*slot - 1].value : 0;
}

static int by_rules(const void *a, const void *b) {
    const claim *x = a, *y = b;
    for (int32_t i = 0; i < x->length && i < y->length; i++)
        if (x->rules[i] != y->rules[i]) return x->rules[i] < y->rules[i] ? -1 : 1;
    return x->length != y->length ? (x->length < y->length ? -1 : 1) : 0;
}

/* Sorts the claims. Of several about a set the one that says most is found. */
static int index_claims(checker *c) {
    if (c->n_claims) qsort(c->claims, c->n_claims, sizeof *c->claims, by_rules);
    for (c->slots = 64; c->slots < 2 * c->n_claims;) c->slots *= 2;
    c->index = array(c->slots, sizeof *c->index);
    if (!c->index) return CORELS_CHECK_MEMORY;
    for (size_t i = 0; i < c->n_claims; i++) {
        claim *one = c->claims + i;
        if (one->value <= 0) continue;
        const uint64_t *set = walk_to(c, one, 0);
        if (!set) return CORELS_CHECK_MEMORY;
        one->digest = sampled(c, set, c->none);
        counter_total(c->counter, set, c->here.totals);
        for (int32_t k = 0; k < c->in->classes; k++)
            one->digest = with_total(one->digest, c->here.totals[k]);
        uint32_t *slot = find(c, set, -1, one->digest);
        if (slot && (!*slot || c->claims[*slot - 1].value < one->value)) *slot = (uint32_t)(i + 1);
    }
    c->depth = 0;
    return CORELS_CHECK_HOLDS;
}

/* ---- counting ---- */

static void count(const checker *c, const uint64_t *set, tally *t) {
    size_t classes = (size_t)c->in->classes;
    counter_count(c->counter, set, t->counts, t->totals);
    int64_t least = t->totals[0];
    for (size_t k = 0; k < classes; k++) {
        const int32_t *captured = t->counts + k * c->stride;
        int32_t total = (int32_t)t->totals[k], first = k == 0;
        least = total < least ? total : least;
        for (size_t r = 0; r < c->stride; r++) {
            int32_t left = total - captured[r];
            t->errors[r] = first || captured[r] < t->errors[r] ? captured[r] : t->errors[r];
            t->ending[r] = first || left < t->ending[r] ? left : t->ending[r];
        }
    }
    const int32_t *most = t->counts + classes * c->stride, *two = t->counts + c->stride;
    for (size_t r = 0; r < c->stride; r++) {
        t->ending[r] += t->errors[r];
        t->worst[r] = classes == 2 ? t->counts[r] + two[r] : most[r];
    }
    t->stop = c->in->unit * least;
}

/* The least number of errors that costs `cost` or more. */
static int32_t errors_for(const checker *c, int64_t cost) {
    int64_t errors = cost > 0 ? (cost - 1) / c->in->unit + 1 : 0;
    return errors < INT32_MAX ? (int32_t)errors : INT32_MAX;
}

/* Whether what r captures and q does not errs no more than `most`, whatever it is predicted. */
static int errs_at_most(const checker *c, const uint64_t *set, int32_t r, int32_t q, int32_t most) {
    const uint64_t *in = c->in->masks + (size_t)r * c->words;
    const uint64_t *out = c->in->masks + (size_t)q * c->words;
    int64_t sum = 0;
    for (size_t w = 0; w < c->words && sum <= most; w++)
        for (uint64_t left = set[w] & in[w] & ~out[w]; left; left &= left - 1)
            sum += greatest_regret(c->in, 64 * w + (size_t)__builtin_ctzll(left));
    return sum <= most;
}

/* ---- reasons ---- */

/* The best single rule behind r costs `need` or more, and so do two rules, or there are none. */
static int by_one_rule(checker *c, int64_t need) {
    int32_t least = INT32_MAX, any = 0;
    count(c, c->behind, &c->next);
    for (size_t q = 0; q < c->stride; q++) {
        int32_t here = c->next.worst[q] ? c->next.ending[q] : INT32_MAX;
        least = here < least ? here : least;
        any |= c->next.worst[q];
    }
    return !any || (2 * c->in->rule_cost >= need &&
                    c->in->rule_cost + c->in->unit * (int64_t)least >= need);
}

/* Two classes: what one rule more leaves behind r, told from what is counted. A rule q that
 * predicts class b captures of class a (whose errors it saves) at most min(a_q, what r leaves of
 * a), and of b at least b_q - b_r. A q that saves no more than a rule costs is not needed. */
static int by_gain(const checker *c, int32_t r, size_t class, int64_t need) {
    const int32_t *a = c->here.counts + class * c->stride;
    const int32_t *b = c->here.counts + (1 - class) * c->stride;
    int32_t left = (int32_t)c->here.totals[class] - a[r], behind = b[r], best = 0;
    for (size_t q = 0; q < c->stride; q++) {
        int32_t gain = a[q] < left ? a[q] : left, lost = b[q] > behind ? b[q] - behind : 0;
        int32_t here = c->saves[q] & (gain - lost);
        best = here > best ? here : best;
    }
    return c->in->rule_cost + c->in->unit * (int64_t)(left - best) >= need;
}

static int by_second_rule(const checker *c, int32_t r, int64_t need) {
    return c->in->classes == 2 && 2 * c->in->rule_cost >= need && by_gain(c, r, 0, need) &&
           by_gain(c, r, 1, need);
}

/* Another antecedent does what r does, and comes first in the order of removals. */
static int instead(const checker *c, const uint64_t *set, int32_t r) {
    const int32_t *errors = c->here.errors, *worst = c->here.worst;
    for (int32_t q = 0; q < c->in->antecedents; q++) {
        int32_t room = errors[r] - errors[q];
        if (q == r || room < 0 || worst[r] - worst[q] > room) continue;
        if (!room && (worst[q] < worst[r] || (worst[q] == worst[r] && q > r))) continue;
        if (errs_at_most(c, set, r, q, room)) return 1;
    }
    return 0;
}

/* Whether the tables of one kind show it, the last first: they are the largest. */
static int by_given(const checker *c, int blocks, int32_t r, int64_t need) {
    const uint8_t *level = c->levels[c->depth];
    for (int32_t i = c->n_given - 1; i >= 0; i--) {
        const given *of = c->given + i;
        if (of->is_blocks == blocks && of->shows(of->tables, level + of->at, r, need)) return 1;
    }
    return 0;
}

/* Whether the antecedent r is ruled out: behind it, whatever follows costs `need` or more, or it is
 * not needed. */
static int proven(checker *c, const uint64_t *set, int32_t r, int64_t need) {
    /* Of what stopping behind r costs, only a claim and prices say more than that. */
    int stopping = c->in->unit * (int64_t)(c->here.ending[r] - c->here.errors[r]) >= need;
    if (stopping && (by_given(c, 1, r, need) || by_second_rule(c, r, need))) return 1;
    if (claimed(c, set, r) >= need || by_given(c, 0, r, need) || instead(c, set, r)) return 1;
    if (!stopping) return 0;
    leave(c, r, set, c->behind);
    return by_one_rule(c, need);
}

static int check_claim(checker *c, const claim *one, corels_check_report *report) {
    const int64_t rule_cost = c->in->rule_cost;
    const tally *here = &c->here;
    const uint64_t *set = walk_to(c, one, 1);
    if (!set) return CORELS_CHECK_MEMORY;
    count(c, set, &c->here);
    *report = (corels_check_report){one->number, one->value, here->stop, -1};
    if (here->stop < one->value) return CORELS_CHECK_FAILS;
    /* Ending with r, or going on behind it, is not known to cost enough; and it saves enough. */
    int32_t ending = errors_for(c, one->value - rule_cost);
    int32_t going_on = errors_for(c, one->value - 2 * rule_cost);
    int32_t saves = errors_for(c, rule_cost + 1);
    for (size_t r = 0; r < c->stride; r++) {
        c->saves[r] = -(here->worst[r] - here->errors[r] >= saves); /* all ones, or 0 */
        c->open[r] = c->saves[r] & ((here->ending[r] < ending) | (here->errors[r] < going_on));
    }
    for (int32_t r = 0; r < c->in->antecedents; r++) {
        if (!c->open[r]) continue;
        int64_t cost = rule_cost + c->in->unit * (int64_t)here->errors[r];
        if (proven(c, set, r, one->value - cost)) continue;
        report->antecedent = r;
        return CORELS_CHECK_FAILS;
    }
    return CORELS_CHECK_HOLDS;
}

/* The claim that fails and stands first in the file, or, if none does, the conclusion. */
static int check_all(checker *c, corels_check_report *report) {
    corels_check_report here;
    int64_t of_all = 0;
    int failed = 0;
    for (size_t i = 0; i < c->n_claims; i++) {
        const claim *one = c->claims + i;
        if (!one->length && one->value > of_all) of_all = one->value;
        if (one->value <= 0 || (failed && one->number > report->claim)) continue;
        int result = check_claim(c, one, &here);
        if (result == CORELS_CHECK_MEMORY) return result;
        if (result) failed = 1, *report = here;
    }
    if (failed) return CORELS_CHECK_FAILS;
    *report = (corels_check_report){-1, c->bound, of_all, -1};
    return of_all >= c->bound ? CORELS_CHECK_HOLDS : CORELS_CHECK_FAILS;
}

/* ---- the whole ---- */

static int tally_new(const checker *c, tally *t) {
    size_t rows = (size_t)c->in->classes + 1;
    t->counts = array(rows * c->stride, sizeof *t->counts);
    t->totals = array(rows, sizeof *t->totals);
    t->errors = array(c->stride, sizeof *t->errors);
    t->ending = array(c->stride, sizeof *t->ending);
    t->worst = array(c->stride, sizeof *t->worst);
    return t->counts && t->totals && t->errors && t->ending && t->worst;
}

/* What is needed before the records are read. */
static int prepare(checker *c) {
    c->words = ((size_t)c->in->points + 63) / 64, c->bound = -1, c->table_room = most_table_bytes;
    c->counter = counter_new(c->in, &c->stride);
    c->behind = array(c->words, 8), c->other = array(c->words, 8);
    c->none = array(c->words, 8);
    c->open = array(c->stride, sizeof *c->open);
    c->saves = array(c->stride, sizeof *c->saves);
    return c->counter && c->behind && c->other && c->none && c->open && c->saves &&
           tally_new(c, &c->here) && tally_new(c, &c->next);
}

/* The first level: all points. */
static int prepare_levels(checker *c) {
    c->level_bytes = c->words * 8;
    for (int32_t i = 0; i < c->n_given; i++) {
        c->level_bytes = (c->level_bytes + 63) / 64 * 64;
        c->given[i].at = c->level_bytes;
        c->level_bytes += c->given[i].view_bytes;
    }
    c->path = array((size_t)c->most_depth + 1, sizeof *c->path);
    c->levels = array((size_t)c->most_depth + 1, sizeof *c->levels);
    if (!c->path || !c->levels || !(c->levels[0] = array(c->level_bytes, 1))) return 0;
    uint64_t *all = level_of(c);
    for (size_t i = 0; i < (size_t)c->in->points; i++) all[i / 64] |= UINT64_C(1) << (i % 64);
    for (int32_t i = 0; i < c->n_given; i++)
        c->given[i].begin(c->given[i].tables, c->levels[0] + c->given[i].at);
    return 1;
}

static void clean(checker *c) {
    for (int32_t i = 0; i < c->n_given; i++)
        if (c->given[i].tables) c->given[i].free(c->given[i].tables);
    for (int32_t i = 0; c->levels && i <= c->most_depth; i++) free(c->levels[i]);
    for (tally *t = &c->here; t; t = t == &c->here ? &c->next : NULL)
        free(t->counts), free(t->totals), free(t->errors), free(t->ending), free(t->worst);
    counter_free(c->counter);
    free(c->levels), free(c->path), free(c->claims), free(c->rules), free(c->index);
    free(c->behind), free(c->other), free(c->none), free(c->open), free(c->saves), free(c);
}

int corels_check_proof(const corels_check_table *table, const uint8_t *records, size_t bytes,
                       corels_check_report *report) {
    checker *c = calloc(1, sizeof *c);
    if (!c) return CORELS_CHECK_MEMORY;
    c->in = table;
    *report = (corels_check_report){-1, 0, 0, -1};
    int result = prepare(c) ? read_records(c, records, bytes) : CORELS_CHECK_MEMORY;
    if (!result && !prepare_levels(c)) result = CORELS_CHECK_MEMORY;
    if (!result) result = index_claims(c);
    if (!result) result = check_all(c, report);
    clean(c);
    return result;
}

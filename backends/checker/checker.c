/* The compiled checker: one pass to find the records, one to check every claim.
 *
 * A claim (Z, v) says that whatever follows rules with the antecedents Z costs at least v. It is
 * about S, the points outside all of Z; so a claim is found by its set: a digest of the words of S
 * leads to it, and comparing the sets decides. The claim holds if stopping costs v or more, and
 * each antecedent r that captures something of S is ruled out by one of the reasons in `proven`.
 * T is S without what r captures; `need` is what T must then be shown to cost. Claims lean on
 * claims about smaller sets only, so that their order does not matter.
 *
 * Nothing in the bytes is trusted: numbers are read with their limits, and work is bounded by the
 * number of records times the size of the table.
 */
#include "checker.h"

#include <stdlib.h>
#include <string.h>

#include "planes.h"
#include "prices.h"

enum { LANES = 8, MOST_ITEMS = 16, MOST_PROBES = 64, MOST_PARTITIONS = 64, MOST_PRICES = 8 };
enum { CLAIM = 'c', EXPANDED = 'x', LIST = 'l', BLOCKS = 'b', PRICES = 'p', END = 'e' };
static const size_t most_table_bytes = (size_t)512 << 20;

typedef struct {
    const uint8_t *rules; /* their bytes */
    int64_t value;
    uint64_t digest;
    int32_t length;
} claim;

/* Eight numbers at once: lane k is for k rules. */
typedef uint16_t lanes __attribute__((vector_size(2 * LANES)));

/* One partition. Block b is a field of 16 bits of a view, which is a set in the order of blocks. */
typedef struct {
    lanes *rows;      /* block after block: [1 << items], errors >> shift */
    size_t *start;    /* [blocks + 1]: of a block's rows */
    uint64_t *views;  /* [antecedents][words] */
    int32_t *places;  /* [items]: point, block by block */
    int32_t *weights; /* [items][classes] */
    int32_t *first;   /* [blocks + 1]: of a block's items */
    int32_t blocks, words, shift;
    const uint8_t *bytes; /* of its record, */
    size_t length;        /* so that the same one is not built again */
} partition;

typedef struct {
    const corels_check_table *in;
    size_t words, stride, width; /* of a set; of a row of counts; of the counts of a set */
    uint64_t *all;
    planes planes;
    int32_t *most; /* [points]: the regret of the worst class */
    claim *claims;
    size_t n_claims, room, slots;
    uint32_t *index; /* [slots]: claim + 1 */
    partition parts[MOST_PARTITIONS];
    int n_parts;
    price_tables *prices[MOST_PRICES];
    int64_t *price_views[MOST_PRICES];
    int n_prices;
    size_t table_bytes;
    int64_t bound;
    /* Of the set that is checked. */
    uint64_t *set, *behind, *other, *views[MOST_PARTITIONS];
    int32_t *counts, *totals, *errors, *worst, *worth_it, *after, *after_totals;
    int64_t *closing;
} checker;

/* ---- reading ---- */

static void *array(size_t n, size_t size) {
    return n > SIZE_MAX / 2 / size ? NULL : calloc(n + 16, size);
}

static int read_claim(checker *c, reader *in, int relative) {
    if (c->n_claims == c->room) {
        size_t room = c->room ? 2 * c->room : 1024;
        claim *wider = room > UINT32_MAX / 4 ? NULL : realloc(c->claims, room * sizeof *wider);
        if (!wider) return CORELS_CHECK_MEMORY;
        c->claims = wider, c->room = room;
    }
    claim *one = c->claims + c->n_claims++;
    one->length = (int32_t)next_below(in, (int64_t)c->in->antecedents + 1);
    one->rules = in->at;
    int64_t rule = 0;
    for (int32_t i = 0; i < one->length && !in->bad; i++) {
        rule += next_below(in, c->in->antecedents);
        if (rule >= c->in->antecedents) in->bad = 1;
    }
    one->value = (int64_t)next(in);
    if (relative) one->value = -1 - one->value; /* until the bound is known */
    return CORELS_CHECK_HOLDS;
}

static void read_list(const checker *c, reader *in) {
    int32_t length = (int32_t)next_below(in, (int64_t)c->in->antecedents + 1);
    for (int32_t i = 0; i < length && !in->bad; i++) next_below(in, c->in->antecedents);
    next(in);
}

/* ---- blocks ---- */

static int captured(const checker *c, int32_t r, int32_t point) {
    return (int)(c->in->masks[(size_t)r * c->words + (size_t)point / 64] >> (point % 64) & 1);
}

static lanes smaller(lanes a, lanes b) {
    lanes less = (lanes)(a < b);
    return (a & less) | (b & ~less);
}

/* The errors of each subset as one cell. */
static void fill_alone(const int32_t *weights, int32_t items, int32_t classes, int32_t shift,
                       int64_t *sums, uint16_t *alone) {
    for (int32_t k = 0; k < classes; k++) {
        sums[0] = 0;
        for (uint32_t x = 0; x < 1u << items; x++) {
            if (x) sums[x] = sums[x & (x - 1)] + weights[__builtin_ctz(x) * classes + k];
            int64_t here = sums[x] >> shift;
            alone[x] = k && alone[x] <= here ? alone[x] : (uint16_t)(here < 65535 ? here : 65535);
        }
    }
}

/* rows[t][k]: t as one cell, or the best first rule and k - 1 for what it leaves; `later` holds the
 * rows one lane further. Nothing overflows: two cells cost no more than both as one. */
static void fill_rows(lanes *rows, lanes *later, const uint16_t *alone, uint32_t subsets,
                      const uint16_t *traces, int32_t n) {
    for (uint32_t t = 0; t < subsets; t++) {
        lanes best = (lanes){0} + alone[t];
        later[t] = best; /* for a trace that cuts nothing */
        for (int32_t i = 0; i < n; i++) {
            uint32_t cut = t & traces[i];
            best = smaller(best, later[t & ~cut] + alone[cut]);
        }
        best[0] = alone[t]; /* no rule */
        rows[t] = best;
        later[t] = (lanes){alone[t], best[0], best[1], best[2], best[3], best[4], best[5], best[6]};
    }
}

/* The distinct cuts of the antecedents with the block's items. */
static int32_t find_traces(const checker *c, const int32_t *places, int32_t items, uint16_t *traces,
                           uint8_t *seen) {
    int32_t n = 0;
    memset(seen, 0, 65536);
    for (int32_t r = 0; r < c->in->antecedents; r++) {
        uint32_t trace = 0;
        for (int32_t i = 0; i < items; i++) trace |= (uint32_t)captured(c, r, places[i]) << i;
        if (trace && !seen[trace]) seen[trace] = 1, traces[n++] = (uint16_t)trace;
    }
    return n;
}

/* Reads one block; takes its weights off what is left of the points' regrets. Answers what the
 * whole block costs at most as one cell, or a negative result. */
static int64_t read_block(checker *c, partition *p, int32_t b, reader *in, int32_t *left) {
    int32_t items = (int32_t)next_below(in, MOST_ITEMS + 1), classes = c->in->classes;
    int64_t least = 0;
    p->first[b + 1] = p->first[b] + items;
    p->start[b + 1] = p->start[b] + ((size_t)1 << items);
    for (int32_t i = p->first[b]; i < p->first[b + 1]; i++) {
        int32_t number = (int32_t)next_below(in, c->in->numbered);
        p->places[i] = in->bad ? -1 : c->in->kept[number];
        if (p->places[i] < 0) return -CORELS_CHECK_DATA;
        for (int32_t k = 0; k < classes; k++) {
            int32_t weight = (int32_t)next_below(in, INT32_MAX);
            int32_t *of = left + (size_t)k * (size_t)c->in->points + p->places[i];
            if (in->bad || weight > *of) return -CORELS_CHECK_DATA;
            *of -= weight;
            p->weights[i * classes + k] = weight;
        }
    }
    for (int32_t k = 0; k < classes; k++) {
        int64_t sum = 0;
        for (int32_t i = p->first[b]; i < p->first[b + 1]; i++) sum += p->weights[i * classes + k];
        if (!k || sum < least) least = sum;
    }
    return least;
}

/* Scratch of building one block after another. */
typedef struct {
    int32_t *left;
    int64_t *sums;
    lanes *later;
    uint16_t *alone, *traces;
    uint8_t *seen;
} scratch;

static int fill_partition(checker *c, partition *p, scratch *s) {
    size_t bytes = p->start[p->blocks] * sizeof(lanes);
    c->table_bytes += bytes;
    if (c->table_bytes > most_table_bytes) return CORELS_CHECK_DATA;
    p->rows = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (!p->rows) return CORELS_CHECK_MEMORY;
    for (int32_t b = 0; b < p->blocks; b++) {
        const int32_t *places = p->places + p->first[b];
        int32_t items = p->first[b + 1] - p->first[b];
        fill_alone(p->weights + (size_t)p->first[b] * (size_t)c->in->classes, items, c->in->classes,
                   p->shift, s->sums, s->alone);
        int32_t n = find_traces(c, places, items, s->traces, s->seen);
        fill_rows(p->rows + p->start[b], s->later, s->alone, 1u << items, s->traces, n);
    }
    return CORELS_CHECK_HOLDS;
}

/* Where the points of a set stand in the blocks. */
static void fill_view(const partition *p, const uint64_t *set, uint64_t *view) {
    memset(view, 0, (size_t)p->words * sizeof *view);
    for (int32_t b = 0; b < p->blocks; b++)
        for (int32_t i = p->first[b]; i < p->first[b + 1]; i++) {
            uint64_t bit = set[p->places[i] / 64] >> (p->places[i] % 64) & 1;
            view[b / 4] |= bit << (b % 4 * 16 + i - p->first[b]);
        }
}

static int read_blocks_with(checker *c, partition *p, reader *in, scratch *s) {
    int64_t total = 0;
    for (int32_t b = 0; b < p->blocks; b++) {
        int64_t least = read_block(c, p, b, in, s->left);
        if (in->bad) return CORELS_CHECK_MALFORMED;
        if (least < 0) return (int)-least;
        total += least;
    }
    while (total >> p->shift > 65535) p->shift++; /* less sharp, and the sums fit 16 bits */
    for (int32_t r = 0; r < c->in->antecedents; r++)
        fill_view(p, c->in->masks + (size_t)r * c->words, p->views + (size_t)r * (size_t)p->words);
    return fill_partition(c, p, s);
}

/* A search that was resumed states its partitions again. */
static int read_again(const checker *c, reader *in) {
    for (int i = 0; i < c->n_parts; i++) {
        const partition *p = c->parts + i;
        if ((size_t)(in->end - in->at) < p->length || memcmp(in->at, p->bytes, p->length)) continue;
        in->at += p->length;
        return 1;
    }
    return 0;
}

static int read_blocks(checker *c, reader *in) {
    size_t regrets = (size_t)c->in->classes * (size_t)c->in->points;
    /* A block takes a byte at least: no more are believed than there are bytes left. */
    int64_t most = in->end - in->at + 1;
    if (read_again(c, in)) return CORELS_CHECK_HOLDS;
    const uint8_t *begin = in->at;
    int32_t blocks = (int32_t)next_below(in, most < 1 << 20 ? most : 1 << 20);
    if (in->bad) return CORELS_CHECK_MALFORMED;
    if (c->n_parts == MOST_PARTITIONS) return CORELS_CHECK_DATA;
    partition *p = c->parts + c->n_parts++;
    size_t items = (size_t)blocks * MOST_ITEMS;
    p->blocks = blocks, p->words = (blocks + 3) / 4;
    p->start = array((size_t)blocks + 1, sizeof(size_t));
    p->first = array((size_t)blocks + 1, sizeof(int32_t));
    p->places = array(items, sizeof(int32_t));
    p->weights = array(items * (size_t)c->in->classes, sizeof(int32_t));
    p->views = array((size_t)c->in->antecedents * (size_t)p->words, sizeof(uint64_t));
    scratch s = {array(regrets, 4), array(65536, 8), aligned_alloc(64, 65536 * sizeof(lanes)),
                 array(65536, 2),   array(65536, 2), array(65536, 1)};
    int result = CORELS_CHECK_MEMORY;
    if (p->start && p->first && p->places && p->weights && p->views && s.left && s.sums &&
        s.later && s.alone && s.traces && s.seen) {
        memcpy(s.left, c->in->regrets, regrets * sizeof *s.left);
        result = read_blocks_with(c, p, in, &s);
    }
    p->bytes = begin, p->length = (size_t)(in->at - begin);
    free(s.left), free(s.sums), free(s.later), free(s.alone), free(s.traces), free(s.seen);
    return result;
}

static int read_cells(checker *c, reader *in) {
    if (c->n_prices == MOST_PRICES) return CORELS_CHECK_DATA;
    return prices_read(c->prices + c->n_prices++, c->in, in);
}

static int read_records(checker *c, const uint8_t *records, size_t bytes) {
    reader in = {records, records + bytes, 0};
    int result = CORELS_CHECK_HOLDS;
    c->bound = -1;
    while (in.at < in.end && !result) {
        uint64_t kind = next(&in);
        if (c->bound >= 0) return CORELS_CHECK_MALFORMED; /* behind the end */
        if (kind == CLAIM || kind == EXPANDED)
            result = read_claim(c, &in, kind == EXPANDED);
        else if (kind == LIST)
            read_list(c, &in);
        else if (kind == BLOCKS)
            result = read_blocks(c, &in);
        else if (kind == PRICES)
            result = read_cells(c, &in);
        else if (kind == END)
            c->bound = (int64_t)next(&in);
        else
            in.bad = 1;
        if (in.bad && result != CORELS_CHECK_MEMORY) return CORELS_CHECK_MALFORMED;
    }
    for (size_t i = 0; i < c->n_claims; i++) /* of the best-first search: relative to the bound */
        if (c->claims[i].value < 0)
            c->claims[i].value = (c->bound > 0 ? c->bound : 0) + c->claims[i].value + 1;
    return result;
}

/* ---- sets, and claims by their set ---- */

static void left_by(const checker *c, const claim *one, uint64_t *set) {
    reader in = {one->rules, one->rules + (size_t)one->length * 9 + 1, 0};
    int64_t rule = 0;
    memcpy(set, c->all, c->words * sizeof *set);
    for (int32_t i = 0; i < one->length; i++) {
        rule += (int64_t)next(&in);
        const uint64_t *mask = c->in->masks + (size_t)rule * c->words;
        for (size_t w = 0; w < c->words; w++) set[w] &= ~mask[w];
    }
}

static uint64_t digest(const checker *c, const uint64_t *set) {
    uint64_t h = 0x9E3779B97F4A7C15;
    for (size_t w = 0; w < c->words; w++) {
        h = (h ^ set[w]) * 0xD6E8FEB86659FD93;
        h ^= h >> 32;
    }
    return h ^ h >> 29;
}

/* The slot of the claim about exactly this set, or the empty one where it would be; NULL where
 * more digests than chance allows stand in the way. */
static uint32_t *find(checker *c, const uint64_t *set, uint64_t h) {
    for (size_t probe = 0, at = h & (c->slots - 1); probe < MOST_PROBES; probe++) {
        uint32_t *slot = c->index + at;
        if (!*slot) return slot;
        const claim *one = c->claims + (*slot - 1);
        if (one->digest == h) {
            left_by(c, one, c->other);
            if (!memcmp(c->other, set, c->words * sizeof *set)) return slot;
        }
        at = (at + 1) & (c->slots - 1);
    }
    return NULL;
}

/* Of several claims about a set the one that says most is found. */
static int index_claims(checker *c) {
    for (c->slots = 64; c->slots < 2 * c->n_claims;) c->slots *= 2;
    c->index = array(c->slots, sizeof *c->index);
    if (!c->index) return CORELS_CHECK_MEMORY;
    for (size_t i = 0; i < c->n_claims; i++) {
        if (c->claims[i].value <= 0) continue;
        left_by(c, c->claims + i, c->behind);
        c->claims[i].digest = digest(c, c->behind);
        uint32_t *slot = find(c, c->behind, c->claims[i].digest);
        if (slot && (!*slot || c->claims[*slot - 1].value < c->claims[i].value))
            *slot = (uint32_t)(i + 1);
    }
    return CORELS_CHECK_HOLDS;
}

/* ---- counting ---- */

static int32_t least_total(const checker *c, const int32_t *totals) {
    int32_t least = totals[0];
    for (int32_t k = 1; k < c->in->classes; k++) least = totals[k] < least ? totals[k] : least;
    return least;
}

/* Errors of a rule r, and of its list if it is the last: least over the classes. */
static void of_rule(const checker *c, const int32_t *counts, const int32_t *totals, int32_t r,
                    int32_t *errors, int64_t *closing) {
    int32_t here = INT32_MAX, left = INT32_MAX;
    for (int32_t k = 0; k < c->in->classes; k++) {
        int32_t regret = counts[(size_t)k * c->stride + (size_t)r];
        here = regret < here ? regret : here;
        left = totals[k] - regret < left ? totals[k] - regret : left;
    }
    *errors = here;
    *closing = c->in->unit * left;
}

static int32_t worst_of(const checker *c, const uint64_t *set, const uint64_t *in,
                        const uint64_t *out) {
    int32_t sum = 0;
    for (size_t w = 0; w < c->words; w++)
        for (uint64_t left = set[w] & in[w] & ~(out ? out[w] : 0); left; left &= left - 1)
            sum += c->most[64 * w + (size_t)__builtin_ctzll(left)];
    return sum;
}

/* ---- reasons ---- */

static int64_t by_claim(checker *c) {
    uint32_t *slot = find(c, c->behind, digest(c, c->behind));
    return slot && *slot ? c->claims[*slot - 1].value : 0;
}

/* Whether k = 1, 2, .. rules and the errors that they leave in all blocks cost `need` or more. */
static int by_blocks(const checker *c, const partition *p, const uint64_t *view, int32_t r,
                     int64_t need) {
    const uint64_t *without = p->views + (size_t)r * (size_t)p->words;
    lanes goals = {0}, sums = {0};
    if (LANES * c->in->rule_cost < need) return 0;
    for (int k = 1; k < LANES; k++) {
        int64_t errors = need - k * c->in->rule_cost; /* rounded up, in the tables' unit */
        errors = errors > 0 ? ((errors - 1) / c->in->unit >> p->shift) + 1 : 0;
        if (errors > 65535) return 0;
        goals[k] = (uint16_t)errors;
    }
    for (int32_t b = 0; b < p->blocks; b++) {
        size_t t = (view[b / 4] & ~without[b / 4]) >> (b % 4 * 16) & 65535;
        sums += p->rows[p->start[b] + t];
        if (b % 4 < 3 && b + 1 < p->blocks) continue;
        typedef uint64_t words __attribute__((vector_size(16)));
        words open = (words)(lanes)(sums < goals);
        if (!(open[0] | open[1])) return 1;
    }
    return 0;
}

/* The best single rule behind r, or two; INT64_MAX where nothing captures anything there. */
static int64_t by_one_rule(checker *c) {
    int64_t least = INT64_MAX;
    int any = 0;
    planes_count(&c->planes, c->behind, c->after, c->after_totals);
    for (int32_t q = 0; q < c->in->antecedents; q++) {
        int32_t errors, captures = 0;
        int64_t closing;
        for (int32_t k = 0; k < c->in->classes; k++)
            captures |= c->after[(size_t)k * c->stride + (size_t)q];
        if (!captures) continue;
        of_rule(c, c->after, c->after_totals, q, &errors, &closing);
        int64_t cost = c->in->rule_cost + c->in->unit * errors + closing;
        if (cost < least) least = cost;
        any = 1;
    }
    return any && 2 * c->in->rule_cost < least ? 2 * c->in->rule_cost : least;
}

/* Two classes: the errors that one rule more leaves behind r, told from the counts of S. A rule q
 * that predicts class b captures of class a (whose errors it saves) at most min(a_q, a), and of b
 * at least b_q - b_r. A q that saves no more than a rule costs is not needed. */
static int64_t best_gain(const checker *c, int32_t r, int32_t class) {
    const int32_t *a = c->counts + (size_t)class * c->stride;
    const int32_t *b = c->counts + (size_t)(1 - class) * c->stride;
    int32_t left = c->totals[class] - a[r], behind = b[r], best = 0;
    for (int32_t i = 0; i < c->in->antecedents; i++) {
        int32_t gain = a[i] < left ? a[i] : left, lost = b[i] > behind ? b[i] - behind : 0;
        int32_t here = c->worth_it[i] & (gain - lost);
        best = here > best ? here : best;
    }
    return c->in->rule_cost + c->in->unit * (int64_t)(left - best);
}

static int by_second_rule(const checker *c, int32_t r, int64_t need) {
    return c->in->classes == 2 && 2 * c->in->rule_cost >= need && best_gain(c, r, 0) >= need &&
           best_gain(c, r, 1) >= need;
}

/* Another antecedent does what r does, and comes first in the order of removals. */
static int instead(const checker *c, int32_t r) {
    const uint64_t *mask = c->in->masks + (size_t)r * c->words;
    for (int32_t q = 0; q < c->in->antecedents; q++) {
        int32_t room = c->errors[r] - c->errors[q];
        if (q == r || room < 0 || c->worst[r] - c->worst[q] > room) continue;
        if (!room && (c->worst[q] < c->worst[r] || (c->worst[q] == c->worst[r] && q > r))) continue;
        if (worst_of(c, c->set, mask, c->in->masks + (size_t)q * c->words) <= room) return 1;
    }
    return 0;
}

/* Whether the antecedent r is ruled out: behind it, whatever follows costs `need` or more, or it is
 * not needed. */
static int proven(checker *c, int32_t r, int64_t need) {
    const uint64_t *mask = c->in->masks + (size_t)r * c->words;
    int stopping = c->closing[r] >= need; /* behind r; only a claim says more than that */
    for (int i = c->n_parts - 1; i >= 0 && stopping; i--)
        if (by_blocks(c, c->parts + i, c->views[i], r, need)) return 1;
    for (int i = c->n_prices - 1; i >= 0; i--)
        if (prices_least(c->prices[i], c->price_views[i], r) >= need) return 1;
    if (stopping && by_second_rule(c, r, need)) return 1;
    for (size_t w = 0; w < c->words; w++) c->behind[w] = c->set[w] & ~mask[w];
    return by_claim(c) >= need || instead(c, r) || (stopping && by_one_rule(c) >= need);
}

static int check_claim(checker *c, size_t number, corels_check_report *report) {
    const claim *one = c->claims + number;
    left_by(c, one, c->set);
    planes_count(&c->planes, c->set, c->counts, c->totals);
    int64_t stop = c->in->unit * least_total(c, c->totals);
    *report = (corels_check_report){(int64_t)number, one->value, stop, -1};
    if (stop < one->value) return CORELS_CHECK_FAILS;
    for (int i = 0; i < c->n_parts; i++) fill_view(c->parts + i, c->set, c->views[i]);
    for (int i = 0; i < c->n_prices; i++) prices_view(c->prices[i], c->set, c->price_views[i]);
    for (int32_t r = 0; r < c->in->antecedents; r++) {
        of_rule(c, c->counts, c->totals, r, c->errors + r, c->closing + r);
        c->worst[r] = c->in->classes == 2
                          ? c->counts[r] + c->counts[c->stride + (size_t)r]
                          : worst_of(c, c->set, c->in->masks + (size_t)r * c->words, NULL);
    }
    for (int32_t r = 0; r < c->in->antecedents; r++) /* all ones where r saves enough, else 0 */
        c->worth_it[r] = -(c->in->unit * (c->worst[r] - c->errors[r]) > c->in->rule_cost);
    for (int32_t r = 0; r < c->in->antecedents; r++) {
        int64_t cost = c->in->rule_cost + c->in->unit * c->errors[r];
        if (cost + (c->closing[r] < c->in->rule_cost ? c->closing[r] : c->in->rule_cost) >=
            one->value)
            continue;                  /* look ahead */
        if (!c->worth_it[r]) continue; /* support */
        if (proven(c, r, one->value - cost)) continue;
        report->antecedent = r;
        return CORELS_CHECK_FAILS;
    }
    return CORELS_CHECK_HOLDS;
}

static int check_all(checker *c, corels_check_report *report) {
    int64_t of_all = -1;
    int result = CORELS_CHECK_HOLDS;
    for (int i = 0; i < c->n_parts; i++) {
        c->views[i] = array((size_t)c->parts[i].words, sizeof(uint64_t));
        if (!c->views[i]) return CORELS_CHECK_MEMORY;
    }
    for (int i = 0; i < c->n_prices; i++) {
        c->price_views[i] = array((size_t)c->in->antecedents + 1, sizeof(int64_t));
        if (!c->price_views[i]) return CORELS_CHECK_MEMORY;
    }
    for (size_t i = 0; i < c->n_claims && !result; i++) {
        if (!c->claims[i].length && c->claims[i].value > of_all) of_all = c->claims[i].value;
        if (c->claims[i].value > 0) result = check_claim(c, i, report);
    }
    if (result || c->bound <= 0 || of_all >= c->bound) return result;
    *report = (corels_check_report){-1, c->bound, of_all > 0 ? of_all : 0, -1};
    return CORELS_CHECK_FAILS;
}

/* ---- the whole ---- */

static int prepare(checker *c) {
    size_t m = (size_t)c->in->antecedents, points = (size_t)c->in->points;
    size_t classes = (size_t)c->in->classes;
    c->words = (points + 63) / 64;
    c->stride = (m + 15) / 16 * 16;
    c->width = classes * c->stride;
    c->all = array(c->words, 8), c->set = array(c->words, 8);
    c->behind = array(c->words, 8), c->other = array(c->words, 8);
    c->most = array(points, 4);
    c->counts = array(c->width, 4), c->after = array(c->width, 4);
    c->totals = array(classes, 4), c->after_totals = array(classes, 4);
    c->errors = array(c->stride, 4), c->worst = array(c->stride, 4);
    c->worth_it = array(c->stride, 4);
    c->closing = array(c->stride, 8);
    if (!c->all || !c->set || !c->behind || !c->other || !c->most || !c->counts || !c->after ||
        !c->totals || !c->after_totals || !c->errors || !c->worst || !c->worth_it || !c->closing)
        return CORELS_CHECK_MEMORY;
    for (size_t i = 0; i < points; i++) c->all[i / 64] |= UINT64_C(1) << (i % 64);
    for (size_t i = 0; i < points * classes; i++)
        if (c->in->regrets[i] > c->most[i % points]) c->most[i % points] = c->in->regrets[i];
    return planes_new(&c->planes, c->in, c->stride) ? CORELS_CHECK_HOLDS : CORELS_CHECK_MEMORY;
}

static void clean(checker *c) {
    planes_free(&c->planes);
    for (int i = 0; i < c->n_prices; i++) prices_free(c->prices[i]), free(c->price_views[i]);
    void *arrays[] = {c->all,    c->set,      c->behind,  c->other,        c->most,
                      c->counts, c->after,    c->totals,  c->after_totals, c->errors,
                      c->worst,  c->worth_it, c->closing, c->claims,       c->index};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    for (int i = 0; i < c->n_parts; i++) {
        partition *p = c->parts + i;
        free(p->rows), free(p->start), free(p->views), free(p->places);
        free(p->weights), free(p->first), free(c->views[i]);
    }
}

int corels_check_proof(const corels_check_table *table, const uint8_t *records, size_t bytes,
                       corels_check_report *report) {
    checker *c = calloc(1, sizeof *c);
    if (!c) return CORELS_CHECK_MEMORY;
    c->in = table;
    *report = (corels_check_report){-1, 0, 0, -1};
    int result = prepare(c);
    if (!result) result = read_records(c, records, bytes);
    if (!result) result = index_claims(c);
    if (!result) result = check_all(c, report);
    clean(c);
    free(c);
    return result;
}

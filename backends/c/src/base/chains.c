#include "chains.h"

#include "bits.h"
#include "corels/memory.h"
#include "corels/status.h"

enum { LEAST = 32, PIECE = 1 << 16 }; /* members of a chain; words that a piece goes through */
enum { ABOVE = 1, TURNED_ABOVE = 2, BELOW = 4, TURNED_BELOW = 8, ALL_WAYS = 15 };

/* The lowest and the highest member of a chain, and how many it has. */
struct chain_ends {
    int32_t low, high, n;
};

int chains_begin(chains *c, const uint64_t *masks, int32_t antecedents, int32_t points) {
    *c = (chains){
        .masks = masks, .antecedents = antecedents, .points = points, .words = (points + 63) / 64};
    c->ends = store_take(&c->arrays, (size_t)antecedents, sizeof *c->ends);
    c->above = store_take(&c->arrays, (size_t)antecedents, sizeof *c->above);
    return !c->arrays.failed;
}

void chains_free(chains *c) {
    store_free(&c->arrays);
    *c = (chains){0};
}

static const uint64_t *mask_of(const chains *c, int32_t member) {
    return c->masks + (size_t)(member < 0 ? ~member : member) * (size_t)c->words;
}

/* What has to be turned over in each word of the mask: all of it for a complement. */
static uint64_t turned(int32_t member) {
    return member < 0 ? ~UINT64_C(0) : 0;
}

/* How r can join the chain. */
static int ways_of(const chains *c, const chain_ends *e, int32_t r) {
    const uint64_t *set = mask_of(c, r), *low = mask_of(c, e->low), *high = mask_of(c, e->high);
    uint64_t turn_low = turned(e->low), turn_high = turned(e->high);
    int ways = ALL_WAYS;
    for (int32_t w = 0; w < c->words && ways; w++) {
        uint64_t all = all_of_word(c->points, w), over = (high[w] ^ turn_high) & all,
                 not_under = ~(low[w] ^ turn_low) & all;
        if (over & ~set[w]) ways &= ~ABOVE;
        if (over & set[w]) ways &= ~TURNED_ABOVE;
        if (not_under & set[w]) ways &= ~BELOW;
        if (not_under & ~set[w]) ways &= ~TURNED_BELOW;
    }
    return ways;
}

/* Puts r at an end of the chain in one of these ways. */
static void join(chains *c, chain_ends *e, int32_t r, int ways) {
    if (ways & (ABOVE | TURNED_ABOVE)) {
        int32_t last = e->high < 0 ? ~e->high : e->high;
        e->high = c->above[last] = ways & ABOVE ? r : ~r;
    } else {
        c->above[r] = e->low;
        e->low = ways & BELOW ? r : ~r;
    }
    e->n++;
}

/* Puts r into the longest of the last chains that takes it, or begins one. */
static void place(chains *c, int32_t r) {
    int at = -1, ways = 0;
    for (int k = 0; k < c->recent_n; k++) {
        const chain_ends *e = c->ends + c->recent[k];
        int here = at < 0 || e->n > c->ends[c->recent[at]].n ? ways_of(c, e, r) : 0;
        if (here) at = k, ways = here;
    }
    if (at >= 0) {
        join(c, c->ends + c->recent[at], r, ways);
        return;
    }
    for (int k = c->recent_n < CHAINS_LOOKED_AT ? c->recent_n++ : CHAINS_LOOKED_AT - 1; k > 0; k--)
        c->recent[k] = c->recent[k - 1];
    c->recent[0] = c->found;
    c->ends[c->found++] = (chain_ends){r, r, 1};
}

/* Once all antecedents have a place: lists the members of the chains that are long enough, and the
 * rest. */
static int list_members(chains *c) {
    size_t members = 0;
    for (int32_t i = 0; i < c->found; i++)
        if (c->ends[i].n >= LEAST) c->ends[c->n++] = c->ends[i], members += (size_t)c->ends[i].n;
    c->first = store_take(&c->arrays, (size_t)c->n + 1, sizeof *c->first);
    c->member = store_take(&c->arrays, members, sizeof *c->member);
    c->rest = store_take(&c->arrays, (size_t)c->antecedents, sizeof *c->rest);
    if (c->arrays.failed) return CORELS_NO_MEMORY;
    for (int32_t i = 0, k = 0; i < c->n; i++) {
        for (int32_t m = c->ends[i].low;; m = c->above[m < 0 ? ~m : m]) {
            c->member[k++] = m;
            if (m == c->ends[i].high) break;
        }
        c->first[i + 1] = k;
    }
    memset(c->above, 0, (size_t)c->antecedents * sizeof *c->above); /* whether it is in a chain */
    for (size_t k = 0; k < members; k++)
        c->above[c->member[k] < 0 ? ~c->member[k] : c->member[k]] = 1;
    for (int32_t r = 0; r < c->antecedents; r++)
        if (!c->above[r]) c->rest[c->rest_n++] = r;
    return CORELS_OK;
}

/* A chain begins: no member of it contains any point yet. */
static void begin_ranks(chains *c) {
    int32_t n = c->first[c->chain + 1] - c->first[c->chain];
    for (size_t x = 0; x < (size_t)c->points; x++) c->rank[x * (size_t)c->n + c->chain] = n;
}

/* The points that the k-th member has beyond the one below it are of that one's rank. */
static void set_ranks(chains *c, int32_t k) {
    int32_t *rank = c->rank + c->chain, member = c->member[k], lowest = c->first[c->chain];
    int32_t below = k > lowest ? c->member[k - 1] : member;
    const uint64_t *set = mask_of(c, member), *under = mask_of(c, below);
    uint64_t turn = turned(member), turn_under = turned(below);
    for (int32_t w = 0; w < c->words; w++) {
        uint64_t more = (set[w] ^ turn) & all_of_word(c->points, w);
        if (k > lowest) more &= ~(under[w] ^ turn_under);
        for (; more; more &= more - 1)
            rank[(size_t)(64 * w + corels_lowest(more)) * (size_t)c->n] = k - lowest;
    }
}

/* First each antecedent gets a place (step 0), then each member gives its points a rank (1). It
 * comes back between the two, so that the caller may do without ranks. */
int chains_more(chains *c) {
    for (int32_t left = 1 + PIECE / (c->words + 1); left > 0; left--) {
        int32_t last = c->step ? c->first[c->n] : c->antecedents;
        if (!c->words) last = c->at; /* without points every set is the same */
        if (c->at == last && c->step) break;
        if (c->at == last) {
            c->step = 1, c->at = 0;
            return list_members(c);
        }
        if (!c->step) {
            place(c, c->at++);
            continue;
        }
        if (!c->rank) c->rank = store_take(&c->arrays, (size_t)c->points * c->n, sizeof *c->rank);
        if (!c->rank) return CORELS_NO_MEMORY;
        if (c->at == c->first[c->chain + 1]) c->chain++;
        if (c->at == c->first[c->chain]) begin_ranks(c);
        set_ranks(c, c->at++);
    }
    return !c->step || c->at < c->first[c->n] ? CORELS_OK : CORELS_DONE;
}

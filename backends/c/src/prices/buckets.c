/* From buckets to cells, on several threads.
 *
 * The buckets of all covers stand in a row. The first few that are not done are *open*, with a
 * place each: what is left of the bucket, and a part, which is a small table of the cells made of
 * it so far. In a round each thread goes on with one open bucket, the earliest ones first, for some
 * groups. Then the cells of the earliest one move to the common tables; when it is done, those of
 * the next one, and so on. So cells come into the tables in the order of the buckets, and memory
 * ends at the same cell, whatever the number of threads.
 *
 * A part that has grown to its share of the limit waits until its bucket is the earliest one.
 */
#include <stdlib.h>

#include "cover.h"
#include "team.h"

enum { GROUPS = 100, OPEN = 4 }; /* of a thread in a round; open buckets a thread */
/* Points after which it is seen whether fewer than one in so many of those that have to be are in
 * cells. */
enum { EARLY = 16384, HARDLY = 4 };

typedef struct {
    price_rest left;
    int32_t points; /* of the bucket */
    corels_prices *part;
    int done, full;
} open_bucket;

/* What a thread needs to cut groups and to make them cells. */
typedef struct {
    price_cutter *cutter;
    price_scratch *scratch;
    int failed;
} hand;

struct price_buckets {
    corels_prices *prices;
    store arrays;
    price_cover *cover;
    open_bucket *open; /* [n], a ring: open[(first + k) % n] is the earliest but k */
    int32_t n, first, used;
    hand *hands;       /* [threads]; as many are there as threads take part */
    open_bucket **now; /* [threads]: the bucket of each thread in this round */
    team *team;
    int32_t threads;
    int64_t next, all; /* buckets that are open, or were; buckets of all covers */
    int64_t cut;       /* points of the buckets that are done */
    size_t limit, share;
};

void price_buckets_free(price_buckets *s) {
    if (!s) return;
    for (int32_t i = 0; s->open && i < s->n; i++) corels_prices_free(s->open[i].part);
    store_free(&s->arrays);
    free(s);
}

/* Another thread takes part; returns what that takes. */
static size_t take_hand(price_buckets *s) {
    size_t before = s->arrays.bytes;
    hand *h = s->hands + s->threads++;
    h->cutter = price_cutter_new(s->cover, &s->arrays);
    h->scratch = price_scratch_new(s->prices, &s->arrays);
    return s->arrays.bytes - before + OPEN * (sizeof(open_bucket) + sizeof(corels_prices));
}

/* The limit for tables goes by one thread, and as much again is left for the ascent to come. Half
 * of that is for further threads, so there may be fewer than asked for; the other half for parts.
 * 0: it leaves nothing for tables. */
static int take_hands(price_buckets *s, const corels_prices_options *options) {
    size_t each = take_hand(s), held = sizeof *s + s->arrays.bytes, memory = options->memory;
    if (s->arrays.failed || (memory && memory <= held + 2)) return 0;
    s->limit = memory ? (memory - held) / 2 : 0;
    while (s->threads < options->threads && s->threads < MOST_PARTS &&
           (!memory || (size_t)s->threads * each <= s->limit / 2))
        take_hand(s);
    return !s->arrays.failed;
}

static int make_parts(price_buckets *s) {
    s->n = OPEN * s->threads < s->all ? OPEN * s->threads : (int32_t)s->all;
    s->share = s->limit / 2 / (size_t)(s->n + 1);
    s->open = store_take(&s->arrays, (size_t)s->n, sizeof *s->open);
    for (int32_t i = 0; s->open && i < s->n; i++) {
        corels_prices *part = calloc(1, sizeof *part);
        s->open[i].part = part;
        if (!part) return 0;
        part->in = s->prices->in;
        part->kernel = s->prices->kernel;
        part->tune = s->prices->tune;
        part->shift = s->prices->shift;
        part->stride = s->prices->stride;
    }
    return s->open != NULL;
}

price_buckets *price_buckets_new(corels_prices *prices, const corels_prices_options *options,
                                 team *t) {
    price_buckets *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->prices = prices;
    s->team = t;
    s->arrays.most = options->memory;
    s->hands = store_take(&s->arrays, MOST_PARTS, sizeof *s->hands);
    s->now = store_take(&s->arrays, MOST_PARTS, sizeof(open_bucket *));
    s->cover = price_cover_new(prices, options, &s->arrays);
    if (s->cover) s->all = (int64_t)s->cover->buckets * options->covers;
    if (s->cover && take_hands(s, options) && make_parts(s)) return s;
    price_buckets_free(s);
    return NULL;
}

size_t price_buckets_bytes(const price_buckets *s) {
    size_t bytes = sizeof *s + s->arrays.bytes;
    for (int32_t i = 0; i < s->n; i++) bytes += corels_prices_bytes(s->open[i].part);
    return bytes;
}

static open_bucket *open_at(price_buckets *s, int32_t k) {
    return s->open + (s->first + k) % s->n;
}

/* The next buckets are opened while there is room. */
static void open_more(price_buckets *s) {
    const price_cover *cover = s->cover;
    for (; s->used < s->n && s->next < s->all; s->used++, s->next++) {
        size_t index = (size_t)(s->next / cover->buckets), b = (size_t)(s->next % cover->buckets);
        const int32_t *first = cover->first + index * ((size_t)cover->buckets + 1) + b;
        open_bucket *to = open_at(s, s->used);
        to->left.left = cover->order + index * (size_t)cover->n + first[0];
        to->left.n = to->points = first[1] - first[0];
        to->done = to->full = 0;
    }
}

static void cut_range(void *buckets_, int32_t part, int32_t from, int32_t to) {
    price_buckets *s = buckets_;
    hand *h = s->hands + part;
    for (int32_t i = from; i < to; i++) {
        open_bucket *at = s->now[i];
        price_group group;
        for (int32_t k = 0; k < GROUPS && !at->done && !at->full && !h->failed; k++) {
            at->done = !price_next_group(s->cover, h->cutter, &at->left, &group);
            if (at->done) break;
            h->failed = !price_add_cell(at->part, h->scratch, &group, s->cover);
            at->full = s->limit && corels_prices_bytes(at->part) > s->share;
        }
    }
}

/* Whether too few points are in cells: of the first cover, at its end or `early`. Some buckets may
 * have cells where others have none, so not too early, and only where hardly any are in cells. */
static int too_few(const price_buckets *s, int early) {
    double part = early ? (double)s->cut / HARDLY : (double)s->cover->n;
    if (s->cut > s->cover->n || (early && s->cut < EARLY)) return 0;
    return (double)s->prices->used[N_MEMBERS] < s->cover->options.least_covered * part;
}

/* The cells of the earliest open buckets move to the tables. */
static int gather(price_buckets *s) {
    while (s->used) {
        open_bucket *earliest = open_at(s, 0);
        int status = price_append(s->prices, earliest->part, s->limit);
        if (status == CORELS_DONE && too_few(s, 0)) return CORELS_BAD_ARGUMENT;
        if (status != CORELS_OK) return status;
        earliest->full = 0;
        if (!earliest->done) return CORELS_OK;
        s->cut += earliest->points;
        if (too_few(s, s->cut < s->cover->n)) return CORELS_BAD_ARGUMENT;
        s->first = (s->first + 1) % s->n;
        s->used--;
    }
    return CORELS_OK;
}

double price_buckets_share(const price_buckets *s) {
    double cut = (double)(s->next - s->used) / (double)s->all;
    return (price_cover_share(s->cover) + cut) / 2;
}

int price_buckets_more(price_buckets *s) {
    int32_t n = 0;
    if (s->cover->ordered < s->cover->options.covers) {
        price_cover_order(s->cover, s->team);
        return CORELS_OK;
    }
    open_more(s);
    if (!s->used) return CORELS_DONE;
    for (int32_t k = 0; k < s->used && n < s->threads; k++) {
        open_bucket *at = open_at(s, k);
        if (!at->done && !at->full) s->now[n++] = at;
    }
    team_ranges(s->team, s->threads, n, 1, cut_range, s);
    for (int32_t i = 0; i < s->threads; i++)
        if (s->hands[i].failed) return CORELS_NO_MEMORY;
    return gather(s);
}

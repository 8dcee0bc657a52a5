/* Inside the price bound: the cells, their tables, and what the files of this folder share.
 *
 * A *cell* is a set of points. Some antecedents capture none of its points or all; the others
 * *split* it. A cell has at most eight *parts*. Where it has no more than eight points, each point
 * is a part. Where it has more, few antecedents split it, and the parts are the sets of points that
 * these capture, without those that are unions of others, and the points that none of them
 * captures. What an antecedent takes of the cell is its *trace*: the parts that lie in what it
 * captures. A point is *left* if all the parts are left that contain it: these are what it `needs`.
 *
 * What the rules of a list can leave of the cell are its *states*: sets of parts, each a byte, 0
 * the empty one. A rule leads from a state s to s & ~trace. The state's value is what a cheapest
 * list costs there, every rule at its price in this cell and every error at the points' weights in
 * it:
 *
 *     value[s] = min( min over c of alone[c][s],
 *                     min over t, c of price[c][t] + alone[c][s] - alone[c][s & ~trace[t]]
 *                                      + value[s & ~trace[t]] )
 *
 * with alone[c][s] the errors where all points that are left in s are predicted c. An antecedent
 * that captures all of a cell needs no price there: it does what the default does. Antecedents of
 * one trace have one price.
 *
 * For one set of points the search needs F(S \ r) for every r, a sum over all cells. So each cell
 * has a row of bytes, of[r] = what antecedent r captures of it. Rows and tables of a cell stand at
 * offsets of common arrays. Which cells a rule changes is seen from a row of bytes for each
 * antecedent, `captured`.
 *
 * In finished tables, the row of a cell with at most fourteen traces has their numbers instead, and
 * two more for antecedents that take nothing and all.
 *
 * The rows of finished tables stand in an order of their own: antecedents that err little of all
 * that they capture come first, since these are what a search mostly asks about, and asks in groups
 * of neighbours (view.c).
 *
 * Prices are made again for sets that the search has met, and each time they say more of some sets
 * and less of others. The states do not depend on prices. So what a set costs by earlier prices
 * takes no more than their values, which stand side by side, rounded down to 16 bits: `earlier`.
 *
 * A state that costs nothing is as good as the empty one, since nothing costs less: look-ups take
 * the empty one for it, and have done with the cell.
 */
#pragma once

#include "corels/prices.h"
#include "kernel.h"
#include "store.h"
#include "team.h"
#include "tuning.h"

enum {
    MOST_PARTS = 64,             /* threads that build */
    PRICE_ANTECEDENTS = 1 << 20, /* at most: view.c numbers groups of sixteen with 16 bits */
    PRICE_CELLS = 1 << 24,   /* at most: `touched` has 24 bits for a cell, balance.c for a place */
    PRICE_POINTS = 32,       /* of a cell at most */
    PRICE_BITS = 8,          /* parts of a cell at most */
    PRICE_NUMBERED = 14,     /* traces up to which finished rows have numbers */
    PRICE_STATES = 256,      /* of a cell at most */
    PRICE_TRACES = 254,      /* of a cell at most: neither no part of it nor all */
    PRICE_LEAST_STATES = 16, /* values of a cell at least */
    PRICE_EARLIER = 8,       /* prices whose values are kept when better ones are made */
};

/* What there is more of with each cell: so many of each are in use, or come with a cell. */
enum { N_CELLS, N_MEMBERS, N_TRACES, N_STATES, N_KINDS };
typedef size_t price_sizes[N_KINDS];

typedef struct {
    uint32_t member; /* first of `points` in members, needs, shares and weights[.][classes] */
    uint32_t trace;  /* first of `traces` in traces; times classes: in prices, [classes][traces] */
    uint32_t state;  /* first of `states` in values */
    int16_t points, parts, traces, states;
} price_cell;

struct corels_prices {
    corels_instance in;
    const corels_kernel_table *kernel;
    const tuning *tune;
    int32_t shift; /* costs times 2^shift are the unit of the tables */
    int32_t n, stride;
    price_cell *cells;
    uint8_t *of;      /* [n][stride] */
    int32_t *members; /* points, cell by cell */
    uint8_t *needs;   /* of each member: the parts that contain it, bit i = its cell's part i */
    float *shares;    /* of their weight */
    int32_t *weights; /* regrets in the cell: [members][classes], in the unit of the tables */
    uint8_t *traces;  /* of the cell's parts */
    float *wishes;    /* prices as the ascent has them, in the unit of the tables */
    int32_t *prices;  /* prices as the tables have them */
    int32_t *values;
    uint16_t *earlier;      /* of tables made again: [states][PRICE_EARLIER], in units of 2^rough,
                               rounded down; or NULL */
    int32_t rough, made;    /* made: how many times they have been made again */
    price_sizes used, room; /* of the arrays above but the last one */
    store ordered;          /* of those below: order.c makes them */
    uint8_t *captured;      /* [antecedents][padded]: what r captures of each cell */
    int32_t padded;         /* states of a view: n, rounded up to a multiple of 16 */
    int32_t *place;         /* [antecedents]: the place of antecedent r in the rows, */
    int32_t *antecedent;    /* and of each place the antecedent; NULL until the tables are ready */
};

/* memory.c */
/* Room for one more cell; NULL where memory is short or the limit would be passed. It stands behind
 * the others then, of so many points, traces and states; `sizes` says what comes with it, and its
 * arrays are to be written before it is added. */
price_cell *price_reserve(corels_prices *prices, price_cell cell, price_sizes sizes, size_t limit);
void price_added(corels_prices *prices, const price_sizes sizes);
/* Moves all cells of `part`, which is empty then. CORELS_DONE: those that the limit allows. */
int price_append(corels_prices *prices, corels_prices *part, size_t limit);
corels_prices *price_copy(const corels_prices *prices); /* NULL without memory */
/* Puts the values (unless they are many) beside those of earlier prices, for the oldest ones where
 * there are too many; 0: no memory. */
int price_keep_values(corels_prices *prices);

/* order.c: the order of the rows, and what each antecedent captures of each cell. */
int price_order(corels_prices *prices);

/* A group of points on its way to become a cell. */
typedef struct {
    int32_t points;
    int32_t point[PRICE_POINTS];
} price_group;

/* parts.c: the parts of a cell of more than PRICE_BITS points, from what antecedents capture of it;
 * part: [PRICE_BITS]; all: its points. 0: they are too many. */
int32_t price_parts(const uint32_t *captured, int32_t antecedents, uint32_t all, uint32_t *part);

/* traces.c: adds the group as a cell, with its traces and equal shares, or does nothing
 * where it would be worth nothing; 0: no memory. */
typedef struct price_cover price_cover;
typedef struct price_scratch price_scratch;
price_scratch *price_scratch_new(const corels_prices *prices, store *);
int price_add_cell(corels_prices *prices, price_scratch *scratch, const price_group *group,
                   const price_cover *cover);

/* cover.c: all points in order, cover by cover, for cutting. */
price_cover *price_cover_new(const corels_prices *prices, const corels_prices_options *options,
                             store *);              /* NULL without memory */
void price_cover_order(price_cover *cover, team *); /* go on with the next one */
double price_cover_share(const price_cover *cover); /* of them, in order */

/* buckets.c: cuts all points into groups, cover by cover, and makes them cells of `prices`, within
 * the memory of the options: half of what is left is for the tables, half for the ascent. */
typedef struct price_buckets price_buckets;
price_buckets *price_buckets_new(corels_prices *prices, const corels_prices_options *options,
                                 team *);
double price_buckets_share(const price_buckets *buckets); /* of the buckets, those that are done */
void price_buckets_free(price_buckets *buckets);
/* Some more cells. CORELS_DONE: every point is in a group, or the limit is reached. */
int price_buckets_more(price_buckets *buckets);
/* What it holds, without what is in `prices` already. */
size_t price_buckets_bytes(const price_buckets *buckets);

/* sample.c: into mass [states], which is zero, which part of the sample is in each state of a cell;
 * without a sample, all of it is in the whole cells. */
void price_place_sample(const corels_prices *prices, const corels_sample *sample, float *mass,
                        team *, int32_t threads);
/* Every price becomes the mean of itself and a whole rule, as exponents go, and a little more. */
void price_flatten(corels_prices *prices);

/* point_shares.c: the cells that each point is a member of. */
typedef struct {
    corels_prices *prices;
    size_t *first;    /* [points + 1]: where each point is a member of cells, */
    uint32_t *places; /* as places among all members, in rising order */
    int shared;       /* some point is in several cells */
} price_shares;
int price_shares_new(price_shares *shares, corels_prices *prices, store *); /* 0: no memory */
/* Scales the shares of each point to 1, and sets its weights in its cells. */
void price_share_out(const price_shares *shares, team *, int32_t threads);

/* ascent.c: better prices and shares, by what the cells' cheapest lists use. */
typedef struct price_ascent price_ascent;
price_ascent *price_ascent_new(corels_prices *prices, const corels_sample *sample, team *,
                               int32_t threads, size_t most); /* bytes; 0: any number */
void price_ascent_free(price_ascent *ascent);
size_t price_ascent_bytes(const price_ascent *ascent);
/* One iteration with this step; `step` 0: only prices, shares and values anew. */
int price_ascend(price_ascent *ascent, double step);
/* The values anew, from weights and prices as they are. */
void price_refill(price_ascent *ascent);

/* budget.c */
/* The shift in which no sum of values overflows 32 bits. */
int32_t price_shift(const corels_instance *in);
/* x * 2^shift, rounded down. */
int64_t price_scaled(const corels_prices *prices, int64_t x);

/* view.c: the state of a cell where `set` is left of all points. (Where rules leave no such set,
 * the state of a part of it.) */
int32_t price_state(const corels_prices *prices, const price_cell *cell, const uint64_t *set);

/* The regret of predicting point x as c, in the unit of the tables. */
static inline int64_t price_regret(const corels_prices *prices, int32_t c, int32_t x) {
    return price_scaled(prices,
                        prices->in.unit * prices->in.regrets[(size_t)c * prices->in.points + x]);
}

/* fill.c: the values of n cells; quickest where they have about as many parts. */
size_t price_fill_bytes(const corels_prices *prices);
void price_fill(corels_prices *prices, const int32_t *list, int32_t n, void *scratch);
/* alone[c][s] of a cell. */
void price_alone(const corels_prices *prices, const price_cell *cell, int32_t *alone);

/* The values of a cell of so many parts. */
static inline size_t price_states(int32_t parts) {
    size_t states = (size_t)1 << parts;
    return states < PRICE_LEAST_STATES ? PRICE_LEAST_STATES : states;
}

/* The state of the whole cell. */
static inline int32_t price_whole(const price_cell *cell) {
    return (1 << cell->parts) - 1;
}

/* numbers[k] = the trace of the antecedent in place k of the rows, or `traces` for none, or
 * traces + 1 for all. */
void price_numbers(const corels_prices *prices, int32_t i, uint8_t *numbers);

/* Whether a trace of the cell captures its member k. */
static inline int price_captures(const corels_prices *prices, const price_cell *cell, int32_t trace,
                                 size_t k) {
    return (prices->needs[cell->member + k] & trace) != 0;
}

/* Inside the price bound: the cells, their tables, and what the files of this folder share.
 *
 * A *cell* is a set of at most eight points. Some antecedents capture none of them or all; the
 * others *split* the cell. What an antecedent captures of the cell is its *trace*. What the rules
 * of a list can leave of the cell are its *states*: sets of points, each a byte, 0 the empty one. A
 * rule leads from a state s to s & ~trace. The state's value is what a cheapest list costs there,
 * every rule at its price in this cell and every error at the points' weights in it:
 *
 *     value[s] = min( min over c of alone[c][s],
 *                     min over t, c of price[c][t] + alone[c][s] - alone[c][s & ~trace[t]]
 *                                      + value[s & ~trace[t]] )
 *
 * with alone[c][s] the errors if all points of s are predicted c. An antecedent that captures
 * all of a cell needs no price there: it does what the default does. Antecedents of one trace have
 * one price.
 *
 * For one set of points the search needs F(S \ r) for every r, a sum over all cells. So each cell
 * has a row of bytes, of[column[r]] = what antecedent r captures of it; or, of a cell with at most
 * fourteen traces, the number of the trace, or of two more for antecedents that capture nothing and
 * all. Which cells a rule changes is seen from a row of bytes for each antecedent, `captured`.
 *
 * Prices are made again for sets that the search has met, and each time they say more of some sets
 * and less of others. The states do not depend on prices. So what a set costs by the prices before
 * takes no more than their values: `earlier`.
 *
 * A state that costs nothing is as good as the empty one, since nothing costs less: look-ups take
 * the empty one for it, and have done with the cell.
 */
#pragma once

#include "corels/prices.h"
#include "corels/store.h"
#include "kernel.h"
#include "team.h"
#include "tuning.h"

enum {
    PRICE_THREADS = 64,          /* threads that build */
    PRICE_ANTECEDENTS = 1 << 20, /* at most: view.c numbers groups of sixteen with 16 bits */
    PRICE_CELLS = 1 << 23,       /* at most */
    PRICE_POINTS = 8,            /* of a cell at most */
    PRICE_NUMBERED = 14,         /* traces up to which rows have numbers */
    PRICE_STATES = 256,          /* of a cell at most, */
    LEAST_STATES = 16,           /* and at least */
    PRICE_TRACES = 254,          /* of a cell at most: neither none of it nor all */
};

typedef struct {
    uint32_t member; /* first of `points` in members, shares and weights[.][classes] */
    uint32_t trace;  /* first of `traces` in traces; times classes: in prices, [classes][traces] */
    uint32_t state;  /* first of `states` in values */
    int32_t users;   /* antecedents that split it */
    int16_t points, traces, states;
} price_cell;

struct corels_prices {
    corels_instance in;
    const corels_kernel_table *kernel;
    const tuning *tune;
    team *team;    /* while they are built; NULL: one thread does all */
    int32_t shift; /* costs times 2^shift are the unit of the tables */
    int32_t n, stride;
    int32_t padded; /* states of a view: n, rounded up to a multiple of 16 */
    store arrays;   /* all of these: */
    price_cell *cells;
    int32_t *column;   /* [antecedents]: the place in each row; those that err least come first */
    uint8_t *of;       /* [n][stride] */
    uint8_t *captured; /* [antecedents][padded]: what r captures of each cell */
    int32_t *members;  /* points, cell by cell */
    float *shares;     /* of their weight */
    int32_t *weights;  /* regrets in the cell: [members][classes], in the unit of the tables */
    uint8_t *traces;
    float *wishes;   /* prices as the ascent has them, in the unit of the tables */
    int32_t *prices; /* prices as the tables have them */
    int32_t *values;
    int32_t *earlier; /* [states]: values before the prices were made again; or NULL */
    size_t members_n, traces_n, states_n; /* of all cells */
};

/* cover.c: all points in order, cover by cover, for cutting. */
typedef struct price_cover price_cover;
price_cover *price_cover_new(const corels_prices *prices, const corels_prices_options *options,
                             store *);              /* NULL without memory */
void price_cover_order(price_cover *cover);         /* go on with the next one */
double price_cover_share(const price_cover *cover); /* of them, in order */

/* cells.c: cuts all points into groups, cover by cover, and makes them cells of `prices`, within
 * the memory of the options: half of what is left is for the tables, half for the ascent. */
typedef struct price_cutting price_cutting;
price_cutting *price_cutting_new(corels_prices *prices, const corels_prices_options *options);
double price_cutting_share(const price_cutting *cutting); /* of the buckets, those that are done */
void price_cutting_free(price_cutting *cutting);
/* Some more cells. CORELS_DONE: all are there. CORELS_BAD_ARGUMENT: they have too few points. */
int price_cutting_more(price_cutting *cutting);
size_t price_cutting_bytes(const price_cutting *cutting); /* without those of `prices` */

/* sample.c: into mass [states], which is zero, which part of the sample is in each state of a cell;
 * without a sample, all of it is in the whole cells. */
void price_place_sample(const corels_prices *prices, const corels_sample *sample, float *mass);

/* balance.c: an antecedent that splits a cell; and how all of them are scaled. */
typedef struct {
    uint32_t antecedent : 24, trace : 8;
} price_user;

typedef struct {
    corels_prices *prices;
    price_user *users; /* cell by cell, in rising order; */
    size_t *end;       /* [cells]: behind those of each cell */
    int shared;        /* some point is in several cells */
    double *sums;      /* [classes][antecedents] of prices, then factors; [points] of shares */
} price_scale;

int price_scale_new(price_scale *, corels_prices *, store *); /* 0: no memory */
void price_scale_prices(price_scale *); /* all wishes, and makes prices of them */
void price_scale_shares(price_scale *); /* those of each point, and sets its weights */

/* ascent.c: better prices and shares, by what the cells' cheapest lists use. The values of the
 * tables stay as they are meanwhile. */
typedef struct price_ascent price_ascent;
price_ascent *price_ascent_new(corels_prices *prices, const corels_sample *sample,
                               size_t most); /* bytes; 0: any number */
void price_ascent_free(price_ascent *ascent);
size_t price_ascent_bytes(const price_ascent *ascent);
/* One iteration with this step; `step` 0: only prices, shares and values anew. */
void price_ascend(price_ascent *ascent, double step);
/* The values anew, from weights and prices as they are. */
void price_refill(price_ascent *ascent);
/* They become those of the tables. */
void price_hand_over(const price_ascent *ascent);

/* budget.c */
/* The shift in which no sum of values overflows 32 bits. */
int32_t price_shift(const corels_instance *in);
/* x * 2^shift, rounded down. */
int64_t price_scaled(const corels_prices *prices, int64_t x);

/* view.c: the state of a cell if `set` is left of all points. */
int32_t price_state(const corels_prices *prices, const price_cell *cell, const uint64_t *set);

/* The regret of predicting point x as c, in the unit of the tables. */
static inline int64_t price_regret(const corels_prices *prices, int32_t c, int32_t x) {
    return price_scaled(prices,
                        prices->in.unit * prices->in.regrets[(size_t)c * prices->in.points + x]);
}

/* fill.c: the values of n cells, from the first state of all on; quickest if they have about as
 * many points. */
size_t price_fill_bytes(const corels_prices *prices);
void price_fill(const corels_prices *prices, const int32_t *list, int32_t n, int32_t *values,
                void *scratch);
/* alone[c][s] of a cell. */
void price_alone(const corels_prices *prices, const price_cell *cell, int32_t *alone);

/* The state of the whole cell. */
static inline int32_t price_whole(const price_cell *cell) {
    return (1 << cell->points) - 1;
}

/* Whether the cell's row has the numbers of traces. */
static inline int price_numbered(const price_cell *cell) {
    return cell->traces <= PRICE_NUMBERED;
}

/* What an antecedent of trace t has in the cell's row. */
static inline uint8_t price_byte(const corels_prices *p, const price_cell *cell, int32_t t) {
    return price_numbered(cell) ? (uint8_t)t : p->traces[cell->trace + (size_t)t];
}

/* Where the cell's prices of one class begin: one for each trace. */
static inline size_t price_first(const corels_prices *p, const price_cell *cell, size_t c) {
    return cell->trace * (size_t)p->in.classes + c * (size_t)cell->traces;
}

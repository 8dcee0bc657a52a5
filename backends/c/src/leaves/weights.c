/* Rounds of enumeration and fitting, one role after the other. */
#include "weights.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "corels/memory.h"
#include "fit.h"
#include "numbers.h"

enum { MOST_ROUNDS = 12, LEAST_KEPT = 100, MOST_KEPT = 100000 };
static const int64_t KEPT_WORDS = (int64_t)1 << 23; /* of all rows of a round together */
/* The second role may take one part in SECOND of the work of the first, and find SECOND times as
 * many conjunctions; a product of the linear program takes as long as counting PRODUCT words. */
enum { SECOND = 4, PRODUCT = 8 };
/* Rounds begin with conjunctions of so many conditions, which are soon enumerated: the weights that
 * these leave are so near the last ones that few longer ones gain too much. */
enum { FIRST_CONDITIONS = 3 };

/* What the enumerations of a round have found, one for each outcome that leaves may turn to. */
typedef struct {
    conjunction *rows; /* [n] those that are kept */
    int32_t n, complete;
    int64_t number;
    double scale;
} round_found;

struct leaf_builder {
    leaf_instance data;
    conjunction_task task;
    int32_t base[2];  /* the outcome of each role, rising */
    int32_t *kept[2]; /* [points] of each role */
    int verified[2];
    int order[2], turn; /* roles, and which of them is under way */
    int32_t other;      /* the outcome that leaves turn to in the enumeration under way */
    int32_t conditions; /* of the conjunctions of this round */
    int round, last;    /* last: no enumeration is needed behind this round */
    round_found of_round;
    int64_t work[2]; /* of each turn */
    int64_t found;   /* conjunctions that gained too much before there were weights */
    int64_t budget, fitted;
    size_t found_bytes;      /* the most so far */
    conjunctions *under_way; /* or NULL: the weights are being fitted */
    fit *fit;
    team *team;
};

double leaf_choices(int32_t antecedents, int64_t n) {
    double all = 1;
    for (int64_t k = 1; k <= n; k++) all *= (double)(antecedents - k + 1) / (double)k;
    return all > 0 ? all : 0;
}

double leaf_rows_bytes(int32_t antecedents, int64_t longest) {
    double bytes = 0;
    for (int64_t n = 0; n < longest; n++) /* the numbers, and what a block takes beside them */
        bytes += leaf_choices(antecedents, n) * (n + 2 < longest ? 128 : 16);
    return bytes;
}

/* Columns of the program, the tables of a thread, the digits, and the rows of the enumeration. */
size_t leaf_builder_needed(const leaf_instance *in, int64_t longest) {
    size_t words = (size_t)words_for(in->points), m = (size_t)in->antecedents;
    return words * 8 * (m * (3 + 2 * (size_t)in->threads) + 64) +
           (size_t)leaf_rows_bytes(in->antecedents, longest);
}

static const int32_t *regrets_of(const leaf_instance *in, int32_t outcome) {
    return in->regrets + (size_t)outcome * (size_t)in->points;
}

static int64_t sum_of(const leaf_instance *in, int32_t outcome) {
    const int32_t *regrets = regrets_of(in, outcome);
    int64_t sum = 0;
    for (int32_t x = 0; x < in->points; x++) sum += regrets[x];
    return sum;
}

int leaf_fits(const leaf_instance *in) {
    for (int32_t o = 0; o < in->outcomes; o++)
        if (sum_of(in, o) > INT32_MAX / LEAF_SCALE) return 0;
    return 1;
}

/* The two outcomes that cost least where they are said to everybody; the cheaper one's turn is
 * first. */
static void choose_bases(leaf_builder *b) {
    const leaf_instance *in = &b->data;
    int32_t best = 0, second = -1;
    for (int32_t o = 1; o < in->outcomes; o++)
        if (sum_of(in, o) < sum_of(in, best)) best = o;
    for (int32_t o = 0; o < in->outcomes; o++)
        if (o != best && (second < 0 || sum_of(in, o) < sum_of(in, second))) second = o;
    b->order[0] = second < best;
    b->order[1] = !b->order[0];
    b->base[b->order[0]] = best;
    b->base[b->order[1]] = second;
}

/* Conjunctions that a round keeps, so that they take at most so many bytes: while they are found
 * and brought together there may be several times as many, and two rounds' are rows of the program.
 */
static int64_t room_for(const leaf_instance *data, size_t bytes) {
    int64_t words = words_for(data->points), room = KEPT_WORDS / words + 100;
    size_t each = 2 * (FOUND_TIMES * sizeof(conjunction) + (size_t)words * 8 + 64);
    return lesser(lesser(room, MOST_KEPT), (int64_t)(bytes / each)) / (data->outcomes - 1);
}

leaf_builder *leaf_builder_new(const leaf_instance *data, int32_t longest, int64_t budget,
                               size_t bytes) {
    int64_t room = room_for(data, bytes);
    leaf_builder *b = room < LEAST_KEPT ? NULL : calloc(1, sizeof *b);
    if (!b) return NULL;
    size_t points = (size_t)data->points;
    b->data = *data;
    b->task = (conjunction_task){.masks = data->masks,
                                 .antecedents = data->antecedents,
                                 .points = data->points,
                                 .longest = longest,
                                 .room = (int32_t)room,
                                 .scale = LEAF_SCALE,
                                 .most = data->rule_cost / data->unit * LEAF_SCALE +
                                         data->rule_cost % data->unit * LEAF_SCALE / data->unit};
    b->budget = budget;
    choose_bases(b);
    b->kept[0] = corels_memory_new(points, sizeof *b->kept[0]);
    b->kept[1] = corels_memory_new(points, sizeof *b->kept[1]);
    b->team = team_new(data->threads);
    if (b->kept[0] && b->kept[1] && b->team) return b;
    leaf_builder_free(b);
    return NULL;
}

void leaf_builder_free(leaf_builder *b) {
    if (!b) return;
    conjunctions_free(b->under_way);
    fit_free(b->fit);
    free(b->of_round.rows);
    corels_memory_free(b->kept[0]);
    corels_memory_free(b->kept[1]);
    team_free(b->team);
    free(b);
}

static int role_of(const leaf_builder *b) {
    return b->order[b->turn];
}

static int32_t base_of(const leaf_builder *b) {
    return b->base[role_of(b)];
}

/* The work that the role under way may still take. */
static int64_t work_left(const leaf_builder *b) {
    int64_t most = b->budget;
    if (b->turn && b->work[0] / SECOND < most) most = b->work[0] / SECOND;
    return most - b->work[b->turn];
}

/* Of leaves that turn to one outcome. The first time in whole errors, since digits are what a count
 * takes. */
static int begin_enumeration(leaf_builder *b, int32_t other) {
    conjunction_task task = b->task;
    b->other = other;
    task.gives = b->kept[role_of(b)];
    task.takes = regrets_of(&b->data, other);
    task.of_rules = other < b->data.for_rules;
    task.budget = work_left(b);
    task.longest = b->conditions;
    if (!b->round) {
        task.gives = regrets_of(&b->data, base_of(b));
        task.scale = 1;
        task.most = b->data.rule_cost / b->data.unit;
    }
    b->under_way = conjunctions_new(&task, b->data.threads);
    return b->under_way != NULL;
}

static int begin_round(leaf_builder *b) {
    free(b->of_round.rows);
    b->of_round = (round_found){.complete = 1, .scale = 1};
    return begin_enumeration(b, base_of(b) == 0);
}

/* A fit to what the points have now: no weight will be larger. */
static int begin_fit(leaf_builder *b) {
    b->task.gives = b->kept[role_of(b)];
    fit_free(b->fit);
    b->fit = fit_new(&b->task);
    return b->fit != NULL;
}

/* What points give to leaves that turn to another outcome is the regret of the role's own. */
static int begin_role(leaf_builder *b) {
    const int32_t *gives = regrets_of(&b->data, base_of(b));
    for (int32_t x = 0; x < b->data.points; x++) b->kept[role_of(b)][x] = gives[x] * LEAF_SCALE;
    b->conditions = (int32_t)lesser(b->task.longest, FIRST_CONDITIONS);
    b->round = b->last = 0;
    return begin_fit(b) && begin_round(b);
}

/* All weights a little smaller than what the worst conjunction allows: rounding does no harm. */
static void scale_down(leaf_builder *b, double by) {
    int32_t *kept = b->kept[role_of(b)];
    by *= 1 - 1e-12;
    for (int32_t x = 0; x < b->data.points; x++) kept[x] = (int32_t)(kept[x] * by);
}

/* The role's weights hold, or it is given up. */
static int end_role(leaf_builder *b, int holds) {
    int role = role_of(b);
    b->verified[role] = holds;
    if (!holds) memset(b->kept[role], 0, (size_t)b->data.points * sizeof(int32_t));
    fit_free(b->fit);
    b->fit = NULL;
    return ++b->turn == 2 ? CORELS_DONE : CORELS_OK;
}

/* Whether the second role is much worse than the first: it would take more rows than there is room
 * for, or all its weights. */
static int hopeless(leaf_builder *b, int64_t number) {
    if (b->round) return 0;
    int64_t first = b->found;
    b->found = number;
    return b->turn && number > SECOND * (first + b->task.room);
}

/* While a round ends, its conjunctions are there twice: as they were found and as rows. */
static void note_bytes(leaf_builder *b) {
    size_t bytes = b->under_way ? conjunctions_found_bytes(b->under_way) : 0;
    bytes += (size_t)b->of_round.n * sizeof *b->of_round.rows;
    if (b->fit) bytes += fit_rows_bytes(b->fit);
    if (bytes > b->found_bytes) b->found_bytes = bytes;
}

/* What gains too much joins the program. 0: no memory. */
static int take_rows(leaf_builder *b) {
    b->last = b->of_round.complete && b->conditions == b->task.longest;
    b->round++;
    if ((b->last && !begin_fit(b)) || !fit_add(b->fit, b->of_round.rows, b->of_round.n)) return 0;
    b->fitted = fit_work(b->fit);
    return 1;
}

/* All enumerations of the round are over. */
static int end_round(leaf_builder *b) {
    const round_found *of = &b->of_round;
    int given_up = hopeless(b, of->number);
    int longest = b->conditions == b->task.longest;
    int over = longest && (!of->number || b->round == MOST_ROUNDS), ok = 1;
    if (!given_up && of->number && over) scale_down(b, of->scale);
    if (!given_up && !over) ok = take_rows(b);
    if (!longest) b->conditions++;
    note_bytes(b);
    if (!ok) return CORELS_NO_MEMORY;
    return given_up || over ? end_role(b, !given_up) : CORELS_OK;
}

/* What an enumeration has found joins what those before it have. 0: no memory. */
static int gather(round_found *of, conjunctions *c) {
    int32_t n;
    const conjunction *rows = conjunctions_kept(c, &n);
    conjunction *all = realloc(of->rows, ((size_t)of->n + (size_t)n + 1) * sizeof *all);
    if (all) of->rows = all;
    if (!rows || !all) return 0;
    memcpy(all + of->n, rows, (size_t)n * sizeof *all);
    of->n += n;
    of->number += conjunctions_found(c);
    of->complete &= conjunctions_complete(c);
    if (conjunctions_scale(c) < of->scale) of->scale = conjunctions_scale(c);
    return 1;
}

/* An enumeration is over: on to the next outcome, or the round is. */
static int end_enumeration(leaf_builder *b) {
    conjunctions *c = b->under_way;
    b->work[b->turn] += conjunctions_work_done(c);
    int given_up = conjunctions_given_up(c), ok = given_up || gather(&b->of_round, c);
    int32_t next = b->other + 1 + (b->other + 1 == base_of(b));
    note_bytes(b);
    conjunctions_free(c);
    b->under_way = NULL;
    if (!ok) return CORELS_NO_MEMORY;
    if (given_up) return end_role(b, 0);
    if (next == b->data.outcomes) return end_round(b);
    return begin_enumeration(b, next) ? CORELS_OK : CORELS_NO_MEMORY;
}

/* The program is solved a little further. */
static int fit_on(leaf_builder *b, const control *c) {
    int status = fit_round(b->fit, c);
    int64_t work = fit_work(b->fit);
    b->work[b->turn] += (work - b->fitted) * PRODUCT;
    b->fitted = work;
    if (status == CORELS_NO_MEMORY) return status;
    if (work_left(b) < 0) return end_role(b, 0);
    if (status == CORELS_OK) return status;
    if (!fit_weights(b->fit, b->kept[role_of(b)])) return CORELS_NO_MEMORY;
    if (b->last) return end_role(b, 1);
    return begin_round(b) ? CORELS_OK : CORELS_NO_MEMORY;
}

/* One piece. */
static int advance(leaf_builder *b, const control *c) {
    if (!b->fit) return begin_role(b) ? CORELS_OK : CORELS_NO_MEMORY;
    if (!b->under_way) return fit_on(b, c);
    int status = conjunctions_work(b->under_way, b->team, c);
    return status == CORELS_DONE ? end_enumeration(b) : status;
}

int leaf_builder_work(leaf_builder *b, const control *c, pace *p) {
    int status;
    do {
        status = advance(b, c);
        note_bytes(b);
    } while (status == CORELS_OK && !control_due(c, p));
    team_rest(b->team);
    return status;
}

/* Of each role the first enumeration counts a half, and all that follow the other one. */
double leaf_builder_share(const leaf_builder *b) {
    double now = b->under_way ? conjunctions_share(b->under_way) : 0;
    now = (now + b->other - (b->other > base_of(b))) / (b->data.outcomes - 1);
    return (b->turn + (b->round ? 0.5 + 0.5 * (b->round - 1 + now) / MOST_ROUNDS : now / 2)) / 2;
}

size_t leaf_builder_found_bytes(const leaf_builder *b) {
    return b->found_bytes;
}

const int32_t *leaf_builder_kept(const leaf_builder *b, int role) {
    return b->kept[role];
}

int32_t leaf_builder_base(const leaf_builder *b, int role) {
    return b->base[role];
}

int leaf_builder_verified(const leaf_builder *b, int role) {
    return b->verified[role];
}

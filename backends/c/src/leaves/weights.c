/* Rounds of enumeration and fitting, one role after the other. */
#include "weights.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "fit.h"
#include "numbers.h"
#include "store.h"

struct leaf_builder {
    corels_instance data;
    conjunction_task task;
    leaf_role roles[2]; /* by rising outcome */
    int32_t threads;
    int order[2], turn; /* roles, and which of them is under way */
    int32_t other;      /* the outcome that leaves turn to in the enumeration under way */
    int32_t conditions; /* of the conjunctions of this round */
    int round, last;    /* last: no enumeration is needed behind this round */
    found of_round;     /* by its enumerations, one for each outcome that leaves may turn to */
    int64_t work[2];    /* of each turn */
    int64_t found;      /* conjunctions that gained too much before there were weights */
    int64_t fitted;
    size_t found_bytes;      /* the most so far */
    conjunctions *under_way; /* or NULL: the weights are being fitted */
    fit *fit;
    team *team;
    store arrays;
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
size_t leaf_builder_needed(const corels_instance *in, int32_t threads, int64_t longest) {
    size_t words = (size_t)words_for(in->points), m = (size_t)in->antecedents;
    return words * 8 * (m * (3 + 2 * (size_t)threads) + 64) +
           (size_t)leaf_rows_bytes(in->antecedents, longest);
}

static const int32_t *regrets_of(const corels_instance *in, int32_t outcome) {
    return in->regrets + (size_t)outcome * (size_t)in->points;
}

static int64_t sum_of(const corels_instance *in, int32_t outcome) {
    const int32_t *regrets = regrets_of(in, outcome);
    int64_t sum = 0;
    for (int32_t x = 0; x < in->points; x++) sum += regrets[x];
    return sum;
}

int leaf_fits(const corels_instance *in) {
    for (int32_t o = 0; o < in->classes; o++)
        if (sum_of(in, o) > INT32_MAX / LEAF_SCALE) return 0;
    return 1;
}

/* The two outcomes that cost least where they are said to everybody; the cheaper one's turn is
 * first. */
static void choose_bases(leaf_builder *b) {
    const corels_instance *in = &b->data;
    int32_t best = 0, second = -1;
    for (int32_t o = 1; o < in->classes; o++)
        if (sum_of(in, o) < sum_of(in, best)) best = o;
    for (int32_t o = 0; o < in->classes; o++)
        if (o != best && (second < 0 || sum_of(in, o) < sum_of(in, second))) second = o;
    b->order[0] = second < best;
    b->order[1] = !b->order[0];
    b->roles[b->order[0]].base = best;
    b->roles[b->order[1]].base = second;
}

/* Conjunctions that a round keeps, so that they take at most so many bytes: while they are found
 * and brought together there may be several times as many, and two rounds' are rows of the program.
 */
static int64_t room_for(const corels_instance *data, const tuning *tune, size_t bytes) {
    int64_t words = words_for(data->points), room = tune->leaves_kept_words / words + 100;
    size_t each = 2 * (FOUND_TIMES * sizeof(conjunction) + (size_t)words * 8 + 64);
    return lesser(lesser(room, tune->leaves_kept), (int64_t)(bytes / each)) / (data->classes - 1);
}

leaf_builder *leaf_builder_new(const corels_instance *data, int32_t threads, int32_t longest,
                               const tuning *tune, size_t bytes) {
    int64_t room = room_for(data, tune, bytes);
    leaf_builder *b = room < tune->leaves_kept_least ? NULL : calloc(1, sizeof *b);
    if (!b) return NULL;
    size_t points = (size_t)data->points;
    b->data = *data;
    b->threads = threads;
    b->task = (conjunction_task){.tune = tune,
                                 .masks = data->masks,
                                 .antecedents = data->antecedents,
                                 .points = data->points,
                                 .longest = longest,
                                 .room = (int32_t)room,
                                 .scale = LEAF_SCALE,
                                 .most = data->rule_cost / data->unit * LEAF_SCALE +
                                         data->rule_cost % data->unit * LEAF_SCALE / data->unit};
    choose_bases(b);
    for (int i = 0; i < 2; i++)
        b->roles[i].kept = store_take(&b->arrays, points, sizeof *b->roles[i].kept);
    b->team = team_new(threads);
    if (!b->arrays.failed && b->team) return b;
    leaf_builder_free(b);
    return NULL;
}

void leaf_builder_free(leaf_builder *b) {
    if (!b) return;
    conjunctions_free(b->under_way);
    fit_free(b->fit);
    free(b->of_round.kept);
    store_free(&b->arrays);
    team_free(b->team);
    free(b);
}

/* The role under way. */
static leaf_role *role_of(leaf_builder *b) {
    return b->roles + b->order[b->turn];
}

/* The work that the role under way may still take. */
static int64_t work_left(const leaf_builder *b) {
    const tuning *t = b->task.tune;
    int64_t most = t->leaves_work;
    if (b->turn) most = lesser(most, b->work[0] / t->leaves_second);
    return most - b->work[b->turn];
}

/* Of leaves that turn to one outcome. The first time in whole errors, since digits are what a count
 * takes. */
static int begin_enumeration(leaf_builder *b, int32_t other) {
    conjunction_task task = b->task;
    b->other = other;
    task.gives = role_of(b)->kept;
    task.takes = regrets_of(&b->data, other);
    task.of_rules = other < b->data.for_rules;
    task.budget = work_left(b);
    task.longest = b->conditions;
    if (!b->round) {
        task.gives = regrets_of(&b->data, role_of(b)->base);
        task.scale = 1;
        task.most = b->data.rule_cost / b->data.unit;
    }
    b->under_way = conjunctions_new(&task, b->threads);
    return b->under_way != NULL;
}

static int begin_round(leaf_builder *b) {
    free(b->of_round.kept);
    b->of_round = (found){0};
    return begin_enumeration(b, role_of(b)->base == 0);
}

/* A fit to what the points have now: no weight will be larger. */
static int begin_fit(leaf_builder *b) {
    b->task.gives = role_of(b)->kept;
    fit_free(b->fit);
    b->fit = fit_new(&b->task);
    return b->fit != NULL;
}

/* What points give to leaves that turn to another outcome is the regret of the role's own. */
static int begin_role(leaf_builder *b) {
    const int32_t *gives = regrets_of(&b->data, role_of(b)->base);
    for (int32_t x = 0; x < b->data.points; x++) role_of(b)->kept[x] = gives[x] * LEAF_SCALE;
    b->conditions = (int32_t)lesser(b->task.longest, b->task.tune->leaves_first);
    b->round = b->last = 0;
    return begin_fit(b) && begin_round(b);
}

/* All weights a little smaller than what the worst conjunction allows: rounding does no harm. */
static void scale_down(leaf_builder *b, double by) {
    int32_t *kept = role_of(b)->kept;
    by *= 1 - 1e-12;
    for (int32_t x = 0; x < b->data.points; x++) kept[x] = (int32_t)(kept[x] * by);
}

/* The role's weights hold, or it is given up. */
static int end_role(leaf_builder *b, int holds) {
    leaf_role *role = role_of(b);
    role->verified = holds;
    if (!holds) memset(role->kept, 0, (size_t)b->data.points * sizeof *role->kept);
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
    return b->turn && number > b->task.tune->leaves_second * (first + b->task.room);
}

/* While a round ends, its conjunctions are there twice: as they were found and as rows. */
static void note_bytes(leaf_builder *b) {
    size_t bytes = b->under_way ? conjunctions_found_bytes(b->under_way) : 0;
    bytes += found_bytes(&b->of_round, 1);
    if (b->fit) bytes += fit_rows_bytes(b->fit);
    if (bytes > b->found_bytes) b->found_bytes = bytes;
}

/* What gains too much joins the program. 0: no memory. */
static int take_rows(leaf_builder *b) {
    const found *of = &b->of_round;
    b->last = of->n == of->number && b->conditions == b->task.longest;
    b->round++;
    if ((b->last && !begin_fit(b)) || !fit_add(b->fit, of->kept, of->n)) return 0;
    b->fitted = fit_work(b->fit);
    return 1;
}

/* All enumerations of the round are over. */
static int end_round(leaf_builder *b) {
    const found *of = &b->of_round;
    int given_up = hopeless(b, of->number);
    int longest = b->conditions == b->task.longest;
    int over = longest && (!of->number || b->round >= b->task.tune->leaves_rounds), ok = 1;
    if (!given_up && of->number && over) scale_down(b, of->scale);
    if (!given_up && !over) ok = take_rows(b);
    if (!longest) b->conditions++;
    note_bytes(b);
    if (!ok) return CORELS_NO_MEMORY;
    return given_up || over ? end_role(b, !given_up) : CORELS_OK;
}

/* An enumeration is over: on to the next outcome, or the round is. */
static int end_enumeration(leaf_builder *b) {
    conjunctions *c = b->under_way;
    b->work[b->turn] += conjunctions_work_done(c);
    int given_up = conjunctions_given_up(c), ok = given_up || conjunctions_gather(c, &b->of_round);
    int32_t next = b->other + 1 + (b->other + 1 == role_of(b)->base);
    note_bytes(b);
    conjunctions_free(c);
    b->under_way = NULL;
    if (!ok) return CORELS_NO_MEMORY;
    if (given_up) return end_role(b, 0);
    if (next == b->data.classes) return end_round(b);
    return begin_enumeration(b, next) ? CORELS_OK : CORELS_NO_MEMORY;
}

/* The program is solved a little further. */
static int fit_on(leaf_builder *b, const control *c) {
    int status = fit_round(b->fit, c);
    int64_t work = fit_work(b->fit);
    b->work[b->turn] += (work - b->fitted) * b->task.tune->leaves_product;
    b->fitted = work;
    if (status == CORELS_NO_MEMORY) return status;
    if (work_left(b) < 0) return end_role(b, 0);
    if (status == CORELS_OK) return status;
    if (!fit_weights(b->fit, role_of(b)->kept)) return CORELS_NO_MEMORY;
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
    double rounds = (double)b->task.tune->leaves_rounds;
    double now = b->under_way ? conjunctions_share(b->under_way) : 0;
    now = (now + b->other - (b->other > b->roles[b->order[b->turn]].base)) / (b->data.classes - 1);
    return (b->turn + (b->round ? 0.5 + 0.5 * (b->round - 1 + now) / rounds : now / 2)) / 2;
}

size_t leaf_builder_found_bytes(const leaf_builder *b) {
    return b->found_bytes;
}

const leaf_role *leaf_builder_role(const leaf_builder *b, int role) {
    return b->roles + role;
}

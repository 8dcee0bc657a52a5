/* Rounds of enumeration and fitting. */
#include "weights.h"

#include <stdlib.h>

#include "fit.h"
#include "planes.h"
#include "sets.h"

/* Conditions of the conjunctions of the first round. */
enum { FIRST_CONDITIONS = 3 };
/* Conjunctions that a round keeps: at most so many, and their points no more than so many words; if
 * there is no room for this few, there are no weights. */
enum { MOST_KEPT = 100000, KEPT_WORDS = 1 << 23, LEAST_KEPT = 100 };

struct leaf_builder {
    corels_instance data;
    const corels_leaf_options *options;
    conjunction_task task;
    int32_t base;            /* the outcome that all rows get but if a leaf turns */
    int32_t other;           /* the outcome that leaves turn to in the enumeration under way */
    int32_t conditions;      /* of the conjunctions of this round */
    int32_t round, last;     /* last: no enumeration is needed behind this round */
    int32_t *kept;           /* [points] */
    found of_round;          /* by its enumerations, one for each outcome that leaves may turn to */
    size_t found_bytes;      /* the most so far */
    conjunctions *under_way; /* or NULL: none has begun */
    fit *fit;
};

static const int32_t *regrets_of(const corels_instance *in, int32_t outcome) {
    return in->regrets + (size_t)outcome * (size_t)in->points;
}

static int64_t sum_of(const corels_instance *in, int32_t outcome) {
    const int32_t *regrets = regrets_of(in, outcome);
    int64_t sum = 0;
    for (int32_t x = 0; x < in->points; x++) sum += regrets[x];
    return sum;
}

int leaf_fits(const corels_instance *in, const corels_leaf_options *o, int64_t longest) {
    for (int32_t c = 0; c < in->classes; c++)
        if (sum_of(in, c) > INT32_MAX / LEAF_SCALE) return 0;
    return in->classes > 1 && in->antecedents > 0 && in->points > 1 &&
           rows_bytes(in->antecedents, longest) <= o->bytes;
}

/* The columns of the enumeration and of what it descends to, the planes, and the rows. */
size_t leaf_builder_needed(const corels_instance *in, int64_t longest) {
    size_t words = (size_t)corels_words(in->points), m = (size_t)in->antecedents;
    return words * 8 * (m * 3 + 2 * MOST_PLANES) + (size_t)rows_bytes(in->antecedents, longest);
}

/* Conjunctions that a round keeps, so that they take at most so many bytes: while they are found
 * there may be twice as many, and two rounds' are rows of the program. */
static int64_t room_for(const corels_instance *data, size_t bytes) {
    int64_t words = corels_words(data->points), room = KEPT_WORDS / words + LEAST_KEPT;
    size_t each = 2 * (2 * sizeof(conjunction) + (size_t)words * 8 + 64);
    return lesser(lesser(room, MOST_KEPT), (int64_t)(bytes / each));
}

/* The weights begin as the regrets of the base. 0: no memory. */
static int begin(leaf_builder *b) {
    for (int32_t o = 1; o < b->data.classes; o++)
        if (sum_of(&b->data, o) < sum_of(&b->data, b->base)) b->base = o;
    b->kept = calloc((size_t)b->data.points, sizeof *b->kept);
    for (int32_t x = 0; b->kept && x < b->data.points; x++)
        b->kept[x] = regrets_of(&b->data, b->base)[x] * LEAF_SCALE;
    return b->kept != NULL;
}

leaf_builder *leaf_builder_new(const corels_instance *data, const corels_leaf_options *o,
                               int32_t longest, size_t bytes) {
    int64_t room = room_for(data, bytes);
    leaf_builder *b = room < LEAST_KEPT ? NULL : calloc(1, sizeof *b);
    if (!b) return NULL;
    b->data = *data;
    b->options = o;
    b->of_round.most = (int32_t)room;
    b->conditions = (int32_t)lesser(longest, FIRST_CONDITIONS);
    b->task = (conjunction_task){.in = &b->data,
                                 .longest = longest,
                                 .scale = LEAF_SCALE,
                                 .most = data->rule_cost / data->unit * LEAF_SCALE +
                                         data->rule_cost % data->unit * LEAF_SCALE / data->unit,
                                 .to = &b->of_round};
    if (begin(b)) return b;
    leaf_builder_free(b);
    return NULL;
}

void leaf_builder_free(leaf_builder *b) {
    if (!b) return;
    conjunctions_free(b->under_way);
    fit_free(b->fit);
    free(b->of_round.kept);
    free(b->kept);
    free(b);
}

/* Of leaves that turn to one outcome. The first time in whole errors, since digits are what a count
 * takes. */
static int begin_enumeration(leaf_builder *b, int32_t other) {
    conjunction_task task = b->task;
    b->other = other;
    task.gives = b->kept;
    task.takes = regrets_of(&b->data, other);
    task.of_rules = other < b->data.for_rules;
    task.longest = b->conditions;
    if (!b->round) {
        task.gives = regrets_of(&b->data, b->base);
        task.scale = 1;
        task.most = b->data.rule_cost / b->data.unit;
    }
    b->under_way = conjunctions_new(&task);
    return b->under_way ? CORELS_OK : CORELS_NO_MEMORY;
}

static int begin_round(leaf_builder *b) {
    b->of_round.n = 0;
    b->of_round.number = 0;
    return begin_enumeration(b, b->base == 0);
}

/* A fit to what the points have now: no weight will be larger. */
static int begin_fit(leaf_builder *b) {
    b->task.gives = b->kept;
    fit_free(b->fit);
    b->fit = fit_new(&b->task);
    return b->fit != NULL;
}

/* While a round ends, its conjunctions are there twice: as they were found and as rows. */
static void note_bytes(leaf_builder *b) {
    size_t bytes = (size_t)b->of_round.room * sizeof *b->of_round.kept;
    if (b->fit) bytes += fit_rows_bytes(b->fit);
    if (bytes > b->found_bytes) b->found_bytes = bytes;
}

/* What gains too much is no longer allowed; and the next round begins, or the weights are there. */
static int take_rows(leaf_builder *b, int longest) {
    found *of = &b->of_round;
    found_sort(of);
    b->last = longest && of->n == of->number;
    b->round++;
    if ((!b->fit || b->last) && !begin_fit(b)) return CORELS_NO_MEMORY;
    int added = fit_add(b->fit, of->kept, of->n);
    note_bytes(b);
    if (!added || !fit_weights(b->fit, b->kept)) return CORELS_NO_MEMORY;
    return b->last ? CORELS_DONE : begin_round(b);
}

/* All enumerations of the round are over. At the end all weights become a little smaller than what
 * the worst conjunction allows: rounding does no harm. */
static int end_round(leaf_builder *b) {
    int longest = b->conditions == b->task.longest;
    double by = b->of_round.scale * (1 - 1e-12);
    b->conditions += !longest;
    if (longest && !b->of_round.number) return CORELS_DONE;
    if (!longest || b->round < b->options->rounds) return take_rows(b, longest);
    for (int32_t x = 0; x < b->data.points; x++) b->kept[x] = (int32_t)(b->kept[x] * by);
    return CORELS_DONE;
}

/* An enumeration is over: on to the next outcome, or the round is. */
static int end_enumeration(leaf_builder *b) {
    int32_t next = b->other + 1 + (b->other + 1 == b->base);
    conjunctions_free(b->under_way);
    b->under_way = NULL;
    return next == b->data.classes ? end_round(b) : begin_enumeration(b, next);
}

/* One piece. */
static int advance(leaf_builder *b, const corels_building *with) {
    if (!b->under_way) return begin_round(b);
    int status = conjunctions_work(b->under_way, with);
    return status == CORELS_DONE ? end_enumeration(b) : status;
}

/* The first round counts a half, and all that follow the other one. */
static double share(const leaf_builder *b) {
    double rounds = b->options->rounds, now = conjunctions_share(b->under_way);
    now = (now + b->other - (b->other > b->base)) / (b->data.classes - 1);
    return b->round ? 0.5 + 0.5 * (b->round - 1 + now) / rounds : now / 2;
}

int leaf_builder_work(leaf_builder *b, const corels_building *with) {
    int status;
    do {
        status = advance(b, with);
        note_bytes(b);
    } while (!with->over(with) && status == CORELS_OK);
    if (status == CORELS_OK) *with->done = share(b);
    return status;
}

size_t leaf_builder_found_bytes(const leaf_builder *b) {
    return b->found_bytes;
}

const int32_t *leaf_builder_kept(const leaf_builder *b, int32_t *base) {
    *base = b->base;
    return b->kept;
}

/* One node of a search, as the bounds see it: arrays, nothing else. Both frontiers use it.
 *
 * S is the set of points that no rule of the prefix captures. Antecedent r has counts[c * stride +
 * r] = the regret of predicting class c for the points of S that r captures (its extra errors; see
 * docs/internals/reduction.md). errors[r] is the least over the classes that a rule may predict;
 * saved[r] is what the worst class would err more; closing[r] adds to errors[r] the least regret of
 * the points that r leaves: the errors of the list that ends with r.
 *
 * f(S) is the least cost of completing the prefix: rule_cost for each further rule, unit for each
 * error. `need` is what a completion must stay below to improve the incumbent; a child r costs
 * rule_cost + unit * errors[r], and what is left of `need` is the child's own need.
 *
 * A bound is a filter, and there are two kinds. Filters of *columns* come first: each goes over all
 * antecedents at once, a lane an antecedent, and writes its mark into out[r] if it removes r
 * (out[r] is 0 for the children that are left, and below 0 for antecedents that are no children).
 * The others compare the *sets* of the few children that are left: such a filter takes a list of
 * antecedents in rising order and keeps, in place and in order, those that it cannot rule out.
 *
 * A filter over many pairs asks now and then whether the step is cut, says so in `cut`, and may
 * then leave anything in the list: the caller does the whole expansion again later.
 */
#pragma once

#include <stdint.h>

#include "classes.h"
#include "control.h"
#include "digits.h"
#include "kernel.h"
#include "tuning.h"

typedef struct node_view {
    const corels_kernel_table *kernel;
    const control *control; /* may be NULL */
    const tuning *tune;
    const uint64_t *masks;  /* [antecedents][words] */
    const uint64_t *set;    /* [words] */
    const int32_t *counts;  /* [classes][stride] */
    const int32_t *totals;  /* [classes] */
    const int32_t *worst;   /* [stride]: the regret of the worst class point by point; or NULL if
                               there are two classes, and it is the sum of their regrets */
    const int32_t *weights; /* [points]: the worst regret of each point */
    const int32_t *support, *minority; /* [stride] in original weights, or NULL if not counted */
    const int32_t *charged; /* [stride]: what a child adds to the lower bound beyond its rule:
                               errors, and minority if the prefix pays for it as it goes */
    int32_t *errors, *saved, *closing; /* [stride], filled by node_scan */
    int32_t *out;                      /* [stride] */
    uint64_t *order;                   /* [stride] scratch */
    const digits *digits;              /* of the regrets of two classes */
    uint64_t *left;                    /* scratch: a set in each of their words */
    int64_t rule_cost, unit;
    int64_t need;       /* incumbent less the cost of the prefix */
    int64_t room;       /* incumbent less the lower bound of the prefix */
    int64_t incumbent;  /* cost of the best list */
    int64_t uncaptured; /* original weight that the prefix leaves */
    /* Lowered by the filters that go by cost: what a completion costs at least that begins with a
     * child they dropped and has a rule more. Not below the need. Best-first has no use for it. */
    int64_t floor;
    int64_t looked; /* nanoseconds that the tables took that were asked last, by their sizes */
    int32_t antecedents, points, words, classes, stride;
    int32_t for_rules;     /* of the classes, those that a rule may predict: the first ones */
    const uint8_t *barred; /* [antecedents][classes]: of these, those that it may not; or NULL */
    int32_t length;        /* of the prefix */
    int32_t rules_left;    /* that a completion may have at most; INT32_MAX: any number */
    int cut;
} node_view;

/* Fill errors, saved and closing from counts; returns the least closing. */
int32_t node_scan(const node_view *node);

/* What is left of `need` for the child r. */
static inline int64_t child_need(const node_view *node, int32_t r) {
    return node->need - node->rule_cost - node->unit * node->errors[r];
}

static inline void lower(int64_t *least, int64_t cost) {
    if (cost < *least) *least = cost;
}

/* Whether q may capture all points of S that r does: it captures as much of each class. */
static inline int may_hold(const node_view *node, int32_t r, int32_t q) {
    for (int32_t c = 0; c < node->classes; c++) {
        const int32_t *counts = node->counts + (int64_t)c * node->stride;
        if (counts[r] > counts[q]) return 0;
    }
    return 1;
}

/* A number for each rule; those of a prefix add up to one that does not tell their order. */
static inline uint64_t rule_mark(int32_t r) {
    uint64_t x = ((uint64_t)r + 1) * UINT64_C(0xbf58476d1ce4e5b9);
    return (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
}

/* Whether the step is cut; to be asked in loops over pairs, once for each `at`. */
static inline int node_cut(node_view *node, int32_t at) {
    if ((at & 63) == 0 && control_cut(node->control)) node->cut = 1;
    return node->cut;
}

/* Marks children whose value is above `most` (below or at `most` for the second), and lowers
 * *fewest to the least value marked; returns how many children are left. */
int32_t keep_most(const node_view *node, const int32_t *values, int64_t most, int32_t mark,
                  int32_t *fewest);
int32_t keep_above(const node_view *node, const int32_t *values, int64_t most, int32_t mark);
/* Marks children that capture nothing of the set with a regret. A rule may save nothing and capture
 * something: if only the default may abstain, its classes can cost the same. */
int32_t keep_capturing(const node_view *node, int32_t mark);
/* [stride], until `order` is used: above 0 if a rule captures something of the set with a
 * regret. Of two classes, what is saved tells that, unless a class is barred. */
const int32_t *node_captured(const node_view *node);
/* The children that are left, as a list in rising order; `list` has room for `stride`. */
int32_t node_list(const node_view *node, int32_t *list);

/* The greatest x >= -1 with unit * x <= cost, as a limit of keep_most. */
static inline int64_t most_errors(int64_t cost, int64_t unit) {
    return cost < 0 ? -1 : cost / unit;
}

/* The rules that a list has at most which costs less than `cost`. */
static inline int64_t most_rules(int64_t cost, int64_t rule_cost) {
    return rule_cost > 0 ? (cost - 1) / rule_cost : INT64_MAX;
}

/* What a rule with antecedent r predicts of the set. */
static inline int32_t class_of_rule(const node_view *node, int32_t r) {
    return least_allowed(node->counts + r, node->for_rules, (size_t)node->stride,
                         barred_of(node->barred, node->classes, r));
}

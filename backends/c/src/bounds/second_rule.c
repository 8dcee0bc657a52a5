/* Second rule: children that one more rule cannot save, known from the counts of their parent.
 *
 * Let the child r have need so small that at most one more rule fits (need <= 2 * rule_cost). Its
 * set T = S \ r has regrets A, B left (for predicting class 0, 1). A list of one rule q that
 * predicts 1, default 0, errs A - (a_T(q) - b_T(q)) times; and of T, q captures at most min(a_q, A)
 * and at least max(0, b_q - b_r). So its gain is at most min(a_q, A) - max(0, b_q - b_r); likewise
 * with the classes exchanged. r is dropped if no q can gain enough: no count of T is needed. So
 * it is, whatever the need, if the list may have no more than one rule behind r.
 *
 * A rule q that saves no more than rule_cost within S saves no more within T, either, and the list
 * is as good without it (reduced support): only the other q are looked at, the *rivals*. A rival
 * that predicts 1 wins points of a and loses points of b; another rival *beats* it that wins no
 * fewer and loses no more: whatever A and b_r are, the other one gains no less. So if many
 * children ask, only those rivals are kept that a few others do not beat: a handful, if pairs
 * of conditions make thousands of antecedents.
 */
#include "bounds.h"

/* Children that ask before rivals are thinned out, and antecedents among which the best rivals are
 * looked for then. */
enum { MANY = 8, DRAWN = 512 };

/* What a completion of S \ r with at least one more rule costs at least, or -1 if that
 * is not known to reach its need. */
static int64_t least_cost(const node_view *node, int64_t need, int32_t r) {
    const rivals *ones = &node->ones, *zeros = &node->zeros;
    const corels_kernel_table *kernel = node->kernel;
    int64_t room = need - 1 - node->rule_cost; /* below need with one rule: unit * errors <= room */
    if (room < 0) return node->rule_cost;
    int32_t a = node->counts[r], b = node->counts[node->stride + r];
    int32_t left_a = node->totals[0] - a, left_b = node->totals[1] - b;
    int64_t most = room / node->unit;
    int64_t if_one = left_a - kernel->best_gain(ones->wins, ones->loses, ones->n, left_a, b);
    if (if_one <= most) return -1;
    int64_t if_zero = left_b - kernel->best_gain(zeros->wins, zeros->loses, zeros->n, left_b, a);
    if (if_zero <= most) return -1;
    int64_t errors = if_one < if_zero ? if_one : if_zero;
    int64_t cost = node->rule_cost + node->unit * errors;
    int64_t longer = node->rules_left == 2 ? INT64_MAX : 2 * node->rule_cost;
    return cost < longer ? cost : longer;
}

/* What a rival has to win or to lose more than. */
static int32_t least_of_rivals(const node_view *node) {
    int64_t least = node->rule_cost / node->unit;
    return least < INT32_MAX ? (int32_t)least : INT32_MAX;
}

static void find_rivals(node_view *node) {
    const int32_t *a = node->counts, *b = node->counts + node->stride;
    rivals *ones = &node->ones, *zeros = &node->zeros;
    int32_t least = least_of_rivals(node);
    size_t n = 0;
    for (int32_t q = 0; q < node->antecedents; q++) {
        ones->wins[n] = zeros->loses[n] = a[q];
        ones->loses[n] = zeros->wins[n] = b[q];
        n += a[q] > least || b[q] > least;
    }
    ones->n = zeros->n = n;
}

/* Of every step-th antecedent the few rivals that win most when a lost point counts as much as a
 * won one, four times as much, a quarter or 16 times as much: they beat most of the others. */
static corels_beaters beaters_among(const int32_t *wins, const int32_t *loses, size_t n,
                                    size_t step, int32_t least) {
    static const int32_t prices[CORELS_BEATERS][2] = {{1, 1}, {1, 4}, {4, 1}, {1, 16}};
    corels_beaters by = {.least = least};
    int64_t most[CORELS_BEATERS];
    for (int k = 0; k < CORELS_BEATERS; k++) {
        most[k] = INT64_MIN;
        by.wins[k] = -1, by.loses[k] = INT32_MAX;
    }
    for (size_t q = 0; q < n; q += step) {
        if (wins[q] <= least && loses[q] <= least) continue;
        for (int k = 0; k < CORELS_BEATERS; k++) {
            int64_t here = (int64_t)prices[k][0] * wins[q] - (int64_t)prices[k][1] * loses[q];
            if (here <= most[k]) continue;
            most[k] = here;
            by.wins[k] = wins[q], by.loses[k] = loses[q];
        }
    }
    return by;
}

/* A beater beats itself, too, so it was dropped with the rivals that it beats. It is put back,
 * unless an earlier beater beats it. */
static void put_back(rivals *of, const corels_beaters *by) {
    for (int k = 0; k < CORELS_BEATERS; k++) {
        int32_t wins = by->wins[k], loses = by->loses[k];
        int beaten = wins < 0; /* there is none */
        for (int j = 0; j < k; j++) beaten |= wins <= by->wins[j] && loses >= by->loses[j];
        if (beaten) continue;
        of->wins[of->n] = wins;
        of->loses[of->n++] = loses;
    }
}

/* Of n antecedents the rivals that the beaters, drawn from every step-th one, do not beat; and
 * these beaters. The counts may be those of the rivals themselves. */
static void find_unbeaten(const node_view *node, rivals *of, const int32_t *wins,
                          const int32_t *loses, size_t n, size_t step) {
    int32_t *marks = (int32_t *)node->order, *unbeaten = marks + node->stride;
    corels_beaters by = beaters_among(wins, loses, n, step, least_of_rivals(node));
    node->kernel->mark_beaten(wins, loses, n, &by, marks);
    of->n = node->kernel->select_zero(marks, n, unbeaten);
    for (size_t i = 0; i < of->n; i++) {
        int32_t q = unbeaten[i];
        of->wins[i] = wins[q];
        of->loses[i] = loses[q];
    }
    put_back(of, &by);
}

/* Drops most beaten rivals; then more of them, with beaters of those that are left, which are few.
 */
static void find_few(const node_view *node, rivals *of, const int32_t *wins, const int32_t *loses) {
    size_t n = (size_t)node->antecedents, step = n / DRAWN + 1;
    find_unbeaten(node, of, wins, loses, n, step);
    find_unbeaten(node, of, of->wins, of->loses, of->n, 1);
}

/* Whether one more rule at most fits behind the child. */
static int asks(const node_view *node, int32_t r) {
    return node->rules_left == 2 || child_need(node, r) <= 2 * node->rule_cost;
}

int32_t second_rule_filter(node_view *node, int32_t *list, int32_t n) {
    const int32_t *a = node->counts, *b = node->counts + node->stride;
    int32_t kept = 0, asking = 0;
    if (node->classes != 2) return n; /* of more classes the two counts do not tell the errors */
    for (int32_t i = 0; i < n; i++) asking += asks(node, list[i]);
    if (!asking) return n;
    if (asking < MANY) {
        find_rivals(node);
    } else {
        find_few(node, &node->ones, a, b);
        find_few(node, &node->zeros, b, a);
    }
    for (int32_t i = 0; i < n && !node_cut(node, i); i++) {
        int32_t r = list[i];
        int64_t need = child_need(node, r), cost = asks(node, r) ? least_cost(node, need, r) : -1;
        if (cost >= 0)
            lower(&node->floor, node->need - need + cost);
        else
            list[kept++] = r;
    }
    return kept;
}

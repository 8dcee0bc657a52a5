/* The instance: a copy of what is searched, with what every count wants beside it. */
#include "search.h"

#include <stdlib.h>

/* The measures: the regret of each class, captured and minority weight if some part reads them,
 * and the worst regret if it is not the sum of two classes'. */
static void number_measures(instance *in, int weighs) {
    in->measures = in->classes;
    in->support = in->minority = in->worst = -1;
    if (weighs) in->support = in->measures++;
    if (weighs) in->minority = in->measures++;
    if (in->classes != 2) in->worst = in->measures++;
}

static void fill_worst(instance *in) {
    for (int32_t c = 0; c < in->classes; c++)
        for (int32_t i = 0; i < in->points; i++) {
            int32_t regret = in->regrets[(size_t)c * (size_t)in->points + (size_t)i];
            if (regret > in->worst_regrets[i]) in->worst_regrets[i] = regret;
        }
}

static void copy_row(int32_t *weights, int32_t row, const int32_t *from, int32_t points) {
    memcpy(weights + (size_t)row * (size_t)points, from, (size_t)points * sizeof *from);
}

static int take_masks(instance *in, const corels_instance *from) {
    size_t words = (size_t)in->antecedents * (size_t)in->words;
    in->masks = from->masks;
    in->lent = from->lent ? words * sizeof *in->masks : 0;
    if (from->lent) return 1;
    uint64_t *masks = store_take(&in->arrays, words, sizeof *masks);
    if (from->points && words && masks) /* without points there may be no masks */
        memcpy(masks, from->masks, words * sizeof *masks);
    in->masks = masks;
    return masks != NULL;
}

int instance_copy(instance *in, const corels_instance *from) {
    size_t points = (size_t)from->points;
    *in = (instance){.antecedents = from->antecedents,
                     .points = from->points,
                     .classes = from->classes,
                     .for_rules = from->for_rules ? from->for_rules : from->classes,
                     .words = corels_words(from->points),
                     .unit = from->unit,
                     .rule_cost = from->rule_cost,
                     .base = from->base,
                     .total = from->total};
    number_measures(in, from->captured != NULL);
    in->weights = store_take(&in->arrays, (size_t)in->measures * points, sizeof *in->weights);
    in->worst_regrets = store_take(&in->arrays, points, sizeof *in->worst_regrets);
    size_t cells = (size_t)from->antecedents * (size_t)from->classes;
    if (from->barred) in->barred = store_copy(&in->arrays, from->barred, cells, 1);
    if (!take_masks(in, from) || in->arrays.failed) return CORELS_NO_MEMORY;
    in->regrets = in->weights;
    if (!points) return CORELS_OK;
    for (int32_t c = 0; c < from->classes; c++)
        copy_row(in->weights, c, from->regrets + (size_t)c * points, from->points);
    if (in->support >= 0) copy_row(in->weights, in->support, from->captured, from->points);
    if (in->minority >= 0) copy_row(in->weights, in->minority, from->minority, from->points);
    fill_worst(in);
    if (in->worst >= 0) copy_row(in->weights, in->worst, in->worst_regrets, from->points);
    return CORELS_OK;
}

int32_t instance_sum(const instance *in, int32_t measure) {
    int32_t sum = 0;
    for (int32_t i = 0; i < in->points; i++)
        sum += in->weights[(size_t)measure * (size_t)in->points + (size_t)i];
    return sum;
}

int64_t instance_default_errors(const instance *in) {
    int64_t least = INT64_MAX;
    for (int32_t c = 0; c < in->classes; c++) lower(&least, instance_sum(in, c));
    return least;
}

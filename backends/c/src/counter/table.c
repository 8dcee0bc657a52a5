/* The table: few points with weights of any size.
 *
 * Cut the points into groups of four. A group has sixteen subsets; for each of them the table holds
 * a row with the weight that every antecedent captures of that subset, one 16-bit number an
 * antecedent. Counting a set is then: look at the set four bits at a time, and add up the rows that
 * these half-bytes name. A row of 150 antecedents is five registers of 512 bits, so COMPAS (183
 * points) costs at most 46 rows, and fewer the further the set has shrunk: empty groups are
 * skipped.
 *
 * A measure has rows only for the groups in which it weighs anything. With points sorted by class,
 * the two measures of a two-class problem share hardly any group, so the table is half as large and
 * the count half as long as it would be otherwise.
 *
 * Sums are kept in 16 bits. Groups are therefore cut into segments whose total weight stays below
 * 65,536; the 16-bit lanes are widened into the 32-bit counts once a segment. Most data is a single
 * segment a measure.
 */
#include "counter.h"

#include <stdlib.h>
#include <string.h>

enum { SUBSETS = 16, LIMIT = 65535 };

static int64_t group_weight(const corels_shape *shape, int32_t measure, int32_t group) {
    int64_t sum = 0;
    for (int32_t i = 4 * group; i < 4 * group + 4 && i < shape->points; i++)
        sum += shape->weights[(size_t)measure * shape->points + i];
    return sum;
}

/* Whether the sums of any group fit 16 bits. */
int corels_table_fits(const corels_shape *shape) {
    for (int32_t k = 0; k < shape->measures; k++)
        for (int32_t g = 0; 4 * g < shape->points; g++)
            if (group_weight(shape, k, g) > LIMIT) return 0;
    return 1;
}

/* The rows of one group: each subset is a smaller one plus its highest point. */
static void fill_group(const corels_counter *counter, const corels_shape *shape, int32_t measure,
                       uint32_t at) {
    const corels_table *table = &counter->table;
    size_t stride = (size_t)counter->stride;
    uint16_t *rows = table->rows + (size_t)at * SUBSETS * stride;
    int32_t *totals = table->totals + (size_t)at * SUBSETS;
    for (uint32_t subset = 1; subset < SUBSETS; subset++) {
        uint32_t high = subset >= 8 ? 3 : subset >= 4 ? 2 : subset >= 2 ? 1 : 0;
        uint32_t rest = subset ^ (1u << high), point = 4 * table->group[at] + high;
        int32_t weight = 0;
        if (point < (uint32_t)shape->points)
            weight = shape->weights[(size_t)measure * shape->points + point];
        memcpy(rows + subset * stride, rows + rest * stride, stride * sizeof *rows);
        totals[subset] = totals[rest] + weight;
        for (int32_t r = 0; weight && r < shape->antecedents; r++)
            if (shape->masks[(size_t)r * shape->words + point / 64] >> (point % 64) & 1)
                rows[subset * stride + r] = (uint16_t)(rows[subset * stride + r] + weight);
    }
}

/* List the groups that each measure weighs in, and cut them into segments. */
static void list_groups(corels_table *table, const corels_shape *shape) {
    int32_t all = (shape->points + 3) / 4;
    for (int32_t k = 0; k < shape->measures; k++) {
        int64_t sum = 0;
        uint32_t begin = table->groups;
        table->measure[k] = table->segments;
        for (int32_t g = 0; g < all; g++) {
            int64_t weight = group_weight(shape, k, g);
            if (!weight) continue;
            if (sum + weight > LIMIT && table->groups > begin) {
                table->segment[table->segments++] = table->groups;
                sum = 0;
            }
            sum += weight;
            table->group[table->groups++] = (uint32_t)g;
        }
        table->segment[table->segments++] = table->groups;
    }
    table->measure[shape->measures] = table->segments;
}

int corels_table_begin(corels_counter *counter) {
    const corels_shape *shape = &counter->layout.shape;
    corels_table *table = &counter->table;
    size_t most =
        (size_t)((shape->points + 3) / 4) * (size_t)shape->measures + (size_t)shape->measures;
    table->group = store_take(&counter->arrays, most, sizeof *table->group);
    table->segment = store_take(&counter->arrays, most, sizeof *table->segment);
    table->measure =
        store_take(&counter->arrays, (size_t)shape->measures + 1, sizeof *table->measure);
    if (counter->arrays.failed) return CORELS_NO_MEMORY;
    list_groups(table, shape);
    size_t subsets = (size_t)table->groups * SUBSETS, stride = (size_t)counter->stride;
    table->totals = store_take(&counter->arrays, subsets, sizeof *table->totals);
    table->rows = store_take(&counter->arrays, subsets, stride * sizeof *table->rows);
    if (counter->arrays.failed) return CORELS_NO_MEMORY;
    counter->scratch = corels_round_up((table->groups + 1) * sizeof(uint16_t *), 64);
    return CORELS_OK;
}

/* A few groups more; groups stand measure by measure. */
int corels_table_build(corels_counter *counter) {
    const corels_table *table = &counter->table;
    corels_layout *layout = &counter->layout;
    for (int32_t i = corels_piece(SUBSETS * (size_t)counter->stride); i > 0; i--, layout->at++) {
        if ((uint32_t)layout->at == table->groups) return CORELS_DONE;
        while (table->segment[table->measure[layout->measure + 1] - 1] <= (uint32_t)layout->at)
            layout->measure++;
        fill_group(counter, &layout->shape, layout->measure, (uint32_t)layout->at);
    }
    return CORELS_OK;
}

static inline uint32_t subset_of(const uint64_t *set, uint32_t group) {
    return (uint32_t)(set[group / 16] >> (group % 16 * 4)) & 15;
}

void corels_table_count(const corels_counter *counter, const uint64_t *set, void *scratch,
                        int32_t *counts, int32_t *totals) {
    const corels_table *table = &counter->table;
    const uint16_t **rows = scratch;
    size_t stride = (size_t)counter->stride;
    uint32_t at = 0;
    for (int32_t k = 0; k < counter->measures; k++) {
        int32_t total = 0;
        for (uint32_t s = table->measure[k]; s < table->measure[k + 1]; s++) {
            size_t n = 0;
            for (; at < table->segment[s]; at++) {
                size_t row = (size_t)at * SUBSETS + subset_of(set, table->group[at]);
                rows[n] = table->rows + row * stride;
                n += row % SUBSETS != 0;
                total += table->totals[row];
            }
            counter->kernel->sum_rows(rows, n, stride, s > table->measure[k], counts + k * stride);
        }
        totals[k] = total;
    }
}

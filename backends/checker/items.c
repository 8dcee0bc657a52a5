/* Items of blocks and cells: what both must not do is to give a point more weight than it has. */
#include "inner.h"

int items_new(items *of, const corels_check_table *in) {
    size_t classes = (size_t)in->classes;
    of->left = array((size_t)in->points * classes, sizeof *of->left);
    of->weights = array(MOST_ITEMS * classes, sizeof *of->weights);
    of->traces = array((size_t)in->antecedents, sizeof *of->traces);
    return of->left && of->weights && of->traces;
}

void items_free(items *of) {
    free(of->left), free(of->weights), free(of->traces);
}

int items_read(items *of, const corels_check_table *in, reader *from, int32_t most) {
    size_t words = ((size_t)in->points + 63) / 64, m = (size_t)in->antecedents;
    of->n = (int32_t)next_below(from, most + 1);
    memset(of->traces, 0, m * sizeof *of->traces);
    for (int32_t i = 0; i < of->n; i++) {
        int32_t number = (int32_t)next_below(from, in->numbered);
        int32_t place = from->bad ? -1 : in->kept[number];
        if (place < 0) return CORELS_CHECK_DATA;
        for (int32_t k = 0; k < in->classes; k++) {
            int64_t *weight = of->weights + i * in->classes + k;
            int64_t *left = of->left + (size_t)k * (size_t)in->points + place;
            *weight = next_below(from, MOST_COST);
            if (from->bad || *weight > *left) return CORELS_CHECK_DATA;
            *left -= *weight;
        }
        for (size_t r = 0; r < m; r++)
            of->traces[r] |= (in->masks[r * words + (size_t)place / 64] >> (place % 64) & 1) << i;
    }
    return from->bad ? CORELS_CHECK_MALFORMED : CORELS_CHECK_HOLDS;
}

/* A block's errors: of any subset as a single cell. */
#include "score.h"

void corels_cells_new(corels_cells *cells, int32_t classes, store *arrays) {
    cells->pairs = (classes + 1) / 2;
    cells->low = store_take(arrays, (size_t)cells->pairs * 256, sizeof *cells->low);
    cells->high = store_take(arrays, (size_t)cells->pairs * 256, sizeof *cells->high);
}

/* The sums of all subsets of `half` items, two classes in one number. */
static void fill_half(uint64_t *sums, const int32_t *a, const int32_t *b, int32_t half) {
    sums[0] = 0;
    for (int32_t i = 0; i < half; i++)
        for (uint32_t x = 0; x < 1u << i; x++)
            sums[x + (1u << i)] = sums[x] + ((uint64_t)b[i] << 32 | (uint32_t)a[i]);
}

void corels_cells_fill(corels_cells *cells, const corels_partition *partition, int32_t block,
                       int32_t classes) {
    int32_t half = cells->half = partition->bits / 2;
    for (int32_t p = 0; p < cells->pairs; p++) {
        int32_t first = 2 * p, second = first + 1 < classes ? first + 1 : first;
        size_t at = (size_t)block * partition->bits, places = (size_t)partition->places;
        const int32_t *a = partition->regret + (size_t)first * places + at;
        const int32_t *b = partition->regret + (size_t)second * places + at;
        fill_half(cells->low + 256 * p, a, b, half);
        fill_half(cells->high + 256 * p, a + half, b + half, half);
    }
}

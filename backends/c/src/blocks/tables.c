/* The tables of one partition, and the views that index them.
 *
 * rows[b][t][k]: the least errors that at most k rules leave of the subset t of block b. One pass
 * over the subsets in numeric order builds a block, since a rule only ever leaves a smaller number:
 *
 *     F[t][k] = min( alone[t], min over traces r of alone[t & r] + F[t & ~r][k - 1] )
 *
 * with all eight k in one register: shifting it by a lane turns F[.][k - 1] into a term for k. Only
 * distinct traces matter, a few dozen where there are hundreds of antecedents.
 *
 * A view is a set in the order of the blocks: block b is a field of `bits` bits, never across two
 * words (five blocks of 12 or four of 16 in a word), so a block's row is a shift and a mask away.
 * The view of S without what r captures is view(S) & ~view(r). Views of sets are put together from
 * the views of the sixteen subsets of each four points.
 */
#include <string.h>

#include "bits.h"
#include "score.h"

static uint64_t place_bit(const corels_blocks *blocks, int32_t place, int32_t *word) {
    int32_t each = 64 / blocks->bits, block = place / blocks->bits;
    *word = block / each;
    return UINT64_C(1) << (block % each * blocks->bits + place % blocks->bits);
}

static void fill_view(const corels_blocks *blocks, int32_t place, const corels_block_data *data) {
    int32_t word, point = blocks->partition.point[place];
    uint64_t bit = place_bit(blocks, place, &word);
    if (point < 0) return;
    for (int32_t r = 0; r < data->antecedents; r++)
        if (has_bit(data->masks + (size_t)r * data->words, point))
            blocks->without[(size_t)r * blocks->words + word] |= bit;
    for (int32_t subset = 1; subset < 16; subset++)
        if (subset >> (point % 4) & 1)
            blocks->nibbles[((size_t)(point / 4) * 16 + subset) * blocks->words + word] |= bit;
}

static void block_traces(const corels_partition *partition, int32_t block,
                         const corels_block_data *data, uint16_t *traces) {
    memset(traces, 0, (size_t)data->antecedents * sizeof *traces);
    for (int32_t i = 0; i < partition->bits; i++) {
        int32_t point = partition->point[block * partition->bits + i];
        for (int32_t r = 0; point >= 0 && r < data->antecedents; r++)
            traces[r] |= (uint16_t)(has_bit(data->masks + (size_t)r * data->words, point) << i);
    }
}

/* Drops traces that change no row: of one class through and through, and inside another such trace
 * of the class. Both make no errors on any subset, and the other one captures more. Then sorts what
 * is left by the two lowest items, as fill_block wants them. */
static int32_t useful_traces(const corels_partition *partition, int32_t block, int32_t classes,
                             uint16_t *traces, int32_t n, uint16_t *kept) {
    int32_t left = 0;
    uint32_t pure[16] = {0}; /* of each class: the items that predicting it errs nothing on */
    if (classes > 16) classes = 16;
    for (int32_t c = 0; c < classes; c++)
        for (int32_t i = 0; i < partition->bits; i++) {
            size_t place = (size_t)c * partition->places + (size_t)block * partition->bits + i;
            pure[c] |= (uint32_t)(partition->regret[place] == 0) << i;
        }
    for (uint16_t low = 0; low < 4; low++)
        for (int32_t i = 0; i < n; i++) {
            int useless = 0;
            if ((traces[i] & 3) != low) continue;
            for (int32_t c = 0; c < classes; c++)
                for (int32_t j = 0; !useless && !(traces[i] & ~pure[c]) && j < n; j++)
                    useless =
                        j != i && (traces[j] & traces[i]) == traces[i] && !(traces[j] & ~pure[c]);
            if (!useless) kept[left++] = traces[i];
        }
    return left;
}

/* Blocks whose tables are being filled, and the scratch of a block. */
struct corels_filling {
    corels_blocks *blocks;
    const corels_block_data *data;
    uint16_t *lifted, *alone, *all, *traces, *useful;
    corels_cells cells;
    uint64_t *seen;
    int32_t at; /* views of places, then rows of blocks */
};

corels_filling *corels_filling_new(corels_blocks *blocks, const corels_block_data *data,
                                   store *scratch) {
    size_t words = (size_t)blocks->words, subsets = (size_t)1 << blocks->bits;
    size_t m = (size_t)data->antecedents;
    corels_filling *f = store_take(scratch, 1, sizeof *f);
    if (!f) return NULL;
    *f = (corels_filling){.blocks = blocks, .data = data};
    store *all = &blocks->arrays;
    blocks->rows = store_take(all, (size_t)blocks->partition.blocks << blocks->bits, 16);
    blocks->without = store_take(all, m + 1, words * sizeof(uint64_t));
    blocks->nibbles = store_take(all, (size_t)blocks->groups * 16, words * sizeof(uint64_t));
    f->lifted = store_take(scratch, subsets, 16);
    f->alone = store_take(scratch, subsets, sizeof *f->alone);
    corels_cells_new(&f->cells, data->classes, scratch);
    f->all = store_take(scratch, m, sizeof *f->all);
    f->traces = store_take(scratch, m, sizeof *f->traces);
    f->useful = store_take(scratch, m, sizeof *f->useful);
    f->seen = store_take(scratch, 1024, sizeof *f->seen);
    return all->failed ? NULL : f;
}

static void fill_rows(corels_filling *f, int32_t b) {
    const corels_partition *partition = &f->blocks->partition;
    uint32_t subsets = 1u << f->blocks->bits;
    int32_t classes = f->data->classes;
    block_traces(partition, b, f->data, f->all);
    int32_t n = corels_distinct_cuts(f->all, f->data->antecedents, subsets - 1, f->traces, f->seen);
    n = useful_traces(partition, b, classes, f->traces, n, f->useful);
    corels_cells_fill(&f->cells, partition, b, classes);
    for (uint32_t x = 0; x < subsets; x++) {
        uint32_t errors = corels_errors_of(&f->cells, x) >> f->blocks->shift;
        f->alone[x] = (uint16_t)(errors < 65535 ? errors : 65535);
    }
    f->blocks->kernel->fill_block(f->blocks->rows + (size_t)b * subsets * 8, f->lifted, f->alone,
                                  subsets, f->useful, (size_t)n);
}

int corels_filling_add(corels_filling *f) {
    int32_t places = f->blocks->partition.places, at = f->at++;
    if (at < places)
        fill_view(f->blocks, at, f->data);
    else if (at < places + f->blocks->partition.blocks)
        fill_rows(f, at - places);
    else
        return CORELS_DONE;
    return CORELS_OK;
}

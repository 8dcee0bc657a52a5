/* Of all images of a set, the one that stands for them.
 *
 * Every member has a random number, and the image whose members' numbers sum up to least is chosen;
 * the sums are modulo 2^64. The sum for an image is the sum over the members of the set of the
 * numbers of their images. So a table says for each four bits of a key what they add to the sum of
 * each image: a row of the table has a number for each symmetry, and one pass over the key's bits,
 * four at a time, sums up for all symmetries at once. Only the image that was chosen is made.
 *
 * If two images have the same sum, and are not the same, one set has two that stand for it: then
 * something is searched twice, and nothing is wrong.
 */
#include <stdlib.h>

#include "automorphisms.h"
#include "bits.h"

enum { LANES = 4 }; /* the number of images is rounded up to a multiple */

static const int32_t *moves(const automorphisms *g, int32_t i) {
    return automorphisms_points(g, i) + g->first;
}

/* What the bits of `value`, the nibble q of a key, add to the sum of the image i. */
static uint64_t addend(const automorphisms *g, int32_t q, int32_t value, int32_t i) {
    uint64_t sum = 0;
    for (int32_t b = 0; b < 4; b++)
        if (value >> b & 1 && q * 4 + b < g->bits)
            sum += corels_mix((uint64_t)moves(g, i)[q * 4 + b] + 1);
    return sum;
}

int automorphisms_aim(automorphisms *g, int by_antecedents) {
    g->first = by_antecedents ? g->points : 0;
    g->bits = by_antecedents ? g->antecedents : g->points;
    g->nibbles = (g->bits + 3) / 4;
    g->lanes = (g->n + LANES - 1) / LANES * LANES;
    if (words_for(g->bits) > MOST_KEY_WORDS) return 0;
    free(g->sums);
    g->sums = malloc(((size_t)g->nibbles * 16 * (size_t)g->lanes + 1) * sizeof *g->sums);
    if (!g->sums) return 0;
    uint64_t *at = g->sums;
    for (int32_t q = 0; q < g->nibbles; q++)
        for (int32_t value = 0; value < 16; value++)
            for (int32_t i = 0; i < g->lanes; i++)
                *at++ = addend(g, q, value, i < g->n ? i : g->n - 1);
    return 1;
}

/* The symmetry whose image has the least sum. */
static int32_t least_image(const automorphisms *g, const uint64_t *key) {
    uint64_t sums[MOST_IMAGES + LANES] = {0};
    int32_t least = 0;
    for (int32_t q = 0; q < g->nibbles; q++) {
        size_t value = key[q / 16] >> (q % 16 * 4) & 15;
        const uint64_t *row = g->sums + ((size_t)q * 16 + value) * (size_t)g->lanes;
        for (int32_t i = 0; i < g->lanes; i++) sums[i] += row[i];
    }
    for (int32_t i = 1; i < g->n; i++)
        if (sums[i] < sums[least]) least = i;
    return least;
}

const uint64_t *automorphisms_representative(const automorphisms *g, const uint64_t *key,
                                             uint64_t *image) {
    int32_t i = least_image(g, key);
    if (!i) return key;
    map_bits(image, key, words_for(g->bits), moves(g, i));
    return image;
}

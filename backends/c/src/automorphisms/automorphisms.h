/* Symmetries of a table: permutations of its points and antecedents that change nothing.
 *
 * Where a table lists every case of a design (all boards of a game, all combinations of values), to
 * turn the board or to exchange two columns may give the same table again. A symmetry permutes the
 * points, and with them the antecedents: what an antecedent captures is taken to what the
 * antecedent's image captures, and a point and its image have the same regrets. Then a list of the
 * images of some rules costs on the images of some points what the list itself costs on the points.
 * So f(image of S) = f(S), and what is proved of a set is proved of all its images.
 *
 *   find.c      tells points apart by colours, numbers that do not depend on their order in the
 *               table; with them it looks for symmetries
 *   group.c     multiplies them
 *   image.c     picks, of all images of a set, the one that stands for them
 *
 * Tables of people have next to no symmetries; some rounds of colours show it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* (Each generator doubles the number of images at least.) */
enum { MOST_IMAGES = 64, MOST_GENERATORS = 8, MOST_KEY_WORDS = 64 };

typedef struct {
    const uint64_t *masks;  /* [antecedents][words] */
    const int32_t *regrets; /* [classes][points] */
    int32_t antecedents, points, classes, words;
    int64_t most_cells;  /* of the table, else it takes too long */
    int64_t most_visits; /* of a point by an antecedent */
} automorphism_data;

/* Some symmetries, closed under multiplication. The first one is the identity. */
typedef struct {
    int32_t n, points, antecedents;
    int32_t generators, generator[MOST_GENERATORS]; /* elements of which all are products */
    int32_t *to; /* [n][points + antecedents]: the image of each point, then of each antecedent */
    /* For the images of keys, see image.c: */
    int32_t first, bits, nibbles, lanes;
    uint64_t *sums; /* [nibbles][16][lanes]; NULL before automorphisms_aim */
} automorphisms;

/* NULL where there is only the identity, where it would take too long to see, or without memory. */
automorphisms *automorphisms_find(const automorphism_data *);
void automorphisms_free(automorphisms *);
size_t automorphisms_bytes(const automorphisms *);

/* group.c: the group of the identity. NULL without memory. */
automorphisms *automorphisms_new(const automorphism_data *);
/* Adds a permutation, and all products; or nothing, where these would be more than MOST_IMAGES.
 * 0 without memory. */
int automorphisms_add(automorphisms *, const int32_t *permutation);

/* The images of the points, and of the antecedents, by the i-th. */
const int32_t *automorphisms_points(const automorphisms *, int32_t i);
const int32_t *automorphisms_antecedents(const automorphisms *, int32_t i);

/* Makes ready for keys that are sets of antecedents, or else of points. 0 without memory, or where
 * keys have more than MOST_KEY_WORDS words. */
int automorphisms_aim(automorphisms *, int by_antecedents);
/* Of all images of a key the one that stands for them: the key itself, or written to `image`. */
const uint64_t *automorphisms_representative(const automorphisms *, const uint64_t *key,
                                             uint64_t *image);

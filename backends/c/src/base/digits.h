/* Weights digit by digit. Write each weight in binary: digit b of measure k is a set of points, and
 * the weight of any set of points is the sum over the digits of 2^b times a population count. Unit
 * weights have one digit. With points sorted by falling weight, a high digit is a short run of
 * words, and with points sorted by class the measures of two classes share hardly any word.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "corels/store.h"

/* One binary digit of one measure: the words [low, high) where it is not zero. */
typedef struct {
    uint32_t measure, shift, low, high;
    size_t start; /* of its words in `words` */
} digit;

typedef struct digits {
    uint64_t *words;
    digit *all;
    uint32_t n;
    size_t longest; /* words of all digits together */
    store arrays;   /* of both */
} digits;

/* Of weights[measures][points], none below zero. 0: no memory. */
int digits_new(digits *, const int32_t *weights, int32_t points, int32_t measures);
void digits_free(digits *);
/* Those of the first measures alone; they stay those of the others, and are not to be freed. */
digits digits_of_first(const digits *, int32_t measures);

/* Places by a number of each: the lowest number first, of equal numbers the lowest place. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int64_t number;
    int32_t at;
} ranked;

void sort_ranked(ranked *, size_t n);

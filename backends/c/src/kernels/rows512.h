/* Looking rows up, as price_loops.h says, with 512-bit registers that pick whole numbers. */
#pragma once

#include "short512.h"

static void add_row(int32_t *sums, const uint8_t *index, const uint16_t *groups, size_t n,
                    const int32_t *row, size_t places) {
    if (places <= 32)
        add_shortest_row(sums, index, groups, n, row, places);
    else if (places <= 64)
        add_short_row(sums, index, groups, n, row, 64);
    else
        for (size_t g = 0; g < n; g++) {
            size_t r = 16 * (size_t)groups[g];
            add_to(sums + r, _mm512_i32gather_epi32(places_of_group(index + r), row, 4));
        }
}

/* Two numbers compared; and what the files here include for sets. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "corels/bits.h"

static inline int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static inline int64_t greater(int64_t x, int64_t y) {
    return x > y ? x : y;
}

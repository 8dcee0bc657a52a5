/* Vectors as wide as a kernel's registers. A file that has wider ones than sixteen bytes says so
 * before it includes this one: CORELS_VECTOR_BYTES, and the lesser numbers of two vectors, which is
 * a macro, since passing vectors to functions depends on the processor. A vector wider than the
 * registers would do badly: compilers take it apart into single numbers.
 */
#pragma once

#include <stdint.h>

#ifndef CORELS_VECTOR_BYTES
#define CORELS_VECTOR_BYTES 16
#define CORELS_LESSER CORELS_LESSER_FOUR
#endif

typedef int32_t number_vector
    __attribute__((vector_size(CORELS_VECTOR_BYTES), aligned(4), may_alias));

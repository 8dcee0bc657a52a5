/* Vectors as wide as a kernel's registers. A file that has wider ones than sixteen bytes says so
 * before it includes this one: CORELS_VECTOR_BYTES, the lesser numbers of two vectors, and numbers
 * of 16 bits widened to one. A vector wider than the registers would do badly: compilers take it
 * apart into single numbers. The two are macros: passing vectors to functions depends on the
 * processor.
 */
#pragma once

#include <stdint.h>

#ifndef CORELS_VECTOR_BYTES
#define CORELS_VECTOR_BYTES 16
#define CORELS_LESSER CORELS_LESSER_FOUR
#if defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define CORELS_WIDENED(shorts) ((number_vector)vmovl_u16((uint16x4_t)(shorts)))
#else
#define CORELS_WIDENED(shorts) __builtin_convertvector(shorts, number_vector)
#endif
#endif

typedef int32_t number_vector
    __attribute__((vector_size(CORELS_VECTOR_BYTES), aligned(4), may_alias));
/* Of these as many as fill a register, and as many as one of numbers. */
typedef uint16_t short_vector
    __attribute__((vector_size(CORELS_VECTOR_BYTES), aligned(2), may_alias));
typedef uint16_t short_half
    __attribute__((vector_size(CORELS_VECTOR_BYTES / 2), aligned(2), may_alias));

/* The kernel tables, one a file; dispatch.c lists them from the fastest to the portable one. */
#ifndef CORELS_KERNEL_H
#define CORELS_KERNEL_H

#include "corels/kernels.h"

extern const corels_kernel corels_kernel_portable;

#endif

/* Memory on cache lines. Vector instructions and tables of rows want their arrays on a boundary of
 * 64 bytes, which standard C can give but not every platform can take back with free(): what comes
 * from corels_memory_new goes back to corels_memory_free and nowhere else.
 */
#pragma once

#include <stddef.h>

/* At least `n` times `size` bytes and never none, all zero, on a boundary of 64 bytes; NULL if
 * memory is short or the product does not fit. */
void *corels_memory_new(size_t n, size_t size);
/* Of memory that is not yet written: the system may take large pages for it. */
void corels_memory_huge(void *memory, size_t bytes);
/* `memory` may be NULL. */
void corels_memory_free(void *memory);
/* Bytes that corels_memory_new takes for them. */
size_t corels_memory_bytes(size_t n, size_t size);

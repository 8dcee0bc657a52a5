#include "corels/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <malloc.h>
#endif

enum { LINE = 64 };

size_t corels_memory_bytes(size_t n, size_t size) {
    return (n * size + LINE) / LINE * LINE;
}

void *corels_memory_new(size_t n, size_t size) {
    if (size && n > (SIZE_MAX - 2 * LINE) / size) return NULL;
    size_t bytes = corels_memory_bytes(n, size);
#ifdef _WIN32
    void *memory = _aligned_malloc(bytes, LINE);
#else
    void *memory = aligned_alloc(LINE, bytes);
#endif
    if (memory) memset(memory, 0, bytes);
    return memory;
}

void corels_memory_free(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

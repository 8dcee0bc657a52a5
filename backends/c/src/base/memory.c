/* Standard C alone: the memory of calloc, and in front of what is handed out the address of what
 * has to be given back. calloc knows which pages are fresh from the system and zero already, so
 * that large tables cost nothing before they are filled. */
#include "corels/memory.h"

#include <stdint.h>
#include <stdlib.h>

enum { LINE = 64, EXTRA = LINE + sizeof(void *) };

size_t corels_memory_bytes(size_t n, size_t size) {
    return (n * size + LINE) / LINE * LINE + LINE;
}

void *corels_memory_new(size_t n, size_t size) {
    if (size && n > (SIZE_MAX - 2 * EXTRA) / size) return NULL;
    char *whole = calloc(n * size + 1 + EXTRA, 1);
    if (!whole) return NULL;
    uintptr_t begin = ((uintptr_t)whole + EXTRA) / LINE * LINE;
    void **memory = (void **)(whole + (begin - (uintptr_t)whole));
    memory[-1] = whole;
    return memory;
}

void corels_memory_free(void *memory) {
    if (memory) free(((void **)memory)[-1]);
}

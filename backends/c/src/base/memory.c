/* Standard C, but for large pages on Linux: the memory of calloc, and in front of what is handed
 * out the address of what has to be given back. calloc knows which pages are fresh from the system
 * and zero already, so that large tables cost nothing before they are filled. */
#include "corels/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "corels/store.h"

/* In front of what is handed out: the array before it in a store, and what has to be given back. */
enum { LINE = 64, EXTRA = LINE + 2 * sizeof(void *) };

size_t corels_memory_bytes(size_t n, size_t size) {
    return (n * size + LINE) / LINE * LINE + LINE;
}

/* Asks for pages of two megabytes if memory is large: what is read at random from many small
 * pages waits for the processor to find each of them. */
void corels_memory_huge(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 1 << 21;
    uintptr_t from = ((uintptr_t)memory + page - 1) / page * page;
    uintptr_t to = ((uintptr_t)memory + bytes) / page * page;
    if (to >= from + 2 * page) madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

void *corels_memory_new(size_t n, size_t size) {
    if (size && n > (SIZE_MAX - 2 * EXTRA) / size) return NULL;
    char *whole = calloc(n * size + 1 + EXTRA, 1);
    if (!whole) return NULL;
    uintptr_t begin = ((uintptr_t)whole + EXTRA) / LINE * LINE;
    void **memory = (void **)(whole + (begin - (uintptr_t)whole));
    memory[-1] = whole;
    corels_memory_huge(memory, n * size);
    return memory;
}

void corels_memory_free(void *memory) {
    if (memory) free(((void **)memory)[-1]);
}

void *store_take(store *s, size_t n, size_t size) {
    size_t bytes = corels_memory_bytes(n, size);
    void **memory = s->most && s->bytes + bytes > s->most ? NULL : corels_memory_new(n, size);
    if (!memory) {
        s->failed = 1;
        return NULL;
    }
    memory[-2] = s->last;
    s->last = memory;
    s->bytes += bytes;
    return memory;
}

void *store_copy(store *s, const void *from, size_t n, size_t size) {
    void *to = from ? store_take(s, n, size) : NULL;
    if (to) memcpy(to, from, n * size);
    return to;
}

void store_free(store *s) {
    while (s->last) {
        void **memory = s->last;
        s->last = memory[-2];
        corels_memory_free(memory);
    }
    *s = (store){0};
}

void *grow_array(void *array, int64_t *room, int64_t wanted, size_t size) {
    int64_t more = *room;
    if (array && more >= wanted) return array;
    while (more < wanted) more = more ? 2 * more : 64;
    void *moved = realloc(array, (size_t)more * size);
    if (moved) *room = more;
    return moved;
}

/* A store: arrays that are taken one after another, and given back all together.
 *
 * A caller that makes several arrays asks once at the end whether one was missing, and need not
 * know them again to free them or to say what they take. Empty if it is all zeros; it may be
 * moved.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    void *last;   /* array taken; each knows the one before */
    size_t bytes; /* of all */
    size_t most;  /* that they may take; 0: any number */
    int failed;   /* there was no memory for one of them */
} store;

/* As corels_memory_new. */
void *store_take(store *, size_t n, size_t size);
/* A copy of n elements; of nothing, nothing. */
void *store_copy(store *, const void *from, size_t n, size_t size);
/* Frees all arrays; the store is empty then. */
void store_free(store *);

/* A plain array, to be freed by free, with room for so many items of `size` bytes: it moves if
 * *room is less, which is doubled then. NULL without memory: it stays as it was. */
void *grow_array(void *array, int64_t *room, int64_t wanted, size_t size);

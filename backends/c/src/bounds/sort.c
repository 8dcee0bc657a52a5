#include "sort.h"

#include <stdlib.h>

enum { SHORT = 32 };

static void insertion(uint64_t *keys, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        uint64_t key = keys[i];
        int32_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

static int rising(const void *x, const void *y) {
    const uint64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

void sort_keys(uint64_t *keys, int32_t n) {
    if (n <= SHORT)
        insertion(keys, n);
    else
        qsort(keys, (size_t)n, sizeof *keys, rising);
}

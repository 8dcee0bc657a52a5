#include "ranked.h"

#include <stdlib.h>

static int rising(const void *x, const void *y) {
    const ranked *a = x, *b = y;
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

void sort_ranked(ranked *list, size_t n) {
    qsort(list, n, sizeof *list, rising);
}

#include "incumbent.h"

#include <stdlib.h>
#include <string.h>

int incumbent_new(incumbent *of, int32_t longest) {
    of->lock = NEW_LOCK;
    atomic_init(&of->cost, INT64_MAX);
    of->room = longest;
    of->rules = calloc((size_t)longest + 1, sizeof *of->rules);
    return of->rules != NULL;
}

void incumbent_free(incumbent *of) {
    if (!of->rules) return;
    lock_free(&of->lock);
    free(of->rules);
}

void incumbent_begin(incumbent *of, int64_t cost) {
    of->length = 0;
    atomic_store(&of->cost, cost);
}

int incumbent_offer(incumbent *of, int64_t cost, const int32_t *rules, int32_t length) {
    if (cost >= incumbent_cost(of)) return 0;
    lock_take(&of->lock);
    int better = cost < incumbent_cost(of);
    if (better) {
        if (length) memcpy(of->rules, rules, (size_t)length * sizeof *rules);
        of->length = length;
        atomic_store(&of->cost, cost);
    }
    lock_leave(&of->lock);
    return better;
}

/* The incumbent: the best list found so far, shared by all threads. */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

int corels_incumbent_new(corels_incumbent *incumbent) {
    atomic_init(&incumbent->cost, INT64_MAX);
    return pthread_mutex_init(&incumbent->lock, NULL) ? CORELS_NO_MEMORY : CORELS_OK;
}

void corels_incumbent_free(corels_incumbent *incumbent) {
    pthread_mutex_destroy(&incumbent->lock);
    free(incumbent->rules);
}

static int make_room(corels_incumbent *incumbent, int32_t length) {
    if (length <= incumbent->room) return 1;
    int32_t *rules = realloc(incumbent->rules, 2 * (size_t)length * sizeof *rules);
    if (!rules) return 0;
    incumbent->rules = rules;
    incumbent->room = 2 * length;
    return 1;
}

int corels_offer(corels_incumbent *incumbent, int64_t cost, const int32_t *rules, int32_t length) {
    int status = CORELS_OK;
    pthread_mutex_lock(&incumbent->lock);
    if (cost < atomic_load(&incumbent->cost)) {
        if (make_room(incumbent, length)) {
            if (length) memcpy(incumbent->rules, rules, (size_t)length * sizeof *rules);
            incumbent->length = length;
            incumbent->improvements++;
            atomic_store(&incumbent->cost, cost);
        } else
            status = CORELS_NO_MEMORY;
    }
    pthread_mutex_unlock(&incumbent->lock);
    return status;
}

int corels_offer_path(corels_walker *walker, int64_t cost, int32_t last) {
    int32_t *rules = walker->list, length = 0; /* `list` is free whenever a list is offered */
    for (int32_t d = 1; d <= walker->depth; d++) rules[length++] = walker->frames[d].rule;
    if (last >= 0) rules[length++] = last;
    return corels_offer(&walker->fast->incumbent, cost, rules, length);
}

/* Memory: every array of the graph asks here, so that the limit holds whatever grows. */
#include <stdlib.h>

#include "near.h"

int near_hold(corels_near *near, size_t more) {
    size_t limit = near->options.memory, held = near->held + more + walk_from_bytes(near->search);
    if (limit && held > limit) return CORELS_NEAR_LIMIT;
    near->held += more;
    if (held > near->peak) near->peak = held;
    if (limit)
        walk_from_limit(near->search, (limit - near->held) / 2 + 1); /* half of what is left */
    return CORELS_OK;
}

void near_release(corels_near *near, size_t less) {
    near->held -= less;
}

int near_grow(corels_near *near, near_array *array, int64_t more, size_t size) {
    int64_t wanted = array->count + more, capacity = array->capacity;
    if (wanted <= capacity) return CORELS_OK;
    if (!capacity) capacity = wanted;
    while (capacity < wanted) capacity = capacity < 64 ? 64 : capacity + capacity / 2;
    int status = near_hold(near, (size_t)capacity * size); /* both exist for a moment */
    if (status != CORELS_OK) return status;
    void *items = realloc(array->items, (size_t)capacity * size);
    near_release(near, (size_t)(items ? array->capacity : capacity) * size);
    if (!items) return CORELS_NO_MEMORY;
    array->items = items;
    array->capacity = capacity;
    return CORELS_OK;
}

void near_drop(corels_near *near, near_array *array, size_t size) {
    near_release(near, (size_t)array->capacity * size);
    free(array->items);
    *array = (near_array){0};
}

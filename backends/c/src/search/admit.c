/* Symmetry: of the prefixes with equal keys, only the cheapest goes on. */
#include <stdlib.h>

#include "bits.h"
#include "search.h"

static int rising(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The key of a prefix, or of its child by `appended` (none: -1), in s->key; its words. */
int32_t search_key(corels_search *s, int32_t slot, int32_t appended) {
    if (s->map.kind == MAP_CAPTURED) {
        memcpy(s->key, cache_remaining(&s->cache, slot), (size_t)s->point_words * 8);
        const uint64_t *mask = s->masks + (size_t)appended * (size_t)s->point_words;
        for (int32_t w = 0; appended >= 0 && w < s->point_words; w++) s->key[w] &= ~mask[w];
        return s->point_words;
    }
    int32_t *sorted = (int32_t *)s->key;
    int32_t length = cache_path(&s->cache, slot, sorted);
    if (appended >= 0) sorted[length++] = appended;
    qsort(sorted, (size_t)length, sizeof *sorted, rising);
    if (length % 2) sorted[length] = -1;
    return (length + 1) / 2;
}

int search_stale(corels_search *s, int32_t slot) {
    if (s->map.kind == MAP_NONE) return 0;
    int32_t words = search_key(s, slot, -1);
    return symmetry_stale(&s->map, s->key, words, cache_node(&s->cache, slot)->lower_bound);
}

int search_admit(corels_search *s, int32_t slot) {
    if (s->map.kind == MAP_NONE) return CORELS_OK;
    corels_children *c = &s->table.children;
    for (int32_t row = 0; row < c->count; row++) {
        int32_t words = search_key(s, slot, c->antecedent[row]);
        map_answer answer = symmetry_admit(&s->map, s->key, words, c->lower_bound[row]);
        if (answer == MAP_NO_MEMORY) return CORELS_NO_MEMORY;
        s->keep[row] = answer == MAP_ADMITTED;
        if (s->keep[row]) continue;
        s->progress.merged++;
        if (s->options.fine_events) search_emit_row(s, EVENT_MERGE, 0, slot, row);
    }
    table_compact(c, s->keep);
    return CORELS_OK;
}

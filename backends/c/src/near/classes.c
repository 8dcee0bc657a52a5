/* Going through the lists one by one: which of them predict alike, and which have idle rules.
 *
 * Both ask for more than the set that a prefix leaves, so no table of the graph answers them. A
 * prediction is stored whole, class numbers as bit-planes over the points, in a hash table.
 */
#include <stdlib.h>
#include <string.h>

#include "near.h"

enum { FIRST_CAPACITY = 1024 };

/* One list at work: what each rule captures, and the classes, the default rule's last. */
typedef struct {
    int32_t length;
    int32_t *antecedents;
    uint16_t *classes;
    uint64_t *cells; /* [length + 1][words] */
} list;

static void near_seen_end(corels_near *near) {
    near_seen *seen = &near->seen;
    near_release(near, (size_t)seen->capacity * (seen->words + 1) * sizeof(uint64_t));
    free(seen->slots);
    free(seen->vector);
    *seen = (near_seen){0};
}

int corels_near_classes_begin(corels_near *near, int32_t matters) {
    near_seen_end(near);
    if (matters < 0) return CORELS_OK;
    size_t planes = 1;
    while (near->in.classes > 1 << planes) planes++;
    near->seen.words = planes * (size_t)near->words;
    near->seen.matters = matters;
    near->seen.vector = malloc(near->seen.words * sizeof(uint64_t));
    return near->seen.vector ? CORELS_OK : CORELS_NO_MEMORY;
}

static uint64_t *slot_of(const near_seen *seen, const uint64_t *vector) {
    uint64_t most = (uint64_t)seen->capacity - 1;
    for (uint64_t at = corels_hash(vector, seen->words) & most;; at = (at + 1) & most) {
        uint64_t *slot = seen->slots + at * (seen->words + 1);
        if (!*slot || !memcmp(slot + 1, vector, seen->words * sizeof *vector)) return slot;
    }
}

static int widen(corels_near *near) {
    near_seen *seen = &near->seen, old = *seen;
    size_t size = (seen->words + 1) * sizeof(uint64_t);
    int64_t capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
    int status = near_hold(near, (size_t)capacity * size);
    if (status != CORELS_OK) return status;
    uint64_t *slots = calloc((size_t)capacity, size);
    if (!slots) {
        near_release(near, (size_t)capacity * size);
        return CORELS_NO_MEMORY;
    }
    seen->slots = slots;
    seen->capacity = capacity;
    for (int64_t i = 0; i < old.capacity; i++) {
        const uint64_t *from = old.slots + (size_t)i * (seen->words + 1);
        if (*from) memcpy(slot_of(seen, from + 1), from, size);
    }
    near_release(near, (size_t)old.capacity * size);
    free(old.slots);
    return CORELS_OK;
}

/* Whether the vector is new. */
static int insert(corels_near *near, int *is_new) {
    near_seen *seen = &near->seen;
    if (2 * seen->used >= seen->capacity) {
        int status = widen(near);
        if (status != CORELS_OK) return status;
    }
    uint64_t *slot = slot_of(seen, seen->vector);
    *is_new = !*slot;
    if (*is_new) {
        *slot = 1;
        memcpy(slot + 1, seen->vector, seen->words * sizeof *slot);
        seen->used++;
    }
    return CORELS_OK;
}

static uint64_t *cell_at(const corels_near *near, const list *list, int32_t i) {
    return list->cells + (size_t)i * (size_t)near->words;
}

static void split(corels_near *near, list *list) {
    size_t bytes = (size_t)near->words * sizeof *near->set;
    near_root_set(near);
    for (int32_t i = 0; i < list->length; i++) {
        int32_t r = list->antecedents[i];
        uint64_t *cell = cell_at(near, list, i);
        near_count_of(near, near->set);
        near_best(near, r, list->classes + i);
        near_behind(near, r);
        take_bits(cell, near->set, near->child, near->words);
        memcpy(near->set, near->child, bytes);
    }
    near_count_of(near, near->set);
    near_default(near, list->classes + list->length);
    memcpy(cell_at(near, list, list->length), near->set, bytes);
}

static void write_vector(corels_near *near, const list *list) {
    near_seen *seen = &near->seen;
    memset(seen->vector, 0, seen->words * sizeof *seen->vector);
    for (int32_t i = 0; i <= list->length; i++)
        for (size_t plane = 0; plane < seen->words / (size_t)near->words; plane++) {
            if (!(list->classes[i] >> plane & 1)) continue;
            uint64_t *to = seen->vector + plane * (size_t)near->words;
            for (int32_t w = 0; w < near->words; w++) to[w] |= cell_at(near, list, i)[w];
        }
}

/* Whether some point of rule i would be predicted otherwise by the rules behind it. */
static int matters(corels_near *near, const list *list, int32_t i) {
    uint64_t *left = near->child, any = 0;
    memcpy(left, cell_at(near, list, i), (size_t)near->words * sizeof *left);
    for (int32_t j = i + 1; j < list->length; j++) {
        const uint64_t *mask = near_mask(near, list->antecedents[j]);
        if (list->classes[j] != list->classes[i] && meets(left, mask, near->words)) return 1;
        take_bits(left, left, mask, near->words);
    }
    for (int32_t w = 0; w < near->words; w++) any |= left[w];
    return any && list->classes[list->length] != list->classes[i];
}

static int look(corels_near *near, near_number index, list *list, uint8_t *fresh) {
    int status = near_find(near, index, &list->length, list->antecedents), is_new = 0;
    *fresh = 0;
    if (status != CORELS_OK) return status;
    split(near, list);
    for (int32_t i = 0; near->seen.matters && i < list->length; i++)
        if (!matters(near, list, i)) return CORELS_OK;
    write_vector(near, list);
    status = insert(near, &is_new);
    *fresh = (uint8_t)(1 + is_new);
    return status;
}

int corels_near_classes_next(corels_near *near, uint64_t high, uint64_t low, int64_t n,
                             uint8_t *fresh) {
    if (near->phase != 2 || near->scales || !near->seen.vector) return CORELS_BAD_ARGUMENT;
    near_number index = near_read(high, low);
    size_t longest = (size_t)near->longest + 1;
    store scratch = {0};
    list list = {.antecedents = store_take(&scratch, longest, sizeof *list.antecedents),
                 .classes = store_take(&scratch, longest, sizeof *list.classes),
                 .cells = store_take(&scratch, longest * (size_t)near->words, sizeof *list.cells)};
    int status = scratch.failed ? CORELS_NO_MEMORY : CORELS_OK;
    for (int64_t i = 0; status == CORELS_OK && i < n; i++)
        status = look(near, index + (near_number)i, &list, fresh + i);
    store_free(&scratch);
    return status;
}

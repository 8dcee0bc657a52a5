/* The proof as it grows: every claim that the search proves, in the bytes of the file.
 *
 * docs/reference/proof-format.md says what the bytes are. Workers append under one lock, a claim
 * before the memo knows it: so whatever a claim rests on stands before it in the file, also if
 * the process is killed. The facade takes the bytes between steps and writes them.
 */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "corels/store.h"
#include "numbers.h"
#include "threads.h"

struct record {
    lock lock;
    uint8_t *bytes;
    size_t used;
    int64_t room;
    uint8_t *aside; /* [aside_n] bytes that may be written later */
    size_t aside_n;
    store arrays;                  /* of these: */
    int32_t *antecedents, *points; /* index of the search -> number in the proof */
    int32_t *rules;                /* scratch */
};

record *record_new(const int32_t *antecedents, int32_t n_antecedents, const int32_t *points,
                   int32_t n_points) {
    record *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->lock = NEW_LOCK;
    r->antecedents =
        store_copy(&r->arrays, antecedents, (size_t)n_antecedents, sizeof *r->antecedents);
    r->points = store_copy(&r->arrays, points, (size_t)n_points, sizeof *r->points);
    r->rules = store_take(&r->arrays, (size_t)n_antecedents, sizeof *r->rules);
    if (!r->arrays.failed) return r;
    record_free(r);
    return NULL;
}

void record_free(record *r) {
    if (!r) return;
    lock_free(&r->lock);
    free(r->bytes);
    free(r->aside);
    store_free(&r->arrays);
    free(r);
}

enum { LONGEST = 10 }; /* bytes of a number */

static int make_room(record *r, size_t numbers) {
    uint8_t *bytes = grow_array(r->bytes, &r->room, (int64_t)(r->used + numbers * LONGEST), 1);
    if (bytes) r->bytes = bytes;
    return bytes != NULL;
}

/* Seven bits a byte, the low ones first. */
void record_put(record *r, uint64_t number) {
    for (; number > 127; number >>= 7) r->bytes[r->used++] = (uint8_t)(number | 128);
    r->bytes[r->used++] = (uint8_t)number;
}

int record_begin(record *r, size_t numbers) {
    lock_take(&r->lock);
    if (make_room(r, numbers)) return 1;
    lock_leave(&r->lock);
    return 0;
}

void record_end(record *r) {
    lock_leave(&r->lock);
}

int32_t record_antecedent(const record *r, int32_t antecedent) {
    return r->antecedents[antecedent];
}

int32_t record_point(const record *r, int32_t point) {
    return r->points[point];
}

int record_claim(record *r, int kind, const int32_t *rules, int32_t n, int64_t value) {
    int32_t before = 0;
    if (kind == RECORD_CLAIM && value <= 0) return 1; /* says nothing */
    if (!record_begin(r, (size_t)n + 3)) return 0;
    for (int32_t i = 0; i < n; i++) r->rules[i] = r->antecedents[rules[i]];
    sort_few(r->rules, n);
    record_put(r, (uint64_t)kind);
    record_put(r, (uint64_t)n);
    for (int32_t i = 0; i < n; before = r->rules[i++])
        record_put(r, (uint64_t)(r->rules[i] - before));
    record_put(r, value > 0 ? (uint64_t)value : 0);
    record_end(r);
    return 1;
}

int record_of_bound(record *r, const char *name, const uint64_t *numbers, size_t n) {
    size_t letters = strlen(name);
    if (!record_begin(r, n + letters + 3)) return 0;
    record_put(r, RECORD_OF_BOUND);
    record_put(r, letters);
    for (size_t i = 0; i < letters; i++) record_put(r, (unsigned char)name[i]);
    record_put(r, n);
    for (size_t i = 0; i < n; i++) record_put(r, numbers[i]);
    record_end(r);
    return 1;
}

int record_put_aside(record *r, size_t from) {
    size_t n = r->used - from;
    uint8_t *aside = realloc(r->aside, n + 1);
    if (!aside) return 0;
    memcpy(aside, r->bytes + from, n);
    r->aside = aside;
    r->aside_n = n;
    r->used = from;
    return 1;
}

int record_write_aside(record *r) {
    if (!make_room(r, r->aside_n)) return 0;
    if (r->aside_n) memcpy(r->bytes + r->used, r->aside, r->aside_n);
    r->used += r->aside_n;
    r->aside_n = 0;
    return 1;
}

size_t record_waiting(record *r) {
    lock_take(&r->lock);
    size_t used = r->used;
    lock_leave(&r->lock);
    return used;
}

size_t record_take(record *r, uint8_t *out, size_t room) {
    lock_take(&r->lock);
    size_t taken = r->used < room ? r->used : room;
    if (taken) {
        memcpy(out, r->bytes, taken);
        memmove(r->bytes, r->bytes + taken, r->used - taken);
    }
    r->used -= taken;
    lock_leave(&r->lock);
    return taken;
}

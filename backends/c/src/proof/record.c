/* The proof as it grows: every claim that the search proves, in the bytes of the file.
 *
 * docs/reference/proof-format.md says what the bytes are. Walkers append under one lock, a claim
 * before the memo knows it: so whatever a claim rests on stands before it in the file, also where
 * the process is killed. The facade takes the bytes between steps and writes them.
 */
#include "record.h"

#include <stdlib.h>
#include <string.h>

static int32_t *copy(const int32_t *from, int32_t n) {
    int32_t *to = malloc(((size_t)n + 1) * sizeof *to);
    if (to && n) memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

int corels_record_new(corels_record **out, const int32_t *antecedents, int32_t n_antecedents,
                      const int32_t *points, int32_t n_points) {
    corels_record *record = calloc(1, sizeof *record);
    *out = NULL;
    if (!record) return CORELS_NO_MEMORY;
    record->antecedents = copy(antecedents, n_antecedents);
    record->points = copy(points, n_points);
    record->rules = malloc(((size_t)n_antecedents + 1) * sizeof(int32_t));
    if (!record->antecedents || !record->points || !record->rules ||
        pthread_mutex_init(&record->lock, NULL)) {
        free(record->antecedents);
        free(record->points);
        free(record->rules);
        free(record);
        return CORELS_NO_MEMORY;
    }
    *out = record;
    return CORELS_OK;
}

void corels_record_free(corels_record *record) {
    if (!record) return;
    pthread_mutex_destroy(&record->lock);
    free(record->bytes);
    free(record->antecedents);
    free(record->points);
    free(record->rules);
    free(record);
}

enum { LONGEST = 10 }; /* bytes of a number */

static int make_room(corels_record *record, size_t numbers) {
    size_t wanted = record->used + numbers * LONGEST;
    if (wanted <= record->room) return 1;
    uint8_t *bytes = realloc(record->bytes, 2 * wanted);
    if (!bytes) return 0;
    record->bytes = bytes;
    record->room = 2 * wanted;
    return 1;
}

/* Seven bits a byte, the low ones first. */
static void put(corels_record *record, uint64_t number) {
    for (; number > 127; number >>= 7) record->bytes[record->used++] = (uint8_t)(number | 128);
    record->bytes[record->used++] = (uint8_t)number;
}

/* Paths are short: insertion sort. */
static void sort(int32_t *rules, int32_t n) {
    for (int32_t i = 1; i < n; i++) {
        int32_t rule = rules[i], at = i;
        for (; at > 0 && rules[at - 1] > rule; at--) rules[at] = rules[at - 1];
        rules[at] = rule;
    }
}

int corels_record_claim(corels_record *record, int kind, const int32_t *rules, int32_t n,
                        int64_t value) {
    pthread_mutex_lock(&record->lock);
    int ok = make_room(record, (size_t)n + 3);
    if (ok) {
        int32_t before = 0;
        for (int32_t i = 0; i < n; i++) record->rules[i] = record->antecedents[rules[i]];
        sort(record->rules, n);
        put(record, (uint64_t)kind);
        put(record, (uint64_t)n);
        for (int32_t i = 0; i < n; before = record->rules[i++])
            put(record, (uint64_t)(record->rules[i] - before));
        put(record, value > 0 ? (uint64_t)value : 0);
    }
    pthread_mutex_unlock(&record->lock);
    return ok ? CORELS_OK : CORELS_NO_MEMORY;
}

static int put_family(corels_record *record, const corels_blocks *blocks, int32_t family) {
    const int32_t *points, *regrets;
    int32_t classes, bits, places = corels_blocks_items(blocks, family, &points, &regrets, &classes);
    bits = places ? places / corels_blocks_count(blocks) : 1;
    if (!make_room(record, (size_t)places * (size_t)(classes + 2) + 2)) return 0;
    put(record, CORELS_RECORD_BLOCKS);
    put(record, (uint64_t)(places / bits));
    for (int32_t at = 0; at < places; at += bits) {
        int32_t items = 0;
        for (int32_t i = at; i < at + bits; i++) items += points[i] >= 0;
        put(record, (uint64_t)items);
        for (int32_t i = at; i < at + bits; i++) {
            if (points[i] < 0) continue; /* an empty place */
            put(record, (uint64_t)record->points[points[i]]);
            for (int32_t c = 0; c < classes; c++)
                put(record, (uint64_t)regrets[(size_t)c * (size_t)places + (size_t)i]);
        }
    }
    return 1;
}

int corels_record_blocks(corels_record *record, const corels_blocks *blocks) {
    int ok = 1;
    pthread_mutex_lock(&record->lock);
    for (int32_t f = 0; ok && f < corels_blocks_families(blocks); f++)
        ok = put_family(record, blocks, f);
    pthread_mutex_unlock(&record->lock);
    return ok ? CORELS_OK : CORELS_NO_MEMORY;
}

size_t corels_record_waiting(corels_record *record) {
    pthread_mutex_lock(&record->lock);
    size_t used = record->used;
    pthread_mutex_unlock(&record->lock);
    return used;
}

size_t corels_record_take(corels_record *record, uint8_t *out, size_t room) {
    pthread_mutex_lock(&record->lock);
    size_t taken = record->used < room ? record->used : room;
    if (taken) memcpy(out, record->bytes, taken);
    memmove(record->bytes, record->bytes + taken, record->used - taken);
    record->used -= taken;
    pthread_mutex_unlock(&record->lock);
    return taken;
}

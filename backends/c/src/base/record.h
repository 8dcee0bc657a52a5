/* The records of a proof, as a search writes them: bytes that wait to be taken. See record.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_CLAIM = 'c',
    RECORD_EXPANDED = 'x',
    RECORD_PRICES = 'p',
    RECORD_OF_BOUND = 'd',
    RECORD_LIMIT = 'm'
};

typedef struct record record;

/* antecedents, points: by which numbers the proof calls those of the search. NULL: no memory. */
record *record_new(const int32_t *antecedents, int32_t n_antecedents, const int32_t *points,
                   int32_t n_points);
void record_free(record *);
/* A claim about what rules with these antecedents leave; from any thread. 0: no memory. */
int record_claim(record *, int kind, const int32_t *rules, int32_t n, int64_t value);
/* Any other record: room for its numbers (0: no memory), the numbers, the end. */
int record_begin(record *, size_t numbers);
void record_put(record *, uint64_t number);
void record_end(record *);
/* What the tables of the bound `name` are made from (corels/tables.h). 0: no memory. */
int record_of_bound(record *, const char *name, const uint64_t *numbers, size_t n);
int32_t record_antecedent(const record *, int32_t antecedent);
int32_t record_point(const record *, int32_t point);
/* Takes out what was written behind the first `from` bytes that wait, in the place of what was put
 * aside before; and writes what is put aside. No other thread may write meanwhile. 0: no memory. */
int record_put_aside(record *, size_t from);
int record_write_aside(record *);
/* Hands over what was written since the last call, at most `room` bytes; how many. */
size_t record_take(record *, uint8_t *out, size_t room);
size_t record_waiting(record *);

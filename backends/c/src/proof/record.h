/* The records of a proof, as a search writes them: bytes that wait to be taken. See record.c. */
#ifndef CORELS_PROOF_RECORD_H
#define CORELS_PROOF_RECORD_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "corels/blocks.h"
#include "corels/status.h"

enum { CORELS_RECORD_CLAIM = 'c', CORELS_RECORD_EXPANDED = 'x', CORELS_RECORD_BLOCKS = 'b' };

typedef struct {
    pthread_mutex_t lock;
    uint8_t *bytes;
    size_t used, room;
    int32_t *antecedents, *points; /* index of the search -> number in the proof */
    int32_t *rules;                /* scratch */
} corels_record;

int corels_record_new(corels_record **out, const int32_t *antecedents, int32_t n_antecedents,
                      const int32_t *points, int32_t n_points);
void corels_record_free(corels_record *record);
/* A claim about what rules with these antecedents leave; any order, any thread. */
int corels_record_claim(corels_record *record, int kind, const int32_t *rules, int32_t n,
                        int64_t value);
/* The partition of the blocks: which points, with which weights. */
int corels_record_blocks(corels_record *record, const corels_blocks *blocks);
/* Hands over what was written since the last call, at most `room` bytes; how many. */
size_t corels_record_take(corels_record *record, uint8_t *out, size_t room);
size_t corels_record_waiting(corels_record *record);

#endif

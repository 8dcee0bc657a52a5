/* Numbers of a proof, read with their limits. */
#ifndef CORELS_CHECKER_READER_H
#define CORELS_CHECKER_READER_H

#include <stdint.h>

typedef struct {
    const uint8_t *at, *end;
    int bad;
} reader;

static inline uint64_t next(reader *in) {
    uint64_t number = 0;
    for (int shift = 0; shift < 63; shift += 7) {
        if (in->at == in->end) break;
        uint8_t byte = *in->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return number;
    }
    in->bad = 1;
    return 0;
}

/* A number below `limit`. */
static inline int64_t next_below(reader *in, int64_t limit) {
    uint64_t number = next(in);
    if ((int64_t)number >= limit) in->bad = 1;
    return in->bad ? 0 : (int64_t)number;
}

#endif

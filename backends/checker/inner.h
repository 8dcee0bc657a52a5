/* What the files of the checker share: memory, numbers of a proof, the counts of a set, and tables
 * that a proof gives as data. */
#ifndef CORELS_CHECKER_INNER_H
#define CORELS_CHECKER_INNER_H

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "checker.h"

/* Who fails, jumps out of everything, to where `keeper_free` gives all memory back. */
typedef struct {
    jmp_buf out;
    int result;
    void *last; /* each piece of memory begins with the address of the one before */
} keeper;

static inline _Noreturn void fail(keeper *k, int result) {
    k->result = result;
    longjmp(k->out, 1);
}

/* Zeros, and a few more than asked for, until `keeper_free`. */
static inline void *keep(keeper *k, size_t n, size_t size) {
    void **piece = n > SIZE_MAX / 4 / size ? NULL : calloc(1, (n + 16) * size + 128);
    if (!piece) fail(k, CORELS_CHECK_MEMORY);
    *piece = k->last, k->last = piece;
    return (uint8_t *)piece + 128 - (uintptr_t)piece % 64;
}

static inline void keeper_free(keeper *k) {
    for (void *piece = k->last, *before; piece; piece = before)
        before = *(void **)piece, free(piece);
}

/* The bytes of a proof. */
typedef struct {
    keeper *keeper;
    const uint8_t *at, *end;
} reader;

/* A number of 1 .. 9 bytes that is below `limit`. */
static inline int64_t next_below(reader *in, int64_t limit) {
    uint64_t number = 0;
    for (int shift = 0; shift < 63 && in->at < in->end; shift += 7) {
        uint8_t byte = *in->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128 && (int64_t)number < limit) return (int64_t)number;
        if (byte < 128) break;
    }
    fail(in->keeper, CORELS_CHECK_MALFORMED);
}

#define MOST_COST (INT64_C(1) << 62)

/* Hot loops are compiled three times, and the processor chooses. `name_here` is the loop. Not with
 * GCC on Windows, which does not align the stack for wide vectors. */
#if defined(__x86_64__) && defined(__GNUC__) && !(defined(_WIN32) && !defined(__clang__))
#define AVX2 __attribute__((target("avx2,popcnt")))
#define AVX512                                                                                     \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx512vpopcntdq,popcnt,"                      \
                          "prefer-vector-width=512")))
#define CHOSEN(name)                                                                               \
    (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bw") &&            \
             __builtin_cpu_supports("avx512vl")                                                    \
         ? name##_avx512                                                                           \
     : __builtin_cpu_supports("avx2") ? name##_avx2                                                \
                                      : name##_plain)
#define VERSIONS(result, name, parameters, arguments)                                              \
    AVX512 static result name##_avx512 parameters {                                                \
        return name##_here arguments;                                                              \
    }                                                                                              \
    AVX2 static result name##_avx2 parameters {                                                    \
        return name##_here arguments;                                                              \
    }                                                                                              \
    static result name##_plain parameters {                                                        \
        return name##_here arguments;                                                              \
    }
#else
#define CHOSEN(name) name##_plain
#define VERSIONS(result, name, parameters, arguments)                                              \
    static result name##_plain parameters {                                                        \
        return name##_here arguments;                                                              \
    }
#endif
#define HERE static inline __attribute__((always_inline))

/* count.c: what is counted of a set of points. Rows are `stride` long, a number an antecedent r. */
typedef struct {
    int64_t *totals; /* [rows]: the regret of each class in the set */
    int32_t *counts; /* [rows][stride]: of it, what r captures */
    int32_t *errors; /* [stride]: of the rule r; */
    int32_t *ending; /* of r as the last rule and the default rule behind it; */
    int32_t *worst;  /* of r where it predicts the worst class of each point: 0 captures nothing */
    int64_t stop;    /* of the default rule alone */
    int32_t *saves, *open; /* flags, and a list of antecedents: see `open` */
    struct term *present;
} tally;

typedef struct counter {
    int32_t classes, rows; /* more than two classes: one row more, of each point's worst class */
    size_t words, groups, stride;
    uint64_t *masks;    /* [groups][words][LANES] */
    struct term *terms; /* points whose weight has a certain bit, row by row */
    size_t *first;      /* [rows + 1] */
    int32_t saves;      /* the errors that a rule has to save to be worth its cost */
    void (*totals)(const struct counter *, const uint64_t *set, int64_t *totals);
    void (*count)(const struct counter *, const uint64_t *set, tally *);
    int32_t (*open)(const struct counter *, tally *, int32_t ending, int32_t errors);
    int32_t (*gain)(const struct counter *, const tally *, int32_t r, int of);
} counter;

void counter_new(counter *, const corels_check_table *, keeper *);
void tally_new(tally *, const counter *, keeper *);
int32_t greatest_regret(const corels_check_table *, size_t point);

/* tables.c: blocks, or cells with prices. A view says where a set stands in them. */
typedef struct given given;
given *given_read(const corels_check_table *, reader *, int priced, size_t *room);
void given_fill(const given *, keeper *, size_t part, size_t parts);
size_t given_view(const given *);                           /* its length */
void given_begin(const given *, uint16_t *view);            /* of all points */
void given_enter(const given *, int32_t r, uint16_t *view); /* to what r leaves */
/* Behind a rule r of so many errors: 1 .. 7 rules leave goals[k] errors or more, less those; or,
 * told from prices, whatever follows costs `need` or more. */
int given_shows(const given *, const uint16_t *view, int32_t r, const int32_t *goals,
                int32_t errors, int64_t need);

#endif

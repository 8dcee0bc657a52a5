#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "corels/memory.h"

enum { LEVELS = 34 };

/* One block of a signature, 512 antecedents: the compiler splits it where registers are narrower.
 */
typedef uint64_t vector __attribute__((vector_size(64)));
enum { VECTOR_WORDS = sizeof(vector) / sizeof(uint64_t) };

typedef void tally_function(tally_counter *, const table *, const uint64_t *set, uint32_t *counts);

struct tally_counter {
    uint32_t vectors; /* of a signature */
    vector *slice;    /* LEVELS x vectors: digit d of every antecedent's count */
    vector *pending;  /* LEVELS x vectors: a second vector waiting at level d, where full[d] */
    vector *carry;    /* one signature */
    vector *zero;
    uint32_t *todo, *now; /* lists of classes */
    int full[LEVELS], top;
    tally_function *tally;
};

#define MAJORITY(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))

/* A carry of weight 2^level: it waits, or goes into the slice with the one that waits. */
static inline __attribute__((always_inline)) void climb(tally_counter *t, int level) {
    const uint32_t n = t->vectors;
    for (; t->full[level]; level++) {
        vector *slice = t->slice + (size_t)level * n, *wait = t->pending + (size_t)level * n;
        for (uint32_t k = 0; k < n; k++) {
            vector x = slice[k], y = wait[k], e = t->carry[k];
            slice[k] = x ^ y ^ e;
            t->carry[k] = MAJORITY(x, y, e);
        }
        t->full[level] = 0;
    }
    for (uint32_t k = 0; k < n; k++) t->pending[(size_t)level * n + k] = t->carry[k];
    t->full[level] = 1;
    if (level > t->top) t->top = level;
}

/* Eight signatures of weight 2^level: three full adders deep, one carry of weight 2^(level + 3). */
static inline __attribute__((always_inline)) void add8_body(tally_counter *t, int level,
                                                            const vector *const *s) {
    const uint32_t n = t->vectors;
    vector *ones = t->slice + (size_t)level * n, *twos = ones + n, *fours = twos + n;
    for (uint32_t k = 0; k < n; k++) {
        vector o = ones[k], w = twos[k], f = fours[k];
        vector a = s[0][k], b = s[1][k], c1 = MAJORITY(a, b, o);
        o ^= a ^ b;
        a = s[2][k], b = s[3][k];
        vector c2 = MAJORITY(a, b, o);
        o ^= a ^ b;
        a = s[4][k], b = s[5][k];
        vector c3 = MAJORITY(a, b, o);
        o ^= a ^ b;
        a = s[6][k], b = s[7][k];
        vector c4 = MAJORITY(a, b, o);
        o ^= a ^ b;
        vector d1 = MAJORITY(c1, c2, w);
        w ^= c1 ^ c2;
        vector d2 = MAJORITY(c3, c4, w);
        w ^= c3 ^ c4;
        t->carry[k] = MAJORITY(d1, d2, f);
        ones[k] = o, twos[k] = w, fours[k] = f ^ d1 ^ d2;
    }
    climb(t, level + 3);
}

static inline __attribute__((always_inline)) void unpack_body(const tally_counter *t, int levels,
                                                              uint32_t *counts) {
    const uint32_t words = t->vectors * VECTOR_WORDS;
    const uint64_t *slice = (const uint64_t *)t->slice;
    for (uint32_t k = 0; k < words; k++, counts += 64) {
        uint32_t sum[64] = {0};
        for (int level = 0; level < levels && level < 32; level++) {
            uint64_t bits = slice[(size_t)level * words + k];
            uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
            for (int i = 0; i < 32; i++) sum[i] |= (low >> i & 1u) << level;
            for (int i = 0; i < 32; i++) sum[32 + i] |= (high >> i & 1u) << level;
        }
        memcpy(counts, sum, sizeof sum);
    }
}

static inline __attribute__((always_inline)) void reset(tally_counter *t) {
    memset(t->slice, 0, (size_t)LEVELS * t->vectors * sizeof(vector));
    memset(t->full, 0, sizeof t->full);
    t->top = 0;
}

/* Settle the waiting vectors: an ordinary ripple addition at each level. Returns the levels used.
 */
static inline __attribute__((always_inline)) int settle(tally_counter *t) {
    const uint32_t words = t->vectors * VECTOR_WORDS;
    uint64_t *slices = (uint64_t *)t->slice, *pending = (uint64_t *)t->pending;
    int top = t->top;
    for (int level = 0; level <= t->top; level++) {
        if (!t->full[level]) continue;
        uint64_t *carry = pending + (size_t)level * words, any = 1;
        for (int at = level; any; at++) {
            uint64_t *slice = slices + (size_t)at * words;
            any = 0;
            for (uint32_t k = 0; k < words; k++) {
                uint64_t both = slice[k] & carry[k];
                slice[k] ^= carry[k];
                carry[k] = both;
                any |= both;
            }
            if (at > top) top = at;
        }
    }
    return top + 1;
}

/* Classes of weight 2^level, eight at a time; the last batch is filled up with nothing. */
static inline __attribute__((always_inline)) void add_classes(tally_counter *counter,
                                                              const table *t, int level,
                                                              const uint32_t *classes,
                                                              uint32_t count) {
    const vector *signatures = (const vector *)t->signatures, *batch[8];
    const size_t stride = counter->vectors;
    for (uint32_t i = 0; i < count; i += 8) {
        for (uint32_t k = 0; k < 8; k++)
            batch[k] = i + k < count ? signatures + classes[i + k] * stride : counter->zero;
        add8_body(counter, level, batch);
    }
}

static inline __attribute__((always_inline)) uint32_t list_classes(const bin_range *bin,
                                                                   const uint64_t *set,
                                                                   uint32_t *classes) {
    uint32_t count = 0;
    for (uint32_t w = bin->first_word; w < bin->end_word; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1)
            classes[count++] = w * 64 + (uint32_t)corels_lowest(bits);
    return count;
}

/* Add the classes of one bin, once for each binary digit of their counts. `todo` shrinks to those
 * that have a higher digit; most have not. */
static inline __attribute__((always_inline)) void add_bin(tally_counter *counter, const table *t,
                                                          const bin_range *bin, int side,
                                                          const uint64_t *set) {
    const uint32_t *weights = side ? t->negatives : t->positives;
    uint32_t *todo = counter->todo, *now = counter->now;
    uint32_t count = list_classes(bin, set, todo);
    for (int level = 0; count; level++) {
        uint32_t here = 0, higher = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t class = todo[i], weight = weights[class] >> level;
            now[here] = class;
            here += weight & 1u;
            todo[higher] = class;
            higher += weight > 1;
        }
        add_classes(counter, t, level, now, here);
        count = higher;
    }
}

static inline __attribute__((always_inline)) void
tally_body(tally_counter *counter, const table *t, const uint64_t *set, uint32_t *counts) {
    for (int quantity = 0; quantity < QUANTITIES; quantity++) {
        uint32_t *out = counts + (size_t)quantity * t->lanes;
        if (!t->total[quantity]) {
            memset(out, 0, t->lanes * sizeof *out);
            continue;
        }
        reset(counter);
        add_bin(counter, t, &t->bins[quantity / 2], quantity % 2, set);
        unpack_body(counter, settle(counter), out);
    }
}

static void tally_portable(tally_counter *counter, const table *t, const uint64_t *set,
                           uint32_t *counts) {
    tally_body(counter, t, set, counts);
}

/* Not with GCC on Windows, which does not align the stack for wide vectors. */
#if defined(__x86_64__) && defined(__GNUC__) && !(defined(_WIN32) && !defined(__clang__))
#define HAS_X86_VARIANTS 1
__attribute__((target("avx2,bmi,bmi2"))) static void
tally_avx2(tally_counter *counter, const table *t, const uint64_t *set, uint32_t *counts) {
    tally_body(counter, t, set, counts);
}
__attribute__((
    target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,prefer-vector-width=512"))) static void
tally_avx512(tally_counter *counter, const table *t, const uint64_t *set, uint32_t *counts) {
    tally_body(counter, t, set, counts);
}
#endif

/* As wide as the kernel that was chosen for this processor. */
static tally_function *choose_variant(const table *t) {
#ifdef HAS_X86_VARIANTS
    const char *name = t->kernel->name;
    if (strcmp(name, "avx512") == 0 || strcmp(name, "avx512bw") == 0) return tally_avx512;
    if (strcmp(name, "avx2") == 0) return tally_avx2;
#endif
    (void)t;
    return tally_portable;
}

void tally_set(tally_counter *counter, const table *t, const uint64_t *set, uint32_t *counts) {
    counter->tally(counter, t, set, counts);
}

tally_counter *tally_counter_new(const table *t) {
    tally_counter *counter = calloc(1, sizeof *counter);
    if (!counter) return NULL;
    counter->vectors = t->signature_words / VECTOR_WORDS;
    size_t row = counter->vectors * sizeof(vector);
    counter->slice = corels_memory_new(LEVELS, row);
    counter->pending = corels_memory_new(LEVELS, row);
    counter->carry = corels_memory_new(1, row);
    counter->zero = corels_memory_new(1, row);
    counter->todo = malloc((size_t)t->words * 64 * sizeof *counter->todo);
    counter->now = malloc((size_t)t->words * 64 * sizeof *counter->now);
    if (!counter->slice || !counter->pending || !counter->carry || !counter->zero ||
        !counter->todo || !counter->now) {
        tally_counter_free(counter);
        return NULL;
    }
    counter->tally = choose_variant(t);
    return counter;
}

void tally_counter_free(tally_counter *counter) {
    if (!counter) return;
    corels_memory_free(counter->slice);
    corels_memory_free(counter->pending);
    corels_memory_free(counter->carry);
    corels_memory_free(counter->zero);
    free(counter->todo);
    free(counter->now);
    free(counter);
}

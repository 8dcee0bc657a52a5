#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "corels/kernels.h"

enum { LEVELS = 34 };

typedef void add8_function(tally_counter *, int level, const uint64_t *const *signatures);
typedef void unpack_function(const tally_counter *, int levels, uint32_t *counts);

struct tally_counter {
    uint32_t words;
    uint64_t *slice;   /* LEVELS x words: digit d of every antecedent's count */
    uint64_t *pending; /* LEVELS x words: a second vector waiting at level d, where full[d] */
    uint64_t *zero;
    int full[LEVELS], top;
    add8_function *add8;
    unpack_function *unpack;
};

/* (a, b, c) -> a = sum digit, returns the carry. */
#define CARRY(a, b, c) (((a) & (b)) | (((a) ^ (b)) & (c)))

/* Eight signatures of weight 2^level: three full adders deep, one carry of weight 2^(level + 3). */
static inline __attribute__((always_inline)) void
add8_body(tally_counter *t, int level, const uint64_t *const *s) {
    const uint32_t n = t->words;
    uint64_t *ones = t->slice + (size_t)level * n, *twos = ones + n, *fours = twos + n;
    int at = level + 3;
    uint64_t *wait = t->pending + (size_t)at * n, *eights = t->slice + (size_t)at * n;
    uint64_t *up = t->pending + (size_t)(at + 1) * n;
    const int carry = t->full[at];
    /* A waiting vector and a new one go into the slice together; the carry climbs. `out` must not
     * overwrite a vector that waits one level up, so it goes to the scratch row at the end. */
    uint64_t *out = carry ? t->pending + (size_t)LEVELS * n : wait;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t o = ones[k], w = twos[k], f = fours[k];
        uint64_t a = s[0][k], b = s[1][k], c1 = CARRY(o, a, b);
        o ^= a ^ b;
        a = s[2][k], b = s[3][k];
        uint64_t c2 = CARRY(o, a, b);
        o ^= a ^ b;
        a = s[4][k], b = s[5][k];
        uint64_t c3 = CARRY(o, a, b);
        o ^= a ^ b;
        a = s[6][k], b = s[7][k];
        uint64_t c4 = CARRY(o, a, b);
        o ^= a ^ b;
        uint64_t d1 = CARRY(w, c1, c2);
        w ^= c1 ^ c2;
        uint64_t d2 = CARRY(w, c3, c4);
        w ^= c3 ^ c4;
        uint64_t e = CARRY(f, d1, d2);
        f ^= d1 ^ d2;
        ones[k] = o, twos[k] = w, fours[k] = f;
        if (carry) {
            uint64_t x = eights[k], y = wait[k];
            eights[k] = x ^ y ^ e;
            e = CARRY(x, y, e);
        }
        out[k] = e;
    }
    t->full[at] = !carry;
    while (carry) {
        at++;
        if (!t->full[at]) {
            memcpy(up, out, n * sizeof *up);
            t->full[at] = 1;
            break;
        }
        uint64_t *slice = t->slice + (size_t)at * n;
        for (uint32_t k = 0; k < n; k++) {
            uint64_t x = slice[k], y = up[k], e = out[k];
            slice[k] = x ^ y ^ e;
            out[k] = CARRY(x, y, e);
        }
        t->full[at] = 0;
        up += n;
    }
    if (at > t->top) t->top = at;
}

static inline __attribute__((always_inline)) void
unpack_body(const tally_counter *t, int levels, uint32_t *counts) {
    const uint32_t n = t->words;
    for (uint32_t k = 0; k < n; k++, counts += 64) {
        uint32_t sum[64] = {0};
        for (int level = 0; level < levels && level < 32; level++) {
            uint64_t bits = t->slice[(size_t)level * n + k];
            uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
            for (int i = 0; i < 32; i++) sum[i] |= (low >> i & 1u) << level;
            for (int i = 0; i < 32; i++) sum[32 + i] |= (high >> i & 1u) << level;
        }
        memcpy(counts, sum, sizeof sum);
    }
}

static void add8_portable(tally_counter *t, int level, const uint64_t *const *s) {
    add8_body(t, level, s);
}
static void unpack_portable(const tally_counter *t, int levels, uint32_t *counts) {
    unpack_body(t, levels, counts);
}

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_X86_VARIANTS 1
__attribute__((target("avx2"))) static void add8_avx2(tally_counter *t, int level,
                                                      const uint64_t *const *s) {
    add8_body(t, level, s);
}
__attribute__((target("avx2"))) static void unpack_avx2(const tally_counter *t, int levels,
                                                        uint32_t *counts) {
    unpack_body(t, levels, counts);
}
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"))) static void
add8_avx512(tally_counter *t, int level, const uint64_t *const *s) {
    add8_body(t, level, s);
}
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"))) static void
unpack_avx512(const tally_counter *t, int levels, uint32_t *counts) {
    unpack_body(t, levels, counts);
}
#endif

/* The kernel library decides what may be used; "portable" is honoured, else the widest that runs. */
static void choose_variant(tally_counter *t) {
    t->add8 = add8_portable;
    t->unpack = unpack_portable;
#ifdef HAS_X86_VARIANTS
    const corels_kernel *kernel = corels_kernel_current();
    const char *forced = getenv("CORELS_KERNEL");
    if (kernel && forced && strcmp(forced, "portable") == 0) return;
    if (__builtin_cpu_supports("avx2")) t->add8 = add8_avx2, t->unpack = unpack_avx2;
    if (forced && strcmp(forced, "avx2") == 0) return;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        t->add8 = add8_avx512, t->unpack = unpack_avx512;
#endif
}

tally_counter *tally_counter_new(const table *t) {
    tally_counter *counter = calloc(1, sizeof *counter);
    if (!counter) return NULL;
    counter->words = t->signature_words;
    size_t row = t->signature_words * sizeof(uint64_t);
    counter->slice = aligned_alloc(64, (LEVELS + 1) * row);
    counter->pending = aligned_alloc(64, (LEVELS + 1) * row);
    counter->zero = aligned_alloc(64, row);
    if (!counter->slice || !counter->pending || !counter->zero) {
        tally_counter_free(counter);
        return NULL;
    }
    memset(counter->zero, 0, row);
    choose_variant(counter);
    return counter;
}

void tally_counter_free(tally_counter *counter) {
    if (!counter) return;
    free(counter->slice);
    free(counter->pending);
    free(counter->zero);
    free(counter);
}

static void reset(tally_counter *t) {
    memset(t->slice, 0, (size_t)LEVELS * t->words * sizeof(uint64_t));
    memset(t->full, 0, sizeof t->full);
    t->top = 0;
}

/* Settle the waiting vectors: an ordinary ripple addition at each level. */
static int settle(tally_counter *t) {
    const uint32_t n = t->words;
    int top = t->top;
    for (int level = 0; level <= t->top; level++) {
        if (!t->full[level]) continue;
        uint64_t *carry = t->pending + (size_t)level * n;
        uint64_t any = 1;
        for (int at = level; any; at++) {
            uint64_t *slice = t->slice + (size_t)at * n;
            any = 0;
            for (uint32_t k = 0; k < n; k++) {
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

static void add_plane(tally_counter *counter, const table *t, const plane *p, const uint64_t *set) {
    const uint64_t *batch[8];
    int waiting = 0;
    const size_t stride = t->signature_words;
    for (uint32_t w = 0; w < p->words; w++) {
        uint64_t bits = set[p->first_word + w] & p->classes[w];
        const uint64_t *base = t->signatures + (size_t)(p->first_word + w) * 64 * stride;
        for (; bits; bits &= bits - 1) {
            batch[waiting++] = base + (size_t)__builtin_ctzll(bits) * stride;
            if (waiting == 8) counter->add8(counter, p->digit, batch), waiting = 0;
        }
    }
    if (!waiting) return;
    while (waiting < 8) batch[waiting++] = counter->zero;
    counter->add8(counter, p->digit, batch);
}

void tally_set(tally_counter *counter, const table *t, const uint64_t *set, uint32_t *counts) {
    uint32_t next = 0;
    for (int quantity = 0; quantity < QUANTITIES; quantity++) {
        uint32_t *out = counts + (size_t)quantity * t->lanes;
        if (next >= t->plane_count || t->planes[next].quantity != quantity) {
            memset(out, 0, t->lanes * sizeof *out);
            continue;
        }
        reset(counter);
        for (; next < t->plane_count && t->planes[next].quantity == quantity; next++)
            add_plane(counter, t, &t->planes[next], set);
        counter->unpack(counter, settle(counter), out);
    }
}

/* The memo: an exact map from a set of points S to the best bound proved so far, f(S) >= bound.
 *
 * f(S) depends on S alone, so what was once proved of a set holds however a prefix reaches it: the
 * memo turns the tree of prefixes into the graph of sets. It is also the proof that the search
 * leaves behind. Keys are whole sets, never digests: two sets that collide would make a wrong
 * certificate.
 *
 * An entry is the key's words and one more word, `claim`: 48 bits of bound, 8 bits of effort (the
 * binary logarithm of the expansions that the proof took), and two flags. The table is cut into
 * shards by the hash, each with its own lock and its own array of slots, so that one that must grow
 * copies a sixty-fourth of the whole. Within a shard a key lives in one of the WINDOW slots from
 * its home on; there are no deletions, so a lookup ends at the first free slot.
 *
 * Memory has a limit. Once a shard may not grow any more, a new entry replaces the entry of least
 * effort in its window, unless all of them took more effort than itself. Forgetting costs time,
 * never truth: a forgotten bound is proved again.
 *
 * A claim marked busy is being proved by some thread just now; others put that child off.
 */
#include "memo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "threads.h"

enum { SHARDS = 64, WINDOW = 12, FIRST_SLOTS = 64, BOUND_BITS = 48 };

#define USED (UINT64_C(1) << 63)
#define BUSY (UINT64_C(1) << 62)
#define BOUND_MASK ((UINT64_C(1) << BOUND_BITS) - 1)

typedef struct {
    lock lock;
    uint64_t *slots;
    uint64_t capacity, entries, forgotten;
} shard;

struct memo {
    shard shards[SHARDS];
    atomic_size_t bytes, peak; /* of all shards, the old and the new array of one that grows too */
    size_t limit, words;
    int locks, shift;
};

memo *memo_new(int32_t words, size_t limit, int threads, int64_t largest) {
    memo *memo = calloc(1, sizeof *memo);
    if (!memo) return NULL;
    memo->words = (size_t)words;
    memo->limit = limit ? limit : SIZE_MAX;
    atomic_init(&memo->bytes, sizeof *memo);
    atomic_init(&memo->peak, sizeof *memo);
    memo->locks = threads > 1;
    while ((uint64_t)largest >> memo->shift > BOUND_MASK) memo->shift++;
    for (int i = 0; memo->locks && i < SHARDS; i++)
        if (!lock_new(&memo->shards[i].lock)) {
            while (i--) lock_free(&memo->shards[i].lock);
            free(memo);
            return NULL;
        }
    return memo;
}

void memo_limit(memo *memo, size_t limit) {
    memo->limit = limit;
}

void memo_free(memo *memo) {
    if (!memo) return;
    for (int i = 0; i < SHARDS; i++) {
        if (memo->locks) lock_free(&memo->shards[i].lock);
        free(memo->shards[i].slots);
    }
    free(memo);
}

static uint64_t hash(const uint64_t *key, size_t words) {
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t w = 0; w < words; w++) {
        h = (h ^ key[w]) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    h *= UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 29;
}

static inline size_t slot_words(const memo *memo) {
    return memo->words + 1;
}

static inline uint64_t *slot(const memo *memo, const shard *of, uint64_t at) {
    return of->slots + (at & (of->capacity - 1)) * slot_words(memo);
}

static inline shard *take(memo *memo, uint64_t h) {
    shard *of = memo->shards + h % SHARDS;
    if (memo->locks) lock_take(&of->lock);
    return of;
}

static inline void leave(const memo *memo, shard *of) {
    if (memo->locks) lock_leave(&of->lock);
}

static inline int same(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (a[w] != b[w]) return 0;
    return 1;
}

/* The slot of `key`; or a free slot of its window; or NULL where the window is full. The claim is
 * the slot's last word. */
static uint64_t *look(const memo *memo, const shard *of, const uint64_t *key, uint64_t h) {
    for (uint64_t i = 0; of->capacity && i < WINDOW; i++) {
        uint64_t *at = slot(memo, of, (h >> 6) + i);
        if (!(at[memo->words] & USED) || same(at, key, memo->words)) return at;
    }
    return NULL;
}

static uint64_t *least_effort(const memo *memo, const shard *of, uint64_t h) {
    uint64_t *least = NULL, effort = UINT64_MAX;
    for (uint64_t i = 0; i < WINDOW; i++) {
        uint64_t *at = slot(memo, of, (h >> 6) + i);
        uint64_t here = at[memo->words] >> BOUND_BITS & 255;
        if (here < effort) effort = here, least = at;
    }
    return least;
}

/* Moves a slot into the table; where its window is full there, the lesser effort is forgotten. */
static void move_in(const memo *memo, shard *to, const uint64_t *from) {
    uint64_t h = hash(from, memo->words), *at = look(memo, to, from, h);
    if (!at) {
        at = least_effort(memo, to, h);
        to->forgotten++;
        to->entries--;
        if ((at[memo->words] >> BOUND_BITS & 255) > (from[memo->words] >> BOUND_BITS & 255)) {
            to->entries++;
            return;
        }
    }
    memcpy(at, from, slot_words(memo) * sizeof *at);
    to->entries++;
}

/* Room for `more` bytes within the limit, taken at once. */
static int reserve(memo *memo, size_t more) {
    size_t held = atomic_fetch_add(&memo->bytes, more) + more;
    if (held > memo->limit) {
        atomic_fetch_sub(&memo->bytes, more);
        return 0;
    }
    size_t peak = atomic_load(&memo->peak);
    while (held > peak && !atomic_compare_exchange_weak(&memo->peak, &peak, held)) continue;
    return 1;
}

static int grow(memo *memo, shard *of) {
    size_t size = slot_words(memo) * sizeof(uint64_t);
    shard wider = *of;
    wider.capacity = of->capacity ? 2 * of->capacity : FIRST_SLOTS;
    wider.entries = 0;
    if (!reserve(memo, wider.capacity * size)) return 0;
    wider.slots = calloc(wider.capacity, size);
    if (!wider.slots) {
        atomic_fetch_sub(&memo->bytes, wider.capacity * size);
        return 0;
    }
    for (uint64_t i = 0; i < of->capacity; i++)
        if (slot(memo, of, i)[memo->words] & USED) move_in(memo, &wider, slot(memo, of, i));
    free(of->slots);
    atomic_fetch_sub(&memo->bytes, of->capacity * size);
    of->slots = wider.slots, of->capacity = wider.capacity;
    of->entries = wider.entries, of->forgotten = wider.forgotten;
    return 1;
}

/* The slot where `key` is or may be written, claim USED; NULL where it may not displace others. */
static uint64_t *place(memo *memo, shard *of, const uint64_t *key, uint64_t h,
                       uint64_t effort) {
    uint64_t *at = look(memo, of, key, h);
    if (!at || (!(at[memo->words] & USED) && of->entries * 4 >= of->capacity * 3)) {
        if (grow(memo, of)) at = look(memo, of, key, h);
    }
    if (!at && of->capacity) {
        at = least_effort(memo, of, h);
        if ((at[memo->words] >> BOUND_BITS & 255) > effort) return NULL;
        of->forgotten++;
        of->entries--;
        at[memo->words] = 0;
    }
    if (at && !(at[memo->words] & USED)) {
        memcpy(at, key, memo->words * sizeof *at);
        at[memo->words] = USED;
        of->entries++;
    }
    return at;
}

int64_t memo_find(memo *memo, const uint64_t *key, int *busy) {
    uint64_t h = hash(key, memo->words);
    shard *of = take(memo, h);
    uint64_t *at = look(memo, of, key, h), claim = at ? at[memo->words] : 0;
    leave(memo, of);
    if (busy) *busy = (claim & BUSY) != 0;
    return claim & USED ? (int64_t)((claim & BOUND_MASK) << memo->shift) : -1;
}

void memo_prove(memo *memo, const uint64_t *key, int64_t bound, uint64_t effort) {
    uint64_t h = hash(key, memo->words), log = 1;
    while (effort >> log && log < 63) log++;
    uint64_t stored = bound > 0 ? (uint64_t)bound >> memo->shift : 0;
    shard *of = take(memo, h);
    uint64_t *at = place(memo, of, key, h, log);
    if (at) {
        uint64_t claim = at[memo->words], before = claim & BOUND_MASK;
        uint64_t worked = claim >> BOUND_BITS & 255;
        at[memo->words] = USED | (worked > log ? worked : log) << BOUND_BITS |
                          (before > stored ? before : stored);
    }
    leave(memo, of);
}

void memo_enter(memo *memo, const uint64_t *key) {
    uint64_t h = hash(key, memo->words);
    shard *of = take(memo, h);
    uint64_t *at = place(memo, of, key, h, 0);
    if (at) at[memo->words] |= BUSY;
    leave(memo, of);
}

memo_usage memo_used(memo *memo) {
    memo_usage usage = {0, 0, atomic_load(&memo->bytes), atomic_load(&memo->peak)};
    for (uint64_t i = 0; i < SHARDS; i++) {
        shard *of = take(memo, i);
        usage.entries += of->entries;
        usage.forgotten += of->forgotten;
        leave(memo, of);
    }
    return usage;
}

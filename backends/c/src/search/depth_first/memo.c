/* The memo: an exact map from a set of points S to the best bound proved so far, f(S) >= bound.
 *
 * (If lists may have at most K rules, the number k of rules left belongs to the state, and each
 * entry keeps it behind its claim: no completion of S by at most k rules costs less than the bound.
 * Then none by fewer does; and one by more rules costs the bound or (k + 1) rule_cost, whichever is
 * less. The entries of a set, for each k that came up, lie in one window, and a lookup takes the
 * best of what they say.)
 *
 * f(S) depends on S alone, so what was once proved of a set holds however a prefix reaches it: the
 * memo turns the tree of prefixes into the graph of sets. It is also the proof that the search
 * leaves behind. Keys are whole sets, never digests: two sets that collide would make a wrong
 * certificate.
 *
 * An entry is the key's words and one more word, `claim`: 48 bits of bound, 8 bits of effort (the
 * binary logarithm of the expansions that the proof took), 7 bits that say how many workers have
 * the set on their path, and a flag. The table is cut into shards by the hash, each with its own
 * lock and its own array of slots, so that one that must grow copies a sixty-fourth of the whole.
 * Within a shard a key lives in one of the WINDOW slots from its home on; there are no deletions,
 * so a lookup ends at the first free slot.
 *
 * Memory has a limit. Once a shard may not grow any more, a new entry replaces the entry of least
 * effort in its window, unless all of them took more effort than itself. Forgetting costs time,
 * never truth: a forgotten bound is proved again.
 *
 * Workers that share the memo say which sets they are at, so that others take other ones first
 * (share.c). An entry that is forgotten loses these numbers, and a set may then be searched twice;
 * no number is ever too large for long, because a worker that leaves a set takes off one if
 * there is one. Each shard has cache lines of its own: a lock beside another one's numbers would
 * make workers wait for each other that never meet.
 */
#include "memo.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "corels/bits.h"
#include "corels/memory.h"
#include "threads.h"

enum { SHARDS = 64, WINDOW = 12, FIRST_SLOTS = 64, BOUND_BITS = 48, WORKERS_AT = 56, LINE = 128 };

#define USED (UINT64_C(1) << 63)
#define WORKER (UINT64_C(1) << WORKERS_AT)
#define WORKERS (UINT64_C(127) << WORKERS_AT)
#define BOUND_MASK ((UINT64_C(1) << BOUND_BITS) - 1)

typedef struct {
    lock lock;
    uint64_t *slots;
    uint64_t capacity, entries, forgotten;
    char apart[LINE];
} shard;

struct memo {
    shard shards[SHARDS];
    atomic_size_t bytes, peak; /* of all shards, the old and the new array of one that grows too */
    size_t limit, words;
    int locks, shift, limited;
    int64_t rule_cost;
};

memo *memo_new(int32_t words, int threads, int64_t largest, int limited, int64_t rule_cost) {
    memo *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->words = (size_t)words;
    m->limit = SIZE_MAX;
    m->limited = limited;
    m->rule_cost = rule_cost;
    atomic_init(&m->bytes, sizeof *m);
    atomic_init(&m->peak, sizeof *m);
    m->locks = threads > 1;
    while ((uint64_t)largest >> m->shift > BOUND_MASK) m->shift++;
    for (int i = 0; m->locks && i < SHARDS; i++) m->shards[i].lock = NEW_LOCK;
    return m;
}

void memo_limit(memo *m, size_t limit) {
    m->limit = limit;
}

void memo_free(memo *m) {
    if (!m) return;
    for (int i = 0; i < SHARDS; i++) {
        if (m->locks) lock_free(&m->shards[i].lock);
        free(m->shards[i].slots);
    }
    free(m);
}

static inline size_t slot_words(const memo *m) {
    return m->words + 1 + (size_t)m->limited;
}

static inline uint64_t *slot(const memo *m, const shard *of, uint64_t at) {
    return of->slots + (at & (of->capacity - 1)) * slot_words(m);
}

static inline shard *take(memo *m, uint64_t h) {
    shard *of = m->shards + h % SHARDS;
    if (m->locks) lock_take(&of->lock);
    return of;
}

static inline void leave(const memo *m, shard *of) {
    if (m->locks) lock_leave(&of->lock);
}

static inline int same(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t w = 0; w < words; w++)
        if (a[w] != b[w]) return 0;
    return 1;
}

/* The most rules of a completion that the entry is about. */
static inline int32_t left_of(const memo *m, const uint64_t *at) {
    return m->limited ? (int32_t)at[m->words + 1] : INT32_MAX;
}

/* The slot of `key` with `left` rules left; or a free slot of its window; or NULL if the window
 * is full. The claim is the word behind the key. */
static uint64_t *look(const memo *m, const shard *of, const uint64_t *key, int32_t left,
                      uint64_t h) {
    for (uint64_t i = 0; of->capacity && i < WINDOW; i++) {
        uint64_t *at = slot(m, of, (h >> 6) + i);
        if (!(at[m->words] & USED)) return at;
        if (same(at, key, m->words) && (!m->limited || left_of(m, at) == left)) return at;
    }
    return NULL;
}

static inline uint64_t effort_of(const memo *m, const uint64_t *at) {
    return at[m->words] >> BOUND_BITS & 255;
}

static uint64_t *least_effort(const memo *m, const shard *of, uint64_t h) {
    uint64_t *least = NULL, effort = UINT64_MAX;
    for (uint64_t i = 0; i < WINDOW; i++) {
        uint64_t *at = slot(m, of, (h >> 6) + i);
        if (effort_of(m, at) < effort) effort = effort_of(m, at), least = at;
    }
    return least;
}

/* Moves a slot into the table; if its window is full there, the lesser effort is forgotten. */
static void move_in(const memo *m, shard *to, const uint64_t *from) {
    uint64_t h = corels_hash(from, m->words), *at = look(m, to, from, left_of(m, from), h);
    if (at) {
        to->entries++;
    } else {
        at = least_effort(m, to, h);
        to->forgotten++;
        if (effort_of(m, at) > effort_of(m, from)) return;
    }
    memcpy(at, from, slot_words(m) * sizeof *at);
}

/* Room for `more` bytes within the limit, taken at once. */
static int reserve(memo *m, size_t more) {
    size_t held = atomic_fetch_add(&m->bytes, more) + more;
    if (held > m->limit) {
        atomic_fetch_sub(&m->bytes, more);
        return 0;
    }
    size_t peak = atomic_load(&m->peak);
    while (held > peak && !atomic_compare_exchange_weak(&m->peak, &peak, held)) continue;
    return 1;
}

static int grow(memo *m, shard *of) {
    size_t size = slot_words(m) * sizeof(uint64_t);
    shard wider = *of;
    wider.capacity = of->capacity ? 2 * of->capacity : FIRST_SLOTS;
    wider.entries = 0;
    if (!reserve(m, wider.capacity * size)) return 0;
    wider.slots = calloc(wider.capacity, size);
    if (!wider.slots) {
        atomic_fetch_sub(&m->bytes, wider.capacity * size);
        return 0;
    }
    corels_memory_huge(wider.slots, wider.capacity * size);
    for (uint64_t i = 0; i < of->capacity; i++)
        if (slot(m, of, i)[m->words] & USED) move_in(m, &wider, slot(m, of, i));
    free(of->slots);
    atomic_fetch_sub(&m->bytes, of->capacity * size);
    of->slots = wider.slots, of->capacity = wider.capacity;
    of->entries = wider.entries, of->forgotten = wider.forgotten;
    return 1;
}

/* The slot where `key` is or may be written, claim USED; NULL if it may not displace others. */
static uint64_t *place(memo *m, shard *of, const uint64_t *key, int32_t left, uint64_t h,
                       uint64_t effort) {
    uint64_t *at = look(m, of, key, left, h);
    if (!at || (!(at[m->words] & USED) && of->entries * 4 >= of->capacity * 3)) {
        if (grow(m, of)) at = look(m, of, key, left, h);
    }
    if (!at && of->capacity) {
        at = least_effort(m, of, h);
        if (effort_of(m, at) > effort) return NULL;
        of->forgotten++;
        of->entries--;
        at[m->words] = 0;
    }
    if (at && !(at[m->words] & USED)) {
        memcpy(at, key, m->words * sizeof *at);
        at[m->words] = USED;
        if (m->limited) at[m->words + 1] = (uint64_t)left;
        of->entries++;
    }
    return at;
}

static int64_t bound_of(const memo *m, uint64_t claim) {
    return claim & USED ? (int64_t)((claim & BOUND_MASK) << m->shift) : -1;
}

static int32_t workers_of(uint64_t claim) {
    return (int32_t)((claim & WORKERS) >> WORKERS_AT);
}

/* What the entry says of completions by at most `left` rules. */
static int64_t claimed(const memo *m, const uint64_t *at, int32_t left) {
    int64_t bound = bound_of(m, at[m->words]);
    if (left_of(m, at) >= left) return bound;
    int64_t longer = ((int64_t)left_of(m, at) + 1) * m->rule_cost;
    return bound < longer ? bound : longer;
}

/* What all entries of the set say; `at`, its slot or a free one, says all if there is one. */
static int64_t known(const memo *m, const shard *of, const uint64_t *key, int32_t left, uint64_t h,
                     const uint64_t *at) {
    int64_t best = at ? bound_of(m, at[m->words]) : -1;
    for (uint64_t i = 0; m->limited && of->capacity && i < WINDOW; i++) {
        const uint64_t *other = slot(m, of, (h >> 6) + i);
        if (!(other[m->words] & USED)) break;
        int64_t here = same(other, key, m->words) ? claimed(m, other, left) : -1;
        if (here > best) best = here;
    }
    return best;
}

int64_t memo_find(memo *m, const uint64_t *key, int32_t left, int32_t *workers) {
    uint64_t h = corels_hash(key, m->words);
    shard *of = take(m, h);
    uint64_t *at = look(m, of, key, left, h), claim = at ? at[m->words] : 0;
    int64_t bound = known(m, of, key, left, h, at);
    leave(m, of);
    if (workers) *workers = workers_of(claim);
    return bound;
}

int64_t memo_enter(memo *m, const uint64_t *key, int32_t left, int64_t need, int alone,
                   int32_t *workers) {
    uint64_t h = corels_hash(key, m->words);
    shard *of = take(m, h);
    uint64_t *at = look(m, of, key, left, h), claim = at ? at[m->words] : 0;
    int64_t bound = known(m, of, key, left, h, at);
    *workers = workers_of(claim);
    if (bound < need && !(alone && *workers)) {
        at = place(m, of, key, left, h, 0);
        if (at && (at[m->words] & WORKERS) != WORKERS) at[m->words] += WORKER;
    }
    leave(m, of);
    return bound;
}

static void take_off(uint64_t *claim) {
    if (*claim & WORKERS) *claim -= WORKER;
}

void memo_leave(memo *m, const uint64_t *key, int32_t left) {
    uint64_t h = corels_hash(key, m->words);
    shard *of = take(m, h);
    uint64_t *at = look(m, of, key, left, h);
    if (at && at[m->words] & USED) take_off(at + m->words);
    leave(m, of);
}

void memo_prove(memo *m, const uint64_t *key, int32_t left, int64_t bound, uint64_t effort,
                int leaves) {
    uint64_t h = corels_hash(key, m->words), log = 1;
    while (effort >> log && log < 63) log++;
    uint64_t stored = bound > 0 ? (uint64_t)bound >> m->shift : 0;
    shard *of = take(m, h);
    uint64_t *at = place(m, of, key, left, h, log);
    if (at) {
        uint64_t claim = at[m->words], before = claim & BOUND_MASK;
        uint64_t worked = claim >> BOUND_BITS & 255;
        at[m->words] = USED | (claim & WORKERS) | (worked > log ? worked : log) << BOUND_BITS |
                       (before > stored ? before : stored);
        if (leaves) take_off(at + m->words);
    }
    leave(m, of);
}

memo_usage memo_used(memo *m) {
    memo_usage usage = {0, 0, atomic_load(&m->bytes), atomic_load(&m->peak)};
    for (uint64_t i = 0; i < SHARDS; i++) {
        shard *of = take(m, i);
        usage.entries += of->entries;
        usage.forgotten += of->forgotten;
        leave(m, of);
    }
    return usage;
}

/* The nodes: exact keys, a hash table that finds them, and a pile for every size of set.
 *
 * A key is the set itself, or, if there are fewer antecedents than points, its closure: the
 * antecedents that capture nothing of it. What a prefix leaves is what lies outside all antecedents
 * of its closure, so the closure says which set it is, and the set is made from it when its turn
 * comes (docs/internals/memo.md). Lists with required antecedents have one more word in the key:
 * those that are still to be used; lists of at most so many rules, one for how many may follow.
 *
 * Equal keys are compared in full: two sets that collided would make a wrong count.
 */
#include <string.h>

#include "near.h"

enum { FIRST_SLOTS = 1024 };

uint64_t *near_key_at(const corels_near *near, int64_t node) {
    return (uint64_t *)near->keys.items + node * near->key_words;
}

uint64_t near_pending(const corels_near *near, int64_t node) {
    return near->options.required_count ? near_key_at(near, node)[near->set_words] : 0;
}

int32_t near_rules_left(const corels_near *near, int64_t node) {
    return near->options.max_rules < 0 ? INT32_MAX
                                       : (int32_t)near_key_at(near, node)[near->key_words - 1];
}

uint64_t near_use(const corels_near *near, uint64_t pending, int32_t r) {
    for (int32_t i = 0; i < near->options.required_count; i++)
        if (near->required[i] == r) pending &= ~(UINT64_C(1) << i);
    return pending;
}

void near_set_of(const corels_near *near, int64_t node, uint64_t *set) {
    const uint64_t *key = near_key_at(near, node);
    if (!near->by_closure) {
        memcpy(set, key, (size_t)near->words * sizeof *set);
        return;
    }
    memcpy(set, near->all, (size_t)near->words * sizeof *set);
    for (int32_t k = 0; k < near->set_words; k++)
        for (uint64_t left = key[k]; left; left &= left - 1) {
            const uint64_t *mask = near_mask(near, k * 64 + corels_lowest(left));
            take_bits(set, set, mask, near->words);
        }
}

void near_root_set(corels_near *near) {
    memcpy(near->set, near->all, (size_t)near->words * sizeof *near->set);
}

static void make_key(const corels_near *near, const uint64_t *set, uint64_t pending, int32_t rules,
                     uint64_t *key) {
    if (near->by_closure) {
        memset(key, 0, (size_t)near->set_words * sizeof *key);
        for (int32_t r = 0; r < near->in.antecedents; r++)
            if (!meets(set, near_mask(near, r), near->words))
                key[r / 64] |= UINT64_C(1) << (r % 64);
    } else
        memcpy(key, set, (size_t)near->words * sizeof *key);
    if (near->options.required_count) key[near->set_words] = pending;
    if (near->options.max_rules >= 0) key[near->key_words - 1] = (uint64_t)rules;
}

static int32_t *look(const corels_near *near, const uint64_t *key) {
    uint64_t most = (uint64_t)near->slot_count - 1,
             at = corels_hash(key, (size_t)near->key_words) & most;
    size_t bytes = (size_t)near->key_words * sizeof *key;
    int32_t *slots = near->slots.items;
    while (slots[at] >= 0 && memcmp(near_key_at(near, slots[at]), key, bytes)) at = (at + 1) & most;
    return slots + at;
}

static int widen(corels_near *near, int64_t count) {
    near_array fresh = {0};
    int status = near_grow(near, &fresh, count, sizeof(int32_t));
    if (status != CORELS_OK) return status;
    near_drop(near, &near->slots, sizeof(int32_t));
    memset(fresh.items, -1, (size_t)count * sizeof(int32_t));
    near->slots = fresh;
    near->slot_count = count;
    for (int32_t i = 0; i < (int32_t)near->nodes.count; i++) *look(near, near_key_at(near, i)) = i;
    return CORELS_OK;
}

static int room(corels_near *near) {
    int status = CORELS_OK;
    if (near->nodes.count >= INT32_MAX) return CORELS_NEAR_LIMIT;
    if (2 * near->nodes.count >= near->slot_count) status = widen(near, 2 * near->slot_count);
    if (status == CORELS_OK) status = near_grow(near, &near->nodes, 1, sizeof(near_node));
    if (status == CORELS_OK)
        status = near_grow(near, &near->keys, 1, (size_t)near->key_words * sizeof(uint64_t));
    return status;
}

int near_enter(corels_near *near, const uint64_t *set, uint64_t pending, int32_t rules,
               int64_t cost, int32_t *id) {
    make_key(near, set, pending, rules, near->key);
    int32_t *slot = look(near, near->key);
    if (*slot >= 0) {
        near_node *known = near_node_at(near, *slot);
        if (cost < known->cost) known->cost = cost;
        *id = *slot;
        return CORELS_OK;
    }
    int status = room(near);
    if (status != CORELS_OK) return status;
    slot = look(near, near->key);
    *slot = *id = (int32_t)near->nodes.count++;
    near->keys.count++;
    memcpy(near_key_at(near, *id), near->key, (size_t)near->key_words * sizeof *near->key);
    int32_t size = (int32_t)near->kernel->ops.popcount(set, (size_t)near->words);
    *near_node_at(near, *id) = (near_node){.cost = cost, .next = *near_head(near, size)};
    *near_head(near, size) = *id;
    return CORELS_OK;
}

int near_graph_begin(corels_near *near) {
    near_graph_end(near);
    int64_t sizes = (int64_t)near->words * 64 + 1;
    int status = near_grow(near, &near->heads, sizes, sizeof(int32_t));
    if (status != CORELS_OK) return status;
    memset(near->heads.items, -1, (size_t)sizes * sizeof(int32_t));
    return widen(near, FIRST_SLOTS);
}

void near_graph_end(corels_near *near) {
    near_drop(near, &near->nodes, sizeof(near_node));
    near_drop(near, &near->keys, (size_t)near->key_words * sizeof(uint64_t));
    near_drop(near, &near->edges, sizeof(near_edge));
    near_drop(near, &near->entries, sizeof(near_entry));
    near_drop(near, &near->order, sizeof(int32_t));
    near_drop(near, &near->heads, sizeof(int32_t));
    near_drop(near, &near->slots, sizeof(int32_t));
    near->slot_count = 0;
}

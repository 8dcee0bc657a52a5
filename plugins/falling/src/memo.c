#include "memo.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 12, FIRST_NODES = 1 << 12 };

int memo_create(memo *m, const table *t, uint64_t limit) {
    m->limit = limit;
    m->slot_count = FIRST_SLOTS;
    m->node_room = FIRST_NODES;
    m->node_count = 1; /* node 0 is the empty prefix */
    m->slots = calloc(m->slot_count, sizeof *m->slots);
    m->nodes = calloc(m->node_room, sizeof *m->nodes);
    m->scratch = malloc(t->words * sizeof *m->scratch);
    return m->slots && m->nodes && m->scratch;
}

void memo_destroy(memo *m) {
    free(m->slots);
    free(m->nodes);
    free(m->scratch);
}

uint64_t memo_bytes(const memo *m) {
    return m->slot_count * sizeof *m->slots + m->node_room * (uint64_t)sizeof *m->nodes;
}

/* Does the entry's prefix leave exactly these classes? */
static int same_rows(memo *m, const table *t, uint32_t node, const uint64_t *left) {
    memcpy(m->scratch, t->everything, t->words * sizeof *m->scratch);
    for (; node; node = m->nodes[node].parent) {
        const uint64_t *captures = table_captures(t, m->nodes[node].antecedent);
        for (uint32_t w = 0; w < t->words; w++) m->scratch[w] &= ~captures[w];
    }
    return memcmp(m->scratch, left, t->words * sizeof *left) == 0;
}

static int no_worse(const memo_entry *e, const child *c, uint32_t length) {
    return e->length <= length && e->paid.high <= c->paid.low &&
           !proportion_less(e->least, c->least);
}

/* Is the entry the very prefix with these rules? Then what is rounded in its cost does not matter.
 */
static int same_prefix(const memo *m, const memo_entry *e, const uint32_t *path, uint32_t last,
                       uint32_t length) {
    if (e->length != length) return 0;
    uint32_t node = e->node;
    for (uint32_t i = length; i-- > 0; node = m->nodes[node].parent)
        if (m->nodes[node].antecedent != (i == length - 1 ? last : path[i])) return 0;
    return 1;
}

int memo_dominated(memo *m, const table *t, const child *c, const uint32_t *path, uint32_t length,
                   const uint64_t *left, uint64_t fingerprint) {
    const uint64_t mask = m->slot_count - 1;
    for (uint64_t i = fingerprint & mask; m->slots[i].node; i = (i + 1) & mask) {
        const memo_entry *e = &m->slots[i];
        if (e->fingerprint != fingerprint) continue;
        if (same_prefix(m, e, path, c->antecedent, length)) return 1;
        if (no_worse(e, c, length) && same_rows(m, t, e->node, left)) return 1;
    }
    return 0;
}

static void put(memo_entry *slots, uint64_t mask, const memo_entry *e) {
    uint64_t i = e->fingerprint & mask;
    while (slots[i].node) i = (i + 1) & mask;
    slots[i] = *e;
}

/* Failing to grow is not an error: the table just stays as it is. */
static int grow_slots(memo *m) {
    uint64_t count = m->slot_count * 2;
    if (memo_bytes(m) + count * sizeof *m->slots > m->limit) return 0;
    memo_entry *slots = calloc(count, sizeof *slots);
    if (!slots) return 0;
    for (uint64_t i = 0; i < m->slot_count; i++)
        if (m->slots[i].node) put(slots, count - 1, &m->slots[i]);
    free(m->slots);
    m->slots = slots;
    m->slot_count = count;
    return 1;
}

static int grow_nodes(memo *m) {
    if (m->node_room >= UINT32_MAX / 2) return 0;
    uint64_t room = (uint64_t)m->node_room * 2;
    if (memo_bytes(m) + m->node_room * (uint64_t)sizeof *m->nodes > m->limit) return 0;
    memo_node *nodes = realloc(m->nodes, room * sizeof *nodes);
    if (!nodes) return 0;
    m->nodes = nodes;
    m->node_room = (uint32_t)room;
    return 1;
}

static int make_room(memo *m) {
    if (m->full) return 0;
    if ((m->used + 1) * 4 > m->slot_count * 3 && !grow_slots(m)) m->full = 1;
    if (m->node_count == m->node_room && !grow_nodes(m)) m->full = 1;
    return !m->full;
}

static uint32_t add_node(memo *m, uint32_t parent, uint32_t antecedent) {
    m->nodes[m->node_count] = (memo_node){parent, antecedent};
    return m->node_count++;
}

static void add_entry(memo *m, memo_entry e) {
    put(m->slots, m->slot_count - 1, &e);
    m->used++;
}

uint32_t memo_store(memo *m, const child *c, uint32_t parent_node, uint32_t length,
                    uint64_t fingerprint) {
    if (length > 1 && !parent_node) return 0; /* an ancestor is missing from the tree */
    if (!make_room(m)) return 0;
    uint32_t node = add_node(m, parent_node, c->antecedent);
    add_entry(m, (memo_entry){fingerprint, node, length, c->least, c->paid});
    return node;
}

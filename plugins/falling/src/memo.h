/* The dominance table: prefixes that capture the same rows.
 *
 * What can still be gained depends only on the rows left, the least proportion and (under a length
 * cap) the number of rules. Of two prefixes with the same rows left, one that is no worse in cost,
 * least proportion and length makes the other superfluous. Entries are found by a 64-bit
 * fingerprint of the rows left and then compared exactly: an entry remembers its prefix (a node of
 * a tree of parents), whose antecedents are joined again. Only prefixes that are expanded are
 * stored; beyond the memory limit nothing is added, which costs time but never correctness.
 */
#pragma once

#include "corels/bits.h"
#include "state.h"

typedef struct {
    uint64_t fingerprint;  /* corels_hash of the rows left */
    uint32_t node, length; /* node 0 = empty slot */
    proportion least;
    cost paid;
} memo_entry;

typedef struct {
    uint32_t parent, antecedent;
} memo_node;

typedef struct {
    memo_entry *slots;
    uint64_t slot_count, used; /* slot_count: a power of two */
    memo_node *nodes;
    uint32_t node_count, node_room;
    uint64_t limit; /* bytes */
    uint64_t *scratch;
    int full;
} memo;

int memo_create(memo *m, const table *t, uint64_t limit);
void memo_destroy(memo *m);
uint64_t memo_bytes(const memo *m);

/* 1 if a stored prefix that leaves the same rows is no worse than the child, or is the child.
 * path: the rules before the child's own. */
int memo_dominated(memo *m, const table *t, const child *c, const uint32_t *path, uint32_t length,
                   const uint64_t *left, uint64_t fingerprint);

/* Store the child; returns its node, or 0 if there is no room (and then nowhere below). */
uint32_t memo_store(memo *m, const child *c, uint32_t parent_node, uint32_t length,
                    uint64_t fingerprint);

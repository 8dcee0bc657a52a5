#include "table.h"

#include "corels/memory.h"

/* The columns by width; the order inside a width is that of corels_children. */
static int32_t **narrow(corels_children *c, int at) {
    int32_t **columns[] = {&c->antecedent, &c->prediction, &c->length};
    return columns[at];
}

static int64_t **wide(corels_children *c, int at) {
    int64_t **columns[] = {&c->serial,         &c->support,     &c->correct,
                           &c->captured,       &c->errors,      &c->worst,
                           &c->default_errors, &c->lower_bound, &c->objective};
    return columns[at];
}

enum { NARROW = 3, WIDE = 9 };

int table_init(table *t, int32_t rows) {
    size_t padded = ((size_t)rows + 15) / 16 * 16;
    t->bytes = padded * (NARROW * 4 + WIDE * 8);
    t->block = corels_memory_new(t->bytes, 1);
    if (!t->block) return 0;
    char *at = t->block;
    for (int i = 0; i < WIDE; i++, at += padded * 8) *wide(&t->children, i) = (int64_t *)at;
    for (int i = 0; i < NARROW; i++, at += padded * 4) *narrow(&t->children, i) = (int32_t *)at;
    return 1;
}

void table_free(table *t) {
    corels_memory_free(t->block);
}

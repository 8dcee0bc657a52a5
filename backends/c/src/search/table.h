/* The table of children: one block of memory, cut into the columns of corels_children. */
#ifndef SEARCH_TABLE_H
#define SEARCH_TABLE_H

#include <stddef.h>

#include "corels/part.h"

typedef struct table {
    corels_children children; /* what parts see */
    void *block;
    size_t bytes;
} table;

/* Room for `rows` children; 0 without memory. */
int table_init(table *, int32_t rows);
void table_free(table *);

#endif

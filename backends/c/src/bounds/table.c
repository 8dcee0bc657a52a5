/* The table of bounds: whatever the engine knows of its bounds by name is said here. */
#include <stddef.h>
#include <string.h>

#include "bounds.h"
#include "corels/search.h"

static const bound_row rows[] = {
#define COLUMN_BOUND(bound, ...) {.name = #bound, .columns = bound##_filter, __VA_ARGS__},
#define SET_BOUND(bound) {.name = #bound, .in_set = 1, .sets = bound##_filter},
#define TABLE_BOUND(bound) {.name = #bound, .in_set = 1, .tables = bound##_new},
#define SEARCH_BOUND(bound, ...) {.name = #bound, __VA_ARGS__},
#include "bounds.def"
};

const bound_row *bound_named(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return rows + i;
    return NULL;
}

int corels_bound_known(const char *name) {
    return bound_named(name) != NULL;
}

const char *corels_bound_name(int32_t i) {
    return i >= 0 && (size_t)i < sizeof rows / sizeof *rows ? rows[i].name : NULL;
}

int corels_bound_weighs(const char *name) {
    const bound_row *row = bound_named(name);
    return row && row->weighs;
}

int corels_bound_scope(const char *name) {
    const bound_row *row = bound_named(name);
    return row ? row->in_set : -1;
}

/* The table of bounds: whatever the engine knows of its bounds by name is said here. */
#include <stddef.h>
#include <string.h>

#include "bounds.h"
#include "corels/search.h"

/* Bounds that the search itself applies keep every row of a table. */
static void keep_all(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    memset(keep, 1, (size_t)c->count);
}

static const bound_row rows[] = {
    {.name = "support",
     .in_set = 1,
     .weighs = 1,
     .columns = support_filter,
     .on_table = support_on_table},
    {.name = "accurate_support",
     .in_set = 1,
     .weighs = 1,
     .columns = accurate_support_filter,
     .on_table = accurate_support_on_table},
    {.name = "upper_support",
     .in_set = 1,
     .weighs = 1,
     .columns = upper_support_filter,
     .on_table = upper_support_on_table},
    {.name = "reduced_support",
     .in_set = 1,
     .columns = reduced_support_filter,
     .on_table = reduced_support_on_table},
    {.name = "hierarchical",
     .role = ROLE_HIERARCHICAL,
     .in_set = 1,
     .always = 1,
     .columns = hierarchical_filter,
     .on_table = hierarchical_on_table},
    {.name = "lookahead",
     .role = ROLE_LOOKAHEAD,
     .in_set = 1,
     .columns = lookahead_filter,
     .on_table = lookahead_on_table},
    {.name = "prefix_length", .columns = prefix_length_filter, .on_table = prefix_length_on_table},
    {.name = "rejection", .role = ROLE_REJECTION, .on_table = keep_all},
    {.name = "equivalent_points",
     .role = ROLE_EQUIVALENT_POINTS,
     .in_set = 1,
     .always = 1,
     .on_table = keep_all},
    {.name = "leaves", .in_set = 1, .tables = &leaves_tables},
    {.name = "prices", .in_set = 1, .tables = &prices_tables},
    {.name = "blocks", .in_set = 1, .tables = &blocks_tables},
    {.name = "second_rule", .in_set = 1, .sets = second_rule_filter},
    {.name = "dominance", .in_set = 1, .sets = dominance_filter},
    {.name = "similar_support", .in_set = 1, .sets = similar_support_filter},
    {.name = "one_rule", .role = ROLE_ONE_RULE, .in_set = 1, .on_table = one_rule_on_table},
};

const bound_row *bound_named(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) return rows + i;
    return NULL;
}

int corels_bound_known(const char *name) {
    return bound_named(name) != NULL;
}

int corels_bound_scope(const char *name) {
    const bound_row *row = bound_named(name);
    return row ? row->in_set : -1;
}

int corels_bound_apply(const char *name, const corels_children *c, int64_t incumbent,
                       uint8_t *keep) {
    const bound_row *row = bound_named(name);
    if (!row || !row->on_table) return CORELS_BAD_ARGUMENT;
    row->on_table(c, incumbent, keep);
    return CORELS_OK;
}

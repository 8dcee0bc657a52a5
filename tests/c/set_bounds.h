/* The bounds that every search of these programs has: all of scope "set" that need no original
 * weights, in the order of the engine's table. */
#include <string.h>

#include "corels/search.h"

enum { MOST_BOUNDS = 32 };

static int32_t set_bounds(corels_bound_choice *bounds) {
    int32_t n = 0;
    const char *name;
    for (int32_t i = 0; (name = corels_bound_name(i)) && n < MOST_BOUNDS; i++)
        if (corels_bound_scope(name) == 1 && !corels_bound_weighs(name)) bounds[n++].native = name;
    return n;
}

/* After how many counts the stages of a bound's tables are built. */
static void set_stages(corels_bound_choice *bounds, int32_t n, const char *name,
                       const int64_t *stages, int32_t count) {
    for (int32_t i = 0; i < n; i++)
        if (strcmp(bounds[i].native, name) == 0)
            bounds[i].stages = stages, bounds[i].stage_count = count;
}

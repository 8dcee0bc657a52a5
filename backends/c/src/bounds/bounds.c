#include "bounds.h"

#include <stddef.h>
#include <string.h>

/* Bounds that the search loop itself applies (rejection, equivalent points) keep every child. */
static void keep_all(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    memset(keep, 1, (size_t)c->count);
}

static const struct {
    const char *name;
    bound_call call;
} bounds[] = {
    {"support", bound_support},
    {"accurate_support", bound_accurate_support},
    {"upper_support", bound_upper_support},
    {"reduced_support", bound_reduced_support},
    {"hierarchical", bound_hierarchical},
    {"lookahead", bound_lookahead},
    {"prefix_length", bound_prefix_length},
    {"second_rule", bound_second_rule},
    {"dominance", bound_dominance},
    {"similar_support", bound_similar_support},
    {"one_rule", bound_one_rule},
    {"blocks", bound_blocks},
    {"rejection", keep_all},
    {"equivalent_points", keep_all},
};

bound_call bound_named(const char *name) {
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (strcmp(bounds[i].name, name) == 0) return bounds[i].call;
    return NULL;
}

int corels_bound_known(const char *name) {
    return bound_named(name) != NULL;
}

int corels_bound_apply(const char *name, const corels_children *c, int64_t incumbent,
                       uint8_t *keep) {
    bound_call call = bound_named(name);
    if (!call) return CORELS_BAD_ARGUMENT;
    call(c, incumbent, keep);
    return CORELS_OK;
}

/* The native policies: twins of plugins/rule_list/corels_rule_list/policies.py, equal to the last
 * bit. */
#include "search.h"

static void bfs(const corels_children *c, uint64_t seed, double *priorities) {
    (void)seed;
    for (int32_t i = 0; i < c->count; i++) priorities[i] = c->length[i];
}

static void dfs(const corels_children *c, uint64_t seed, double *priorities) {
    (void)seed;
    for (int32_t i = 0; i < c->count; i++) priorities[i] = -(double)c->length[i];
}

static void lower_bound(const corels_children *c, uint64_t seed, double *priorities) {
    (void)seed;
    for (int32_t i = 0; i < c->count; i++) priorities[i] = (double)c->lower_bound[i];
}

void policy_objective(const corels_children *c, uint64_t seed, double *priorities) {
    (void)seed;
    for (int32_t i = 0; i < c->count; i++) priorities[i] = (double)c->objective[i];
}

static void curiosity(const corels_children *c, uint64_t seed, double *priorities) {
    (void)seed;
    for (int32_t i = 0; i < c->count; i++) {
        double captured = (double)(c->captured[i] > 0 ? c->captured[i] : 1);
        priorities[i] = (double)c->lower_bound[i] / (captured / (double)c->total);
    }
}

/* SplitMix64 of seed and serial number, as a number from 0 to 1. */
static void stochastic(const corels_children *c, uint64_t seed, double *priorities) {
    for (int32_t i = 0; i < c->count; i++) {
        uint64_t x = ((uint64_t)c->serial[i] + seed + 1) * 0x9e3779b97f4a7c15u;
        priorities[i] = (double)(corels_mix(x) >> 11) * 0x1p-53;
    }
}

static const struct {
    const char *name;
    policy_call call;
} policies[] = {
    {"bfs", bfs},
    {"dfs", dfs},
    {"lower_bound", lower_bound},
    {"objective", policy_objective},
    {"curiosity", curiosity},
    {"stochastic", stochastic},
};

policy_call policy_named(const char *name) {
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (strcmp(policies[i].name, name) == 0) return policies[i].call;
    return NULL;
}

int corels_policy_known(const char *name) {
    return policy_named(name) != NULL;
}

int corels_policy_apply(const char *name, const corels_children *c, uint64_t seed,
                        double *priorities) {
    policy_call call = policy_named(name);
    if (!call) return CORELS_BAD_ARGUMENT;
    call(c, seed, priorities);
    return CORELS_OK;
}

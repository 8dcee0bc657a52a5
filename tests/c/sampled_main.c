/* The ranks of sets that a search has met. Returns 0, or the number of the check that failed. */
#include "sampled.h"

static double rank_of(const tuning *tune, int64_t missing, int64_t rule_cost) {
    sampled_sets v = {0};
    uint64_t set = 1;
    sampled_note(&v, tune, &set, 1, missing, rule_cost);
    double rank = v.ranks[0];
    sampled_free(&v);
    return rank;
}

int main(void) {
    tuning t = tuning_defaults;
    const int64_t large = INT64_C(1) << 61, most = INT64_MAX;
    int failed = 0, check = 0;
#define CHECK(holds) failed = !failed && ++check && !(holds) ? check : failed
    double none = rank_of(&t, 0, 1);
    CHECK(none > 0 && none < 1);
    CHECK(rank_of(&t, -1, 1) == none && rank_of(&t, 1, 0) == none);
    CHECK(rank_of(&t, 1, t.sampled_parts) == 2 * none);
    CHECK(rank_of(&t, 2, t.sampled_parts) == 4 * none);
    /* The same of costs that are beyond 64 bits once there are so many parts of them. */
    CHECK(rank_of(&t, 2 * large - 1, large) == rank_of(&t, 199, 100));
    CHECK(rank_of(&t, most, large) == rank_of(&t, 399, 100));
    t.sampled_parts = 1000;
    CHECK(rank_of(&t, large / 200, large) == 16 * none);
    /* Never more halves than thirty. */
    CHECK(rank_of(&t, most, 1) == rank_of(&t, 30, 1) && rank_of(&t, most, large) < 2e9);
    return failed;
}

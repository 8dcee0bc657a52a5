/* How much work goes into better lists. Returns 0, or the number of the check that failed. */
#include "effort.h"

enum { ALL = 20000, QUARTER = 4, SLICES = 200 };

/* As many threads as there are workers and one; a count of the walk takes as long as four. */
static int64_t longest_slice(const effort_sizes *of, effort e, int64_t between) {
    int64_t walked = between, longest = 0;
    for (int i = 0; i < SLICES && longest < 100 * between; i++) {
        int64_t due = walked + between, slice = effort_slice(&e, of, walked);
        if (slice > longest) longest = slice;
        walked += slice * of->workers / QUARTER;
        if (walked < due) walked = due;
    }
    return longest;
}

int main(void) {
    const tuning *t = &tuning_defaults;
    effort_sizes small = {t, 200, 10, 1}, wide = {t, 20000, 100, 1}, middle = {t, 2000, 100, 1};
    int failed = 0, check = 0;
#define CHECK(holds) failed = !failed && ++check && !(holds) ? check : failed
    /* Between slices: fewer counts where each takes long, or prices are due before. */
    CHECK(effort_between(&small, 0) == ALL);
    CHECK(effort_between(&small, -1) == ALL);
    CHECK(effort_between(&small, 4000) == 4000);
    CHECK(effort_between(&middle, 0) < ALL && effort_between(&middle, 0) > 500);
    CHECK(effort_between(&wide, 0) == 500);
    CHECK(effort_between(&wide, 3) == 3);
    /* A slice is a quarter of what has been walked since the one before, and never nothing. */
    effort e = {0};
    CHECK(effort_slice(&e, &small, 8000) == 2001);
    CHECK(effort_slice(&e, &small, 8000) == 1);
    CHECK(effort_slice(&e, &small, 8400) == 101);
    /* Beside however many workers, slices do not take longer and longer. */
    for (int workers = 1; workers <= 256; workers++) {
        effort_sizes many = {t, 200, 10, workers};
        CHECK(longest_slice(&many, (effort){0}, 4000) <= 4000 / 4 + SLICES);
    }
    return failed;
}

/* One rule for effort. Returns 0, or the number of the check that failed. */
#include "effort.h"

#include <math.h>

int main(void) {
    int failed = 0, check = 0;
#define CHECK(holds) failed = !failed && ++check && !(holds) ? check : failed
    technique quarter = {.per_mille = 250, .most = 3}, never = {0};
    /* Work of so many ticks, after four times as many of the walk; and as many as these allow. */
    CHECK(effort_wait(&quarter, 100) == 400);
    CHECK(effort_allows(&quarter, 400) == 100);
    CHECK(isinf(effort_wait(&never, 1)) && effort_allows(&never, 1e9) == 0);
    /* Useless: twice as late each time, and no later than that; useful: half as late again. */
    for (int i = 1; i <= 5; i++) {
        effort_learn(&quarter, 0);
        CHECK(effort_wait(&quarter, 100) == 400 * exp2(i < 3 ? i : 3));
        CHECK(effort_allows(&quarter, effort_wait(&quarter, 100)) == 100);
    }
    for (int i = 2; i >= -1; i--) {
        effort_learn(&quarter, 1);
        CHECK(effort_wait(&quarter, 100) == 400 * exp2(i > 0 ? i : 0));
    }
    /* Beside however many workers, whose counts each take as long as four of the work, slices take
     * no longer than what is walked meanwhile. */
    for (int64_t threads = 1; threads <= 256; threads++) {
        technique beside = effort_beside(quarter, threads);
        CHECK(beside.per_mille > 0 && beside.per_mille * threads <= 4 * 1000);
    }
    return failed;
}

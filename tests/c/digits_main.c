/* The digits of the first measures among those of all. Returns 0, or the number of the check that
 * failed. */
#include <string.h>

#include "digits.h"

enum { MEASURES = 4, POINTS = 200 };

int main(void) {
    int32_t weights[MEASURES * POINTS];
    uint32_t random = 1;
    int failed = 0, check = 0;
#define CHECK(holds) failed = !failed && ++check && !(holds) ? check : failed
    for (int i = 0; i < MEASURES * POINTS; i++) {
        random = random * 1664525 + 1013904223;
        weights[i] = random >> 30 ? 0 : (int32_t)(random >> 20 & 63); /* no measure is 0 */
    }
    digits all;
    CHECK(digits_new(&all, weights, POINTS, MEASURES));
    for (int k = 0; k <= MEASURES && !failed; k++) {
        digits alone, first = digits_of_first(&all, k);
        CHECK(digits_new(&alone, weights, POINTS, k));
        CHECK(first.n == alone.n && first.longest == alone.longest && !first.arrays.bytes);
        CHECK(!memcmp(first.all, alone.all, alone.n * sizeof *alone.all));
        CHECK(!memcmp(first.words, alone.words, alone.longest * sizeof *alone.words));
        digits_free(&alone);
    }
    digits_free(&all);
    return failed;
}

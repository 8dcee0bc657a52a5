/* When the stages of the price bound are due, and which are passed over. Returns 0, or the number
 * of the check that failed. */
#include "price_stages.h"

enum { UNIT = 1000 };

static tables_data table(int32_t antecedents, int32_t points, double lacking) {
    return (tables_data){.antecedents = antecedents,
                         .points = points,
                         .classes = 2,
                         .rule_cost = UNIT,
                         .unit = 1,
                         .lacking = (int64_t)(lacking * UNIT)};
}

static int64_t wait_before(const tables_data *data, int stage, int turned) {
    return price_due(data, stage, turned) - price_due(data, stage - 1, turned);
}

int main(void) {
    tables_data close = table(1753, 30000, 1.0), far_off = table(1753, 30000, 2.0),
                too_far = table(1753, 30000, 4.0), quick = table(984, 5941, 4.0),
                small = table(252, 846, 4.0);
    int failed = 0, check = 0;
#define CHECK(holds) failed = !failed && ++check && !(holds) ? check : failed
    /* The first stage knows nothing of tables, so it waits as long for each of them. */
    CHECK(price_due(&close, 0, 1) == price_due(&too_far, 0, 1));
    /* Where the tables lack much, the second stage comes sooner; else as ever. */
    CHECK(wait_before(&close, 1, 1) == wait_before(&close, 1, 0));
    CHECK(wait_before(&far_off, 1, 1) * 4 < wait_before(&close, 1, 1));
    CHECK(wait_before(&far_off, 2, 1) * 4 < wait_before(&close, 2, 1));
    /* Where they lack more still, it is passed over; never the first one, nor the last one. */
    CHECK(!price_passed_over(&far_off, 1, 1));
    CHECK(price_passed_over(&too_far, 1, 1));
    CHECK(!price_passed_over(&too_far, 0, 1));
    CHECK(!price_passed_over(&too_far, 2, 1));
    CHECK(!price_passed_over(&too_far, PRICE_FIRST, 1));
    /* Neither where cells of near points were taken, nor where counts are quick or points few. */
    CHECK(!price_passed_over(&too_far, 1, 0));
    CHECK(!price_passed_over(&quick, 1, 1));
    CHECK(!price_passed_over(&small, 1, 0));
    CHECK(wait_before(&quick, 1, 1) == wait_before(&quick, 1, 0));
    /* No stage is due before the one in front of it. */
    for (int stage = 1; stage < PRICE_STAGES; stage++) {
        CHECK(wait_before(&close, stage, 1) > 0);
        CHECK(wait_before(&too_far, stage, 1) > 0);
        CHECK(wait_before(&quick, stage, 1) > 0);
    }
    return failed;
}

/* When the stages of the price bound are due, and which are passed over. Returns 0, or the number
 * of the check that failed. */
#include "price_stages.h"

enum { UNIT = 1000 };

typedef struct {
    tables_data data;
    int64_t lacking;
} table;

static table table_of(int32_t antecedents, int32_t points, double lacking) {
    return (table){.data = {.tune = &tuning_defaults,
                            .antecedents = antecedents,
                            .points = points,
                            .classes = 2,
                            .rule_cost = UNIT,
                            .unit = 1},
                   .lacking = (int64_t)(lacking * UNIT)};
}

static int64_t due(const table *t, int stage, int turned) {
    return price_due(&t->data, stage, (price_findings){turned, t->lacking, 0});
}

static int passed_over(const table *t, int stage, int turned) {
    return price_passed_over(&t->data, stage, (price_findings){turned, t->lacking, 0});
}

static int64_t wait_before(const table *t, int stage, int turned) {
    return due(t, stage, turned) - due(t, stage - 1, turned);
}

int main(void) {
    table close = table_of(1753, 30000, 1.0), far_off = table_of(1753, 30000, 2.0),
          too_far = table_of(1753, 30000, 4.0), quick = table_of(984, 5941, 4.0),
          small = table_of(252, 846, 4.0);
    int failed = 0, check = 0;
#define CHECK(holds) failed = !failed && ++check && !(holds) ? check : failed
    /* The first stage knows nothing of tables, so it waits as long for each of them. */
    CHECK(due(&close, 0, 1) == due(&too_far, 0, 1));
    /* Where the tables lack much, the second stage comes sooner; else as ever. */
    CHECK(wait_before(&close, 1, 1) == wait_before(&close, 1, 0));
    CHECK(wait_before(&far_off, 1, 1) * 4 < wait_before(&close, 1, 1));
    CHECK(wait_before(&far_off, 2, 1) * 4 < wait_before(&close, 2, 1));
    /* Where they lack more still, it is passed over; never the first one, nor the last one. */
    CHECK(!passed_over(&far_off, 1, 1));
    CHECK(passed_over(&too_far, 1, 1));
    CHECK(!passed_over(&too_far, 0, 1));
    CHECK(!passed_over(&too_far, 2, 1));
    CHECK(!passed_over(&too_far, PRICE_FIRST, 1));
    /* Neither where large cells were taken, nor where counts are quick or points few. */
    CHECK(!passed_over(&too_far, 1, 0));
    CHECK(!passed_over(&quick, 1, 1));
    CHECK(!passed_over(&small, 1, 0));
    CHECK(wait_before(&quick, 1, 1) == wait_before(&quick, 1, 0));
    /* No stage is due before the one in front of it. */
    for (int stage = 1; stage < PRICE_STAGES; stage++) {
        CHECK(wait_before(&close, stage, 1) > 0);
        CHECK(wait_before(&too_far, stage, 1) > 0);
        CHECK(wait_before(&quick, stage, 1) > 0);
    }
    return failed;
}

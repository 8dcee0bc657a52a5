/* The fast search without Python, for the sanitizers: random instances, one thread against several.
 * Built and run by `make test-sanitize-threads`; answers 0 where all runs agree.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "corels/fast.h"

enum { POINTS = 150, ANTECEDENTS = 24, WORDS = (POINTS + 63) / 64, INSTANCES = 5 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(void) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void make(uint64_t *masks, int32_t *regrets) {
    for (int i = 0; i < ANTECEDENTS * WORDS; i++) masks[i] = draw() & draw();
    for (int r = 0; r < ANTECEDENTS; r++)
        masks[r * WORDS + WORDS - 1] &= (UINT64_C(1) << (POINTS % 64)) - 1;
    for (int i = 0; i < POINTS; i++) {
        int32_t weight = (int32_t)(draw() % 9 + 1), label = (int32_t)(draw() & 1);
        regrets[i] = label ? weight : 0;
        regrets[POINTS + i] = label ? 0 : weight;
    }
}

static int64_t solve(const uint64_t *masks, const int32_t *regrets, int32_t threads) {
    corels_fast_instance in = {20, 1, ANTECEDENTS, POINTS, 2, masks, regrets};
    corels_fast_options options = {CORELS_FAST_ALL, threads, 1, 1 << 22, {200, 2000}, NULL};
    corels_fast_report report = {0};
    corels_fast *fast = NULL;
    if (corels_fast_new(&fast, &in, &options) != CORELS_OK) return -1;
    while (report.state != CORELS_FAST_DONE) {
        if (corels_fast_step(fast, 500) != CORELS_OK) return -1;
        corels_fast_look(fast, &report);
        if (report.lower_bound > report.cost) return -1;
    }
    corels_fast_free(fast);
    return report.cost;
}

int main(void) {
    uint64_t masks[ANTECEDENTS * WORDS];
    int32_t regrets[2 * POINTS];
    for (int i = 0; i < INSTANCES; i++) {
        make(masks, regrets);
        int64_t one = solve(masks, regrets, 1);
        for (int32_t threads = 2; threads <= 3; threads++)
            if (one < 0 || solve(masks, regrets, threads) != one) return 1;
    }
    return 0;
}

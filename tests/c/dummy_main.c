/* A search with the bounds that the arguments name, on a table with a rule and noise in it. Prints
 * what it costs, and of each bound the children that it dropped and the stages of its tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "corels/search.h"

enum { ANTECEDENTS = 20, POINTS = 120, WORDS = 2, MOST_BOUNDS = 16 };

int main(int arguments, char **argument) {
    static uint64_t masks[ANTECEDENTS * WORDS];
    static int32_t regrets[2 * POINTS];
    corels_bound_choice bounds[MOST_BOUNDS] = {{0}};
    uint64_t state = 88172645463325252u;
    int32_t n = 0;
    for (int i = 0; i < POINTS * (ANTECEDENTS + 1); i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        int r = i % (ANTECEDENTS + 1), point = i / (ANTECEDENTS + 1);
        if (r < ANTECEDENTS)
            masks[r * WORDS + point / 64] |= (uint64_t)(state % 3 == 0) << (point % 64);
        else {
            int signal = (int)(masks[point / 64] >> (point % 64) & 1), wrong = state % 4 == 0;
            regrets[(signal ^ wrong) * POINTS + point] = 1;
        }
    }
    for (; n + 1 < arguments && n < MOST_BOUNDS; n++) bounds[n].native = argument[n + 1];
    corels_instance in = {.antecedents = ANTECEDENTS,
                          .points = POINTS,
                          .classes = 2,
                          .masks = masks,
                          .regrets = regrets,
                          .unit = 1,
                          .rule_cost = 3,
                          .total = POINTS};
    corels_search_options options = {.frontier = CORELS_DEPTH_FIRST,
                                     .policy = "objective",
                                     .map = "memo",
                                     .bounds = bounds,
                                     .bound_count = n,
                                     .max_rules = -1,
                                     .threads = 1};
    corels_search *search = NULL;
    int status = corels_search_new(&search, &in, &options);
    while (status == CORELS_OK) status = corels_search_step(search, 1000, 0);
    if (status != CORELS_DONE) return 1;
    corels_report report;
    int64_t pruned[MOST_BOUNDS];
    corels_search_look(search, &report);
    corels_search_pruned(search, pruned);
    printf("%" PRId64 "\n", report.objective);
    for (int32_t i = 0; i < n; i++)
        printf("%s %" PRId64 " %d\n", argument[i + 1], pruned[i],
               (int)corels_search_stages(search, i));
    corels_search_free(search);
    return 0;
}

/* The graph as arrays, for questions about something else than costs.
 *
 * Most nodes lead nowhere: no list within the budget passes them. They and the edges to them are
 * left out, and the others are numbered anew, in their order.
 */
#include <stdlib.h>

#include "near.h"

/* The root is in it even if no rule pays. */
static int counts(const corels_near *near, int64_t i) {
    return !i || near_node_at(near, i)->entries;
}

static int keeps(const near_edge *edge, const int32_t *number) {
    return edge->closing >= 0 || edge->child == NEAR_LAST ||
           (edge->child >= 0 && number[edge->child] >= 0);
}

int corels_near_graph(const corels_near *near, int64_t *sizes, uint64_t *sets, int64_t *begins,
                      int32_t *antecedents, int32_t *behind) {
    if (near->phase != 2) return CORELS_BAD_ARGUMENT;
    int32_t *number = malloc((size_t)(near->nodes.count + 1) * sizeof *number), nodes = 0;
    if (!number) return CORELS_NO_MEMORY;
    for (int64_t i = 0; i < near->nodes.count; i++)
        number[i] = counts(near, i) ? nodes++ : NEAR_NONE;
    int64_t edges = 0;
    for (int64_t i = 0; i < near->nodes.count; i++) {
        if (number[i] < 0) continue;
        if (sets) near_set_of(near, i, sets + (size_t)number[i] * (size_t)near->words);
        if (sets) begins[number[i]] = edges;
        const near_node *node = near_node_at(near, i);
        for (int64_t e = node->edge; e < node->edge + node->edges; e++) {
            const near_edge *edge = near_edge_at(near, e);
            if (!keeps(edge, number)) continue;
            if (sets) antecedents[edges] = edge->antecedent;
            if (sets) behind[edges] = edge->child < 0 ? edge->child : number[edge->child];
            edges++;
        }
    }
    if (sets) begins[nodes] = edges;
    sizes[0] = nodes, sizes[1] = edges;
    free(number);
    return CORELS_OK;
}

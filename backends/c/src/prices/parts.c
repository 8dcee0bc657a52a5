/* The parts of a cell: a small family of sets of points, such that each cut is a union of some of
 * them. (A cut is what some antecedent captures of the cell, if that is neither none nor all of
 * it.)
 */
#include "cell.h"

enum { CUTS = 2 * PRICE_BITS };

/* The different cuts; -1: they are too many. */
static int32_t list_cuts(const uint32_t *captured, int32_t antecedents, uint32_t all,
                         uint32_t *cut) {
    int32_t cuts = 0;
    for (int32_t r = 0; r < antecedents; r++) {
        int32_t k = 0;
        while (k < cuts && cut[k] != captured[r]) k++;
        if (k < cuts || !captured[r] || captured[r] == all) continue;
        if (k == CUTS) return -1;
        cut[cuts++] = captured[r];
    }
    return cuts;
}

/* The union of those cuts that lie in a cut. */
static uint32_t union_within(const uint32_t *cut, int32_t cuts, int32_t k) {
    uint32_t within = 0;
    for (int32_t j = 0; j < cuts; j++)
        if (j != k && !(cut[j] & ~cut[k])) within |= cut[j];
    return within;
}

int32_t price_parts(const uint32_t *captured, int32_t antecedents, uint32_t all, uint32_t *part) {
    uint32_t cut[CUTS], rest = all;
    int32_t cuts = list_cuts(captured, antecedents, all, cut), parts = 0;
    if (cuts < 0) return 0;
    for (int32_t k = 0; k < cuts; k++) {
        rest &= ~cut[k];
        if (union_within(cut, cuts, k) == cut[k]) continue;
        if (parts == PRICE_BITS) return 0;
        part[parts++] = cut[k];
    }
    if (rest && parts == PRICE_BITS) return 0;
    if (rest) part[parts++] = rest;
    return parts;
}

#include "effort.h"

#include <math.h>

/* A count of the walk comes with an expansion, which takes four times as long as the count. */
enum { EXPANSION = 4, THOUSAND = 1000 };

double effort_wait(const technique *of, double ticks) {
    if (of->per_mille <= 0) return INFINITY;
    return ticks * THOUSAND / (double)of->per_mille * exp2(of->delay);
}

double effort_allows(const technique *of, double walked) {
    return walked * (double)of->per_mille / THOUSAND * exp2(-of->delay);
}

void effort_learn(technique *of, int useful) {
    double delay = of->delay + (useful ? -1 : 1);
    of->delay = delay < of->least ? of->least : delay > of->most ? of->most : delay;
}

technique effort_beside(technique of, int64_t threads) {
    int64_t most = THOUSAND / ((threads + EXPANSION - 1) / EXPANSION);
    if (of.per_mille > most) of.per_mille = most;
    return of;
}

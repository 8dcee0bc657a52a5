#include "search.h"
int32_t montecarlo_step(corels_falling *s, uint64_t budget) { (void)s; (void)budget; return -1; }

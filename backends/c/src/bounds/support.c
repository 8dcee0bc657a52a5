/* Support bounds: a rule that captures too little, or leaves too little, is in no optimal list.
 * Proofs: docs/internals/bounds.md. */
#include "bounds.h"

/* Theorem 10: deleting the rule saves lambda and costs at most what it captures. */
void bound_support(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    for (int32_t i = 0; i < c->count; i++) keep[i] = c->unit * c->support[i] >= c->rule_cost;
}

/* Theorem 11: it costs at most what the rule classifies correctly. */
void bound_accurate_support(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    for (int32_t i = 0; i < c->count; i++) keep[i] = c->unit * c->correct[i] >= c->rule_cost;
}

/* Theorem 21: the rules behind it have at least lambda * N to work on. */
void bound_upper_support(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->unit * (c->total - c->captured[i]) >= c->rule_cost;
}

/* Theorem 11 in avoidable errors: deleting the rule turns at most `errors` into `worst`. */
void bound_reduced_support(const corels_children *c, int64_t incumbent, uint8_t *keep) {
    (void)incumbent;
    for (int32_t i = 0; i < c->count; i++)
        keep[i] = c->unit * (c->worst[i] - c->errors[i]) > c->rule_cost;
}

/* Writing the proof of a search, and going on from one: the interface of base/record.c. */
#include "record.h"
#include "search.h"

int corels_search_prove(corels_search *s, const int32_t *antecedents, const int32_t *points) {
    if (s->record) return CORELS_BAD_ARGUMENT;
    s->record = record_new(antecedents, s->in.antecedents, points, s->in.points);
    return s->record ? CORELS_OK : CORELS_NO_MEMORY;
}

int corels_search_prove_open(corels_search *s) {
    if (!s->record || !s->ops->prove_open) return CORELS_OK;
    int status = s->ops->prove_open(s);
    if (status != CORELS_OK || s->status == CORELS_DONE) return status;
    return record_write_aside(s->record) ? CORELS_OK : CORELS_NO_MEMORY;
}

int keep_open_claims(search *s) {
    if (!s->record || !s->ops->prove_open) return CORELS_OK;
    size_t from = record_waiting(s->record);
    int status = s->ops->prove_open(s);
    return record_put_aside(s->record, from) ? status : CORELS_NO_MEMORY;
}

size_t corels_search_proof(corels_search *s, uint8_t *out, size_t room) {
    if (!s->record) return 0;
    return out ? record_take(s->record, out, room) : record_waiting(s->record);
}

int corels_search_learn(corels_search *s, const int32_t *rules, int32_t n, int32_t left,
                        int64_t value) {
    for (int32_t i = 0; i < n; i++)
        if (rules[i] < 0 || rules[i] >= s->in.antecedents) return CORELS_BAD_ARGUMENT;
    if (!s->ops->learn) return CORELS_BAD_ARGUMENT;
    /* The memo holds no more than the cost of the list without rules: neither does any set. */
    int64_t most = incumbent_cost(&s->incumbent);
    s->learned |= left >= 0;
    return s->ops->learn(s, rules, n, left < 0 ? ANY_NUMBER : left, value < most ? value : most);
}

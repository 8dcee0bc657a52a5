/* The table of children: what each new rule captures, what it costs, what it leaves. */
#include "bits.h"
#include "search.h"

int32_t search_measure(const corels_search *s, int which) {
    if (which == MEASURE_WORST) return s->classes + (s->counts_captured ? 2 : 0);
    return s->classes + which;
}

/* Two classes need no measure for the worst prediction: it costs the regrets of both. */
int32_t search_measures(const corels_search *s) {
    return search_measure(s, MEASURE_WORST) + (s->classes > 2);
}

void search_count(corels_search *s, int32_t slot) {
    corels_counter_count(s->counter, cache_remaining(&s->cache, slot), s->scratch, s->counts,
                         s->totals);
}

static const int32_t *row_of(const corels_search *s, int32_t measure) {
    return s->counts + (size_t)measure * (size_t)corels_counter_stride(s->counter);
}

/* Errors of the new rule and of the default rule behind it, and the class that the rule predicts
 * (of equal classes the first). */
static void fill_errors(corels_search *s) {
    corels_children *c = &s->table.children;
    for (int32_t row = 0; row < c->count; row++) {
        int32_t r = c->antecedent[row], prediction = 0;
        int64_t errors = INT64_MAX, default_errors = INT64_MAX, worst = 0;
        for (int32_t k = 0; k < s->classes; k++) {
            int64_t regret = row_of(s, k)[r], left = (int64_t)s->totals[k] - regret;
            worst += regret;
            if (left < default_errors) default_errors = left;
            if (regret < errors) {
                errors = regret;
                prediction = k;
            }
        }
        if (s->classes > 2) worst = row_of(s, search_measure(s, MEASURE_WORST))[r];
        c->prediction[row] = prediction;
        c->errors[row] = errors;
        c->worst[row] = worst;
        c->default_errors[row] = default_errors;
    }
}

/* What only parts in original weights read; zero otherwise. */
static void fill_captured(corels_search *s, const node *from) {
    corels_children *c = &s->table.children;
    for (int32_t row = 0; row < c->count; row++) {
        int64_t support = 0, minority = 0;
        if (s->counts_captured) {
            support = row_of(s, search_measure(s, MEASURE_CAPTURED))[c->antecedent[row]];
            minority = row_of(s, search_measure(s, MEASURE_MINORITY))[c->antecedent[row]];
        }
        c->support[row] = support;
        c->correct[row] = s->counts_captured ? support - minority - c->errors[row] : 0;
        c->captured[row] = from->captured + support;
        c->serial[row] = minority; /* lent until the serial numbers are known */
    }
}

/* Theorem 1; with equivalent points (Theorem 20) every list pays for all unavoidable errors. */
static void fill_costs(corels_search *s, const node *from) {
    corels_children *c = &s->table.children;
    for (int32_t row = 0; row < c->count; row++) {
        int64_t errors = from->errors + c->errors[row], rules = s->rule_cost * c->length[row];
        int64_t unavoidable =
            s->options.equivalent_points ? s->base : s->unit * (from->minority + c->serial[row]);
        c->lower_bound[row] = rules + s->unit * errors + unavoidable;
        c->objective[row] = rules + s->unit * (errors + c->default_errors[row]) + s->base;
        c->serial[row] = 0;
    }
}

/* What the bounds on sets read. */
static void begin_sets(corels_search *s, int32_t slot) {
    const node *from = cache_node(&s->cache, slot);
    s->expansion.remaining = from->sets;
    s->expansion.cost = s->rule_cost * from->length + s->unit * from->errors + s->base;
    s->table.children.expansion = &s->expansion;
    int32_t measure = search_measure(s, MEASURE_WORST);
    set_bounds_begin(&s->table.children, s->classes > 2 ? row_of(s, measure) : NULL);
}

void search_children(corels_search *s, int32_t slot) {
    corels_children *c = &s->table.children;
    const node *from = cache_node(&s->cache, slot);
    c->count = list_bits(cache_viable(&s->cache, slot), s->antecedent_words, c->antecedent);
    if (!c->count) return;
    for (int32_t row = 0; row < c->count; row++) c->length[row] = from->length + 1;
    search_count(s, slot);
    if (s->options.reads_sets) begin_sets(s, slot);
    fill_errors(s);
    fill_captured(s, from);
    fill_costs(s, from);
    s->progress.children += c->count;
}

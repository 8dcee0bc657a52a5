/* The paper's search (Algorithms FRL and softFRL): random prefixes, the more curious more often.
 *
 * Same state, costs and bounds as the exact search; a prefix is extended by an antecedent drawn
 * with probability in proportion to its curiosity among those whose extensions may beat the
 * incumbent. A prefix without such antecedents is searched out: neither it nor one that it
 * dominates is drawn again (bound "dominance"), so that the search does not run into the same dead
 * ends for ever. The generator is splitmix64, so a seed repeats exactly, in the teaching version
 * too.
 */
#include "search.h"

static uint64_t draw(corels_falling *s) {
    return corels_mix(s->random += 0x9e3779b97f4a7c15u);
}

/* uniform in [0, 1) */
static double uniform(corels_falling *s) {
    return (double)(draw(s) >> 11) * 0x1p-53;
}

static double curiosity(const corels_falling *s, const frame *f, const child *c) {
    double alpha = (double)c->p / (double)(c->p + c->q);
    double covered = f->positives ? (double)c->p / f->positives : 0.0;
    if (s->t.soft) {
        double least = (double)f->least.part / f->least.whole;
        double falling = 101.0 * least - 100.0 * alpha;
        if (falling < alpha) alpha = falling > 0 ? falling : 0.0;
    }
    return s->options.theta * alpha + (1.0 - s->options.theta) * covered;
}

static int searched_out(corels_falling *s, const frame *f, const child *c) {
    if (!(s->prune.enabled & CORELS_FALLING_DOMINANCE) || !s->seen.used) return 0;
    child_left(&s->t, f, c, s->scratch);
    return memo_dominated(&s->seen, &s->t, c, NULL, f->length + 1, s->scratch,
                          corels_hash(s->scratch, s->t.words));
}

static void remember(corels_falling *s, const frame *f) {
    if (s->prune.enabled & CORELS_FALLING_DOMINANCE && f->length)
        memo_store_path(&s->seen, s->path, f->length, f->least, f->paid,
                        corels_hash(f->left, s->t.words));
}

/* Fill f->children with the antecedents that may lead to a better list; returns their number. A
 * list that is better by less than the width of a soft cost's interval is not worth a candidate. */
static uint32_t candidates(corels_falling *s, frame *f) {
    uint32_t count = 0;
    for (uint32_t a = 0; a < s->t.antecedents; a++) {
        child *c = &f->children[count];
        if (!child_evaluate(c, &s->t, f, a)) continue;
        s->statistics.children++;
        bound_child(&s->prune, &s->t, c, s->best.total.high);
        if (c->bound >= s->best.total.low && c->closed.high >= s->best.total.high) continue;
        if (searched_out(s, f, c)) continue;
        s->weights[count++] = curiosity(s, f, c);
    }
    return count;
}

static uint32_t choose(corels_falling *s, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += s->weights[i];
    double at = uniform(s);
    if (!(sum > 0)) return (uint32_t)(at * count);
    at *= sum;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (at < s->weights[i]) return i;
        at -= s->weights[i];
    }
    return count - 1;
}

static int32_t close_list(corels_falling *s) {
    const frame *f = &s->frames[s->depth];
    s->depth = 0;
    int32_t status = search_consider(s, f, NULL, frame_closed(&s->t, f));
    s->statistics.iterations++;
    return status;
}

/* Closing now is best among the extensions: (9), and its soft counterpart. */
static int must_stop(const corels_falling *s, const frame *f) {
    return f->bound >= frame_closed(&s->t, f).low || f->length >= s->max_rules;
}

/* One more rule, or the end of the iteration. */
static int32_t step(corels_falling *s) {
    frame *f = &s->frames[s->depth];
    if (must_stop(s, f)) {
        remember(s, f);
        return close_list(s);
    }
    if (uniform(s) < s->options.stop_probability) return close_list(s);
    uint32_t count = candidates(s, f);
    search_step(s, f->length, s->statistics.iterations, count);
    if (count == 0) {
        remember(s, f);
        return close_list(s);
    }
    if (!search_reach(s, s->depth + 1)) return CORELS_FALLING_NO_MEMORY;
    f = &s->frames[s->depth];
    frame *g = f + 1;
    const child *c = &f->children[choose(s, count)];
    child_left(&s->t, f, c, g->left);
    frame_extend(g, &s->t, s->counting, f, c, s->scratch);
    g->bound = c->bound;
    s->path[f->length] = c->antecedent;
    s->blocks[f->length] = (block){c->p, c->q};
    s->depth++;
    s->statistics.visited++;
    return 0;
}

int32_t montecarlo_step(corels_falling *s, uint64_t budget) {
    if (!s->started) {
        s->started = 1;
        frame_root(&s->frames[0], &s->t, s->counting);
        s->frames[0].bound = s->t.rule_cost;
    }
    for (uint64_t i = 0; i < budget; i++) {
        if (s->statistics.iterations >= s->options.iterations) return CORELS_FALLING_DONE;
        if (!events_room(&s->waiting, 2)) return CORELS_FALLING_EVENTS_FULL;
        int32_t status = step(s);
        if (status) return status;
    }
    return CORELS_FALLING_RUNNING;
}

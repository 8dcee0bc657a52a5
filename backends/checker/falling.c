/* Two passes over the prefixes. The first one finds what each leaves and costs, and puts it into a
 * table by the set of points that is left. The second one goes along the prefixes again with the
 * counts of every antecedent, and looks at all children. Sets are compared whole where a digest has
 * found them, so a collision costs a comparison and no more. */
#include "falling_inner.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

static int fails(checker *c, int32_t antecedent, int32_t exact, corels_falling_report *report) {
    *report = (corels_falling_report){c->at, antecedent, exact};
    return CORELS_FALLING_FAILS;
}

/* The prefix c->at, from antecedent c->next on. */
static int check_prefix(checker *c, corels_falling_report *report) {
    if (!fill_frame(c, c->at)) return CORELS_FALLING_MEMORY;
    const frame *f = &c->frames[c->states[c->at].length];
    if (!c->next) {
        const int closed = closed_reaches(c, f, NULL);
        if (closed != 1) return closed == MEMORY ? CORELS_FALLING_MEMORY : fails(c, -1, 1, report);
    }
    if (c->t.max_length >= 0 && c->states[c->at].length == (uint32_t)c->t.max_length)
        return CORELS_FALLING_HOLDS;
    while (c->next < (uint32_t)c->t.antecedents) {
        int32_t exact;
        const uint32_t a = c->next++;
        int holds = enough(c, f, a, &exact);
        if (!holds && !c->soft && (holds = top_reaches(c, f)) == 1) return CORELS_FALLING_HOLDS;
        if (holds == MEMORY) return CORELS_FALLING_MEMORY;
        if (!holds) return fails(c, (int32_t)a, exact, report);
    }
    return CORELS_FALLING_HOLDS;
}

static int to_be_checked(const checker *c) {
    if (c->given.wanted) return c->given.wanted[c->at] == 1;
    return !c->at || c->given.claimed[c->at - 1];
}

int corels_falling_step(checker *c, size_t budget, corels_falling_report *report) {
    if (c->built < c->count) return build(c, budget, report);
    while (budget--) {
        if (c->at == c->count && c->again) c->at = 0, c->again = 0;
        if (c->at == c->count) return CORELS_FALLING_HOLDS;
        if (to_be_checked(c)) {
            const int result = check_prefix(c, report);
            if (result != CORELS_FALLING_HOLDS) return result;
            if (c->given.wanted) c->given.wanted[c->at] = 2;
        }
        c->at++;
        c->next = 0;
    }
    return CORELS_FALLING_RUNNING;
}

/* --- the beginning and the end ------------------------------------------------------------------
 */

/* The first state, and how far doubles are to be trusted. */
static void set_out(checker *c) {
    const corels_falling_table *t = &c->t;
    uint64_t rows = 0;
    for (uint32_t i = 0; i < (uint32_t)t->points; i++)
        rows += (uint64_t)t->positives[i] + t->negatives[i];
    c->states[0] = (state){.least = {1, 1}};
    memcpy(c->lefts[0], c->everything, c->words * sizeof *c->everything);
    c->margin = (double)(t->positive + t->unit) * (double)rows;
    c->margin += (double)(t->rule + (c->soft ? t->violation : 0)) * (t->antecedents + 2.0);
}

static int make_room(checker *c) {
    const size_t prefixes = c->count;
    uint64_t slots = 16;
    if (!lay_out(c)) return 0;
    while (slots < 2 * prefixes) slots *= 2;
    c->slot_mask = slots - 1;
    c->slots = calloc(slots, sizeof *c->slots);
    c->states = calloc(prefixes + c->given.length + 1, sizeof *c->states);
    c->scratch = calloc(2 * (size_t)c->words + 2, sizeof *c->scratch);
    c->path = calloc(prefixes + 2, sizeof *c->path);
    c->lefts = calloc(prefixes + 2, sizeof *c->lefts);
    c->counting = counting_new(c);
    return c->slots && c->states && c->scratch && c->path && c->lefts && c->counting &&
           room_for_left(c, 0);
}

corels_falling_checker *corels_falling_open(const corels_falling_table *table,
                                            const corels_falling_prefixes *prefixes, int *result) {
    checker *c = calloc(1, sizeof *c);
    *result = CORELS_FALLING_MEMORY;
    if (!c || prefixes->count + prefixes->length >= UINT32_MAX / 2) {
        free(c);
        return NULL;
    }
    c->t = *table;
    c->given = *prefixes;
    c->lanes = ((uint32_t)table->antecedents + 512) / 512 * 512;
    c->soft = table->violation >= 0;
    c->count = (uint32_t)prefixes->count + 1;
    c->built = 1;
    *result = CORELS_FALLING_RUNNING;
    if (make_room(c)) {
        set_out(c);
        if (build_list(c)) {
            c->margin = 0x1p-40 * (c->margin + (double)c->total.whole);
            return c;
        }
        *result = CORELS_FALLING_FAILS; /* the proof's list is none of the family */
    } else {
        *result = CORELS_FALLING_MEMORY;
    }
    corels_falling_close(c);
    return NULL;
}

void corels_falling_close(corels_falling_checker *c) {
    if (!c) return;
    for (uint32_t i = 0; i < c->frame_count; i++) {
        free(c->frames[i].left);
        free(c->frames[i].counts);
        free(c->frames[i].p);
    }
    for (uint32_t i = 0; c->lefts && i <= c->count; i++) free(c->lefts[i]);
    free(c->frames);
    free(c->lefts);
    free(c->path);
    free(c->slots);
    free(c->states);
    free(c->scratch);
    free(c->masks);
    free(c->everything);
    free(c->weight);
    free(c->terms);
    counting_free(c->counting);
    free(c);
}

#else

corels_falling_checker *corels_falling_open(const corels_falling_table *table,
                                            const corels_falling_prefixes *prefixes, int *result) {
    (void)table, (void)prefixes;
    *result = CORELS_FALLING_UNSUPPORTED;
    return NULL;
}

int corels_falling_step(corels_falling_checker *c, size_t budget, corels_falling_report *report) {
    (void)c, (void)budget, (void)report;
    return CORELS_FALLING_UNSUPPORTED;
}

void corels_falling_close(corels_falling_checker *c) {
    (void)c;
}

#endif

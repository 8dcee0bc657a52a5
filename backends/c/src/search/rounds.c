/* Which lists the improver tries: rounds, and courses of rounds.
 *
 * A round takes one to four rules out of a list, puts the best ones in, in whatever places are
 * best (insert.c), and leaves out what does not pay in the end. It may overlook many insertions,
 * which leads to other lists. The new list is kept if it is not much worse than the old one.
 *
 * Rounds alone stay near the list that they begin with, and the best list may share no rule with
 * it. So rounds come in courses, and a course changes what a rule costs: it begins with an eighth
 * of the price, or a quarter, a half, the whole or twice the price, and moves in even steps to the
 * true one, at which the last quarter of the course goes on. At a low price lists get long and make
 * few errors; as the price rises, the rules that matter least go, one after another. What a list
 * looks like in the end then does not depend on which rule was best at first, by itself. (The same
 * idea as in simulated annealing, with the price of a rule in place of the temperature.)
 *
 * Half of the courses begin with the incumbent, half with the empty list. From the empty list
 * no first rule may pay: if the rare class is decided by many conditions together, each rule by
 * itself says what the default says, too. So such a course takes its default to be a class drawn
 * at random: against the rare class, every rule for the common one pays. Only what counts as a gain
 * changes by that, and by the price; what a list truly costs decides what becomes the incumbent.
 */
#include "improve.h"

static const int32_t eighths[] = {1, 2, 4, 8, 8, 16}; /* of the price, when a course begins */
static const int32_t overlooked[] = {0, 1, 8, 14};    /* insertions, of sixteen */
/* Levels of how much worse a list of a course may be; rules above the best cost within which a list
 * is shortened. */
enum { LEVELS = 8, WITHIN = 3 };

static int32_t representative(improver *im, const int32_t *values, size_t bytes) {
    return values[improver_draw(im, (int32_t)(bytes / sizeof *values))];
}

/* What the list costs at the price of this round. */
static int64_t priced(const improver *im, const draft *list) {
    return list->cost - list->n * (im->search->in.rule_cost - im->price);
}

static void take_out(draft *list, int32_t at) {
    list->n--;
    memmove(list->rules + at, list->rules + at + 1, (size_t)(list->n - at) * sizeof *list->rules);
}

/* The incumbent, or the empty list if it is another search's or too long. */
static void take_incumbent(improver *im) {
    incumbent *of = &im->search->incumbent;
    lock_take(&of->lock);
    int32_t n = of->length <= im->most ? of->length : 0;
    im->kept.n = n;
    if (n) memcpy(im->kept.rules, of->rules, (size_t)n * sizeof *of->rules);
    lock_leave(&of->lock);
}

static void begin_course(improver *im) {
    im->round = 0;
    const tuning *t = &im->search->tune;
    im->rounds = (int32_t)t->improve_shortest << improver_draw(im, (int32_t)t->improve_doubled);
    im->first_price = im->search->in.rule_cost * representative(im, eighths, sizeof eighths) / 8;
    im->level = improver_draw(im, LEVELS);
    im->kept.n = 0;
    if (improver_draw(im, 2)) take_incumbent(im);
    im->ending = im->kept.n ? -1 : improver_draw(im, im->search->in.classes);
    im->kept.cost = draft_cost(im, &im->kept);
}

/* In even steps from the first price to the true one, which three quarters of the rounds reach. */
static int64_t price_now(const improver *im) {
    int64_t price = im->search->in.rule_cost, steps = im->rounds * 3 / 4;
    if (im->round >= steps) return price;
    return im->first_price + (price - im->first_price) * im->round / steps;
}

/* One to four rules go, from anywhere or side by side. */
static void begin_round(improver *im) {
    if (im->round >= im->rounds) begin_course(im);
    im->price = price_now(im);
    im->round++;
    im->now = im->kept;
    im->best = (draft){.cost = INT64_MAX / 2};
    int32_t go = 1 + improver_draw(im, 4), beside = improver_draw(im, 2);
    if (go > im->now.n) go = im->now.n;
    int32_t first = im->now.n ? improver_draw(im, im->now.n - go + 1) : 0;
    for (int32_t i = 0; i < go; i++)
        take_out(&im->now, beside ? first : improver_draw(im, im->now.n));
    im->forced = improver_draw(im, go + 1);
    im->blinks = representative(im, overlooked, sizeof overlooked);
    im->stage = PUT_IN;
}

static void put_in(improver *im) {
    insertion best;
    if (best_insertion(im, &best) != CORELS_DONE) return;
    if (priced(im, &im->now) < priced(im, &im->best)) im->best = im->now;
    int pays = best.gain > 0 || (best.rule >= 0 && im->forced-- > 0);
    if (!pays || im->now.n == im->most) {
        im->stage = TIDY;
        return;
    }
    draft *list = &im->now;
    memmove(list->rules + best.at + 1, list->rules + best.at,
            (size_t)(list->n - best.at) * sizeof *list->rules);
    list->rules[best.at] = best.rule;
    list->n++;
}

/* Rules that do not pay at the present price go, one at a time. */
static void shorten(improver *im, draft *list) {
    for (int32_t i = list->n; i-- > 0;) {
        draft shorter = *list;
        take_out(&shorter, i);
        shorter.cost = draft_cost(im, &shorter);
        if (priced(im, &shorter) <= priced(im, list)) *list = shorter;
    }
    improver_offer(im, list);
}

/* What is left of the kept list at the true price, if that may be the best list so far. */
static void shorten_at_true_price(improver *im) {
    int64_t price = im->price, true_price = im->search->in.rule_cost;
    if (price >= true_price) return;
    if (im->kept.cost >= incumbent_cost(&im->search->incumbent) + WITHIN * true_price) return;
    draft list = im->kept;
    im->price = true_price;
    shorten(im, &list);
    im->price = price;
}

static void tidy(improver *im) {
    int64_t forgiven = im->search->in.rule_cost * improver_draw(im, im->level + 1) / LEVELS;
    im->now = im->best;
    shorten(im, &im->now);
    im->stage = TAKE_OUT;
    if (priced(im, &im->now) > priced(im, &im->kept) + forgiven) return;
    im->kept = im->now;
    shorten_at_true_price(im);
}

void improver_round(improver *im) {
    if (im->stage == TAKE_OUT) begin_round(im);
    if (im->stage == PUT_IN)
        put_in(im);
    else
        tidy(im);
}

/* Which part of a point's weight each cell has that the point is a member of.
 *
 * The ascent lets a share grow if the cell's cheapest list errs on the point. Then the shares of
 * each point are scaled to add up to 1, and what the point weighs in each cell follows from them.
 */
#include "cell.h"

/* The least share of the next iteration; what sums of doubles may be too high by. */
static const double LEAST_SHARE = 1e-5, ROUNDED = 1e-12;

static void list_places(price_shares *s) {
    const corels_prices *p = s->prices;
    size_t *end = s->first + 1, sum = 0;
    for (size_t k = 0; k < p->members_n; k++) s->shared |= end[p->members[k]]++ > 0;
    /* From here on, end[x] is where the next place of point x goes. */
    for (int32_t x = 0; x < p->in.points; x++) {
        size_t n = end[x];
        end[x] = sum;
        sum += n;
    }
    for (size_t k = 0; k < p->members_n; k++) s->places[end[p->members[k]]++] = (uint32_t)k;
}

int price_shares_new(price_shares *s, corels_prices *p, store *arrays) {
    *s = (price_shares){.prices = p};
    s->first = store_take(arrays, (size_t)p->in.points + 2, sizeof *s->first);
    s->places = store_take(arrays, p->members_n, sizeof *s->places);
    if (!arrays->failed) list_places(s);
    return !arrays->failed;
}

static void share_range(void *shares, int32_t part, int32_t from, int32_t to) {
    const price_shares *s = shares;
    corels_prices *p = s->prices;
    size_t classes = (size_t)p->in.classes;
    (void)part;
    for (int32_t x = from; x < to; x++) {
        double held = 0, rest = s->first[x + 1] - s->first[x] > 1 ? 1 - ROUNDED : 1;
        for (size_t i = s->first[x]; i < s->first[x + 1]; i++) held += p->shares[s->places[i]];
        for (size_t i = s->first[x]; i < s->first[x + 1]; i++) {
            size_t k = s->places[i];
            double share = p->shares[k] / held;
            p->shares[k] = (float)(share < LEAST_SHARE ? LEAST_SHARE : share);
            for (size_t c = 0; c < classes; c++)
                p->weights[k * classes + c] =
                    (int32_t)(share * rest * (double)price_regret(p, (int32_t)c, x));
        }
    }
}

void price_share_out(const price_shares *s, team *t, int32_t threads) {
    team_ranges(t, threads, s->prices->in.points, 1, share_range, (void *)s);
}

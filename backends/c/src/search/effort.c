/* How much work goes into better lists.
 *
 * The first slice comes so late that easy searches see none. A slice takes a quarter of the walk's
 * counts at most (a count of the walk comes with a whole expansion, which takes at least four times
 * as long), and the share is halved while nothing better is found. Before each of the first three
 * stages of prices, whose building takes longer still, there is a burst. A search that has reached
 * the third stage will take long, so from then on the share is a quarter again, or where a count is
 * quick a half, and gets smaller only after more counts without a better list.
 *
 * How long a count takes is told from the table: see count_work.
 *
 * Beside many walkers one thread could not do a quarter of their counts while they walk: each slice
 * would take longer than the one before. So the share is as small as this thread needs to keep up.
 */
#include "effort.h"

enum {
    LATEST = 20000,   /* counts of the walk before the first slice, at most */
    EARLIEST = 500,   /* and at least, unless prices are due before */
    WORK = 400000000, /* words of antecedents counted by then, at most */
    FIRST_SHARE = 4,
    LAST_SHARE = 32,
    EXPANSION = 4,    /* counts of a slice that take as long as one of the walk, at least */
    PATIENCE = 20000, /* effort without an improvement before the first share is halved; twice as
                         much before half of it is, and so on. Or less: */
    PATIENCE_WORK = 1000000000,
    LASTING = 3,    /* the stage of prices after which a search is long: */
    LONG_SHARE = 2, /* where a count takes no more work than: */
    LONG_WORK = 60000,
    LONG_LAST_SHARE = 16,
    LONG_PATIENCE = 60000, /* at least; up to ten times as much where a count is quick */
    BURST = 30000,  /* effort where the second stage of prices is due; and BURST_WORK at most */
    DEAR = 2000000, /* work of a count; where it takes as much, a burst has as many as the walk */
    EACH = 40,      /* what an antecedent takes beside its words: as much as so many words */
};

static const int64_t BURST_WORK = 3000000000;

static int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

/* What a count reads. */
static int64_t count_words(const effort_sizes *of) {
    return (int64_t)of->antecedents * of->words + 1;
}

/* How long the improver takes with a count, in words read. To look through the antecedents takes
 * longer than to count them where there are many of them and few points. */
static int64_t count_work(const effort_sizes *of) {
    return count_words(of) + (int64_t)of->antecedents * EACH;
}

static int is_long(const effort *e) {
    return e->bursts >= LASTING;
}

/* The share after a better list. */
static int64_t full_share(const effort *e, const effort_sizes *of) {
    return is_long(e) && count_work(of) <= LONG_WORK ? LONG_SHARE : FIRST_SHARE;
}

effort effort_begin(void) {
    return (effort){.share = FIRST_SHARE};
}

int64_t effort_between(const effort_sizes *of, int64_t prices) {
    int64_t counts = lesser(WORK / count_words(of), LATEST);
    if (counts < EARLIEST) counts = EARLIEST;
    return prices > 0 ? lesser(counts, prices) : counts;
}

int64_t effort_slice(effort *e, const effort_sizes *of, int64_t walked) {
    int64_t since = walked - e->walked, least = (of->walkers + EXPANSION - 1) / EXPANSION;
    e->walked = walked;
    return since / (e->share > least ? e->share : least) + 1;
}

/* The effort of a full burst. It is small beside what the walk has taken so far, where counts are
 * dear and where there are few antecedents, so that an expansion takes little more than a count. */
static int64_t full_burst(const effort_sizes *of, int64_t walked) {
    int64_t most = lesser(BURST_WORK / count_work(of), BURST);
    most = lesser(most, walked * of->antecedents / 100);
    return lesser(most, walked * DEAR / count_work(of));
}

/* A search that builds prices takes long, and longer each time: it can afford a burst. */
int64_t effort_burst(effort *e, const effort_sizes *of, int stage, int64_t walked) {
    int was_long = is_long(e);
    if (stage <= e->bursts) return 0;
    e->bursts = stage;
    if (is_long(e) && !was_long) effort_found(e, of);
    return stage == 1 ? full_burst(of, walked) / 4 : (stage - 1) * full_burst(of, walked);
}

void effort_found(effort *e, const effort_sizes *of) {
    e->found = e->spent;
    e->share = full_share(e, of);
}

static int64_t long_patience(const effort_sizes *of) {
    int64_t times = LONG_WORK / count_work(of);
    return LONG_PATIENCE * (times < 1 ? 1 : times > 10 ? 10 : times);
}

static int64_t first_patience(const effort *e, const effort_sizes *of) {
    return lesser(PATIENCE_WORK / count_work(of), PATIENCE) * e->share / FIRST_SHARE;
}

void effort_mind(effort *e, const effort_sizes *of) {
    int64_t patience = is_long(e) ? long_patience(of) : first_patience(e, of);
    if (e->spent <= e->found + patience) return;
    if (e->share >= (is_long(e) ? LONG_LAST_SHARE : LAST_SHARE)) return;
    e->share *= 2;
    if (is_long(e)) e->found = e->spent;
}

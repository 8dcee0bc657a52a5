/* How much work goes into better lists.
 *
 * The first slice comes so late that easy searches see none. A slice takes a quarter of the walk's
 * counts at most (a count of the walk comes with a whole expansion, which takes at least four times
 * as long), and the share is halved while nothing better is found. Before each of the first three
 * stages of prices, whose building takes longer still, there is a burst.
 *
 * How long a count takes follows from the table: see count_work.
 *
 * Beside many workers one thread could not do a quarter of their counts while they walk: each slice
 * would take longer than the one before. So the share is as small as this thread needs to keep up.
 */
#include "effort.h"

#include "numbers.h"

/* What a count reads. */
static int64_t count_words(const effort_sizes *of) {
    return (int64_t)of->antecedents * of->words + 1;
}

/* How long the improver takes with a count, in words read. To look through the antecedents takes
 * longer than to count them where there are many of them and few points. */
static int64_t count_work(const effort_sizes *of) {
    return count_words(of) + (int64_t)of->antecedents * of->tune->improve_each;
}

effort effort_begin(const tuning *tune) {
    return (effort){.share = tune->improve_share};
}

int64_t effort_between(const effort_sizes *of, int64_t slow) {
    int64_t counts = lesser(of->tune->improve_work / count_words(of), of->tune->improve_latest);
    if (counts < of->tune->improve_earliest) counts = of->tune->improve_earliest;
    return slow > 0 ? lesser(counts, slow) : counts;
}

int64_t effort_slice(effort *e, const effort_sizes *of, int64_t walked) {
    int64_t since = walked - e->walked,
            least = (of->workers + of->tune->improve_expansion - 1) / of->tune->improve_expansion;
    e->walked = walked;
    return since / (e->share > least ? e->share : least) + 1;
}

/* The effort of a full burst. It is small beside what the walk has taken so far where there are few
 * antecedents, so that an expansion takes little more than a count. */
static int64_t full_burst(const effort_sizes *of, int64_t walked) {
    int64_t most = lesser(of->tune->improve_burst_work / count_work(of), of->tune->improve_burst);
    return lesser(most, walked * of->antecedents / 100);
}

/* A search that builds prices takes long, and longer each time: it can afford a burst. */
int64_t effort_burst(effort *e, const effort_sizes *of, int stage, int64_t walked) {
    if (stage <= e->bursts) return 0;
    e->bursts = stage;
    return stage == 1 ? full_burst(of, walked) / 4 : (stage - 1) * full_burst(of, walked);
}

void effort_found(effort *e, const tuning *t) {
    e->found = e->spent;
    e->share = t->improve_share;
}

void effort_mind(effort *e, const effort_sizes *of) {
    const tuning *t = of->tune;
    int64_t patience = lesser(t->improve_patience_work / count_work(of), t->improve_patience);
    if (e->spent <= e->found + patience * e->share / t->improve_share) return;
    if (e->share < t->improve_last_share) e->share *= 2;
}

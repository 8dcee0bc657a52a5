/* How much work goes into better lists.
 *
 * The first slice comes so late that easy searches see none. A slice takes a quarter of the walk's
 * counts at most (a count of the walk comes with a whole expansion, which takes at least four times
 * as long).
 *
 * Beside many workers one thread could not do a quarter of their counts while they walk: each slice
 * would take longer than the one before. So the share is as small as this thread needs to keep up.
 */
#include "effort.h"

#include "numbers.h"

enum { EXPANSION = 4 }; /* counts of a slice that take as long as one of the walk */

/* What a count reads. */
static int64_t count_words(const effort_sizes *of) {
    return (int64_t)of->antecedents * of->words + 1;
}

int64_t effort_between(const effort_sizes *of, int64_t slow) {
    int64_t counts = lesser(of->tune->improve_work / count_words(of), of->tune->improve_latest);
    if (counts < of->tune->improve_earliest) counts = of->tune->improve_earliest;
    return slow > 0 ? lesser(counts, slow) : counts;
}

int64_t effort_slice(effort *e, const effort_sizes *of, int64_t walked) {
    int64_t since = walked - e->walked, least = (of->workers + EXPANSION - 1) / EXPANSION;
    e->walked = walked;
    return since / greater(of->tune->improve_share, least) + 1;
}

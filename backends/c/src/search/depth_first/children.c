/* The survivors of an expansion become the children of its frame, in the order of the policy.
 *
 * The default policy, `objective`, is a sort by what the list that ends with the child costs. Once
 * thresholds rise (deepen.c), good lists are known, and children come first that capture much and
 * err little. For any other policy, and where fine events are wanted, the survivors are a table
 * (search/children.c).
 */
#include <stdlib.h>

#include "depth_first.h"
#include "sort.h"

enum { FOR_AN_ERROR = 2 }; /* regret captured that makes up for an error, in the order */

typedef struct {
    double priority;
    int32_t at;
} place;

static int sooner(const void *x, const void *y) {
    const place *a = x, *b = y;
    if (a->priority != b->priority) return a->priority < b->priority ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The regret that a rule captures, of all classes. */
static int64_t captured(const search *s, const frame *f, int32_t rule) {
    int64_t sum = 0;
    for (int32_t c = 0; c < s->in.classes; c++)
        sum += f->counts[(size_t)c * (size_t)s->stride + (size_t)rule];
    return sum;
}

static int32_t rank_of(const worker_path *k, const frame *f, const expansion *x, int32_t rule) {
    enum { LIMIT = 1 << 30 };
    if (!k->tree->passes.number) return x->node.closing[rule];
    int64_t rank = FOR_AN_ERROR * (int64_t)x->node.errors[rule] - captured(k->search, f, rule);
    return (int32_t)(rank < -LIMIT ? 0 : rank >= LIMIT ? INT32_MAX : rank + LIMIT);
}

/* The places of the survivors in the order in which they are searched, as the low parts of
 * worker->order. */
static void sort_by_rank(const worker_path *k, const frame *f, const expansion *x) {
    const worker *w = k->w;
    for (int32_t i = 0; i < x->n; i++) w->order[i] = key_of(rank_of(k, f, x, w->list[i]), i);
    sort_keys(w->order, x->n);
}

static int sort_by_policy(worker *w, int32_t n) {
    int status = expansion_ask_policy(w);
    place *places = (place *)w->places;
    if (status != CORELS_OK) return status;
    for (int32_t i = 0; i < n; i++) places[i] = (place){w->priorities[i], i};
    qsort(places, (size_t)n, sizeof *places, sooner);
    for (int32_t i = 0; i < n; i++) w->order[i] = key_of(0, places[i].at);
    return CORELS_OK;
}

int list_children(worker_path *k, frame *f, expansion *x) {
    search *s = k->search;
    const worker *w = k->w;
    int by_default = s->policy == policy_objective, status = CORELS_OK;
    if (x->n && (!by_default || s->fine)) {
        f->first = (int64_t)atomic_fetch_add(&s->serials, x->n) + 1;
        expansion_table(k->w, x, f->first);
    }
    if (by_default)
        sort_by_rank(k, f, x);
    else if (x->n)
        status = sort_by_policy(k->w, x->n);
    f->n = status == CORELS_OK ? x->n : 0;
    for (int32_t i = 0; i < f->n; i++) {
        int32_t at = key_low(w->order[i]), rule = w->list[at];
        f->children[i] = (frame_child){.rule = rule,
                                       .errors = x->node.errors[rule],
                                       .closing = x->node.closing[rule],
                                       .at = at,
                                       .tried = w->tried[rule]};
    }
    k->w->seen.inserted += f->n;
    return status;
}

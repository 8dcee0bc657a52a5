/* The survivors of an expansion become the children of its frame, in the order of the policy.
 *
 * The default policy, `objective`, is a sort by what the list that ends with the child costs. For
 * any other policy, and if fine events are wanted, the survivors are a table
 * (search/children.c).
 */
#include <stdlib.h>

#include "depth_first.h"
#include "sort.h"

typedef struct {
    double priority;
    int32_t at;
} place;

static int sooner(const void *x, const void *y) {
    const place *a = x, *b = y;
    if (a->priority != b->priority) return a->priority < b->priority ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The places of the survivors in the order in which they are searched, as the low parts of
 * worker->order. */
static void sort_by_objective(const worker *w, const expansion *x) {
    for (int32_t i = 0; i < x->n; i++) w->order[i] = key_of(x->node.closing[w->list[i]], i);
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
        sort_by_objective(w, x);
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

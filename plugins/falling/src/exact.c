/* Exact search: depth first over prefixes, on an explicit stack so that a step can end anywhere.
 *
 * A child's list is scored when its parent is expanded, so a child waits only for the sake of its
 * extensions: it is visited if its bound still beats the incumbent and no stored prefix dominates
 * it.
 */
#include "search.h"

#include <string.h>

static int32_t start(corels_falling *s) {
    s->started = 1;
    s->depth = 0;
    frame *root = &s->frames[0];
    frame_root(root, &s->t, s->counting);
    int32_t status = search_consider(s, root, NULL, frame_closed(&s->t, root));
    return status ? status : expand(s, root, NULL);
}

/* Visit the next child of the top frame. */
static int32_t visit(corels_falling *s, const child *c) {
    if (!search_reach(s, s->depth + 1)) return CORELS_FALLING_NO_MEMORY;
    frame *parent = &s->frames[s->depth], *f = parent + 1;
    const uint32_t length = parent->length + 1;
    child_left(&s->t, parent, c, f->left);
    f->node = 0;
    if (s->prune.enabled & CORELS_FALLING_DOMINANCE) {
        uint64_t print = corels_hash(f->left, s->t.words);
        if (memo_dominated(&s->seen, &s->t, c, s->path, length, f->left, print)) {
            s->prune.pruned[BY_DOMINANCE]++;
            return 0;
        }
        f->node = memo_store(&s->seen, c, parent->node, length, print);
    }
    frame_extend(f, &s->t, s->counting, parent, c, s->scratch);
    s->path[parent->length] = c->antecedent;
    s->blocks[parent->length] = (block){c->p, c->q};
    s->depth++;
    s->statistics.visited++;
    if (s->proving)
        events_emit(&s->waiting, (corels_falling_event){.kind = EVENT_EXPANDED,
                                                        .antecedent = (int32_t)c->antecedent,
                                                        .length = (int32_t)f->length});
    return expand(s, f, parent);
}

int32_t exact_step(corels_falling *s, uint64_t budget) {
    int32_t status = s->started ? 0 : start(s);
    if (status) return status;
    for (uint64_t end = s->statistics.visited + budget; s->statistics.visited < end;) {
        if (!events_room(&s->waiting, s->t.antecedents + 3u) && s->waiting.count)
            return CORELS_FALLING_EVENTS_FULL;
        frame *f = &s->frames[s->depth];
        if (f->next == f->child_count) {
            if (s->depth == 0) return CORELS_FALLING_DONE;
            s->depth--;
            continue;
        }
        const child *c = &f->children[f->next++];
        if (c->bound >= s->best.total.high) {
            f->next = f->child_count; /* they are sorted: none of the rest can help */
            continue;
        }
        status = visit(s, c);
        if (status) return status;
    }
    return CORELS_FALLING_RUNNING;
}

int64_t exact_lower_bound(const corels_falling *s) {
    int64_t least = s->best.total.low;
    for (uint32_t i = 0; i <= s->depth; i++) {
        const frame *f = &s->frames[i];
        if (f->next < f->child_count && f->children[f->next].bound < least)
            least = f->children[f->next].bound;
    }
    return least;
}

double exact_settled(const corels_falling *s) {
    const frame *root = s->frames;
    uint32_t below = s->depth > 0; /* the last child taken is the frame below */
    return root->child_count ? (double)(root->next - below) / root->child_count : 1;
}

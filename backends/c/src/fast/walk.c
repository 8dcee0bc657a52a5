/* The walk: depth first over sets of points, on an explicit stack.
 *
 * f(S), the least cost of completing a prefix that leaves the points S, depends on S alone. A
 * walker holds the path from the root as frames. It takes the next child of the top frame; enters
 * it, if nothing rules it out; and when a frame has no child left, its set is settled: f(S) is at
 * least `least`, the least over the children of what each of them was proved to cost, and that is
 * no less than need = incumbent - cost of the prefix. The claim goes into the memo, the frame is
 * left, and the walk goes on above. When the root is left, the incumbent is optimal.
 *
 * Claims beyond what the present prefix needs save work: the same set comes again by cheaper
 * prefixes, whose need is larger. So every bound says not only that a child is ruled out, but what
 * it costs at least; and a set is searched at once with the need of the cheapest order in which the
 * rules of its prefix are known to come: need = incumbent - cost + slack (order.c).
 *
 * The loop can stop before any child and resume there. Several walkers share incumbent and memo,
 * and each walks from the root by itself; a child on which another one is working is put off to the
 * end of its frame, by when the memo mostly knows the answer. Nobody hands out work, and any walker
 * that leaves the root has proved the whole.
 */
#include <string.h>

#include "fast.h"

static inline size_t frame_key_bytes(const struct corels_fast *fast) {
    return (size_t)fast->key_words * sizeof(uint64_t);
}

/* What the completions of a child cost at least, told before it is counted. The list that ends with
 * the child is not among them: the frame above knows its cost. */
static int64_t floor_of(corels_walker *walker, const corels_frame *above, int32_t rule,
                        int64_t need) {
    const struct corels_fast *fast = walker->fast;
    int64_t least = corels_has(fast, CORELS_FAST_LOOKAHEAD) ? fast->in.rule_cost : 0;
    if (need <= least) {
        walker->seen.by_cost++;
        return least;
    }
    if (!fast->blocks || above->stage == fast->stage) return least;
    /* The blocks are newer than the list of the frame above. */
    const uint64_t *view = corels_frame_view(walker, walker->depth);
    if (!view) return least;
    least = corels_blocks_least(fast->blocks, view, rule, fast->in.rule_cost, fast->in.unit, need);
    walker->seen.by_blocks += least >= need;
    return least;
}

/* The antecedents known to capture nothing of the set before it is counted: any such mask stands
 * for the set of points outside all of them, which is this one, so what is proved under it is
 * proved of this set. Most often it is the closure mask already. */
static void guess_key(const struct corels_fast *fast, const corels_frame *above,
                      corels_frame *frame) {
    for (int32_t w = 0; w < fast->key_words; w++) frame->guess[w] = above->key[w];
    frame->guess[frame->rule / 64] |= UINT64_C(1) << (frame->rule % 64);
}

/* A child is settled: its completions cost at least `least`. */
static void settle(corels_frame *above, const corels_frame *frame, int64_t least) {
    corels_lower(&above->least, frame->cost - above->cost + least);
}

static void take_out(const struct corels_fast *fast, const corels_frame *above,
                     corels_frame *frame) {
    const uint64_t *mask = fast->masks + (size_t)frame->rule * fast->words;
    for (int32_t w = 0; w < fast->words; w++) frame->set[w] = above->set[w] & ~mask[w];
}

/* Whether the memo rules the set out, or another walker is at it and it can wait. */
static int settled(corels_walker *walker, corels_frame *above, corels_frame *frame) {
    const struct corels_fast *fast = walker->fast;
    int busy = 0;
    if (!fast->memo) return 0;
    if (corels_has(fast, CORELS_FAST_ONE_RULE) && frame->need <= 2 * fast->in.rule_cost) return 0;
    int64_t bound = corels_memo_find(fast->memo, frame->guess, &busy);
    if (bound >= frame->need) {
        settle(above, frame, bound);
        walker->seen.by_memo++;
        return 1;
    }
    if (!busy || above->pass) return 0;
    above->children[above->put_off++] = above->children[above->next - 1];
    return 1;
}

/* Enters the next child of the top frame, or only moves past it. */
static int enter(corels_walker *walker) {
    struct corels_fast *fast = walker->fast;
    corels_frame *frame = corels_frame_below(walker);
    if (!frame) return CORELS_NO_MEMORY;
    corels_frame *above = walker->frames + walker->depth;
    corels_child child = above->children[above->next++];
    frame->rule = child.rule;
    frame->cost = above->cost + fast->in.rule_cost + fast->in.unit * child.errors;
    frame->slack = fast->memo ? corels_slack(walker, child.rule) : 0; /* for claims alone */
    frame->need = corels_need(fast, frame->cost) + frame->slack;
    int64_t least = floor_of(walker, above, child.rule, frame->need);
    if (least >= frame->need) {
        settle(above, frame, least);
        return CORELS_OK;
    }
    if (fast->by_closure)
        guess_key(fast, above, frame); /* the set itself only where the memo does not know it */
    else
        take_out(fast, above, frame);
    if (settled(walker, above, frame)) return CORELS_OK;
    if (fast->by_closure) take_out(fast, above, frame);
    walker->depth++;
    frame->view_stage = 0;
    frame->began = walker->seen.expansions;
    corels_expand(walker, frame);
    if (frame->n && fast->memo && fast->options.threads > 1)
        corels_memo_enter(fast->memo, frame->guess);
    return walker->status;
}

/* Everything below the top frame is searched. */
static void leave(corels_walker *walker) {
    struct corels_fast *fast = walker->fast;
    corels_frame *frame = walker->frames + walker->depth;
    uint64_t effort = walker->seen.expansions - frame->began;
    if (walker->depth) settle(frame - 1, frame, frame->least);
    if (effort) walker->status |= corels_claim_frame(walker); /* before the memo knows it */
    if (fast->memo && effort) {
        corels_memo_prove(fast->memo, frame->key, frame->least, effort);
        if (walker->depth && memcmp(frame->guess, frame->key, frame_key_bytes(fast)))
            corels_memo_prove(fast->memo, frame->guess, frame->least, effort);
    }
    if (--walker->depth < 0) atomic_store(&fast->done, 1);
}

/* Children that were put off come again, and are then searched whoever else is at them. */
static int second_pass(corels_frame *frame) {
    if (!frame->put_off) return 0;
    frame->n = frame->put_off;
    frame->next = frame->put_off = 0;
    frame->pass = 1;
    return 1;
}

int corels_stage_due(const struct corels_fast *fast, uint64_t counts) {
    if (!corels_has(fast, CORELS_FAST_BLOCKS) || fast->stage > 1) return 0;
    int64_t due = fast->options.stages[fast->stage];
    return due >= 0 && counts >= fast->start_counts + (uint64_t)due;
}

static void begin(corels_walker *walker) {
    struct corels_fast *fast = walker->fast;
    corels_frame *root = walker->frames;
    for (int32_t i = 0; i < fast->in.points; i++) root->set[i / 64] |= UINT64_C(1) << (i % 64);
    root->need = corels_need(fast, 0);
    walker->depth = 0;
    walker->walking = 1;
    corels_expand(walker, root);
}

void corels_walk(corels_walker *walker) {
    struct corels_fast *fast = walker->fast;
    if (!walker->walking) begin(walker);
    uint64_t until = walker->seen.counts + (uint64_t)walker->budget;
    int64_t cost = corels_need(fast, 0);
    while (walker->depth >= 0 && walker->seen.counts < until && walker->status == CORELS_OK) {
        corels_frame *top = walker->frames + walker->depth;
        if (atomic_load_explicit(&fast->done, memory_order_relaxed)) break;
        if (corels_need(fast, 0) < cost) break; /* each improvement is reported */
        if (corels_stage_due(fast, walker->seen.counts)) break;
        if (top->next < top->n)
            walker->status |= enter(walker);
        else if (!second_pass(top))
            leave(walker);
    }
}

/* One expansion: from a set of points to the children that are worth searching.
 *
 * Count once, then let one bound after another shorten the list: the cheap ones first. What is left
 * is sorted by the errors of the list that ends with the child, most promising first.
 */
#include "fast.h"
#include "sort.h"

corels_node corels_node_of(const corels_walker *walker, const corels_frame *frame) {
    const struct corels_fast *fast = walker->fast;
    return (corels_node){
        .kernel = fast->kernel,
        .masks = fast->masks,
        .set = frame->set,
        .counts = frame->counts,
        .totals = walker->totals,
        .worst = fast->measures > fast->in.classes
                     ? frame->counts + (size_t)fast->in.classes * fast->stride
                     : NULL,
        .errors = walker->errors,
        .closing = walker->closing,
        .rule_cost = fast->in.rule_cost,
        .unit = fast->in.unit,
        .floor = INT64_MAX,
        .antecedents = fast->in.antecedents,
        .words = fast->words,
        .classes = fast->in.classes,
        .stride = fast->stride,
    };
}

/* The closure mask: the antecedents that capture nothing of the set. */
static void close_key(const corels_walker *walker, corels_frame *frame) {
    const struct corels_fast *fast = walker->fast;
    for (int32_t w = 0; w < fast->key_words; w++) frame->key[w] = 0;
    for (int32_t r = 0; r < fast->in.antecedents; r++) {
        int32_t any = 0;
        for (int32_t c = 0; c < fast->in.classes; c++)
            any |= frame->counts[(size_t)c * fast->stride + r];
        frame->key[r / 64] |= (uint64_t)(any == 0) << (r % 64);
    }
}

static int known(corels_walker *walker, corels_frame *frame) {
    const struct corels_fast *fast = walker->fast;
    if (!fast->memo || !fast->by_closure) return 0;
    if (corels_has(fast, CORELS_FAST_ONE_RULE) && frame->need <= 2 * fast->in.rule_cost) return 0;
    int64_t bound = corels_memo_find(fast->memo, frame->key, NULL);
    if (bound < frame->need) return 0;
    if (walker->depth)
        corels_memo_prove(fast->memo, frame->guess, bound, 1); /* no count next time */
    frame->least = bound;
    walker->seen.by_memo++;
    return 1;
}

static int32_t least_of(const int32_t *totals, int32_t classes) {
    int32_t least = totals[0];
    for (int32_t c = 1; c < classes; c++) least = totals[c] < least ? totals[c] : least;
    return least;
}

/* Offers the best list that ends with one rule more; false where no longer list can be better. */
static int close(corels_walker *walker, corels_frame *frame, const corels_node *node) {
    const struct corels_fast *fast = walker->fast;
    int32_t least = corels_node_scan(node);
    int64_t cost = frame->cost + node->rule_cost + node->unit * least;
    frame->least = node->unit * least_of(node->totals, node->classes);
    corels_lower(&frame->least, cost - frame->cost);
    if (cost < corels_need(fast, 0)) {
        int32_t r = 0;
        while (node->closing[r] != least) r++;
        walker->status |= corels_offer_path(walker, cost, r);
    }
    frame->need = corels_need(fast, frame->cost) + frame->slack;
    if (!corels_has(fast, CORELS_FAST_ONE_RULE) || frame->need > 2 * node->rule_cost) return 1;
    walker->seen.by_one_rule++;
    corels_lower(&frame->least, 2 * node->rule_cost);
    return 0;
}

static int32_t filter_blocks(corels_walker *walker, int64_t need, corels_node *node, int32_t n) {
    const uint64_t *view = corels_frame_view(walker, walker->depth);
    if (!view) return n;
    int32_t kept = corels_keep_blocks(node, walker->fast->blocks, view, need, walker->list, n);
    walker->seen.by_blocks += (uint64_t)(n - kept);
    return kept;
}

static int32_t filter(corels_walker *walker, const corels_frame *frame, corels_node *node) {
    const struct corels_fast *fast = walker->fast;
    corels_fast_report *seen = &walker->seen;
    int32_t *list = walker->list, n, kept, all = node->antecedents;
    n = corels_keep_cost(node, frame->need, corels_has(fast, CORELS_FAST_LOOKAHEAD), list);
    seen->children += (uint64_t)all;
    seen->by_cost += (uint64_t)(all - n);
    if (corels_has(fast, CORELS_FAST_REDUCED_SUPPORT))
        kept = corels_keep_reduced_support(node, list, n);
    else
        kept = corels_keep_capturing(node, list, n);
    seen->by_reduced_support += (uint64_t)(n - kept), n = kept;
    if (fast->blocks) n = filter_blocks(walker, frame->need, node, n);
    if (corels_has(fast, CORELS_FAST_SECOND_RULE)) {
        kept = corels_keep_second_rule(node, frame->need, list, n, &walker->rivals);
        seen->by_second_rule += (uint64_t)(n - kept), n = kept;
    }
    if (corels_has(fast, CORELS_FAST_DOMINANCE)) {
        kept = corels_keep_dominance(node, list, n, walker->order);
        seen->by_dominance += (uint64_t)(n - kept), n = kept;
    }
    if (corels_has(fast, CORELS_FAST_SIMILAR_SUPPORT)) {
        kept = corels_keep_similar_support(node, fast->worst, list, n, walker->order);
        seen->by_similar_support += (uint64_t)(n - kept), n = kept;
    }
    return n;
}

static void list_children(const corels_walker *walker, corels_frame *frame, const corels_node *node,
                          int32_t n) {
    uint64_t *order = walker->order;
    for (int32_t i = 0; i < n; i++)
        order[i] = corels_key(node->closing[walker->list[i]], walker->list[i]);
    corels_sort(order, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t r = corels_key_low(order[i]);
        frame->children[i] = (corels_child){r, node->errors[r], node->closing[r]};
    }
    frame->n = n;
}

void corels_expand(corels_walker *walker, corels_frame *frame) {
    const struct corels_fast *fast = walker->fast;
    corels_counter_count(fast->counter, frame->set, walker->scratch, frame->counts, walker->totals);
    walker->seen.counts++;
    frame->n = frame->next = frame->put_off = frame->pass = 0;
    frame->stage = fast->stage;
    if (fast->by_closure) {
        close_key(walker, frame);
        if (known(walker, frame)) return;
    }
    corels_node node = corels_node_of(walker, frame);
    if (!close(walker, frame, &node)) return;
    walker->seen.expansions++;
    list_children(walker, frame, &node, filter(walker, frame, &node));
    corels_lower(&frame->least, node.floor);
}

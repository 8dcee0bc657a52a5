/* What a claim about a similar set says of this one.
 *
 * For any two sets of points, f(T) >= f(V) - u w(V \ T), where w adds up the worst regrets: what
 * completes T completes V, too, and errs on the points that V has more at most so often. So a claim
 * about V closes T, if it says enough beyond the points that T lacks. Three kinds of V are asked:
 *
 *   a sibling       the set A that is split leaves T by the rule p, and leaves V by a rule q whose
 *                   child is settled: V has more of p's points, those that q does not capture. What
 *                   was proved of V stands in the frame, and often is more than V needed.
 *   a shorter path  V is what the path leaves without one of its earlier rules, j, so it has more
 *                   the points that j alone captures. Where these are few, j does not pay for
 *                   itself among the others: T is then reached by a dear prefix, V by a cheaper
 *                   one, and the memo often knows V.
 *   a child         V = T \ r. Nothing is lost then, and what was proved of the child may be all
 *                   that T itself needs. The walk sees that when a child is settled (walk.c).
 *
 * The points that each rule of the path alone captures are kept in the frames, a row a rule, made
 * when a frame's first child asks. What all this gains: docs/internals/depth-first.md.
 *
 * Where antecedents have little to do with each other, no set is similar to another one, and asking
 * takes longer than counting. So where too few sets are closed, similar ones are asked about some
 * only, by which it is seen if that changes.
 */
#include <stdlib.h>

#include "depth_first.h"

int similar_sets_asked(const worker_path *k, int64_t need, int32_t left) {
    const tuning *t = &k->search->tune;
    if (!similar_sets_help(k->search, need, left)) return 0;
    int64_t asked = k->similar.asked - t->similar_trial;
    return asked <= k->similar.closed * t->similar_worth ||
           k->w->seen.expanded % t->similar_seldom == 0;
}

/* The worst regrets of a part of a set, as of sum_of: of two classes each point has one only. */
static int64_t sum_of_worst(const search *s, const uint64_t *set, uint32_t from, uint32_t to) {
    if (s->in.worst >= 0) return sum_of(s, s->in.worst, set, from, to);
    return sum_of(s, 0, set, from, to) + sum_of(s, 1, set, from, to);
}

/* The worst regrets of the points of `of` outside `less`; or any number above `most`. */
static int64_t weight_outside(const search *s, const uint64_t *of, const uint64_t *less,
                              int64_t most) {
    enum { AT_ONCE = 64 };
    uint64_t outside[AT_ONCE];
    int64_t weight = 0;
    for (int32_t from = 0; from < s->in.words && weight <= most; from += AT_ONCE) {
        int32_t n = s->in.words - from < AT_ONCE ? s->in.words - from : AT_ONCE;
        take_bits(outside, of + from, less + from, n);
        weight += sum_of_worst(s, outside, (uint32_t)from, (uint32_t)(from + n));
    }
    return weight;
}

/* The points that the path's rule j alone captures, of the path to frame f. */
static uint64_t *row(const search *s, const frame *f, int32_t j) {
    return f->alone + (size_t)j * (size_t)s->in.words;
}

size_t similar_sets_bytes(const search *s, int32_t depth) {
    return (size_t)depth * (size_t)s->in.words * sizeof(uint64_t);
}

/* The rows of the frame at this depth, and of those above it that have none yet. 0: no memory. */
static int fill_rows(worker_path *k, int32_t depth) {
    const search *s = k->search;
    int32_t first = depth;
    while (first > 1 && !k->frames[first - 1].has_rows) first--;
    for (int32_t d = first; d <= depth; d++) {
        frame *f = k->frames + d;
        const uint64_t *mask = mask_of(s, f->rule);
        if (f->has_rows) continue;
        if (!f->alone) f->alone = store_take(&f->arrays, similar_sets_bytes(s, d), 1);
        if (!f->alone) return 0;
        for (int32_t j = 0; j < d - 1; j++)
            take_bits(row(s, f, j), row(s, f - 1, j), mask, s->in.words);
        for (int32_t w = 0; w < s->in.words; w++) row(s, f, d - 1)[w] = f[-1].set[w] & mask[w];
        f->has_rows = 1;
    }
    return 1;
}

/* What settled siblings say of the set that rule p leaves; less than `need` if too little. Those
 * settled last are most like it, so they are asked first; no more than similar_asked, since a set
 * may have thousands of children. */
static int64_t known_by_siblings(worker_path *k, const frame *above, int32_t p, int64_t need) {
    const search *s = k->search;
    uint64_t *cell = k->scratch;
    int ready = 0, asked = 0;
    for (int32_t i = above->next - 2; i >= above->put_off && asked < s->tune.similar_asked; i--) {
        int64_t room = above->children[i].claimed - need;
        if (room < 0) continue;
        asked++;
        for (int32_t w = 0; !ready && w < s->in.words; w++)
            cell[w] = above->set[w] & mask_of(s, p)[w];
        ready = 1;
        const uint64_t *q = mask_of(s, above->children[i].rule);
        int64_t lost = s->in.unit * weight_outside(s, cell, q, room / s->in.unit);
        if (lost <= room) return need + room - lost;
    }
    return -1;
}

/* The key of what the frame's path without its rule j, but with p, leaves: the points themselves,
 * or the antecedents that capture none of them nor of p's. */
static void key_without(const worker_path *k, const frame *above, int32_t j, int32_t p,
                        uint64_t *key) {
    const search *s = k->search;
    const uint64_t *alone = row(s, above, j);
    if (!k->tree->by_closure) {
        for (int32_t w = 0; w < s->in.words; w++)
            key[w] = (above->set[w] | alone[w]) & ~mask_of(s, p)[w];
        return;
    }
    for (int32_t w = 0; w < k->tree->key_words; w++) {
        key[w] = above->key[w];
        for (uint64_t left = key[w]; left; left &= left - 1) {
            int32_t r = w * 64 + corels_lowest(left);
            if (meets(alone, mask_of(s, r), s->in.words)) clear_bit(key, r);
        }
    }
    set_bit(key, p);
}

/* What the memo says of it by the path without one of its rules. No such rule can save more than
 * it costs by much, so where it alone captures more than similar_dear rules' worth, nobody looks.
 */
static int64_t known_without_a_rule(worker_path *k, frame *above, int32_t p, int64_t need) {
    const search *s = k->search;
    int64_t most = s->tune.similar_dear * s->in.rule_cost / s->in.unit;
    if (k->depth && !fill_rows(k, k->depth)) return -1;
    for (int32_t j = k->depth - 1; j >= 0; j--) {
        int64_t weight = weight_outside(s, row(s, above, j), mask_of(s, p), most);
        if (weight > most) continue;
        key_without(k, above, j, p, k->scratch);
        int64_t least = memo_find(k->tree->memo, k->scratch, rules_left(s, k->depth + 1), NULL) -
                        s->in.unit * weight;
        if (least >= need) return least;
    }
    return -1;
}

int64_t similar_sets_least(worker_path *k, frame *above, int32_t p, int64_t need) {
    int64_t least = known_by_siblings(k, above, p, need);
    return least >= need ? least : known_without_a_rule(k, above, p, need);
}

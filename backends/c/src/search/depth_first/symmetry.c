/* Symmetric sets: images of each other by a symmetry of the data.
 *
 * f is the same of a set and of its images (automorphisms.h), so the memo may take them for one
 * set: what is settled for one of them is not searched again for another. The symmetries are looked
 * for when thresholds begin to rise, since searches that end before would not gain by them; and at
 * that moment no worker is at any set, so no mark in the memo stands under the wrong name.
 */
#include "depth_first.h"
#include "record.h"

static automorphisms *find(const search *s) {
    const instance *in = &s->in;
    return automorphisms_find(&(automorphism_data){.masks = in->masks,
                                                   .regrets = in->regrets,
                                                   .antecedents = in->antecedents,
                                                   .points = in->points,
                                                   .classes = in->classes,
                                                   .words = in->words,
                                                   .most_cells = s->tune.symmetry_cells,
                                                   .most_visits = s->tune.symmetry_visits});
}

/* Points without regret mean nothing to a proof. */
static int32_t heavy_points(const search *s) {
    int32_t n = 0;
    for (int32_t x = 0; x < s->in.points; x++) n += s->in.worst_regrets[x] > 0;
    return n;
}

/* One symmetry as a record of the proof: points, and where each goes. 0: no memory. */
static int write_down(const search *s, const int32_t *images) {
    int32_t n = heavy_points(s);
    if (!record_begin(s->record, 2 * (size_t)n + 2)) return 0;
    record_put(s->record, RECORD_SYMMETRY);
    record_put(s->record, (uint64_t)n);
    for (int to = 0; to < 2; to++)
        for (int32_t x = 0; x < s->in.points; x++)
            if (s->in.worst_regrets[x] > 0)
                record_put(s->record, (uint64_t)record_point(s->record, to ? images[x] : x));
    record_end(s->record);
    return 1;
}

/* All but the identity. */
static int write_all(const search *s, const automorphisms *symmetries) {
    int ok = 1;
    for (int32_t i = 1; ok && s->record && i < symmetries->n; i++)
        ok = write_down(s, automorphisms_points(symmetries, i));
    return ok;
}

void symmetries_find(search *s) {
    depth_first_tree *tree = tree_of(s);
    /* An earlier proof may bring more sets than can be put in anew in a moment. */
    if ((int64_t)memo_used(tree->memo).entries > s->tune.symmetry_most_known) return;
    automorphisms *symmetries = find(s);
    if (!symmetries) return;
    tree->symmetries = symmetries;
    if (automorphisms_aim(symmetries, tree->by_closure) && write_all(s, symmetries)) {
        memo_symmetric(tree->memo, symmetries);
        return;
    }
    automorphisms_free(symmetries);
    tree->symmetries = NULL;
}

int32_t corels_search_symmetries(const corels_search *s, int32_t *images, int32_t most) {
    automorphisms *symmetries = find(s);
    int32_t n = symmetries ? symmetries->n : 0, m = s->in.antecedents;
    for (int32_t i = 0; i < n && i < most; i++)
        memcpy(images + (size_t)i * (size_t)m, automorphisms_antecedents(symmetries, i),
               (size_t)m * sizeof *images);
    automorphisms_free(symmetries);
    return n;
}

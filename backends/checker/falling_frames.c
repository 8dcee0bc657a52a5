/* The counts of the prefixes on the path to the one that is looked at. */
#include "falling_inner.h"

#ifdef __SIZEOF_INT128__

#include <stdlib.h>
#include <string.h>

static int add_frame(checker *c) {
    frame *frames = realloc(c->frames, (c->frame_count + 1u) * sizeof *frames);
    if (!frames) return 0;
    c->frames = frames;
    frame *f = &frames[c->frame_count++];
    memset(f, 0, sizeof *f);
    f->number = UINT32_MAX;
    f->left = malloc((c->words + 1u) * sizeof *f->left);
    f->counts = malloc((size_t)COUNTS * c->lanes * sizeof *f->counts);
    f->p = malloc(2 * (size_t)c->lanes * sizeof *f->p);
    f->q = f->p ? f->p + c->lanes : NULL;
    return f->left && f->counts && f->p;
}

static void add_up(frame *f) {
    f->all_p = f->all[0] + f->all[2] + f->all[4] + f->all[6];
    f->all_q = f->all[1] + f->all[3] + f->all[5] + f->all[7];
}

static uint32_t size_of(const uint64_t *set, uint32_t words) {
    uint32_t size = 0;
    for (uint32_t w = 0; w < words; w++) size += (uint32_t)__builtin_popcountll(set[w]);
    return size;
}

/* Counts of a prefix from those of its parent, the frame below; the fewer points are counted: what
 * the rule captures, or what is left. */
static void fill_below(checker *c, frame *f, uint32_t number) {
    const frame *below = f - 1;
    const uint64_t *mask = mask_of(c, c->states[number].rule);
    const uint32_t rule = c->states[number].rule;
    for (uint32_t w = 0; w < c->words; w++) {
        f->left[w] = below->left[w] & ~mask[w];
        c->scratch[w] = below->left[w] & mask[w];
    }
    for (int k = 0; k < COUNTS; k++)
        f->all[k] = below->all[k] - below->counts[(size_t)k * c->lanes + rule];
    if (size_of(c->scratch, c->words) <= size_of(f->left, c->words))
        count_set(c->counting, c->scratch, below->counts, f);
    else
        count_set(c->counting, f->left, NULL, f);
    add_up(f);
    f->number = number;
}

static void fill_root(checker *c, frame *f) {
    memcpy(f->left, c->everything, c->words * sizeof *f->left);
    memset(f->all, 0, sizeof f->all);
    for (uint32_t g = 0; g < GROUPS; g++)
        for (size_t i = c->first_word[g] * 64; i < c->first_word[g + 1] * 64; i++) {
            f->all[2 * g] += (uint32_t)c->weight[i];
            f->all[2 * g + 1] += (uint32_t)(c->weight[i] >> 32);
        }
    count_set(c->counting, f->left, NULL, f);
    add_up(f);
    f->number = 0;
}

/* Makes frames[length of the prefix] its own, and those below the ones of its path. */
int fill_frame(checker *c, uint32_t number) {
    const uint32_t depth = c->states[number].length;
    if (depth && !fill_frame(c, c->states[number].parent)) return 0;
    while (c->frame_count <= depth)
        if (!add_frame(c)) return 0;
    if (c->frames[depth].number == number) return 1;
    if (depth)
        fill_below(c, &c->frames[depth], number);
    else
        fill_root(c, &c->frames[0]);
    return 1;
}

#endif
